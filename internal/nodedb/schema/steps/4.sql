-- What agents wrote to memories of their own, and read from them: calls of theirs,
-- and edits of the files that they are given.
ALTER TABLE nodes ADD COLUMN memory_action TEXT; -- memory_write, memory_read
ALTER TABLE nodes ADD COLUMN memory_store TEXT;  -- a server or tool; file
ALTER TABLE nodes ADD COLUMN memory_key TEXT;    -- in the store; '' is all of it
CREATE INDEX nodes_memory ON nodes(memory_store, memory_action, memory_key) WHERE memory_action IS NOT NULL;
INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES ('nodes', 'nodes_memory', '10000 1000 500 5');

CREATE VIEW memory_calls AS
SELECT n, id, kind, source, session, thread, seq, timestamp, project, branch,
  memory_action AS action, memory_store AS store, memory_key AS key,
  coalesce(json_extract(json, '$.text'), json_extract(json, '$.diff.unified')) AS text, json
FROM nodes WHERE memory_action IS NOT NULL;

-- A row for each read of a memory and each write before it that may have planted
-- what was read; one with NULLs for a read of what nobody was seen to write. Who
-- reads all of a store reads every key, up to the last character that there is.
CREATE VIEW memory_reads AS
SELECT r.n, r.id, r.timestamp, r.source, r.session, r.thread, r.project, r.memory_store AS store, r.memory_key AS key,
  w.id AS write, w.n AS write_n, w.kind AS write_kind, w.memory_key AS write_key, w.timestamp AS write_timestamp,
  w.source AS write_source, w.session AS write_session, w.project AS write_project
FROM nodes AS r
  LEFT JOIN nodes AS w ON w.memory_store = r.memory_store AND w.memory_action = 'memory_write'
    AND w.memory_key BETWEEN r.memory_key AND iif(r.memory_key = '', char(1114111), r.memory_key) AND w.n < r.n
WHERE r.memory_action = 'memory_read';
