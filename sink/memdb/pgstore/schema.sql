-- Each namespace is a chain of its own: who writes into one locks its row, and
-- nobody waits for another namespace. A namespace that was deleted keeps its row.
CREATE TABLE chains (
  namespace TEXT PRIMARY KEY,
  length    BIGINT NOT NULL, -- entries
  hash      TEXT NOT NULL,   -- of the last one; '' before the first
  at        BIGINT NOT NULL, -- the time of the last one
  record    TEXT             -- the namespace as JSON; NULL when deleted
);

-- What was done to each memory. Rows are never changed or deleted.
CREATE TABLE entries (
  namespace TEXT NOT NULL,
  seq       BIGINT NOT NULL,
  memory    TEXT NOT NULL, -- the memory's id
  action    TEXT NOT NULL, -- as body has it
  body      TEXT NOT NULL, -- canonical JSON
  hash      TEXT NOT NULL, -- of body
  PRIMARY KEY (namespace, seq)
);
CREATE INDEX entries_memory ON entries (namespace, memory, seq);

-- The present state of each memory: one row a memory.
CREATE TABLE memories (
  namespace TEXT NOT NULL,
  id        TEXT NOT NULL,
  seq       BIGINT NOT NULL,  -- of its last entry, and so of its present version
  live      BOOLEAN NOT NULL, -- false when forgotten
  digest    BYTEA NOT NULL,   -- of the present version, but for when it was learnt
  PRIMARY KEY (namespace, id)
);

-- What a memory has been. Times are milliseconds since 1970.
CREATE TABLE versions (
  namespace  TEXT NOT NULL,
  seq        BIGINT NOT NULL, -- of its entry
  memory     TEXT NOT NULL,
  learnt     BIGINT NOT NULL,
  until      BIGINT,          -- when another took its place
  valid      BIGINT NOT NULL,
  invalid    BIGINT,
  superseded TEXT,            -- by which memory
  record     TEXT NOT NULL,   -- the memory as JSON
  words      TSVECTOR NOT NULL,
  PRIMARY KEY (namespace, seq)
);
CREATE INDEX versions_memory ON versions (namespace, memory);
CREATE INDEX versions_valid ON versions (namespace, valid DESC, seq DESC);
CREATE INDEX versions_superseded ON versions (namespace, superseded) WHERE superseded IS NOT NULL AND until IS NULL;
CREATE INDEX versions_words ON versions USING GIN (words);
