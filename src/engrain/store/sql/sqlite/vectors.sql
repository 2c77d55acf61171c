-- make_vectors --
-- A table of vectors; @ is its number.
CREATE TABLE vectors_@ (
  seq     INTEGER PRIMARY KEY AUTOINCREMENT,
  tenant  TEXT NOT NULL,
  project TEXT NOT NULL,
  id      TEXT NOT NULL,
  kind    TEXT NOT NULL,
  hash    TEXT NOT NULL,
  part    INTEGER NOT NULL,
  vector  BLOB,
  UNIQUE (id, project, tenant, part)
) STRICT;
CREATE INDEX vectors_@_by_hash ON vectors_@ (hash);

-- drop_vectors --
-- Takes away a table of vectors.
DROP TABLE vectors_@;

-- vectors_state --
-- What tells whether a copy of a table is still true: its stamp, how often vectors went, and its last row.
SELECT stamp, erased, (SELECT max(seq) FROM vectors_@) FROM vector_tables WHERE number = :number;

-- vectors_after --
-- The vectors behind a row, in their order.
SELECT seq, tenant, project, kind, vector FROM vectors_@
WHERE seq > :after AND vector IS NOT NULL ORDER BY seq LIMIT :limit;

-- vectors_of --
-- The vectors in these rows.
SELECT seq, vector FROM vectors_@ WHERE seq IN (SELECT value FROM json_each(:rows));

-- vectors_named --
-- Which events these rows are of.
SELECT seq, tenant, project, id, kind FROM vectors_@ WHERE seq IN (SELECT value FROM json_each(:rows));
