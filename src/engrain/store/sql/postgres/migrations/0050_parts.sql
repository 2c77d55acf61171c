-- The journal in eight parts by project. What is there moves once, which takes as long as copying it does.
ALTER TABLE mem_events RENAME TO mem_events_before;
-- Its constraints go first, so that the new ones get their names.
ALTER TABLE mem_events_before DROP CONSTRAINT mem_events_pkey, ALTER seq DROP IDENTITY, ALTER seq DROP NOT NULL,
  ALTER tenant DROP NOT NULL, ALTER project DROP NOT NULL, ALTER id DROP NOT NULL, ALTER time DROP NOT NULL, ALTER session DROP NOT NULL,
  ALTER agent DROP NOT NULL, ALTER kind DROP NOT NULL, ALTER v DROP NOT NULL, ALTER body DROP NOT NULL;
DROP INDEX mem_events_by_id;
DROP INDEX mem_events_by_time;
DROP INDEX mem_events_by_session;
DROP INDEX mem_events_by_project;
DROP INDEX mem_events_told;
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
INSERT INTO mem_events (seq, tenant, project, id, time, session, agent, kind, v, body) OVERRIDING SYSTEM VALUE
SELECT seq, tenant, project, id, time, session, agent, kind, v, body FROM mem_events_before;
SELECT setval(pg_get_serial_sequence('mem_events', 'seq'), max(seq)) FROM mem_events_before HAVING max(seq) IS NOT NULL;
DROP TABLE mem_events_before;
CREATE INDEX mem_events_by_id ON mem_events (id);
CREATE INDEX mem_events_by_time ON mem_events (time, id);
CREATE INDEX mem_events_by_session ON mem_events (session, time) WHERE session <> '';
CREATE INDEX mem_events_by_project ON mem_events (project, kind, time);
CREATE INDEX mem_events_by_arrival ON mem_events (seq);
CREATE INDEX mem_events_told ON mem_events (kind, seq) WHERE kind NOT IN ('tool.call', 'command');
