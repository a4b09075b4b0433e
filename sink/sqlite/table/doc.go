// Package table turns the JSON of nodes and messages into the columns of a database: a
// [Parser] reads a line and gives a [Row] or a [Message], with the words by which it is
// found.
package table
