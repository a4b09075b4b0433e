// Package sqlite stores nodes in a SQLite database that can be queried.
//
// A batch is one transaction, a node is one row, and a node that comes again unchanged
// touches nothing. Package internal/nodedb reads what is written here, also meanwhile.
// The tables and views are described in docs/sqlite.md.
//
// Everything that is stored is taken from the JSON of a line, which has been
// redacted; nothing comes from beside it.
package sqlite
