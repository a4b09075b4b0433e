// Package schema defines the SQLite schema of nodes, its migrations, and the row ids
// that sort by time. What writes it (sink/sqlite) and what reads it
// (internal/nodedb) share it.
package schema
