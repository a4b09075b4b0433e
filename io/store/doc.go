// Package store reads conversations from SQLite databases and trees of small files
// while the tools are writing them.
//
// Begin with [Database] for the one and [Tree] for the other. Both are asked HasMoved,
// which is cheap, and then Changes, which gives what is new, whole conversations at a time:
//
//	d, err := store.Open(path, choose)      nothing is read yet
//	for c, err := range d.Changes(ctx) {    the first time all, later what has changed
//	    c.Rows                              every record, in order; the consumer replaces
//	}                                       what it had of this conversation
//
// A database is read without taking part in it. No lock is asked for, no shared
// memory is mapped, nothing is created beside it; its files are opened for
// reading, for as long as a look takes, and closed again. The tool that owns the
// database cannot notice: it never waits, its log can be reset and its files
// removed at any moment. What that leaves to be done here, SQLite's own readers
// leave to locks:
//
//	database   ▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒   pages as of the last checkpoint
//	log        ╎header╎f 7╎f 3╎f 7·╎f 9╎  frames: newer pages; "·" ends a transaction
//	view         7 → third frame, 3 → second; all others → database; 9 is not yet
//
// A view is the database as of the last transaction in the log. SQLite runs over
// it as over a file that is open nowhere else. It holds as long as two things
// hold, and both are looked at after reading: no new log was started, and no
// page that was taken from the database is in a frame that has come since (a
// checkpoint could have written it meanwhile). If they do not hold, what was read
// is thrown away and read again. A database without a log is written in place,
// and its journal keeps the pages as they were: while there is one, its owner at
// work or killed at it, the view is the database with the journal's pages in it,
// and the journal must belong to the same transaction afterwards. Without one
// the database must be the same afterwards.
//
// The view knows which pages the reading of each conversation looked at, and the
// log knows which pages a transaction wrote. A conversation is read again only
// when they meet. Where the log cannot tell, because it is gone or there is
// none, the tool's own stamps decide (see [core.Layout]).
//
// A database comes from somebody else, and what is in it is code too. Only real
// tables are read, over a connection that can do nothing but read; a query that
// takes too long is broken off ([ErrSlow]). See guard.
//
// The files: database.go is the way through the conversations, row.go makes a record of a
// row; package snapshot is the view, and decodes SQLite's files;
// tree.go reads trees of files, copies.go and strays.go find what was copied and what has
// lost its record.
package store
