-- The schema of a new store. A test holds that the migrations reach the same.

-- The journal and what is derived from it.
CREATE TABLE migrations (
  name TEXT PRIMARY KEY,
  time INTEGER NOT NULL
) STRICT;

-- The truth. seq is the order of arrival: a place to go on from, never a part of anything derived.
CREATE TABLE events (
  seq     INTEGER PRIMARY KEY AUTOINCREMENT,
  tenant  TEXT NOT NULL,
  project TEXT NOT NULL,
  id      TEXT NOT NULL,
  time    INTEGER NOT NULL,
  session TEXT NOT NULL,
  agent   TEXT NOT NULL,
  kind    TEXT NOT NULL,
  v       INTEGER NOT NULL,
  body    TEXT NOT NULL,
  UNIQUE (id, project, tenant)
) STRICT;
CREATE INDEX events_by_time ON events (time, id);
CREATE INDEX events_by_session ON events (session, time) WHERE session <> '';
CREATE INDEX events_by_project ON events (project, kind, time);

-- Ids that were forgotten: nothing else of them remains, and nothing brings them back.
CREATE TABLE tombstones (
  tenant  TEXT NOT NULL,
  project TEXT NOT NULL,
  id      TEXT NOT NULL,
  target  TEXT NOT NULL,
  PRIMARY KEY (tenant, project, id, target)
) STRICT;
CREATE INDEX tombstones_by_target ON tombstones (target);

CREATE TABLE documents (
  row     INTEGER PRIMARY KEY,
  tenant  TEXT NOT NULL,
  project TEXT NOT NULL,
  id      TEXT NOT NULL,
  text    TEXT NOT NULL,
  UNIQUE (id, project, tenant)
) STRICT;
CREATE VIRTUAL TABLE words USING fts5(text, content='documents', content_rowid='row', tokenize='porter unicode61');
-- A batch's words are gathered in memory and written once: a third quicker than the default of 1 MB.
INSERT INTO words (words, rank) VALUES ('hashsize', 16777216);
CREATE TRIGGER documents_said AFTER INSERT ON documents BEGIN
  INSERT INTO words (rowid, text) VALUES (new.row, new.text);
END;
CREATE TRIGGER documents_unsaid AFTER DELETE ON documents BEGIN
  INSERT INTO words (words, rowid, text) VALUES ('delete', old.row, old.text);
END;

CREATE TABLE notes (
  tenant  TEXT NOT NULL,
  project TEXT NOT NULL,
  id      TEXT NOT NULL,
  time    INTEGER NOT NULL,
  text    TEXT NOT NULL,
  tags    TEXT NOT NULL,
  PRIMARY KEY (tenant, project, id)
) STRICT;

-- Where a project was seen: folders, remotes, names.
CREATE TABLE places (
  tenant  TEXT NOT NULL,
  project TEXT NOT NULL,
  id      TEXT NOT NULL,
  time    INTEGER NOT NULL,
  name    TEXT NOT NULL,
  root    TEXT NOT NULL,
  remote  TEXT NOT NULL,
  PRIMARY KEY (tenant, project, id)
) STRICT;

-- A project that is another one: its events are found under both names.
CREATE TABLE merges (
  tenant  TEXT NOT NULL,
  project TEXT NOT NULL,
  id      TEXT NOT NULL,
  time    INTEGER NOT NULL,
  target  TEXT NOT NULL,
  PRIMARY KEY (tenant, project, id)
) STRICT;

CREATE TABLE sessions (
  tenant  TEXT NOT NULL,
  project TEXT NOT NULL,
  session TEXT NOT NULL,
  agent   TEXT NOT NULL,
  started INTEGER NOT NULL,
  ended   INTEGER NOT NULL,
  events  INTEGER NOT NULL,
  PRIMARY KEY (tenant, project, session, agent)
) STRICT;

CREATE TABLE projects (
  tenant  TEXT NOT NULL,
  project TEXT NOT NULL,
  started INTEGER NOT NULL,
  ended   INTEGER NOT NULL,
  events  INTEGER NOT NULL,
  PRIMARY KEY (tenant, project)
) STRICT;
-- Slow work that waits, runs under a lease, is tried again and in the end laid aside.
CREATE TABLE jobs (
  tenant   TEXT NOT NULL,
  project  TEXT NOT NULL,
  kind     TEXT NOT NULL,
  key      TEXT NOT NULL,
  body     TEXT NOT NULL,
  due      INTEGER NOT NULL,
  tries    INTEGER NOT NULL DEFAULT 0,
  holder   TEXT NOT NULL DEFAULT '',
  until    INTEGER NOT NULL DEFAULT 0,
  state    TEXT NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'dead')),
  error    TEXT NOT NULL DEFAULT '',
  PRIMARY KEY (tenant, project, kind, key)
) STRICT;
CREATE INDEX jobs_by_due ON jobs (state, due);

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
