// Package table converts the JSON of nodes and messages to database columns: a [Parser] reads a
// line and returns a [Row] or a [Message] with the words to index.
//
//	sink.Line ── Parser.Read ─────▶ Row ── Args ──▶ a row of nodes
//	                                 └─ Scopes.EntryOf, TextOf ──▶ rows of the two word indexes
//	          ── Parser.Message ──▶ Message ──▶ a row of messages
//	                                 └─ Scopes.TextOfMessage ──▶ a row of a word index
//
// Columns and Args have the same order. A new column needs a step of the schema, a field of
// Row, a case in body, and a place in both; ARCHITECTURE.md has the list.
package table
