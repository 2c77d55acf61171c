-- What reads, writes and edits carried: kept apart from the journal, because it expires. Never in a dump or an export.
CREATE TABLE mem_bodies (
  tenant  text COLLATE "C" NOT NULL,
  project text COLLATE "C" NOT NULL,
  id      text COLLATE "C" NOT NULL,
  time    bigint NOT NULL,
  text    text COLLATE "C" NOT NULL,
  PRIMARY KEY (tenant, project, id)
);
CREATE INDEX mem_bodies_by_time ON mem_bodies (time);

-- How often which rule took something out of an event before it was written.
CREATE TABLE mem_redactions (
  tenant  text COLLATE "C" NOT NULL,
  project text COLLATE "C" NOT NULL,
  id      text COLLATE "C" NOT NULL,
  rule    text COLLATE "C" NOT NULL,
  number  bigint NOT NULL,
  PRIMARY KEY (tenant, project, id, rule)
);
