// Package memdb stores nodes as memories in MemDB, in an embedded store ([Embedded]) or on a
// server ([Remote]).
//
// A node's id is the id of its memory, so delivering a node again is the same write. What a
// server cannot accept now waits in a spool on disk. What it will never accept is set aside in
// a file of dead letters with the reason, and does not hold up the rest.
//
// The write path of a Remote:
//
//	Apply    node → memory; a node that can never be one goes to the dead letters
//	         waits in memory, up to 8 MiB, then goes to the spool
//	Flush    spool is synced: the node is durable here
//	send     on a goroutine: next batch → server → answered → removed from the spool
//	         refused: the batch is halved until one memory is left, which is set aside
//	         unreachable: tried again after 0.25 s, 0.5 s, … a minute
//	look     the server's chain still has the entry that it had after the last batch
//
// So a crash or an outage at any point loses nothing, and a server that was restored from an
// older copy is noticed and gets everything again.
//
// Two sinks and a client of the same server, and when each is used:
//
//	Embedded   watch --sink memdb               a store in this process; errors reach the caller at once
//	Remote     watch --memdb-url URL            spooled on disk; the server may be away for days
//	Push       sync, share                      no spool: the caller has the nodes, and sends them again
//
// What a node becomes, by kind:
//
//	decision   title, "decided: …", options, confirmation; in force until superseded
//	episode    "modify src/a.go (+3 −1)" and its paths; the diff is only in the node
//	binding    "from relation to", with both ends as parents
//
// The files in the folder of a Remote:
//
//	memdb.spool          memories that the server has not accepted yet (package spool)
//	memdb.dead.ndjson    memories that it will never accept, one JSON object per line
package memdb
