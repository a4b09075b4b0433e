-- One row a node. What stands in columns is what people filter by; the rest is
-- in the JSON.
CREATE TABLE nodes (
  n             INTEGER PRIMARY KEY, -- sorts by time; negative without a timestamp
  id            TEXT NOT NULL,
  kind          TEXT NOT NULL,       -- conversation, decision, episode, binding
  source        TEXT NOT NULL,       -- the tool
  session       TEXT NOT NULL,
  thread        TEXT NOT NULL,       -- a subagent's line; '' is the main line
  seq           INTEGER NOT NULL,
  timestamp     TEXT,
  project       TEXT NOT NULL,       -- the root of the repository, else the working folder
  cwd           TEXT,
  branch        TEXT,
  sha           TEXT,
  speaker       TEXT,                -- conversation: user, assistant
  is_ban        INTEGER,             -- decision: 0, 1
  decided_by    TEXT,
  superseded_by TEXT,
  path          TEXT,                -- episode
  old_path      TEXT,
  base          TEXT,                -- the last element of path
  change        TEXT,                -- create, modify, delete, rename
  added         INTEGER,
  removed       INTEGER,
  tool          TEXT,
  call_id       TEXT,
  from_id       TEXT,                -- binding: a decision or a conversation
  to_id         TEXT,                -- an episode
  relation      TEXT,                -- produced, governs, derived_from
  evidence      TEXT,
  digest        BLOB NOT NULL,       -- of the JSON
  json          TEXT NOT NULL
) STRICT;

-- An index has n as its last column without saying so: what it finds comes in
-- the order of time.
CREATE UNIQUE INDEX nodes_id ON nodes(id);
CREATE INDEX nodes_kind ON nodes(kind);
CREATE INDEX nodes_session ON nodes(session, source, thread, seq);
CREATE INDEX nodes_decisions ON nodes(project) WHERE kind = 'decision';
CREATE INDEX nodes_bans ON nodes(superseded_by, n, project) WHERE is_ban = 1;
CREATE INDEX nodes_episodes ON nodes(project) WHERE kind = 'episode';
CREATE INDEX nodes_path ON nodes(path) WHERE path IS NOT NULL;
CREATE INDEX nodes_base ON nodes(base, n, path) WHERE base IS NOT NULL;
CREATE INDEX nodes_old_path ON nodes(n, old_path) WHERE old_path IS NOT NULL;
CREATE INDEX nodes_from ON nodes(from_id) WHERE from_id IS NOT NULL;
CREATE INDEX nodes_to ON nodes(to_id) WHERE to_id IS NOT NULL;

-- What the planner shall take for given, whatever is in the table: plans do not
-- depend on whether somebody ran ANALYZE.
ANALYZE sqlite_schema;
INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES
  ('nodes', 'nodes_id', '1000000 1'),
  ('nodes', 'nodes_kind', '1000000 250000'),
  ('nodes', 'nodes_session', '1000000 500 400 300 2'),
  ('nodes', 'nodes_decisions', '300000 2000'),
  ('nodes', 'nodes_bans', '10000 100 1 1'),
  ('nodes', 'nodes_episodes', '300000 2000'),
  ('nodes', 'nodes_path', '300000 10'),
  ('nodes', 'nodes_base', '300000 30 1 1'),
  ('nodes', 'nodes_old_path', '1000 1 1'),
  ('nodes', 'nodes_from', '300000 5'),
  ('nodes', 'nodes_to', '300000 2');

-- The words of conversations, decisions and paths. The rowid is nodes.n; scope
-- holds a word for the kind, the tool and the project, by which a search is
-- narrowed.
CREATE VIRTUAL TABLE search USING fts5(
  text, path, scope, content = '', contentless_delete = 1, tokenize = 'unicode61 remove_diacritics 2'
);

-- Ranges of n in which there may be nodes that search does not know yet.
CREATE TABLE pending (
  first  INTEGER NOT NULL,
  last   INTEGER NOT NULL,
  writer INTEGER NOT NULL -- the process that is at it, if it still is
) STRICT;

-- What there is of each session, thread and project. Times are milliseconds
-- since 1970.
CREATE TABLE tally (
  session       TEXT NOT NULL,
  source        TEXT NOT NULL,
  thread        TEXT NOT NULL,
  project       TEXT NOT NULL,
  conversations INTEGER NOT NULL,
  decisions     INTEGER NOT NULL,
  bans          INTEGER NOT NULL,
  episodes      INTEGER NOT NULL,
  bindings      INTEGER NOT NULL,
  first         INTEGER,
  last          INTEGER,
  PRIMARY KEY (session, source, thread, project)
) STRICT, WITHOUT ROWID;
CREATE INDEX tally_project ON tally(project);

CREATE VIEW sessions AS
SELECT session, source, project, count(DISTINCT thread) AS threads,
  sum(conversations) AS conversations, sum(decisions) AS decisions, sum(bans) AS bans,
  sum(episodes) AS episodes, sum(bindings) AS bindings,
  strftime('%Y-%m-%dT%H:%M:%fZ', min(first) / 1000.0, 'unixepoch') AS first,
  strftime('%Y-%m-%dT%H:%M:%fZ', max(last) / 1000.0, 'unixepoch') AS last
FROM tally GROUP BY session, source;

CREATE VIEW threads AS
SELECT session, source, thread, project,
  sum(conversations) AS conversations, sum(decisions) AS decisions, sum(bans) AS bans,
  sum(episodes) AS episodes, sum(bindings) AS bindings,
  strftime('%Y-%m-%dT%H:%M:%fZ', min(first) / 1000.0, 'unixepoch') AS first,
  strftime('%Y-%m-%dT%H:%M:%fZ', max(last) / 1000.0, 'unixepoch') AS last
FROM tally GROUP BY session, source, thread;

CREATE VIEW projects AS
SELECT project, count(DISTINCT source || ' ' || session) AS sessions, count(DISTINCT source) AS tools,
  sum(conversations) AS conversations, sum(decisions) AS decisions, sum(bans) AS bans,
  sum(episodes) AS episodes, sum(bindings) AS bindings,
  strftime('%Y-%m-%dT%H:%M:%fZ', min(first) / 1000.0, 'unixepoch') AS first,
  strftime('%Y-%m-%dT%H:%M:%fZ', max(last) / 1000.0, 'unixepoch') AS last
FROM tally GROUP BY project;

CREATE VIEW tools AS
SELECT source, count(DISTINCT session) AS sessions, count(DISTINCT project) AS projects,
  sum(conversations) AS conversations, sum(decisions) AS decisions, sum(bans) AS bans,
  sum(episodes) AS episodes, sum(bindings) AS bindings,
  strftime('%Y-%m-%dT%H:%M:%fZ', min(first) / 1000.0, 'unixepoch') AS first,
  strftime('%Y-%m-%dT%H:%M:%fZ', max(last) / 1000.0, 'unixepoch') AS last
FROM tally GROUP BY source;

CREATE VIEW conversations AS
SELECT n, id, source, session, thread, seq, timestamp, project, branch, speaker,
  json_extract(json, '$.text') AS text, json
FROM nodes WHERE kind = 'conversation';

CREATE VIEW decisions AS
SELECT n, id, source, session, thread, seq, timestamp, project, branch,
  json_extract(json, '$.epitome') AS epitome, is_ban, superseded_by IS NULL AS in_force, superseded_by, decided_by,
  json_extract(json, '$.confirmation') AS confirmation,
  json_extract(json, '$.considered_options') AS considered_options, json
FROM nodes WHERE kind = 'decision';

CREATE VIEW episodes AS
SELECT n, id, source, session, thread, seq, timestamp, project, branch, sha, path, old_path, base, change,
  added, removed, tool, call_id, json_extract(json, '$.diff.unified') AS unified, json
FROM nodes WHERE kind = 'episode';

-- A binding as an edge; from_id is what was decided or said, to_id the edit.
CREATE VIEW edges AS
SELECT id, n, from_id, to_id, relation, evidence, source, session, thread, seq, timestamp
FROM nodes WHERE from_id IS NOT NULL;

-- Both ends of every edge, each as the neighbour of the other.
CREATE VIEW neighbours AS
SELECT from_id AS id, to_id AS other, relation, evidence, 'edit' AS role, n FROM nodes WHERE from_id IS NOT NULL
UNION ALL
SELECT to_id, from_id, relation, evidence, 'reason', n FROM nodes WHERE to_id IS NOT NULL;

CREATE VIEW bans_in_force AS
SELECT n, id, source, session, thread, seq, timestamp, project, branch,
  json_extract(json, '$.epitome') AS epitome, decided_by, json
FROM nodes WHERE is_ban = 1 AND superseded_by IS NULL;

-- A row for each edit of each decision; one with NULLs for a decision without.
CREATE VIEW decision_edits AS
SELECT d.n, d.id, d.project, d.timestamp, d.session, d.source, json_extract(d.json, '$.epitome') AS epitome, d.is_ban,
  d.superseded_by IS NULL AS in_force, d.decided_by, b.relation, b.evidence,
  e.id AS edit, e.n AS edit_n, e.timestamp AS edit_timestamp, e.session AS edit_session,
  e.path, e.change, e.added, e.removed, e.tool
FROM nodes AS d
  LEFT JOIN nodes AS b ON b.from_id = d.id
  LEFT JOIN nodes AS e ON e.id = b.to_id
WHERE d.kind = 'decision';

-- A row for each edit of a file and each thing that it hangs on; one with NULLs
-- for an edit that hangs on nothing.
CREATE VIEW file_history AS
SELECT e.n, e.id, e.path, e.old_path, e.base, e.timestamp, e.change, e.added, e.removed, e.tool, e.source,
  e.session, e.thread, e.project, e.branch, b.relation, b.evidence,
  r.id AS reason, r.kind AS reason_kind, coalesce(json_extract(r.json, '$.epitome'), json_extract(r.json, '$.text')) AS because,
  r.decided_by
FROM nodes AS e
  LEFT JOIN nodes AS b ON b.to_id = e.id
  LEFT JOIN nodes AS r ON r.id = b.from_id
WHERE e.kind = 'episode';

-- What was said, decided and done.
CREATE VIEW timeline AS
SELECT n, id, kind, source, session, thread, seq, timestamp, project, branch,
  CASE kind WHEN 'conversation' THEN speaker WHEN 'decision' THEN decided_by ELSE tool END AS who,
  CASE kind WHEN 'conversation' THEN json_extract(json, '$.text') WHEN 'decision' THEN json_extract(json, '$.epitome')
    ELSE change || ' ' || path END AS what
FROM nodes WHERE kind <> 'binding';
