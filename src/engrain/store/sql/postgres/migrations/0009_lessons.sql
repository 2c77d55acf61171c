-- Rules that fire at a call, as they were taught, mined or shared.
CREATE TABLE mem_lessons (
  tenant   text COLLATE "C" NOT NULL,
  project  text COLLATE "C" NOT NULL,
  id       text COLLATE "C" NOT NULL,
  lesson   text COLLATE "C" NOT NULL,
  time     bigint NOT NULL,
  text     text COLLATE "C" NOT NULL,
  tool     text COLLATE "C" NOT NULL,
  command  text COLLATE "C" NOT NULL,
  path     text COLLATE "C" NOT NULL,
  input    text COLLATE "C" NOT NULL,
  output   text COLLATE "C" NOT NULL,
  phase    text COLLATE "C" NOT NULL,
  severity text COLLATE "C" NOT NULL,
  source   text COLLATE "C" NOT NULL,
  why      text COLLATE "C" NOT NULL,
  risky    bigint NOT NULL,
  PRIMARY KEY (tenant, project, id)
);
CREATE INDEX mem_lessons_by_lesson ON mem_lessons (tenant, lesson);

-- The keys of which one stands in every call that a lesson can fire at.
CREATE TABLE mem_lesson_keys (
  tenant  text COLLATE "C" NOT NULL,
  project text COLLATE "C" NOT NULL,
  id      text COLLATE "C" NOT NULL,
  key     text COLLATE "C" NOT NULL,
  PRIMARY KEY (tenant, project, id, key)
);
CREATE INDEX mem_lesson_keys_by_key ON mem_lesson_keys (tenant, key);

-- What was decided of a lesson: proposed, active, retired, stopped.
CREATE TABLE mem_lesson_marks (
  tenant  text COLLATE "C" NOT NULL,
  project text COLLATE "C" NOT NULL,
  id      text COLLATE "C" NOT NULL,
  lesson  text COLLATE "C" NOT NULL,
  time    bigint NOT NULL,
  state   text COLLATE "C" NOT NULL,
  why     text COLLATE "C" NOT NULL,
  PRIMARY KEY (tenant, project, id, lesson)
);
CREATE INDEX mem_lesson_marks_by_lesson ON mem_lesson_marks (tenant, lesson, project, time, id);

-- When a lesson fired, and whether it was heeded.
CREATE TABLE mem_firings (
  tenant     text COLLATE "C" NOT NULL,
  project    text COLLATE "C" NOT NULL,
  id         text COLLATE "C" NOT NULL,
  lesson     text COLLATE "C" NOT NULL,
  time       bigint NOT NULL,
  session    text COLLATE "C" NOT NULL,
  fired      bigint NOT NULL,
  heeded     bigint NOT NULL,
  ignored    bigint NOT NULL,
  provenance text COLLATE "C" NOT NULL,
  PRIMARY KEY (tenant, project, id, lesson)
);
CREATE INDEX mem_firings_by_lesson ON mem_firings (tenant, lesson, time);
