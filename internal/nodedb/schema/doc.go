// Package schema defines the SQLite schema of nodes, its migrations, and the row ids
// that sort by time. What writes it (sink/sqlite) and what reads it
// (internal/nodedb) share it.
//
// A database has application_id 0x4D656D6F and a user_version. [Migrate] applies the missing
// steps (steps/N.sql) in one transaction; a database with a newer version is refused. The row
// number n of a node encodes its time, so that ORDER BY n sorts by time without an index:
//
//	n = milliseconds since 1970 << 6 | slot        slot 0 to 63: nodes of one millisecond
//	n < 0                                          nodes without a timestamp
//
// [Check] compares a database with the schema that its steps make. [Horizon] is the time since
// which nodes are kept; see package retention.
package schema
