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
