-- What reads, writes and edits carried: kept apart from the journal, because it expires. Never in a dump or an export.
CREATE TABLE bodies (
  tenant  TEXT NOT NULL,
  project TEXT NOT NULL,
  id      TEXT NOT NULL,
  time    INTEGER NOT NULL,
  text    TEXT NOT NULL,
  PRIMARY KEY (tenant, project, id)
) STRICT;
CREATE INDEX bodies_by_time ON bodies (time);

-- How often which rule took something out of an event before it was written.
CREATE TABLE redactions (
  tenant  TEXT NOT NULL,
  project TEXT NOT NULL,
  id      TEXT NOT NULL,
  rule    TEXT NOT NULL,
  number  INTEGER NOT NULL,
  PRIMARY KEY (tenant, project, id, rule)
) STRICT;
