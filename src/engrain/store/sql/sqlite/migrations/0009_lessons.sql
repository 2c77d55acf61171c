-- Rules that fire at a call, as they were taught, mined or shared.
CREATE TABLE lessons (
  tenant   TEXT NOT NULL,
  project  TEXT NOT NULL,
  id       TEXT NOT NULL,
  lesson   TEXT NOT NULL,
  time     INTEGER NOT NULL,
  text     TEXT NOT NULL,
  tool     TEXT NOT NULL,
  command  TEXT NOT NULL,
  path     TEXT NOT NULL,
  input    TEXT NOT NULL,
  output   TEXT NOT NULL,
  phase    TEXT NOT NULL,
  severity TEXT NOT NULL,
  source   TEXT NOT NULL,
  why      TEXT NOT NULL,
  risky    INTEGER NOT NULL,
  PRIMARY KEY (tenant, project, id)
) STRICT;
CREATE INDEX lessons_by_lesson ON lessons (tenant, lesson);

-- The keys of which one stands in every call that a lesson can fire at.
CREATE TABLE lesson_keys (
  tenant  TEXT NOT NULL,
  project TEXT NOT NULL,
  id      TEXT NOT NULL,
  key     TEXT NOT NULL,
  PRIMARY KEY (tenant, project, id, key)
) STRICT;
CREATE INDEX lesson_keys_by_key ON lesson_keys (tenant, key);

-- What was decided of a lesson: proposed, active, retired, stopped.
CREATE TABLE lesson_marks (
  tenant  TEXT NOT NULL,
  project TEXT NOT NULL,
  id      TEXT NOT NULL,
  lesson  TEXT NOT NULL,
  time    INTEGER NOT NULL,
  state   TEXT NOT NULL,
  why     TEXT NOT NULL,
  PRIMARY KEY (tenant, project, id, lesson)
) STRICT;
CREATE INDEX lesson_marks_by_lesson ON lesson_marks (tenant, lesson, project, time, id);

-- When a lesson fired, and whether it was heeded.
CREATE TABLE firings (
  tenant     TEXT NOT NULL,
  project    TEXT NOT NULL,
  id         TEXT NOT NULL,
  lesson     TEXT NOT NULL,
  time       INTEGER NOT NULL,
  session    TEXT NOT NULL,
  fired      INTEGER NOT NULL,
  heeded     INTEGER NOT NULL,
  ignored    INTEGER NOT NULL,
  provenance TEXT NOT NULL,
  PRIMARY KEY (tenant, project, id, lesson)
) STRICT;
CREATE INDEX firings_by_lesson ON firings (tenant, lesson, time);
