-- How many events of each kind a project had on each day: what pages draw, and what is counted without reading a journal.
CREATE TABLE days (
  tenant  TEXT NOT NULL,
  project TEXT NOT NULL,
  day     INTEGER NOT NULL,
  kind    TEXT NOT NULL,
  events  INTEGER NOT NULL,
  PRIMARY KEY (tenant, project, day, kind)
) STRICT;
CREATE INDEX failures_by_time ON failures (tenant, time, fingerprint);

INSERT INTO days (tenant, project, day, kind, events)
SELECT tenant, project, time / 86400000000, kind, count(*) FROM events GROUP BY tenant, project, time / 86400000000, kind;
