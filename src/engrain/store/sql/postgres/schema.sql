-- The schema of a new store. A test holds that the migrations reach the same.

-- The journal and what is derived from it.
CREATE TABLE mem_migrations (
  name text COLLATE "C" PRIMARY KEY,
  time bigint NOT NULL
);

-- The truth. seq is the order of arrival: a place to go on from, never a part of anything derived.
-- Every key begins with tenant and project, so that tables can be partitioned and distributed by them. The journal is in
-- eight parts by project: each is cleaned, copied and indexed by itself, and a question about a project reads one.
CREATE TABLE mem_events (
  seq     bigint GENERATED ALWAYS AS IDENTITY,
  tenant  text COLLATE "C" NOT NULL,
  project text COLLATE "C" NOT NULL,
  id      text COLLATE "C" NOT NULL,
  time    bigint NOT NULL,
  session text COLLATE "C" NOT NULL,
  agent   text COLLATE "C" NOT NULL,
  kind    text COLLATE "C" NOT NULL,
  v       bigint NOT NULL,
  body    text COLLATE "C" NOT NULL,
  PRIMARY KEY (tenant, project, id)
) PARTITION BY HASH (project);
CREATE TABLE mem_events_0 PARTITION OF mem_events FOR VALUES WITH (MODULUS 8, REMAINDER 0);
CREATE TABLE mem_events_1 PARTITION OF mem_events FOR VALUES WITH (MODULUS 8, REMAINDER 1);
CREATE TABLE mem_events_2 PARTITION OF mem_events FOR VALUES WITH (MODULUS 8, REMAINDER 2);
CREATE TABLE mem_events_3 PARTITION OF mem_events FOR VALUES WITH (MODULUS 8, REMAINDER 3);
CREATE TABLE mem_events_4 PARTITION OF mem_events FOR VALUES WITH (MODULUS 8, REMAINDER 4);
CREATE TABLE mem_events_5 PARTITION OF mem_events FOR VALUES WITH (MODULUS 8, REMAINDER 5);
CREATE TABLE mem_events_6 PARTITION OF mem_events FOR VALUES WITH (MODULUS 8, REMAINDER 6);
CREATE TABLE mem_events_7 PARTITION OF mem_events FOR VALUES WITH (MODULUS 8, REMAINDER 7);
CREATE INDEX mem_events_by_id ON mem_events (id);
CREATE INDEX mem_events_by_time ON mem_events (time, id);
CREATE INDEX mem_events_by_session ON mem_events (session, time) WHERE session <> '';
CREATE INDEX mem_events_by_project ON mem_events (project, kind, time);
CREATE INDEX mem_events_by_arrival ON mem_events (seq);

-- Ids that were forgotten: nothing else of them remains, and nothing brings them back.
CREATE TABLE mem_tombstones (
  tenant  text COLLATE "C" NOT NULL,
  project text COLLATE "C" NOT NULL,
  id      text COLLATE "C" NOT NULL,
  target  text COLLATE "C" NOT NULL,
  PRIMARY KEY (tenant, project, id, target)
);
CREATE INDEX mem_tombstones_by_target ON mem_tombstones (target);

-- Stems of English without a list of words to leave out: a question made of such words is a question too.
CREATE TEXT SEARCH DICTIONARY mem_stem (TEMPLATE = snowball, Language = english);
CREATE TEXT SEARCH CONFIGURATION mem_words (COPY = english);
ALTER TEXT SEARCH CONFIGURATION mem_words ALTER MAPPING REPLACE english_stem WITH mem_stem;

-- The words of an event: its text, the names of the text taken apart, and where it happened and what it is. Signs are
-- blanks, or a path would be one word.
CREATE TABLE mem_documents (
  tenant  text COLLATE "C" NOT NULL,
  project text COLLATE "C" NOT NULL,
  id      text COLLATE "C" NOT NULL,
  text    text COLLATE "C" NOT NULL,
  names   text COLLATE "C" NOT NULL,
  place   text COLLATE "C" NOT NULL,
  words   tsvector NOT NULL,
  PRIMARY KEY (tenant, project, id)
);
CREATE INDEX mem_documents_by_id ON mem_documents (id);
CREATE INDEX mem_documents_by_word ON mem_documents USING gin (words);

CREATE TABLE mem_notes (
  tenant  text COLLATE "C" NOT NULL,
  project text COLLATE "C" NOT NULL,
  id      text COLLATE "C" NOT NULL,
  time    bigint NOT NULL,
  text    text COLLATE "C" NOT NULL,
  tags    text COLLATE "C" NOT NULL,
  PRIMARY KEY (tenant, project, id)
);

-- Where a project was seen: folders, remotes, names.
CREATE TABLE mem_places (
  tenant  text COLLATE "C" NOT NULL,
  project text COLLATE "C" NOT NULL,
  id      text COLLATE "C" NOT NULL,
  time    bigint NOT NULL,
  name    text COLLATE "C" NOT NULL,
  root    text COLLATE "C" NOT NULL,
  remote  text COLLATE "C" NOT NULL,
  PRIMARY KEY (tenant, project, id)
);

-- A project that is another one: its events are found under both names.
CREATE TABLE mem_merges (
  tenant  text COLLATE "C" NOT NULL,
  project text COLLATE "C" NOT NULL,
  id      text COLLATE "C" NOT NULL,
  time    bigint NOT NULL,
  target  text COLLATE "C" NOT NULL,
  PRIMARY KEY (tenant, project, id)
);

CREATE TABLE mem_sessions (
  tenant  text COLLATE "C" NOT NULL,
  project text COLLATE "C" NOT NULL,
  session text COLLATE "C" NOT NULL,
  agent   text COLLATE "C" NOT NULL,
  started bigint NOT NULL,
  ended   bigint NOT NULL,
  events  bigint NOT NULL,
  PRIMARY KEY (tenant, project, session, agent)
);

CREATE TABLE mem_projects (
  tenant  text COLLATE "C" NOT NULL,
  project text COLLATE "C" NOT NULL,
  started bigint NOT NULL,
  ended   bigint NOT NULL,
  events  bigint NOT NULL,
  PRIMARY KEY (tenant, project)
);
-- Slow work that waits, runs under a lease, is tried again and in the end laid aside.
CREATE TABLE mem_jobs (
  tenant   text COLLATE "C" NOT NULL,
  project  text COLLATE "C" NOT NULL,
  kind     text COLLATE "C" NOT NULL,
  key      text COLLATE "C" NOT NULL,
  body     text COLLATE "C" NOT NULL,
  due      bigint NOT NULL,
  tries    bigint NOT NULL DEFAULT 0,
  holder   text COLLATE "C" NOT NULL DEFAULT '',
  until    bigint NOT NULL DEFAULT 0,
  state    text COLLATE "C" NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'dead')),
  error    text COLLATE "C" NOT NULL DEFAULT '',
  PRIMARY KEY (tenant, project, kind, key)
);
CREATE INDEX mem_jobs_by_due ON mem_jobs (state, due);

-- What reads, writes and edits carried: kept apart from the journal, because it expires. Never in a dump or an
-- export.
CREATE TABLE mem_bodies (
  tenant  text COLLATE "C" NOT NULL,
  project text COLLATE "C" NOT NULL,
  id      text COLLATE "C" NOT NULL,
  time    bigint NOT NULL,
  text    text COLLATE "C" NOT NULL,
  PRIMARY KEY (tenant, project, id)
);
CREATE INDEX mem_bodies_by_time ON mem_bodies (time);

-- How often which rule took something out of an event before it was written.
CREATE TABLE mem_redactions (
  tenant  text COLLATE "C" NOT NULL,
  project text COLLATE "C" NOT NULL,
  id      text COLLATE "C" NOT NULL,
  rule    text COLLATE "C" NOT NULL,
  number  bigint NOT NULL,
  PRIMARY KEY (tenant, project, id, rule)
);

-- What somebody taught, mined or imported: under the fingerprint of the failure, and where its steps name what
-- varies, under its family.
CREATE TABLE mem_recipes (
  tenant     text COLLATE "C" NOT NULL,
  project    text COLLATE "C" NOT NULL,
  id         text COLLATE "C" NOT NULL,
  fix        text COLLATE "C" NOT NULL,
  time       bigint NOT NULL,
  key        text COLLATE "C" NOT NULL,
  wide       bigint NOT NULL,
  through    text COLLATE "C" NOT NULL,
  family     text COLLATE "C" NOT NULL,
  toolchain  text COLLATE "C" NOT NULL,
  error_type text COLLATE "C" NOT NULL,
  wording    text COLLATE "C" NOT NULL,
  steps      text COLLATE "C" NOT NULL,
  parameters text COLLATE "C" NOT NULL,
  general    text COLLATE "C" NOT NULL,
  taught     bigint NOT NULL,
  mined      bigint NOT NULL,
  imported   bigint NOT NULL,
  worked     bigint NOT NULL,
  failed     bigint NOT NULL,
  message    text COLLATE "C" NOT NULL,
  cause      text COLLATE "C" NOT NULL,
  example    text COLLATE "C" NOT NULL,
  told       bigint NOT NULL,
  PRIMARY KEY (tenant, project, id, fix)
);
CREATE INDEX mem_recipes_by_fix ON mem_recipes (tenant, fix, told, time, id);

-- How it went when somebody followed a recipe.
CREATE TABLE mem_outcomes (
  tenant     text COLLATE "C" NOT NULL,
  project    text COLLATE "C" NOT NULL,
  id         text COLLATE "C" NOT NULL,
  fix        text COLLATE "C" NOT NULL,
  time       bigint NOT NULL,
  week       bigint NOT NULL,
  provenance text COLLATE "C" NOT NULL,
  worked     bigint NOT NULL,
  failed     bigint NOT NULL,
  PRIMARY KEY (tenant, project, id, fix)
);
CREATE INDEX mem_outcomes_by_fix ON mem_outcomes (tenant, fix, time);

-- Which fixes were shown, or held back to compare, at which failure (the id of its event); `command` is the key of what had failed.
CREATE TABLE mem_servings (
  tenant      text COLLATE "C" NOT NULL,
  project     text COLLATE "C" NOT NULL,
  id          text COLLATE "C" NOT NULL,
  fix         text COLLATE "C" NOT NULL,
  time        bigint NOT NULL,
  place       bigint NOT NULL,
  matched     text COLLATE "C" NOT NULL,
  failure     text COLLATE "C" NOT NULL,
  fingerprint text COLLATE "C" NOT NULL,
  command     text COLLATE "C" NOT NULL,
  channel     text COLLATE "C" NOT NULL,
  held        bigint NOT NULL,
  PRIMARY KEY (tenant, project, id, fix)
);
CREATE INDEX mem_servings_by_time ON mem_servings (tenant, time);

-- A command that failed, and in which way.
CREATE TABLE mem_failures (
  tenant      text COLLATE "C" NOT NULL,
  project     text COLLATE "C" NOT NULL,
  id          text COLLATE "C" NOT NULL,
  time        bigint NOT NULL,
  fingerprint text COLLATE "C" NOT NULL,
  family      text COLLATE "C" NOT NULL,
  toolchain   text COLLATE "C" NOT NULL,
  error_type  text COLLATE "C" NOT NULL,
  message     text COLLATE "C" NOT NULL,
  PRIMARY KEY (tenant, project, id)
);
CREATE INDEX mem_failures_by_fingerprint ON mem_failures (tenant, fingerprint, time);

-- Recipes, each once for a project, counted.
CREATE TABLE mem_fixes (
  tenant     text COLLATE "C" NOT NULL,
  project    text COLLATE "C" NOT NULL,
  fix        text COLLATE "C" NOT NULL,
  key        text COLLATE "C" NOT NULL,
  wide       bigint NOT NULL,
  through    text COLLATE "C" NOT NULL,
  family     text COLLATE "C" NOT NULL,
  toolchain  text COLLATE "C" NOT NULL,
  error_type text COLLATE "C" NOT NULL,
  wording    text COLLATE "C" NOT NULL,
  steps      text COLLATE "C" NOT NULL,
  parameters text COLLATE "C" NOT NULL,
  general    text COLLATE "C" NOT NULL,
  taught     bigint NOT NULL,
  mined      bigint NOT NULL,
  imported   bigint NOT NULL,
  worked     bigint NOT NULL,
  failed     bigint NOT NULL,
  first      bigint NOT NULL,
  last       bigint NOT NULL,
  PRIMARY KEY (tenant, project, fix)
);
CREATE INDEX mem_fixes_by_key ON mem_fixes (tenant, key, last);
CREATE INDEX mem_fixes_by_id ON mem_fixes (tenant, fix);
CREATE INDEX mem_fixes_by_type ON mem_fixes (tenant, toolchain, error_type, last);

-- Outcomes counted by week, so that they can fade.
CREATE TABLE mem_evidence (
  tenant     text COLLATE "C" NOT NULL,
  project    text COLLATE "C" NOT NULL,
  fix        text COLLATE "C" NOT NULL,
  week       bigint NOT NULL,
  provenance text COLLATE "C" NOT NULL,
  worked     bigint NOT NULL,
  failed     bigint NOT NULL,
  PRIMARY KEY (tenant, project, fix, week, provenance)
);
CREATE INDEX mem_evidence_by_fix ON mem_evidence (tenant, fix);

-- What an agent did with a tool, and what somebody ran under `engrain watch` (then `tool` is empty): when it began and
-- ended, how, for which prompt. `of` is the call whose command this one saw the end of; `watched` says that `engrain
-- watch` ran in its line (2: nobody knows for how long).
CREATE TABLE mem_calls (
  tenant      text COLLATE "C" NOT NULL,
  project     text COLLATE "C" NOT NULL,
  id          text COLLATE "C" NOT NULL,
  time        bigint NOT NULL,
  started     bigint NOT NULL,
  session     text COLLATE "C" NOT NULL,
  agent       text COLLATE "C" NOT NULL,
  tool        text COLLATE "C" NOT NULL,
  call        text COLLATE "C" NOT NULL,
  command     text COLLATE "C" NOT NULL,
  cwd         text COLLATE "C" NOT NULL,
  path        text COLLATE "C" NOT NULL,
  exit        bigint,
  failed      bigint NOT NULL,
  interrupted bigint NOT NULL,
  refused     bigint NOT NULL,
  unanswered  bigint NOT NULL,
  fingerprint text COLLATE "C" NOT NULL,
  seconds     double precision,
  subagent    text COLLATE "C" NOT NULL,
  prompt      text COLLATE "C" NOT NULL,
  of          text COLLATE "C" NOT NULL,
  watched     bigint NOT NULL,
  PRIMARY KEY (tenant, project, id)
);
CREATE INDEX mem_calls_by_start ON mem_calls (tenant, project, started);
CREATE INDEX mem_calls_watched ON mem_calls (tenant, project, started) WHERE watched = 1;
CREATE INDEX mem_calls_by_session ON mem_calls (tenant, session, started);

-- What somebody asked of an agent.
CREATE TABLE mem_prompts (
  tenant  text COLLATE "C" NOT NULL,
  project text COLLATE "C" NOT NULL,
  id      text COLLATE "C" NOT NULL,
  time    bigint NOT NULL,
  session text COLLATE "C" NOT NULL,
  agent   text COLLATE "C" NOT NULL,
  prompt  text COLLATE "C" NOT NULL,
  text    text COLLATE "C" NOT NULL,
  PRIMARY KEY (tenant, project, id)
);
CREATE INDEX mem_prompts_by_session ON mem_prompts (tenant, session, time);

-- Rules that fire at a call, as they were taught, mined or shared.
CREATE TABLE mem_lessons (
  tenant   text COLLATE "C" NOT NULL,
  project  text COLLATE "C" NOT NULL,
  id       text COLLATE "C" NOT NULL,
  lesson   text COLLATE "C" NOT NULL,
  time     bigint NOT NULL,
  text     text COLLATE "C" NOT NULL,
  tool     text COLLATE "C" NOT NULL,
  command  text COLLATE "C" NOT NULL,
  path     text COLLATE "C" NOT NULL,
  input    text COLLATE "C" NOT NULL,
  output   text COLLATE "C" NOT NULL,
  phase    text COLLATE "C" NOT NULL,
  severity text COLLATE "C" NOT NULL,
  source   text COLLATE "C" NOT NULL,
  why      text COLLATE "C" NOT NULL,
  risky    bigint NOT NULL,
  PRIMARY KEY (tenant, project, id)
);
CREATE INDEX mem_lessons_by_lesson ON mem_lessons (tenant, lesson);

-- The keys of which one stands in every call that a lesson can fire at.
CREATE TABLE mem_lesson_keys (
  tenant  text COLLATE "C" NOT NULL,
  project text COLLATE "C" NOT NULL,
  id      text COLLATE "C" NOT NULL,
  key     text COLLATE "C" NOT NULL,
  PRIMARY KEY (tenant, project, id, key)
);
CREATE INDEX mem_lesson_keys_by_key ON mem_lesson_keys (tenant, key);

-- What was decided of a lesson: proposed, active, retired, stopped.
CREATE TABLE mem_lesson_marks (
  tenant  text COLLATE "C" NOT NULL,
  project text COLLATE "C" NOT NULL,
  id      text COLLATE "C" NOT NULL,
  lesson  text COLLATE "C" NOT NULL,
  time    bigint NOT NULL,
  state   text COLLATE "C" NOT NULL,
  why     text COLLATE "C" NOT NULL,
  PRIMARY KEY (tenant, project, id, lesson)
);
CREATE INDEX mem_lesson_marks_by_lesson ON mem_lesson_marks (tenant, lesson, project, time, id);

-- When a lesson fired, and whether it was heeded.
CREATE TABLE mem_firings (
  tenant     text COLLATE "C" NOT NULL,
  project    text COLLATE "C" NOT NULL,
  id         text COLLATE "C" NOT NULL,
  lesson     text COLLATE "C" NOT NULL,
  time       bigint NOT NULL,
  session    text COLLATE "C" NOT NULL,
  fired      bigint NOT NULL,
  heeded     bigint NOT NULL,
  ignored    bigint NOT NULL,
  provenance text COLLATE "C" NOT NULL,
  PRIMARY KEY (tenant, project, id, lesson)
);
CREATE INDEX mem_firings_by_lesson ON mem_firings (tenant, lesson, time);

-- What became of a failure in a session: how often it came, and how often something helped.
CREATE TABLE mem_episodes (
  tenant      text COLLATE "C" NOT NULL,
  project     text COLLATE "C" NOT NULL,
  id          text COLLATE "C" NOT NULL,
  time        bigint NOT NULL,
  session     text COLLATE "C" NOT NULL,
  state       text COLLATE "C" NOT NULL,
  fingerprint text COLLATE "C" NOT NULL,
  family      text COLLATE "C" NOT NULL,
  command     text COLLATE "C" NOT NULL,
  file        text COLLATE "C" NOT NULL,
  PRIMARY KEY (tenant, project, id)
);
CREATE INDEX mem_episodes_by_fingerprint ON mem_episodes (tenant, project, fingerprint);
CREATE INDEX mem_episodes_by_family ON mem_episodes (tenant, project, family);
CREATE INDEX mem_episodes_by_command ON mem_episodes (tenant, project, command);
CREATE INDEX mem_episodes_by_file ON mem_episodes (tenant, project, file);

-- Who may ask a server of this store: of each token only a hash. No part of the journal.
CREATE TABLE mem_tokens (
  id      text COLLATE "C" PRIMARY KEY,
  tenant  text COLLATE "C" NOT NULL,
  name    text COLLATE "C" NOT NULL,
  agent   text COLLATE "C" NOT NULL,
  scopes  text COLLATE "C" NOT NULL,
  hash    text COLLATE "C" NOT NULL,
  created bigint NOT NULL,
  expires bigint NOT NULL,
  revoked bigint NOT NULL DEFAULT 0,
  used    bigint NOT NULL DEFAULT 0
);

-- What was changed through a server, and by whom; kept for a while.
CREATE TABLE mem_audit (
  seq     bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  time    bigint NOT NULL,
  tenant  text COLLATE "C" NOT NULL,
  token   text COLLATE "C" NOT NULL,
  address text COLLATE "C" NOT NULL,
  method  text COLLATE "C" NOT NULL,
  path    text COLLATE "C" NOT NULL,
  status  bigint NOT NULL
);
CREATE INDEX mem_audit_by_time ON mem_audit (tenant, time);

-- Vectors
-- What was told, by kind and arrival: the texts that may be embedded. What calls and commands printed is found by its
-- words.
CREATE INDEX mem_events_told ON mem_events (kind, seq) WHERE kind NOT IN ('tool.call', 'command');

-- The tables of vectors, one for each model and length of vector; they are made when the first vector comes. `stamp`
-- tells one from another that had its number; `erased` grows whenever a vector goes, `scrubbed` follows when no byte of
-- it is left.
CREATE TABLE mem_vector_tables (
  number    bigint PRIMARY KEY,
  model     text COLLATE "C" NOT NULL,
  dimension bigint NOT NULL,
  stamp     text COLLATE "C" NOT NULL,
  erased    bigint NOT NULL DEFAULT 0,
  scrubbed  bigint NOT NULL DEFAULT 0,
  UNIQUE (model, dimension)
);

-- How far texts are in line for a model, and what embedding some of the latest took.
CREATE TABLE mem_vector_plans (
  model   text COLLATE "C" PRIMARY KEY,
  planned bigint NOT NULL DEFAULT 0,
  texts   double precision NOT NULL DEFAULT 0,
  seconds double precision NOT NULL DEFAULT 0
);

-- Code and test patterns: each time that one was taught, or (`told` 0) followed.
CREATE TABLE mem_patterns (
  tenant      text COLLATE "C" NOT NULL,
  project     text COLLATE "C" NOT NULL,
  id          text COLLATE "C" NOT NULL,
  pattern     text COLLATE "C" NOT NULL,
  time        bigint NOT NULL,
  form        text COLLATE "C" NOT NULL,
  name        text COLLATE "C" NOT NULL,
  description text COLLATE "C" NOT NULL,
  example     text COLLATE "C" NOT NULL,
  uses        text COLLATE "C" NOT NULL,
  avoid       text COLLATE "C" NOT NULL,
  area        text COLLATE "C" NOT NULL,
  source      text COLLATE "C" NOT NULL,
  told        bigint NOT NULL,
  PRIMARY KEY (tenant, project, id)
);
CREATE INDEX mem_patterns_by_pattern ON mem_patterns (tenant, pattern, time);

-- The words that a pattern is about, to find it by.
CREATE TABLE mem_pattern_words (
  tenant  text COLLATE "C" NOT NULL,
  project text COLLATE "C" NOT NULL,
  id      text COLLATE "C" NOT NULL,
  word    text COLLATE "C" NOT NULL,
  PRIMARY KEY (tenant, project, id, word)
);
CREATE INDEX mem_pattern_words_by_word ON mem_pattern_words (tenant, word);

CREATE INDEX mem_failures_by_project ON mem_failures (tenant, project, time);

-- How many events of each kind a project had on each day: what pages draw, and what is counted without reading a journal.
CREATE TABLE mem_days (
  tenant  text COLLATE "C" NOT NULL,
  project text COLLATE "C" NOT NULL,
  day     bigint NOT NULL,
  kind    text COLLATE "C" NOT NULL,
  events  bigint NOT NULL,
  PRIMARY KEY (tenant, project, day, kind)
);
CREATE INDEX mem_failures_by_time ON mem_failures (tenant, time, fingerprint);

-- What each event tells of a task: the fields with their provenance (`told`).
CREATE TABLE mem_tasks (
  tenant  text COLLATE "C" NOT NULL,
  project text COLLATE "C" NOT NULL,
  id      text COLLATE "C" NOT NULL,
  task    text COLLATE "C" NOT NULL,
  time    bigint NOT NULL,
  session text COLLATE "C" NOT NULL,
  agent   text COLLATE "C" NOT NULL,
  started bigint NOT NULL,
  outcome text COLLATE "C" NOT NULL,
  told    text COLLATE "C" NOT NULL,
  PRIMARY KEY (tenant, project, id)
);
CREATE INDEX mem_tasks_by_task ON mem_tasks (tenant, task, time);
CREATE INDEX mem_tasks_by_time ON mem_tasks (tenant, project, time);

-- The words that a task is about, to find it by.
CREATE TABLE mem_task_words (
  tenant  text COLLATE "C" NOT NULL,
  project text COLLATE "C" NOT NULL,
  id      text COLLATE "C" NOT NULL,
  word    text COLLATE "C" NOT NULL,
  task    text COLLATE "C" NOT NULL,
  time    bigint NOT NULL,
  PRIMARY KEY (tenant, project, id, word)
);
CREATE INDEX mem_task_words_by_word ON mem_task_words (tenant, word, project, time, task);

-- Which strategies were shown for a task (`about`), an empty name where none fitted, and which were followed.
CREATE TABLE mem_task_uses (
  tenant   text COLLATE "C" NOT NULL,
  project  text COLLATE "C" NOT NULL,
  id       text COLLATE "C" NOT NULL,
  task     text COLLATE "C" NOT NULL,
  time     bigint NOT NULL,
  session  text COLLATE "C" NOT NULL,
  about    text COLLATE "C" NOT NULL,
  followed bigint NOT NULL,
  PRIMARY KEY (tenant, project, id, task)
);
CREATE INDEX mem_task_uses_by_task ON mem_task_uses (tenant, task, followed);
CREATE INDEX mem_task_uses_by_time ON mem_task_uses (tenant, project, time);

CREATE INDEX mem_failures_by_toolchain ON mem_failures (tenant, toolchain, time);

CREATE INDEX mem_servings_by_failure ON mem_servings (tenant, held, failure);
CREATE INDEX mem_episodes_by_session ON mem_episodes (tenant, session);

-- Persons at a browser: of each login, and each ticket that opens one, a hash of its name and who it lets in. No part of
-- the journal.
CREATE TABLE mem_logins (
  hash    text COLLATE "C" PRIMARY KEY,
  form    text COLLATE "C" NOT NULL,
  tenant  text COLLATE "C" NOT NULL,
  asker   text COLLATE "C" NOT NULL,
  agent   text COLLATE "C" NOT NULL,
  scopes  text COLLATE "C" NOT NULL,
  address text COLLATE "C" NOT NULL,
  token   text COLLATE "C" NOT NULL,
  ends    bigint NOT NULL
);
CREATE INDEX mem_logins_by_asker ON mem_logins (tenant, asker, ends);

-- A team with few events among many is asked for the latest of them, and for what came since a place, as often as a large one.
CREATE INDEX mem_events_by_tenant_time ON mem_events (tenant, time, id);
CREATE INDEX mem_events_by_tenant_arrival ON mem_events (tenant, seq);
