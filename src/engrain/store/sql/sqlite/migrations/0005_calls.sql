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
