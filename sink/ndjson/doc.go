// Package ndjson writes nodes as lines of JSON.
//
// [Sorted] is for a capture that ends: each id once, in canonical order. [Log]
// is for one that continues: an append-only log of upserts, where the last line
// of an id is the one that holds. Folding a Log by id and sorting it gives what
// Sorted writes.
//
// A log is JSON lines and nothing else, so that any tool can read it:
//
//	{"schema":"memscribe.node/v1","node":"decision","id":"decision:94ab…", …}
//	{"schema":"memscribe.node/v1","node":"episode","id":"episode:07fe…", …}
//	{"schema":"memscribe.node/v1","node":"decision","id":"decision:94ab…", …,"superseded_by":"…"}
//
// The write path of a Log:
//
//	Apply   lines that are held already are dropped; the rest is one write at the end
//	        a short write is truncated away again
//	Flush   fsync; then the file must still be the one at its path, with this length
//	crash   the next Open removes a line without an end, and lines that read as NUL
//
// A Log remembers 16 bytes for each id and 16 for its last line. A Sorted keeps lines
// beyond 24 MiB, and entries beyond 65,536, in temporary files without names.
//
// Which one to use, and what a reader sees while it is written:
//
//	Sorted   replay > nodes.ndjson        nothing before the end, then every id once, in order
//	Log      watch --out nodes.ndjson     lines as they come; the last one of an id counts
//
// To fold a log with a standard tool, keep the last line of each id:
//
//	tac nodes.ndjson | awk -F'"id":"' '{ split($2, a, "\""); if (!seen[a[1]]++) print }' | tac
//
// A mark says how long the log is, with a hash of all its lines and the state of the file. If
// identity, size and times are those of the mark, opening the log needs no reading.
//
// Where to find what:
//
//	sorted.go, sorter.go   Sorted, and the external merge sort behind it
//	spill.go, arena_*.go   lines outside of the garbage-collected heap, and on disk
//	log.go                 Log: append, flush, and what is done after a failure
//	mark.go                the state of a log in one line of text
//	recover.go, line.go    reading a log, also one that a crash has damaged
package ndjson
