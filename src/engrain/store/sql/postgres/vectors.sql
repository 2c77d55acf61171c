-- make_vectors --
-- A table of vectors; @ is its number, # how long its vectors are.
CREATE EXTENSION IF NOT EXISTS vector;
CREATE TABLE mem_vectors_@ (
  seq     bigint GENERATED ALWAYS AS IDENTITY,
  tenant  text COLLATE "C" NOT NULL,
  project text COLLATE "C" NOT NULL,
  id      text COLLATE "C" NOT NULL,
  kind    text COLLATE "C" NOT NULL,
  hash    text COLLATE "C" NOT NULL,
  part    integer NOT NULL,
  vector  halfvec(#),
  PRIMARY KEY (tenant, project, id, part)
);
CREATE INDEX mem_vectors_@_by_hash ON mem_vectors_@ (hash);
CREATE INDEX mem_vectors_@_near ON mem_vectors_@ USING hnsw (vector halfvec_cosine_ops);

-- drop_vectors --
-- Takes away a table of vectors.
DROP TABLE mem_vectors_@;

-- vectors_possible --
-- Whether this database has pgvector, or whoever asks could give it to it.
SELECT count(*) FROM pg_available_extensions AS e
WHERE name = 'vector' AND string_to_array(coalesce(installed_version, default_version), '.')::int[] >= ARRAY[0, 8]
  AND (installed_version IS NOT NULL OR EXISTS (
    SELECT 1 FROM pg_available_extension_versions AS v JOIN pg_roles AS r ON r.rolname = current_user
    WHERE v.name = e.name AND v.version = e.default_version AND (
      r.rolsuper OR (v.trusted OR NOT v.superuser) AND has_database_privilege(current_database(), 'CREATE'))));

-- vectors_chosen --
-- How many vectors a question is about; no more of them are looked at than the limit.
SELECT count(*) FROM (
  SELECT 1 FROM mem_vectors_@ WHERE tenant = %(tenant)s AND (%(anywhere)s OR project = ANY (%(projects)s))
    AND (%(any)s OR kind = ANY (%(kinds)s)) LIMIT %(limit)s
) AS chosen;

-- vectors_nearest_of_few --
-- The nearest vectors, by looking at every one that the question is about.
WITH chosen AS MATERIALIZED (
  SELECT tenant, project, id, kind, vector FROM mem_vectors_@
  WHERE tenant = %(tenant)s AND (%(anywhere)s OR project = ANY (%(projects)s))
    AND (%(any)s OR kind = ANY (%(kinds)s)) AND vector IS NOT NULL
)
SELECT tenant, project, id, kind, 1 - (vector <=> %(vector)s::halfvec) AS similarity FROM chosen
ORDER BY vector <=> %(vector)s::halfvec, tenant, project, id LIMIT %(limit)s;

-- vectors_walk --
-- How the index is walked: on and on until enough of what it finds is what the question is about.
SELECT set_config('hnsw.iterative_scan', 'relaxed_order', true), set_config('hnsw.ef_search', %(wide)s, true),
  set_config('hnsw.max_scan_tuples', %(most)s, true), set_config('enable_seqscan', 'off', true);

-- vectors_nearest --
-- The nearest vectors, by the index.
SELECT tenant, project, id, kind, 1 - (vector <=> %(vector)s::halfvec) AS similarity FROM mem_vectors_@
WHERE tenant = %(tenant)s AND (%(anywhere)s OR project = ANY (%(projects)s)) AND (%(any)s OR kind = ANY (%(kinds)s))
ORDER BY vector <=> %(vector)s::halfvec LIMIT %(limit)s;
