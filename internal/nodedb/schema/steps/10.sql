-- Nodes that others shared, and not captured here: the server and namespace that they came
-- from, and who the server says shared them. They are never sent on.
CREATE TABLE received (
    id TEXT NOT NULL PRIMARY KEY,
    server TEXT NOT NULL,
    namespace TEXT NOT NULL,
    shared_by TEXT NOT NULL
) STRICT, WITHOUT ROWID;
