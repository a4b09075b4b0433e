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
package nodedb
