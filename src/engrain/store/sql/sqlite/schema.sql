-- The schema of a new store. A test holds that the migrations reach the same.

-- The journal and what is derived from it.
CREATE TABLE migrations (
  name TEXT PRIMARY KEY,
  time INTEGER NOT NULL
) STRICT;

-- The truth. seq is the order of arrival: a place to go on from, never a part of anything derived.
CREATE TABLE events (
  seq     INTEGER PRIMARY KEY AUTOINCREMENT,
  tenant  TEXT NOT NULL,
  project TEXT NOT NULL,
  id      TEXT NOT NULL,
  time    INTEGER NOT NULL,
  session TEXT NOT NULL,
  agent   TEXT NOT NULL,
  kind    TEXT NOT NULL,
  v       INTEGER NOT NULL,
  body    TEXT NOT NULL,
  UNIQUE (id, project, tenant)
) STRICT;
CREATE INDEX events_by_time ON events (time, id);
CREATE INDEX events_by_session ON events (session, time) WHERE session <> '';
CREATE INDEX events_by_project ON events (project, kind, time);

-- Ids that were forgotten: nothing else of them remains, and nothing brings them back.
CREATE TABLE tombstones (
  tenant  TEXT NOT NULL,
  project TEXT NOT NULL,
  id      TEXT NOT NULL,
  target  TEXT NOT NULL,
  PRIMARY KEY (tenant, project, id, target)
) STRICT;
CREATE INDEX tombstones_by_target ON tombstones (target);

-- The words of an event: its text, the names of the text taken apart, and where it happened and what it is.
CREATE TABLE documents (
  row     INTEGER PRIMARY KEY,
  tenant  TEXT NOT NULL,
  project TEXT NOT NULL,
  id      TEXT NOT NULL,
  text    TEXT NOT NULL,
  names   TEXT NOT NULL,
  place   TEXT NOT NULL,
  UNIQUE (id, project, tenant)
) STRICT;
CREATE VIRTUAL TABLE words USING fts5(
  text, names, place, content='documents', content_rowid='row', tokenize='porter unicode61'
);
-- A batch's words are gathered in memory and written once: a third quicker than the default of 1 MB.
INSERT INTO words (words, rank) VALUES ('hashsize', 16777216);
CREATE TRIGGER documents_said AFTER INSERT ON documents BEGIN
  INSERT INTO words (rowid, text, names, place) VALUES (new.row, new.text, new.names, new.place);
END;
CREATE TRIGGER documents_unsaid AFTER DELETE ON documents BEGIN
  INSERT INTO words (words, rowid, text, names, place) VALUES ('delete', old.row, old.text, old.names, old.place);
END;

CREATE TABLE notes (
  tenant  TEXT NOT NULL,
  project TEXT NOT NULL,
  id      TEXT NOT NULL,
  time    INTEGER NOT NULL,
  text    TEXT NOT NULL,
  tags    TEXT NOT NULL,
  PRIMARY KEY (tenant, project, id)
) STRICT;

-- Where a project was seen: folders, remotes, names.
CREATE TABLE places (
  tenant  TEXT NOT NULL,
  project TEXT NOT NULL,
  id      TEXT NOT NULL,
  time    INTEGER NOT NULL,
  name    TEXT NOT NULL,
  root    TEXT NOT NULL,
  remote  TEXT NOT NULL,
  PRIMARY KEY (tenant, project, id)
) STRICT;

-- A project that is another one: its events are found under both names.
CREATE TABLE merges (
  tenant  TEXT NOT NULL,
  project TEXT NOT NULL,
  id      TEXT NOT NULL,
  time    INTEGER NOT NULL,
  target  TEXT NOT NULL,
  PRIMARY KEY (tenant, project, id)
) STRICT;

CREATE TABLE sessions (
  tenant  TEXT NOT NULL,
  project TEXT NOT NULL,
  session TEXT NOT NULL,
  agent   TEXT NOT NULL,
  started INTEGER NOT NULL,
  ended   INTEGER NOT NULL,
  events  INTEGER NOT NULL,
  PRIMARY KEY (tenant, project, session, agent)
) STRICT;

CREATE TABLE projects (
  tenant  TEXT NOT NULL,
  project TEXT NOT NULL,
  started INTEGER NOT NULL,
  ended   INTEGER NOT NULL,
  events  INTEGER NOT NULL,
  PRIMARY KEY (tenant, project)
) STRICT;
-- Slow work that waits, runs under a lease, is tried again and in the end laid aside.
CREATE TABLE jobs (
  tenant   TEXT NOT NULL,
  project  TEXT NOT NULL,
  kind     TEXT NOT NULL,
  key      TEXT NOT NULL,
  body     TEXT NOT NULL,
  due      INTEGER NOT NULL,
  tries    INTEGER NOT NULL DEFAULT 0,
  holder   TEXT NOT NULL DEFAULT '',
  until    INTEGER NOT NULL DEFAULT 0,
  state    TEXT NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'dead')),
  error    TEXT NOT NULL DEFAULT '',
  PRIMARY KEY (tenant, project, kind, key)
) STRICT;
CREATE INDEX jobs_by_due ON jobs (state, due);

-- What reads, writes and edits carried: kept apart from the journal, because it expires. Never in a dump or an
-- export.
CREATE TABLE bodies (
  tenant  TEXT NOT NULL,
  project TEXT NOT NULL,
  id      TEXT NOT NULL,
  time    INTEGER NOT NULL,
  text    TEXT NOT NULL,
  PRIMARY KEY (tenant, project, id)
) STRICT;
CREATE INDEX bodies_by_time ON bodies (time);

-- How often which rule took something out of an event before it was written.
CREATE TABLE redactions (
  tenant  TEXT NOT NULL,
  project TEXT NOT NULL,
  id      TEXT NOT NULL,
  rule    TEXT NOT NULL,
  number  INTEGER NOT NULL,
  PRIMARY KEY (tenant, project, id, rule)
) STRICT;

-- What somebody taught, mined or imported: under the fingerprint of the failure, and where its steps name what
-- varies, under its family.
CREATE TABLE recipes (
  tenant     TEXT NOT NULL,
  project    TEXT NOT NULL,
  id         TEXT NOT NULL,
  fix        TEXT NOT NULL,
  time       INTEGER NOT NULL,
  key        TEXT NOT NULL,
  wide       INTEGER NOT NULL,
  through    TEXT NOT NULL,
  family     TEXT NOT NULL,
  toolchain  TEXT NOT NULL,
  error_type TEXT NOT NULL,
  wording    TEXT NOT NULL,
  steps      TEXT NOT NULL,
  parameters TEXT NOT NULL,
  general    TEXT NOT NULL,
  taught     INTEGER NOT NULL,
  mined      INTEGER NOT NULL,
  imported   INTEGER NOT NULL,
  worked     INTEGER NOT NULL,
  failed     INTEGER NOT NULL,
  message    TEXT NOT NULL,
  cause      TEXT NOT NULL,
  example    TEXT NOT NULL,
  told       INTEGER NOT NULL,
  PRIMARY KEY (tenant, project, id, fix)
) STRICT;
CREATE INDEX recipes_by_fix ON recipes (tenant, fix, told, time, id);

-- How it went when somebody followed a recipe.
CREATE TABLE outcomes (
  tenant     TEXT NOT NULL,
  project    TEXT NOT NULL,
  id         TEXT NOT NULL,
  fix        TEXT NOT NULL,
  time       INTEGER NOT NULL,
  week       INTEGER NOT NULL,
  provenance TEXT NOT NULL,
  worked     INTEGER NOT NULL,
  failed     INTEGER NOT NULL,
  PRIMARY KEY (tenant, project, id, fix)
) STRICT;
CREATE INDEX outcomes_by_fix ON outcomes (tenant, fix, time);

-- Which fixes were shown, or held back to compare, at which failure (the id of its event); `command` is the key of what had failed.
CREATE TABLE servings (
  tenant      TEXT NOT NULL,
  project     TEXT NOT NULL,
  id          TEXT NOT NULL,
  fix         TEXT NOT NULL,
  time        INTEGER NOT NULL,
  place       INTEGER NOT NULL,
  matched     TEXT NOT NULL,
  failure     TEXT NOT NULL,
  fingerprint TEXT NOT NULL,
  command     TEXT NOT NULL,
  channel     TEXT NOT NULL,
  held        INTEGER NOT NULL,
  PRIMARY KEY (tenant, project, id, fix)
) STRICT;
CREATE INDEX servings_by_time ON servings (tenant, time);

-- A command that failed, and in which way.
CREATE TABLE failures (
  tenant      TEXT NOT NULL,
  project     TEXT NOT NULL,
  id          TEXT NOT NULL,
  time        INTEGER NOT NULL,
  fingerprint TEXT NOT NULL,
  family      TEXT NOT NULL,
  toolchain   TEXT NOT NULL,
  error_type  TEXT NOT NULL,
  message     TEXT NOT NULL,
  PRIMARY KEY (tenant, project, id)
) STRICT;
CREATE INDEX failures_by_fingerprint ON failures (tenant, fingerprint, time);

-- Recipes, each once for a project, counted.
CREATE TABLE fixes (
  tenant     TEXT NOT NULL,
  project    TEXT NOT NULL,
  fix        TEXT NOT NULL,
  key        TEXT NOT NULL,
  wide       INTEGER NOT NULL,
  through    TEXT NOT NULL,
  family     TEXT NOT NULL,
  toolchain  TEXT NOT NULL,
  error_type TEXT NOT NULL,
  wording    TEXT NOT NULL,
  steps      TEXT NOT NULL,
  parameters TEXT NOT NULL,
  general    TEXT NOT NULL,
  taught     INTEGER NOT NULL,
  mined      INTEGER NOT NULL,
  imported   INTEGER NOT NULL,
  worked     INTEGER NOT NULL,
  failed     INTEGER NOT NULL,
  first      INTEGER NOT NULL,
  last       INTEGER NOT NULL,
  PRIMARY KEY (tenant, project, fix)
) STRICT;
CREATE INDEX fixes_by_key ON fixes (tenant, key, last);
CREATE INDEX fixes_by_id ON fixes (tenant, fix);
CREATE INDEX fixes_by_type ON fixes (tenant, toolchain, error_type, last);

-- Outcomes counted by week, so that they can fade.
CREATE TABLE evidence (
  tenant     TEXT NOT NULL,
  project    TEXT NOT NULL,
  fix        TEXT NOT NULL,
  week       INTEGER NOT NULL,
  provenance TEXT NOT NULL,
  worked     INTEGER NOT NULL,
  failed     INTEGER NOT NULL,
  PRIMARY KEY (tenant, project, fix, week, provenance)
) STRICT;
CREATE INDEX evidence_by_fix ON evidence (tenant, fix);

-- What an agent did with a tool, and what somebody ran under `engrain watch` (then `tool` is empty): when it began and
-- ended, how, for which prompt. `of` is the call whose command this one saw the end of; `watched` says that `engrain
-- watch` ran in its line (2: nobody knows for how long).
CREATE TABLE calls (
  tenant      TEXT NOT NULL,
  project     TEXT NOT NULL,
  id          TEXT NOT NULL,
  time        INTEGER NOT NULL,
  started     INTEGER NOT NULL,
  session     TEXT NOT NULL,
  agent       TEXT NOT NULL,
  tool        TEXT NOT NULL,
  call        TEXT NOT NULL,
  command     TEXT NOT NULL,
  cwd         TEXT NOT NULL,
  path        TEXT NOT NULL,
  exit        INTEGER,
  failed      INTEGER NOT NULL,
  interrupted INTEGER NOT NULL,
  refused     INTEGER NOT NULL,
  unanswered  INTEGER NOT NULL,
  fingerprint TEXT NOT NULL,
  seconds     REAL,
  subagent    TEXT NOT NULL,
  prompt      TEXT NOT NULL,
  of          TEXT NOT NULL,
  watched     INTEGER NOT NULL,
  PRIMARY KEY (tenant, project, id)
) STRICT;
CREATE INDEX calls_by_start ON calls (tenant, project, started);
CREATE INDEX calls_watched ON calls (tenant, project, started) WHERE watched = 1;
CREATE INDEX calls_by_session ON calls (tenant, session, started);

-- What somebody asked of an agent.
CREATE TABLE prompts (
  tenant  TEXT NOT NULL,
  project TEXT NOT NULL,
  id      TEXT NOT NULL,
  time    INTEGER NOT NULL,
  session TEXT NOT NULL,
  agent   TEXT NOT NULL,
  prompt  TEXT NOT NULL,
  text    TEXT NOT NULL,
  PRIMARY KEY (tenant, project, id)
) STRICT;
CREATE INDEX prompts_by_session ON prompts (tenant, session, time);

-- Rules that fire at a call, as they were taught, mined or shared.
CREATE TABLE lessons (
  tenant   TEXT NOT NULL,
  project  TEXT NOT NULL,
  id       TEXT NOT NULL,
  lesson   TEXT NOT NULL,
  time     INTEGER NOT NULL,
  text     TEXT NOT NULL,
  tool     TEXT NOT NULL,
  command  TEXT NOT NULL,
  path     TEXT NOT NULL,
  input    TEXT NOT NULL,
  output   TEXT NOT NULL,
  phase    TEXT NOT NULL,
  severity TEXT NOT NULL,
  source   TEXT NOT NULL,
  why      TEXT NOT NULL,
  risky    INTEGER NOT NULL,
  PRIMARY KEY (tenant, project, id)
) STRICT;
CREATE INDEX lessons_by_lesson ON lessons (tenant, lesson);

-- The keys of which one stands in every call that a lesson can fire at.
CREATE TABLE lesson_keys (
  tenant  TEXT NOT NULL,
  project TEXT NOT NULL,
  id      TEXT NOT NULL,
  key     TEXT NOT NULL,
  PRIMARY KEY (tenant, project, id, key)
) STRICT;
CREATE INDEX lesson_keys_by_key ON lesson_keys (tenant, key);

-- What was decided of a lesson: proposed, active, retired, stopped.
CREATE TABLE lesson_marks (
  tenant  TEXT NOT NULL,
  project TEXT NOT NULL,
  id      TEXT NOT NULL,
  lesson  TEXT NOT NULL,
  time    INTEGER NOT NULL,
  state   TEXT NOT NULL,
  why     TEXT NOT NULL,
  PRIMARY KEY (tenant, project, id, lesson)
) STRICT;
CREATE INDEX lesson_marks_by_lesson ON lesson_marks (tenant, lesson, project, time, id);

-- When a lesson fired, and whether it was heeded.
CREATE TABLE firings (
  tenant     TEXT NOT NULL,
  project    TEXT NOT NULL,
  id         TEXT NOT NULL,
  lesson     TEXT NOT NULL,
  time       INTEGER NOT NULL,
  session    TEXT NOT NULL,
  fired      INTEGER NOT NULL,
  heeded     INTEGER NOT NULL,
  ignored    INTEGER NOT NULL,
  provenance TEXT NOT NULL,
  PRIMARY KEY (tenant, project, id, lesson)
) STRICT;
CREATE INDEX firings_by_lesson ON firings (tenant, lesson, time);

-- What became of a failure in a session: how often it came, and how often something helped.
CREATE TABLE episodes (
  tenant      TEXT NOT NULL,
  project     TEXT NOT NULL,
  id          TEXT NOT NULL,
  time        INTEGER NOT NULL,
  session     TEXT NOT NULL,
  state       TEXT NOT NULL,
  fingerprint TEXT NOT NULL,
  family      TEXT NOT NULL,
  command     TEXT NOT NULL,
  file        TEXT NOT NULL,
  PRIMARY KEY (tenant, project, id)
) STRICT;
CREATE INDEX episodes_by_fingerprint ON episodes (tenant, project, fingerprint);
CREATE INDEX episodes_by_family ON episodes (tenant, project, family);
CREATE INDEX episodes_by_command ON episodes (tenant, project, command);
CREATE INDEX episodes_by_file ON episodes (tenant, project, file);

-- Who may ask a server of this store: of each token only a hash. No part of the journal.
CREATE TABLE tokens (
  id      TEXT PRIMARY KEY,
  tenant  TEXT NOT NULL,
  name    TEXT NOT NULL,
  agent   TEXT NOT NULL,
  scopes  TEXT NOT NULL,
  hash    TEXT NOT NULL,
  created INTEGER NOT NULL,
  expires INTEGER NOT NULL,
  revoked INTEGER NOT NULL DEFAULT 0,
  used    INTEGER NOT NULL DEFAULT 0
) STRICT;

-- What was changed through a server, and by whom; kept for a while.
CREATE TABLE audit (
  seq     INTEGER PRIMARY KEY,
  time    INTEGER NOT NULL,
  tenant  TEXT NOT NULL,
  token   TEXT NOT NULL,
  address TEXT NOT NULL,
  method  TEXT NOT NULL,
  path    TEXT NOT NULL,
  status  INTEGER NOT NULL
) STRICT;
CREATE INDEX audit_by_time ON audit (tenant, time);

-- Vectors
-- What was told, by kind and arrival: the texts that may be embedded. What calls and commands printed is found by its
-- words.
CREATE INDEX events_told ON events (kind, seq) WHERE kind NOT IN ('tool.call', 'command');

-- The tables of vectors, one for each model and length of vector; they are made when the first vector comes. `stamp`
-- tells one from another that had its number; `erased` grows whenever a vector goes, `scrubbed` follows when no byte of
-- it is left.
CREATE TABLE vector_tables (
  number    INTEGER PRIMARY KEY,
  model     TEXT NOT NULL,
  dimension INTEGER NOT NULL,
  stamp     TEXT NOT NULL,
  erased    INTEGER NOT NULL DEFAULT 0,
  scrubbed  INTEGER NOT NULL DEFAULT 0,
  UNIQUE (model, dimension)
) STRICT;

-- How far texts are in line for a model, and what embedding some of the latest took.
CREATE TABLE vector_plans (
  model   TEXT PRIMARY KEY,
  planned INTEGER NOT NULL DEFAULT 0,
  texts   REAL NOT NULL DEFAULT 0,
  seconds REAL NOT NULL DEFAULT 0
) STRICT;

-- Code and test patterns: each time that one was taught, or (`told` 0) followed.
CREATE TABLE patterns (
  tenant      TEXT NOT NULL,
  project     TEXT NOT NULL,
  id          TEXT NOT NULL,
  pattern     TEXT NOT NULL,
  time        INTEGER NOT NULL,
  form        TEXT NOT NULL,
  name        TEXT NOT NULL,
  description TEXT NOT NULL,
  example     TEXT NOT NULL,
  uses        TEXT NOT NULL,
  avoid       TEXT NOT NULL,
  area        TEXT NOT NULL,
  source      TEXT NOT NULL,
  told        INTEGER NOT NULL,
  PRIMARY KEY (tenant, project, id)
) STRICT;
CREATE INDEX patterns_by_pattern ON patterns (tenant, pattern, time);

-- The words that a pattern is about, to find it by.
CREATE TABLE pattern_words (
  tenant  TEXT NOT NULL,
  project TEXT NOT NULL,
  id      TEXT NOT NULL,
  word    TEXT NOT NULL,
  PRIMARY KEY (tenant, project, id, word)
) STRICT;
CREATE INDEX pattern_words_by_word ON pattern_words (tenant, word);

CREATE INDEX failures_by_project ON failures (tenant, project, time);

-- How many events of each kind a project had on each day: what pages draw, and what is counted without reading a journal.
CREATE TABLE days (
  tenant  TEXT NOT NULL,
  project TEXT NOT NULL,
  day     INTEGER NOT NULL,
  kind    TEXT NOT NULL,
  events  INTEGER NOT NULL,
  PRIMARY KEY (tenant, project, day, kind)
) STRICT;
CREATE INDEX failures_by_time ON failures (tenant, time, fingerprint);

-- What each event tells of a task: the fields with their provenance (`told`).
CREATE TABLE tasks (
  tenant  TEXT NOT NULL,
  project TEXT NOT NULL,
  id      TEXT NOT NULL,
  task    TEXT NOT NULL,
  time    INTEGER NOT NULL,
  session TEXT NOT NULL,
  agent   TEXT NOT NULL,
  started INTEGER NOT NULL,
  outcome TEXT NOT NULL,
  told    TEXT NOT NULL,
  PRIMARY KEY (tenant, project, id)
) STRICT;
CREATE INDEX tasks_by_task ON tasks (tenant, task, time);
CREATE INDEX tasks_by_time ON tasks (tenant, project, time);

-- The words that a task is about, to find it by.
CREATE TABLE task_words (
  tenant  TEXT NOT NULL,
  project TEXT NOT NULL,
  id      TEXT NOT NULL,
  word    TEXT NOT NULL,
  task    TEXT NOT NULL,
  time    INTEGER NOT NULL,
  PRIMARY KEY (tenant, project, id, word)
) STRICT;
CREATE INDEX task_words_by_word ON task_words (tenant, word, project, time, task);

-- Which strategies were shown for a task (`about`), an empty name where none fitted, and which were followed.
CREATE TABLE task_uses (
  tenant   TEXT NOT NULL,
  project  TEXT NOT NULL,
  id       TEXT NOT NULL,
  task     TEXT NOT NULL,
  time     INTEGER NOT NULL,
  session  TEXT NOT NULL,
  about    TEXT NOT NULL,
  followed INTEGER NOT NULL,
  PRIMARY KEY (tenant, project, id, task)
) STRICT;
CREATE INDEX task_uses_by_task ON task_uses (tenant, task, followed);
CREATE INDEX task_uses_by_time ON task_uses (tenant, project, time);

CREATE INDEX failures_by_toolchain ON failures (tenant, toolchain, time);

CREATE INDEX servings_by_failure ON servings (tenant, held, failure);
CREATE INDEX episodes_by_session ON episodes (tenant, session);

-- Persons at a browser: of each login, and each ticket that opens one, a hash of its name and who it lets in. No part of
-- the journal.
CREATE TABLE logins (
  hash    TEXT PRIMARY KEY,
  form    TEXT NOT NULL,
  tenant  TEXT NOT NULL,
  asker   TEXT NOT NULL,
  agent   TEXT NOT NULL,
  scopes  TEXT NOT NULL,
  address TEXT NOT NULL,
  token   TEXT NOT NULL,
  ends    INTEGER NOT NULL
) STRICT;
CREATE INDEX logins_by_asker ON logins (tenant, asker, ends);
