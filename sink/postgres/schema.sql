-- A schema of its own: a MemDB may be in the same database.
CREATE SCHEMA IF NOT EXISTS memscribe;

-- One row a node. What stands in columns is what people filter by; the rest is
-- in the JSON.
CREATE TABLE memscribe.nodes (
  id            TEXT PRIMARY KEY,
  n             BIGINT NOT NULL,     -- sorts by time: milliseconds since 1970; -1 without a timestamp
  kind          TEXT NOT NULL,       -- conversation, decision, episode, binding
  source        TEXT NOT NULL,       -- the tool
  session       TEXT NOT NULL,
  thread        TEXT NOT NULL,       -- a subagent's line; '' is the main line
  seq           BIGINT NOT NULL,
  timestamp     TEXT,
  project       TEXT NOT NULL,       -- the root of the repository, else the working folder
  cwd           TEXT,
  branch        TEXT,
  sha           TEXT,
  speaker       TEXT,                -- conversation: user, assistant
  is_ban        BOOLEAN,             -- decision
  decided_by    TEXT,
  superseded_by TEXT,
  path          TEXT,                -- episode
  old_path      TEXT,
  base          TEXT,                -- the last element of path
  change        TEXT,                -- create, modify, delete, rename
  added         BIGINT,
  removed       BIGINT,
  tool          TEXT,
  call_id       TEXT,
  from_id       TEXT,                -- binding: a decision or a conversation
  to_id         TEXT,                -- an episode
  relation      TEXT,                -- produced, governs, derived_from
  evidence      TEXT,
  memory_action TEXT,                -- memory_write, memory_read
  memory_store  TEXT,                -- a server or tool; file
  memory_key    TEXT,                -- in the store; '' is all of it
  title         TEXT,                -- decision
  text          TEXT,                -- of a conversation; the epitome of a decision; the diff of an edit
  confirmation  TEXT,
  considered_options TEXT,           -- as JSON
  words         TSVECTOR NOT NULL,   -- of what was said or decided, and of the path
  digest        BYTEA NOT NULL,      -- of the JSON
  json          TEXT NOT NULL
);
CREATE INDEX nodes_newest ON memscribe.nodes (kind, n DESC, id DESC);
CREATE INDEX nodes_session ON memscribe.nodes (session, source, thread, seq);
CREATE INDEX nodes_project ON memscribe.nodes (project, kind, n DESC);
CREATE INDEX nodes_bans ON memscribe.nodes (n DESC, id DESC) WHERE is_ban AND superseded_by IS NULL;
CREATE INDEX nodes_path ON memscribe.nodes (base, n DESC) WHERE path IS NOT NULL;
CREATE INDEX nodes_from ON memscribe.nodes (from_id) WHERE from_id IS NOT NULL;
CREATE INDEX nodes_to ON memscribe.nodes (to_id) WHERE to_id IS NOT NULL;
CREATE INDEX nodes_memory ON memscribe.nodes (memory_store, memory_action, memory_key) WHERE memory_action IS NOT NULL;
CREATE INDEX nodes_words ON memscribe.nodes USING GIN (words);

-- The views of docs/sqlite.md.
CREATE VIEW memscribe.conversations AS
SELECT n, id, source, session, thread, seq, timestamp, project, branch, speaker, text, json
FROM memscribe.nodes WHERE kind = 'conversation';

CREATE VIEW memscribe.decisions AS
SELECT n, id, source, session, thread, seq, timestamp, project, branch, title, text AS epitome,
  is_ban, superseded_by IS NULL AS in_force, superseded_by, decided_by, confirmation, considered_options, json
FROM memscribe.nodes WHERE kind = 'decision';

CREATE VIEW memscribe.bans_in_force AS
SELECT n, id, source, session, thread, seq, timestamp, project, branch, title, text AS epitome, decided_by, json
FROM memscribe.nodes WHERE is_ban AND superseded_by IS NULL;

CREATE VIEW memscribe.episodes AS
SELECT n, id, source, session, thread, seq, timestamp, project, branch, sha, path, old_path, base, change,
  added, removed, tool, call_id, text AS unified, json
FROM memscribe.nodes WHERE kind = 'episode';

-- A binding as an edge; from_id is what was decided or said, to_id the edit.
CREATE VIEW memscribe.edges AS
SELECT id, n, from_id, to_id, relation, evidence, source, session, thread, seq, timestamp
FROM memscribe.nodes WHERE from_id IS NOT NULL;
CREATE VIEW memscribe.bindings AS SELECT * FROM memscribe.edges;

-- Both ends of every edge, each as the neighbour of the other.
CREATE VIEW memscribe.neighbours AS
SELECT from_id AS id, to_id AS other, relation, evidence, 'edit' AS role, n FROM memscribe.nodes WHERE from_id IS NOT NULL
UNION ALL
SELECT to_id, from_id, relation, evidence, 'reason', n FROM memscribe.nodes WHERE to_id IS NOT NULL;

-- A row for each edit of each decision; one with NULLs for a decision without.
CREATE VIEW memscribe.decision_edits AS
SELECT d.n, d.id, d.project, d.timestamp, d.session, d.source, d.title, d.text AS epitome, d.is_ban,
  d.superseded_by IS NULL AS in_force, d.decided_by, b.relation, b.evidence,
  e.id AS edit, e.n AS edit_n, e.timestamp AS edit_timestamp, e.session AS edit_session,
  e.path, e.change, e.added, e.removed, e.tool
FROM memscribe.nodes AS d
  LEFT JOIN memscribe.nodes AS b ON b.from_id = d.id
  LEFT JOIN memscribe.nodes AS e ON e.id = b.to_id
WHERE d.kind = 'decision';

-- A row for each edit of a file and each thing that it hangs on; one with NULLs
-- for an edit that hangs on nothing.
CREATE VIEW memscribe.file_history AS
SELECT e.n, e.id, e.path, e.old_path, e.base, e.timestamp, e.change, e.added, e.removed, e.tool, e.source,
  e.session, e.thread, e.project, e.branch, b.relation, b.evidence,
  r.id AS reason, r.kind AS reason_kind, coalesce(r.title, r.text) AS because, r.decided_by
FROM memscribe.nodes AS e
  LEFT JOIN memscribe.nodes AS b ON b.to_id = e.id
  LEFT JOIN memscribe.nodes AS r ON r.id = b.from_id
WHERE e.kind = 'episode';

-- What was said, decided and done.
CREATE VIEW memscribe.timeline AS
SELECT n, id, kind, source, session, thread, seq, timestamp, project, branch,
  CASE kind WHEN 'conversation' THEN speaker WHEN 'decision' THEN decided_by ELSE tool END AS who,
  CASE kind WHEN 'conversation' THEN text WHEN 'decision' THEN title ELSE change || ' ' || path END AS what
FROM memscribe.nodes WHERE kind <> 'binding';

-- What agents wrote to memories of their own, and read from them.
CREATE VIEW memscribe.memory_calls AS
SELECT n, id, kind, source, session, thread, seq, timestamp, project, branch,
  memory_action AS action, memory_store AS store, memory_key AS key, text, json
FROM memscribe.nodes WHERE memory_action IS NOT NULL;

-- What there is of each session, and of each project.
CREATE VIEW memscribe.sessions AS
SELECT session, source, min(project) AS project, count(DISTINCT thread) AS threads,
  count(*) FILTER (WHERE kind = 'conversation') AS conversations, count(*) FILTER (WHERE kind = 'decision') AS decisions,
  count(*) FILTER (WHERE is_ban) AS bans, count(*) FILTER (WHERE kind = 'episode') AS episodes,
  count(*) FILTER (WHERE kind = 'binding') AS bindings, min(timestamp) AS first, max(timestamp) AS last
FROM memscribe.nodes GROUP BY session, source;

CREATE VIEW memscribe.projects AS
SELECT project, count(DISTINCT (source, session)) AS sessions, count(DISTINCT source) AS tools,
  count(*) FILTER (WHERE kind = 'conversation') AS conversations, count(*) FILTER (WHERE kind = 'decision') AS decisions,
  count(*) FILTER (WHERE is_ban) AS bans, count(*) FILTER (WHERE kind = 'episode') AS episodes,
  count(*) FILTER (WHERE kind = 'binding') AS bindings, min(timestamp) AS first, max(timestamp) AS last
FROM memscribe.nodes GROUP BY project;
