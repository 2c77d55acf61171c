-- What each event tells of a task: the fields with their provenance (`told`).
CREATE TABLE tasks (
  tenant  TEXT NOT NULL,
  project TEXT NOT NULL,
  id      TEXT NOT NULL,
  task    TEXT NOT NULL,
  time    INTEGER NOT NULL,
  session TEXT NOT NULL,
  agent   TEXT NOT NULL,
  started INTEGER NOT NULL,
  outcome TEXT NOT NULL,
  told    TEXT NOT NULL,
  PRIMARY KEY (tenant, project, id)
) STRICT;
CREATE INDEX tasks_by_task ON tasks (tenant, task, time);
CREATE INDEX tasks_by_time ON tasks (tenant, project, time);

-- The words that a task is about, to find it by.
CREATE TABLE task_words (
  tenant  TEXT NOT NULL,
  project TEXT NOT NULL,
  id      TEXT NOT NULL,
  word    TEXT NOT NULL,
  task    TEXT NOT NULL,
  time    INTEGER NOT NULL,
  PRIMARY KEY (tenant, project, id, word)
) STRICT;
CREATE INDEX task_words_by_word ON task_words (tenant, word, project, time, task);

-- Which strategies were shown for a task (`about`), an empty name where none fitted, and which were followed.
CREATE TABLE task_uses (
  tenant   TEXT NOT NULL,
  project  TEXT NOT NULL,
  id       TEXT NOT NULL,
  task     TEXT NOT NULL,
  time     INTEGER NOT NULL,
  session  TEXT NOT NULL,
  about    TEXT NOT NULL,
  followed INTEGER NOT NULL,
  PRIMARY KEY (tenant, project, id, task)
) STRICT;
CREATE INDEX task_uses_by_task ON task_uses (tenant, task, followed);
CREATE INDEX task_uses_by_time ON task_uses (tenant, project, time);
