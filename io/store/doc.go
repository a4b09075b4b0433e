// Package store reads conversations from SQLite databases and trees of small files while the
// tools are writing them.
//
// Begin with [Database] for databases and [Tree] for trees. Both have a cheap test, HasMoved,
// and a method Changes that returns what is new, in whole conversations:
//
//	d, err := store.Open(path, choose)      nothing is read yet
//	for c, err := range d.Changes(ctx) {    the first time all, later what has changed
//	    c.Rows                              every record, in order; the consumer replaces
//	}                                       what it had of this conversation
//
// A database is read without taking part in its protocol of locks: no lock is requested, no
// shared memory is mapped, no file is created beside it. Its files are opened for reading while
// Changes runs, and closed again. The tool that owns the database never waits for this program;
// it can reset its log and delete its files at any moment. So this package does without locks
// what SQLite's own readers use locks for:
//
//	database   ▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒   pages as of the last checkpoint
//	log        ╎header╎f 7╎f 3╎f 7·╎f 9╎  frames: newer pages; "·" ends a transaction
//	view         7 → third frame, 3 → second; all others → database; 9 is not yet
//
// A view is the database as of the last transaction in the log. SQLite reads it like a file
// that no other process has open. After the reading, the view is checked: no new log was begun,
// and no page that came from the database is in a frame that was added since, for then a
// checkpoint may have overwritten it. If the check fails, the result is discarded and
// everything is read again.
//
// A database without a log is written in place, and its journal keeps the old pages. While a
// journal exists, because its owner is writing or was killed, the view is the database with the
// pages of the journal; after the reading the journal must still belong to the same
// transaction. Without a journal the database must be unchanged.
//
// The view knows which pages were read for each conversation, and the log knows which pages a
// transaction wrote. A conversation is read again only if it has such a page. If the log cannot
// tell, because it was deleted or there is none, the tool's own stamps decide (see
// [core.Layout]).
//
// A database comes from another program, and it can contain code: views and computed columns.
// Only real tables are read, over a connection that can do nothing but read. A query that takes
// too long is ended ([ErrSlow]); see guard.
//
// The files: database.go goes through the conversations, and row.go makes a record of a row.
// Package snapshot is the view, and decodes SQLite's files. tree.go reads trees of files;
// copies.go finds copied records, and strays.go folders that have lost their record.
package store
