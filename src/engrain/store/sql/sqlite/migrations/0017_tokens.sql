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
