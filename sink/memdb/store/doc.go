// Package store stores memories in SQLite.
//
// A write is one transaction: the memory with its tags and links, the words by
// which it is found, and the entry of the provenance chain count together or not
// at all. Nothing is written over: a memory that changes gets another version,
// and a question as of a past moment is answered from the versions of then. Only
// forgetting takes content away.
//
//	write → validate → id → scrub → trust, sanitize → one transaction → cache → audit
//
// Everything in the database follows from the records and the chain, and
// [Store.Verify] checks that it does.
//
// The tables:
//
//	namespaces   name → record
//	memories     (namespace, id) → present version n, digest; n is NULL once forgotten
//	versions     n → record, and from when to when it was the present one
//	words        n → searchable text and filters (FTS5)
//	links        parent id → n, for searches by parent
//	embeddings   n → vector, if the server has an embedder
//	entries      seq → the provenance chain; triggers refuse UPDATE and DELETE
//
// The number n of a version sorts by valid_at (milliseconds << 12 | slot), so that the
// newest come first without an index. seq is the place of the entry that wrote a
// version, which is how [Store.Verify] holds one to the other.
//
// Three times are kept for each version: learnt and until say when it was the present
// one (as_of asks by them), valid and invalid when what it says is true (in_force_at).
//
// One writer at a time holds the mutex and a connection of its own; up to four readers
// see the last committed state, each call in one read transaction.
package store
