-- What every table of ours gets beside its columns, after each change of the schema, by rule: no new table can be
-- forgotten, and no part of one.
--
-- Whoever acts as engrain_tenant sees and writes rows of the tenant that the transaction names in engrain.tenant, and no
-- others; where none is named, none. Tables without a tenant are about the store itself: they can be read.
DO $protect$
DECLARE
  one record;
  granted boolean;
BEGIN
  BEGIN
    CREATE ROLE engrain_tenant NOLOGIN;
  EXCEPTION WHEN duplicate_object OR unique_violation OR insufficient_privilege THEN
    NULL; -- It is there, or whoever administers the server must make it: who asks for a tenant is told.
  END;
  granted := EXISTS (SELECT FROM pg_roles WHERE rolname = 'engrain_tenant');
  BEGIN
    IF granted AND NOT pg_has_role(current_user, 'engrain_tenant', 'MEMBER') THEN
      EXECUTE format('GRANT engrain_tenant TO %I', current_user);
    END IF;
    IF granted AND NOT has_schema_privilege('engrain_tenant', current_schema(), 'USAGE') THEN
      EXECUTE format('GRANT USAGE ON SCHEMA %I TO engrain_tenant', current_schema());
    END IF;
  EXCEPTION WHEN insufficient_privilege THEN
    NULL;
  END;
  BEGIN
    -- A rule is asked before whatever might tell of a row that it hides. Whether words match tells nothing and never fails,
    -- but the index of words is used under a rule only where this is said, which takes an administrator. Where it can't be
    -- said, a team that searches all its projects at once has all its documents read.
    IF EXISTS (SELECT FROM pg_proc WHERE oid = 'pg_catalog.ts_match_vq(tsvector, tsquery)'::regprocedure AND NOT proleakproof) THEN
      ALTER FUNCTION pg_catalog.ts_match_vq(tsvector, tsquery) LEAKPROOF;
    END IF;
  EXCEPTION WHEN insufficient_privilege THEN
    NULL;
  END;
  FOR one IN
    SELECT c.oid, c.relname AS name, c.relrowsecurity AS protected,
      EXISTS (SELECT FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attname = 'tenant' AND NOT a.attisdropped) AS owned,
      EXISTS (SELECT FROM pg_policy p WHERE p.polrelid = c.oid AND p.polname = 'mem_own') AS ruled
    FROM pg_class c
    WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'p') AND c.relname LIKE 'mem\_%'
    ORDER BY c.relname
  LOOP
    IF one.owned AND NOT one.protected THEN
      EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', one.name);
    END IF;
    IF one.owned AND NOT one.ruled THEN
      EXECUTE format('CREATE POLICY mem_own ON %I USING (tenant = current_setting(''engrain.tenant'', true))', one.name);
    END IF;
    IF granted AND NOT has_table_privilege('engrain_tenant', one.oid, 'SELECT') THEN
      EXECUTE format('GRANT %s ON %I TO engrain_tenant',
        CASE WHEN one.owned THEN 'SELECT, INSERT, UPDATE, DELETE' ELSE 'SELECT' END, one.name);
    END IF;
  END LOOP;
END
$protect$;
