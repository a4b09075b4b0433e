-- Up to when nodes were let go, by kind: milliseconds since 1970. What is older
-- is not taken in again.
CREATE TABLE horizon (
  kind   TEXT NOT NULL PRIMARY KEY, -- conversation, decision, episode
  before INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
