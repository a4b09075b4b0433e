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
package store
