// Package sqlite keeps nodes in a database that can be queried.
//
// [Sink] writes: a batch is one transaction, a node is one row, and a node that
// comes again unchanged touches nothing. [Reader] asks, also while a Sink writes:
// decisions, bans, edits, sessions, the history of a file, words. Whoever prefers
// SQL finds the tables and views in docs/sqlite.md.
//
// Everything that is stored is taken from the JSON of a line, which has been
// redacted; nothing comes from beside it.
package sqlite
