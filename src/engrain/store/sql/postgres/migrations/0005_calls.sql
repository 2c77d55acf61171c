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
