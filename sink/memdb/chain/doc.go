// Package chain is the append-only hash chain that shows when a memory was changed.
//
// Every write, upsert and forget appends an [Entry]. An entry has the hash of the entry before it
// and of what was written. Its own hash is the SHA-256 of its canonical JSON (RFC 8785):
//
//	seq 1               seq 2               seq 3
//	prev 000…0   ┌────► prev 5a1…    ┌────► prev c07…
//	record …     │      record …     │      record …
//	hash 5a1… ───┘      hash c07… ───┘      hash 9be…  ◄── signed checkpoint
//
// Changing, removing or moving an entry breaks a link, and [Walk] names the first broken one.
// Removing the last entries breaks no link. Signed checkpoints show that: a checkpoint names a
// length and a hash, and only the holder of the key can make one; see [Signer].
//
// The chain shows that something was changed by another program; it cannot prevent it. A person
// with the key can write a new chain. Forgetting keeps the chain valid: the content of a memory is
// deleted, and its entries keep the hashes.
//
// One entry, shortened, and the bytes that its hash is of:
//
//	{"action":"write","content_sha256":"…","entry_id":"0199a2c4-…","event_ids":[],
//	 "memory_id":"d1","namespace":"team",
//	 "prev_hash":"5a1…","record_sha256":"…","schema":"memscribe.memdb.entry/v1","seq":2,…}
//
// The files in the folder of the key:
//
//	memdb.key          the signing key; whoever has it can write another chain
//	memdb.key.pub      the verifier key, to be kept elsewhere too
//	memdb.checkpoint   the last signed head
//
// What each mistake looks like: a changed entry is "hash_mismatch", a missing one "gap", a
// moved one "reorder", a chain that was cut and continued "fork", and a cut end "truncated", if
// a checkpoint covers it.
//
// Where to find what:
//
//	entry.go               Seal and Body: what is hashed
//	log.go, sqlite.go      Log, in memory and in a table
//	walk.go                Walker and Walk: verification
//	checkpoint.go          Signer and Verifier, and their files
//	heads.go               checkpoints of several chains at once, as PostgreSQL needs
//	rekey.go               a new key after a restore
package chain
