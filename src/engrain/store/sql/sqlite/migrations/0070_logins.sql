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
