// Package nodedb reads a database of nodes that sink/sqlite wrote.
//
// [Open] returns a [Reader], which can be used while a sink writes: for decisions, bans,
// edits, sessions, the history of a file, words. docs/sqlite.md describes the tables and
// views for queries in SQL.
//
//	r, err := nodedb.Open(ctx, path)
//	bans, err := r.Bans(ctx, nodedb.Filter{Project: "orders"}, nodedb.Page{})
//
// Answers are pages, newest first; Answer.Next of a page is the Page.After of the next
// one.
//
// A question is answered in two steps. The first finds row numbers, newest first, in
// indexes only; the second reads the rows of one page. Numbers sort by time, so limits on
// time are ranges of numbers. Annotations (package annotate) are applied to the answer:
// rejected nodes are left out, titles are replaced, and pinned nodes come first.
//
// Every question reads one consistent state of the database (a read transaction). A
// Reader never writes: connections are opened with query_only. Errors are [ErrSession],
// [ErrNode] and [ErrProject] for what does not exist, [ErrCursor] and [ErrSearch] for
// wrong questions, and schema.ErrOlder or newer.Err for a database of another version.
//
// Where to find what:
//
//	reader.go, snapshot.go     Reader, and a database as it is at one moment
//	filter.go, list.go         conditions and pages; the lists of decisions, bans and edits
//	node.go, overlay.go        Node, its links, and what people said of it
//	find.go                    the search over everything that was said
//	session.go, standing.go    one session; what is in force
//	annotations.go             what people said, and ids by their beginnings
//	memories.go                writes and reads of an agent's memories
package nodedb
