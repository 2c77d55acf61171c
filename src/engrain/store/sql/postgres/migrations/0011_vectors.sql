-- What was told, by kind and arrival: the texts that may be embedded. What calls and commands printed is found by its
-- words.
CREATE INDEX mem_events_told ON mem_events (kind, seq) WHERE kind NOT IN ('tool.call', 'command');

-- The tables of vectors, one for each model and length of vector; they are made when the first vector comes. `stamp`
-- tells one from another that had its number; `erased` grows whenever a vector goes, `scrubbed` follows when no byte of
-- it is left.
CREATE TABLE mem_vector_tables (
  number    bigint PRIMARY KEY,
  model     text COLLATE "C" NOT NULL,
  dimension bigint NOT NULL,
  stamp     text COLLATE "C" NOT NULL,
  erased    bigint NOT NULL DEFAULT 0,
  scrubbed  bigint NOT NULL DEFAULT 0,
  UNIQUE (model, dimension)
);

-- How far texts are in line for a model, and what embedding some of the latest took.
CREATE TABLE mem_vector_plans (
  model   text COLLATE "C" PRIMARY KEY,
  planned bigint NOT NULL DEFAULT 0,
  texts   double precision NOT NULL DEFAULT 0,
  seconds double precision NOT NULL DEFAULT 0
);
