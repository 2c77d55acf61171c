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
