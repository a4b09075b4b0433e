// Package table converts the JSON of nodes and messages to database columns: a
// [Parser] reads a line and returns a [Row] or a [Message] with the words to index.
package table
