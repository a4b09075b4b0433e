// Package ndjson writes nodes as lines of JSON.
//
// [Sorted] is for a capture that ends: each id once, in canonical order. [Log]
// is for one that continues: an append-only log of upserts, where the last line
// of an id is the one that holds. Folding a Log by id and sorting it gives what
// Sorted writes.
package ndjson
