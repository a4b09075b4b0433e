-- A second wall behind the tokens of MemDB, in PostgreSQL itself: a transaction sees and
-- changes only rows of the namespaces that its server was told the caller is for.
--
-- Run it once, as a superuser, after a server has made the tables, and once more after an
-- upgrade that made others:
--
--   psql -v ON_ERROR_STOP=1 -f row-security.sql "postgres://postgres@db.example/team"
--
-- The servers' own user must be no superuser and not have BYPASSRLS. It may own the
-- tables. Servers need no restart: they always say for whom a transaction is.
BEGIN;

ALTER TABLE chains ENABLE ROW LEVEL SECURITY;
ALTER TABLE chains FORCE ROW LEVEL SECURITY;
DROP POLICY IF EXISTS memscribe_namespaces ON chains;
CREATE POLICY memscribe_namespaces ON chains USING (current_setting('memscribe.namespaces', true) = '*'
  OR namespace = ANY (string_to_array(current_setting('memscribe.namespaces', true), ' ')));

ALTER TABLE entries ENABLE ROW LEVEL SECURITY;
ALTER TABLE entries FORCE ROW LEVEL SECURITY;
DROP POLICY IF EXISTS memscribe_namespaces ON entries;
CREATE POLICY memscribe_namespaces ON entries USING (current_setting('memscribe.namespaces', true) = '*'
  OR namespace = ANY (string_to_array(current_setting('memscribe.namespaces', true), ' ')));

ALTER TABLE memories ENABLE ROW LEVEL SECURITY;
ALTER TABLE memories FORCE ROW LEVEL SECURITY;
DROP POLICY IF EXISTS memscribe_namespaces ON memories;
CREATE POLICY memscribe_namespaces ON memories USING (current_setting('memscribe.namespaces', true) = '*'
  OR namespace = ANY (string_to_array(current_setting('memscribe.namespaces', true), ' ')));

ALTER TABLE versions ENABLE ROW LEVEL SECURITY;
ALTER TABLE versions FORCE ROW LEVEL SECURITY;
DROP POLICY IF EXISTS memscribe_namespaces ON versions;
CREATE POLICY memscribe_namespaces ON versions USING (current_setting('memscribe.namespaces', true) = '*'
  OR namespace = ANY (string_to_array(current_setting('memscribe.namespaces', true), ' ')));

ALTER TABLE embeddings ENABLE ROW LEVEL SECURITY;
ALTER TABLE embeddings FORCE ROW LEVEL SECURITY;
DROP POLICY IF EXISTS memscribe_namespaces ON embeddings;
CREATE POLICY memscribe_namespaces ON embeddings USING (current_setting('memscribe.namespaces', true) = '*'
  OR namespace = ANY (string_to_array(current_setting('memscribe.namespaces', true), ' ')));

ALTER TABLE spaces ENABLE ROW LEVEL SECURITY;
ALTER TABLE spaces FORCE ROW LEVEL SECURITY;
DROP POLICY IF EXISTS memscribe_namespaces ON spaces;
CREATE POLICY memscribe_namespaces ON spaces USING (current_setting('memscribe.namespaces', true) = '*'
  OR namespace = ANY (string_to_array(current_setting('memscribe.namespaces', true), ' ')));

-- PostgreSQL asks a policy first, unless it knows that a comparison tells nothing of a row
-- that it does not show. Of the one by which words are found it does not know that, and
-- would read a whole namespace for each search.
ALTER FUNCTION ts_match_vq(tsvector, tsquery) LEAKPROOF;

COMMIT;
