// Package memdb stores nodes as memories in MemDB, in an embedded store ([Embedded])
// or on a server ([Remote]).
//
// A node's id is the id of its memory, so that what is delivered again is the same
// write. What a server cannot take now waits in a spool on disk; what it will
// never take is set aside in a file of dead letters with the reason, and does not
// keep the rest from being delivered.
package memdb
