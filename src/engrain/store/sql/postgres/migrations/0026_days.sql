-- How many events of each kind a project had on each day: what pages draw, and what is counted without reading a journal.
CREATE TABLE mem_days (
  tenant  text COLLATE "C" NOT NULL,
  project text COLLATE "C" NOT NULL,
  day     bigint NOT NULL,
  kind    text COLLATE "C" NOT NULL,
  events  bigint NOT NULL,
  PRIMARY KEY (tenant, project, day, kind)
);
CREATE INDEX mem_failures_by_time ON mem_failures (tenant, time, fingerprint);

INSERT INTO mem_days (tenant, project, day, kind, events)
SELECT tenant, project, time / 86400000000, kind, count(*) FROM mem_events GROUP BY tenant, project, time / 86400000000, kind;
