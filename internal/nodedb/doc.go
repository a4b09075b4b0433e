// Package nodedb reads a database of nodes that sink/sqlite wrote.
//
// [Open] gives a [Reader], which answers also while a sink writes: decisions, bans,
// edits, sessions, the history of a file, words. Whoever prefers SQL finds the tables
// and views in docs/sqlite.md.
//
//	r, err := nodedb.Open(ctx, path)
//	bans, err := r.Bans(ctx, nodedb.Filter{Project: "orders"}, nodedb.Page{})
//
// Answers come newest first and a page at a time; Answer.Next is the Page.After of the
// next one.
//
// A question is answered in two steps. The first finds row numbers, newest first, by
// indexes alone; the second reads the rows of one page. Numbers sort by time, so limits
// on time are ranges of numbers. What people said of nodes (package annotate) is laid
// over the answer: rejected nodes are left out, titles replaced, pinned nodes come
// first.
//
// Every question reads one consistent state of the database (a read transaction), and a
// Reader never writes: connections are opened with query_only. Errors: [ErrSession],
// [ErrNode] and [ErrProject] for what is not there, [ErrCursor] and [ErrSearch] for
// questions that cannot be asked, and schema.ErrOlder or newer.Err for a database of
// another version.
package nodedb
