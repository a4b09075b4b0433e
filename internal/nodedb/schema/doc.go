// Package schema defines the SQLite schema of nodes, its migrations, and the row ids that sort
// by time. What writes it (sink/sqlite) and what reads it (internal/nodedb) share it.
//
// The tables, and which package writes them on behalf of sink/sqlite (docs/sqlite.md has every
// column):
//
//	nodes                     the nodes: columns to select by, and the JSON of each
//	talks, messages           who said what: threads of sessions, and their messages
//	usage, spent              tokens of responses; spent is usage, packed        (tokens, sums)
//	tally, files              counts that lists need                             (sums)
//	search, words             full-text indexes of nodes, and of everything      (wordindex)
//	pending, unheard          ranges of rows that the indexes do not have yet    (wordindex)
//	annotations, marks        what people said of nodes, and what follows from it
//	received                  nodes that came from a team
//	horizon, removals         what is no longer kept, and how often something was removed
//
// A database has application_id 0x4D656D6F ("Memo") and a user_version. [Migrate] applies the
// missing steps (steps/N.sql) in one transaction; a database with a newer version is refused,
// one with an older version can be read from version [OldestRead] on. The row number n of a
// node encodes its time, so that ORDER BY n sorts by time without an index:
//
//	n = milliseconds since 1970 << 6 | slot        slot 0 to 63: nodes of one millisecond
//	n < 0                                          nodes without a timestamp
//
// The full-text index words has rows of nodes and of messages: 2n of node n, 2n+1 of message n.
//
// [Check] compares a database with the schema that its steps make. [Horizon] is the time since
// which nodes are kept; see package retention.
package schema
