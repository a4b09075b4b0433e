-- The present state of each memory. The same id in two namespaces is two
-- memories. One that was forgotten has no version left.
CREATE TABLE memories (
  id        TEXT NOT NULL,
  namespace TEXT NOT NULL,
  seq       INTEGER NOT NULL, -- of its last entry in the chain
  n         INTEGER,          -- its present version; NULL when forgotten
  digest    BLOB NOT NULL,    -- of the present version, but for when it was learnt
  PRIMARY KEY (namespace, id)
) STRICT, WITHOUT ROWID;

-- What a memory has been. Times are milliseconds since 1970.
CREATE TABLE versions (
  n       INTEGER PRIMARY KEY, -- sorts by valid
  seq     INTEGER NOT NULL UNIQUE,
  memory  TEXT NOT NULL,
  learnt  INTEGER NOT NULL,
  until   INTEGER,             -- when another took its place
  valid   INTEGER NOT NULL,
  invalid INTEGER,
  record  TEXT NOT NULL,       -- the memory as JSON
  superseded TEXT              -- by which memory
) STRICT;
CREATE INDEX versions_invalid ON versions(invalid) WHERE invalid IS NOT NULL;
CREATE INDEX versions_superseded ON versions(superseded) WHERE superseded IS NOT NULL AND until IS NULL;

-- What a version is derived from.
CREATE TABLE links (
  parent TEXT NOT NULL,
  n      INTEGER NOT NULL,
  PRIMARY KEY (n, parent)
) STRICT, WITHOUT ROWID;

CREATE TABLE namespaces (
  name   TEXT PRIMARY KEY,
  record TEXT NOT NULL -- the namespace as JSON
) STRICT, WITHOUT ROWID;

-- The words of versions; the rowid is versions.n. In scope stand words that no
-- text has: for the namespace, the kind, each tag, each path and so on.
CREATE VIRTUAL TABLE words USING fts5(
  text, scope, content = '', contentless_delete = 1, tokenize = 'unicode61 remove_diacritics 2'
);

-- Each word of that index, each time that it occurs.
CREATE VIRTUAL TABLE vocabulary USING fts5vocab(words, instance);
