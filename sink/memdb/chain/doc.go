// Package chain is the append-only hash chain that shows when a memory was changed.
//
// Every write, upsert and forget appends an [Entry]. An entry holds the hash of
// the one before it and of what was written, and its own hash is the SHA-256 of
// its RFC 8785 canonical JSON:
//
//	seq 1               seq 2               seq 3
//	prev 000…0   ┌────► prev 5a1…    ┌────► prev c07…
//	record …     │      record …     │      record …
//	hash 5a1… ───┘      hash c07… ───┘      hash 9be…  ◄── signed checkpoint
//
// Whoever changes, drops or moves an entry breaks a link, and [Walk] names the
// first broken one. Whoever cuts off the tail leaves no broken link: that is what
// signed checkpoints are for, see [Signer].
package chain
