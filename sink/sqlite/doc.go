// Package sqlite stores nodes in a SQLite database that can be queried.
//
// A batch is one transaction, a node is one row, and a node that comes again unchanged
// touches nothing. Package internal/nodedb reads what is written here, also meanwhile.
// The tables and views are described in docs/sqlite.md.
//
// Everything that is stored is taken from the JSON of a line, which has been
// redacted; nothing comes from beside it.
//
// How a batch is written. Lines are deduplicated by id, the last one of a batch wins.
// For each id the digest of the line (SHA-256 of its JSON) is compared with the stored
// one:
//
//	digest known and equal        nothing is written
//	id known, digest differs      the row is replaced; it moves if its time changed
//	id unknown                    the row is inserted under a number of its own
//	older than the horizon        the line is counted as left out
//
// Numbers. The rowid n of a node sorts by time, so that a range of time is a range of
// rowids and needs no index:
//
//	n = milliseconds since 1970 << 6 | slot        64 slots for one millisecond
//
// A row without a time has a negative number. If the 64 slots of a millisecond are
// taken, the row gets the next free number after them.
//
// Durability. Apply commits without syncing the disk (synchronous=normal); readers see
// the rows at once. Flush commits again with synchronous=full, which syncs all
// commits before it. A power loss can lose what was applied and not flushed, and never
// damages the database. The caller moves its positions only after Flush.
//
// Concurrency. A Sink is used by one goroutine. Other processes may read at any time
// and write between two transactions; each transaction begins with BEGIN IMMEDIATE, so
// a second writer waits and no transaction fails halfway for a lock.
package sqlite
