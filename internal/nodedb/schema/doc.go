// Package schema is how nodes lie in a SQLite database: the statements that make its
// tables, the steps from one version of them to the next, and the numbers by which rows
// sort by time. What writes it (sink/sqlite) and what reads it (internal/nodedb) share it.
package schema
