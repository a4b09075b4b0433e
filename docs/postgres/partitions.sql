-- Divides the large tables of MemDB by namespace, into 16 parts each. Searches and writes name
-- their namespaces, so that PostgreSQL looks at the parts of these alone, and vacuums and reindexes
-- part by part.
--
-- Run it once, as the owner of the tables, after a server has made them and while none runs. What
-- the tables hold is copied. row-security.sql has to be run afterwards, also if it was before.
--
--   psql -v ON_ERROR_STOP=1 -f partitions.sql "postgres://memdb@db.example/team"
BEGIN;

DO $$
DECLARE
  name  TEXT;
  owner TEXT;
  parts CONSTANT INTEGER := 16;
BEGIN
  FOREACH name IN ARRAY ARRAY['entries', 'memories', 'versions', 'embeddings'] LOOP
    SELECT tableowner INTO STRICT owner FROM pg_tables WHERE schemaname = current_schema AND tablename = name;
    EXECUTE format('ALTER TABLE %I RENAME TO %I', name, name || '_whole');
    EXECUTE format('CREATE TABLE %I (LIKE %I INCLUDING ALL) PARTITION BY HASH (namespace)', name, name || '_whole');
    EXECUTE format('ALTER TABLE %I OWNER TO %I', name, owner);
    FOR part IN 0 .. parts - 1 LOOP
      EXECUTE format('CREATE TABLE %I PARTITION OF %I FOR VALUES WITH (MODULUS %s, REMAINDER %s)', name || '_' || part, name, parts, part);
      EXECUTE format('ALTER TABLE %I OWNER TO %I', name || '_' || part, owner);
    END LOOP;
    EXECUTE format('INSERT INTO %I SELECT * FROM %I', name, name || '_whole');
    EXECUTE format('DROP TABLE %I', name || '_whole');
  END LOOP;
END $$;

COMMIT;
