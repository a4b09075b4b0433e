-- Where messages come from: a thread of a session, as one transcript has it.
CREATE TABLE talks (
  t       INTEGER PRIMARY KEY,
  session TEXT NOT NULL,
  source  TEXT NOT NULL,    -- the tool
  thread  TEXT NOT NULL,
  project TEXT NOT NULL,
  copied  INTEGER NOT NULL, -- 1: the tool says that they are copies
  file    INTEGER NOT NULL, -- a hash of the transcript's path
  UNIQUE (session, source, thread, project, copied, file)
) STRICT;

-- What was said, message by message: by people, by agents, and what agents had a
-- shell do. Nodes are what is worth keeping of it. A text that is shorter than its
-- size is compressed with zstd.
CREATE TABLE messages (
  n      INTEGER PRIMARY KEY, -- sorts by time, as in nodes
  id     BLOB NOT NULL,       -- 16 bytes
  t      INTEGER NOT NULL,    -- of talks
  seq    INTEGER NOT NULL,
  kind   TEXT NOT NULL,       -- user, assistant, command
  size   INTEGER NOT NULL,    -- of the text, in bytes
  digest BLOB NOT NULL,
  text   BLOB NOT NULL
) STRICT;
CREATE UNIQUE INDEX messages_id ON messages(id);
CREATE INDEX messages_talk ON messages(t, seq);
INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES
  ('talks', 'sqlite_autoindex_talks_1', '10000 2 2 1 1 1 1'),
  ('messages', 'messages_id', '1000000 1'),
  ('messages', 'messages_talk', '1000000 100 2');

-- How many tokens responses took, as the tools recorded them. A response may have
-- several rows, and their sum counts.
CREATE TABLE usage (
  id             BLOB NOT NULL PRIMARY KEY, -- that of the message
  t              INTEGER NOT NULL,          -- of talks
  ms             INTEGER,                   -- milliseconds since 1970
  model          TEXT NOT NULL,             -- '' is not known
  response       TEXT NOT NULL,             -- the provider's id; '' is not known
  input          INTEGER NOT NULL,
  output         INTEGER NOT NULL,
  cache_read     INTEGER NOT NULL,
  cache_creation INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- The words of messages, decisions and edits, for memscribe search. The rowid is
-- twice the number of a node, or twice that of a message and 1.
CREATE VIRTUAL TABLE words USING fts5(
  text, scope, content = '', contentless_delete = 1, tokenize = 'unicode61 remove_diacritics 2'
);
CREATE VIRTUAL TABLE terms USING fts5vocab(words, instance);

-- Ranges of the numbers of messages in which there may be some that words does not
-- know yet; as pending.
CREATE TABLE unheard (
  first  INTEGER NOT NULL,
  last   INTEGER NOT NULL,
  writer INTEGER NOT NULL
) STRICT;

-- How many messages there are of each session, thread and project.
ALTER TABLE tally ADD COLUMN messages INTEGER NOT NULL DEFAULT 0;

DROP VIEW sessions;
CREATE VIEW sessions AS
SELECT session, source, project, count(DISTINCT thread) AS threads,
  sum(conversations) AS conversations, sum(decisions) AS decisions, sum(bans) AS bans,
  sum(episodes) AS episodes, sum(bindings) AS bindings, sum(messages) AS messages,
  strftime('%Y-%m-%dT%H:%M:%fZ', min(first) / 1000.0, 'unixepoch') AS first,
  strftime('%Y-%m-%dT%H:%M:%fZ', max(last) / 1000.0, 'unixepoch') AS last
FROM tally GROUP BY session, source;

DROP VIEW threads;
CREATE VIEW threads AS
SELECT session, source, thread, project,
  sum(conversations) AS conversations, sum(decisions) AS decisions, sum(bans) AS bans,
  sum(episodes) AS episodes, sum(bindings) AS bindings, sum(messages) AS messages,
  strftime('%Y-%m-%dT%H:%M:%fZ', min(first) / 1000.0, 'unixepoch') AS first,
  strftime('%Y-%m-%dT%H:%M:%fZ', max(last) / 1000.0, 'unixepoch') AS last
FROM tally GROUP BY session, source, thread;

DROP VIEW projects;
CREATE VIEW projects AS
SELECT project, count(DISTINCT source || ' ' || session) AS sessions, count(DISTINCT source) AS tools,
  sum(conversations) AS conversations, sum(decisions) AS decisions, sum(bans) AS bans,
  sum(episodes) AS episodes, sum(bindings) AS bindings, sum(messages) AS messages,
  strftime('%Y-%m-%dT%H:%M:%fZ', min(first) / 1000.0, 'unixepoch') AS first,
  strftime('%Y-%m-%dT%H:%M:%fZ', max(last) / 1000.0, 'unixepoch') AS last
FROM tally GROUP BY project;

DROP VIEW tools;
CREATE VIEW tools AS
SELECT source, count(DISTINCT session) AS sessions, count(DISTINCT project) AS projects,
  sum(conversations) AS conversations, sum(decisions) AS decisions, sum(bans) AS bans,
  sum(episodes) AS episodes, sum(bindings) AS bindings, sum(messages) AS messages,
  strftime('%Y-%m-%dT%H:%M:%fZ', min(first) / 1000.0, 'unixepoch') AS first,
  strftime('%Y-%m-%dT%H:%M:%fZ', max(last) / 1000.0, 'unixepoch') AS last
FROM tally GROUP BY source;

-- What was there before is not among the words yet.
INSERT INTO pending SELECT min(n), max(n), 0 FROM nodes HAVING count(*) > 0;
