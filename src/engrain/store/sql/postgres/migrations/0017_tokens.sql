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
