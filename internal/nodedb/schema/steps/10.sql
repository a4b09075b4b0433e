-- Nodes that others shared, and not captured here: the server and namespace that they came
-- from, and who the server says shared them. They are never sent on.
CREATE TABLE received (
    id TEXT NOT NULL PRIMARY KEY,
    server TEXT NOT NULL,
    namespace TEXT NOT NULL,
    shared_by TEXT NOT NULL
) STRICT, WITHOUT ROWID;
-- How often nodes were taken away, by forgetting or retention. So a running watch tells a
-- database that has forgotten something from an older copy in its place.
CREATE TABLE removals (row INTEGER PRIMARY KEY CHECK (row = 1), count INTEGER NOT NULL) STRICT;
