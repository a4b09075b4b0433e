-- What people said of nodes, one by one: a copy of the file beside the database.
CREATE TABLE annotations (
  id   TEXT NOT NULL PRIMARY KEY,
  node TEXT NOT NULL,
  json TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- How nodes stand by that.
CREATE TABLE marks (
  id            TEXT NOT NULL PRIMARY KEY, -- of the node, which may not be there yet
  rejected      INTEGER NOT NULL,
  pinned        INTEGER NOT NULL,
  title         TEXT,
  superseded_by TEXT,
  json          TEXT NOT NULL -- all of it
) STRICT, WITHOUT ROWID;

-- What a person rejected or replaced is not in force.
DROP VIEW decisions;
CREATE VIEW decisions AS
SELECT n, d.id, source, session, thread, seq, timestamp, project, branch,
  coalesce(m.title, json_extract(d.json, '$.title'), json_extract(d.json, '$.epitome')) AS title,
  json_extract(d.json, '$.epitome') AS epitome, is_ban,
  d.superseded_by IS NULL AND m.superseded_by IS NULL AND NOT coalesce(m.rejected, 0) AS in_force,
  coalesce(m.superseded_by, d.superseded_by) AS superseded_by, decided_by,
  json_extract(d.json, '$.confirmation') AS confirmation,
  json_extract(d.json, '$.considered_options') AS considered_options, coalesce(m.rejected, 0) AS rejected, d.json
FROM nodes AS d LEFT JOIN marks AS m ON m.id = d.id
WHERE kind = 'decision';

DROP VIEW bans_in_force;
CREATE VIEW bans_in_force AS
SELECT n, d.id, source, session, thread, seq, timestamp, project, branch,
  coalesce(m.title, json_extract(d.json, '$.title'), json_extract(d.json, '$.epitome')) AS title,
  json_extract(d.json, '$.epitome') AS epitome, decided_by, d.json
FROM nodes AS d LEFT JOIN marks AS m ON m.id = d.id
WHERE is_ban = 1 AND d.superseded_by IS NULL AND m.superseded_by IS NULL AND NOT coalesce(m.rejected, 0);
