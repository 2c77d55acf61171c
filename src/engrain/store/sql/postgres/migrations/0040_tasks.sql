-- What each event tells of a task: the fields with their provenance (`told`).
CREATE TABLE mem_tasks (
  tenant  text COLLATE "C" NOT NULL,
  project text COLLATE "C" NOT NULL,
  id      text COLLATE "C" NOT NULL,
  task    text COLLATE "C" NOT NULL,
  time    bigint NOT NULL,
  session text COLLATE "C" NOT NULL,
  agent   text COLLATE "C" NOT NULL,
  started bigint NOT NULL,
  outcome text COLLATE "C" NOT NULL,
  told    text COLLATE "C" NOT NULL,
  PRIMARY KEY (tenant, project, id)
);
CREATE INDEX mem_tasks_by_task ON mem_tasks (tenant, task, time);
CREATE INDEX mem_tasks_by_time ON mem_tasks (tenant, project, time);

-- The words that a task is about, to find it by.
CREATE TABLE mem_task_words (
  tenant  text COLLATE "C" NOT NULL,
  project text COLLATE "C" NOT NULL,
  id      text COLLATE "C" NOT NULL,
  word    text COLLATE "C" NOT NULL,
  task    text COLLATE "C" NOT NULL,
  time    bigint NOT NULL,
  PRIMARY KEY (tenant, project, id, word)
);
CREATE INDEX mem_task_words_by_word ON mem_task_words (tenant, word, project, time, task);

-- Which strategies were shown for a task (`about`), an empty name where none fitted, and which were followed.
CREATE TABLE mem_task_uses (
  tenant   text COLLATE "C" NOT NULL,
  project  text COLLATE "C" NOT NULL,
  id       text COLLATE "C" NOT NULL,
  task     text COLLATE "C" NOT NULL,
  time     bigint NOT NULL,
  session  text COLLATE "C" NOT NULL,
  about    text COLLATE "C" NOT NULL,
  followed bigint NOT NULL,
  PRIMARY KEY (tenant, project, id, task)
);
CREATE INDEX mem_task_uses_by_task ON mem_task_uses (tenant, task, followed);
CREATE INDEX mem_task_uses_by_time ON mem_task_uses (tenant, project, time);
