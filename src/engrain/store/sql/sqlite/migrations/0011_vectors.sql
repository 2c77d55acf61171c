-- What was told, by kind and arrival: the texts that may be embedded. What calls and commands printed is found by its
-- words.
CREATE INDEX events_told ON events (kind, seq) WHERE kind NOT IN ('tool.call', 'command');

-- The tables of vectors, one for each model and length of vector; they are made when the first vector comes. `stamp`
-- tells one from another that had its number; `erased` grows whenever a vector goes, `scrubbed` follows when no byte of
-- it is left.
CREATE TABLE vector_tables (
  number    INTEGER PRIMARY KEY,
  model     TEXT NOT NULL,
  dimension INTEGER NOT NULL,
  stamp     TEXT NOT NULL,
  erased    INTEGER NOT NULL DEFAULT 0,
  scrubbed  INTEGER NOT NULL DEFAULT 0,
  UNIQUE (model, dimension)
) STRICT;

-- How far texts are in line for a model, and what embedding some of the latest took.
CREATE TABLE vector_plans (
  model   TEXT PRIMARY KEY,
  planned INTEGER NOT NULL DEFAULT 0,
  texts   REAL NOT NULL DEFAULT 0,
  seconds REAL NOT NULL DEFAULT 0
) STRICT;
