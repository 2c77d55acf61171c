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
