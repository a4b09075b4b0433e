// Package core defines the data model of the capture pipeline (records, events and
// nodes) and their identities; package encode writes them as JSON.
//
//	source → record → adapter → event → gate → segment → bind → nodeprep → redact → node → sink
//
// Everything between source and sink is a pure function of the bytes and the
// configuration. Nothing in this package or below it opens a file, reads a
// clock, logs, starts a goroutine or draws a random number.
//
// The vocabulary:
//
//	stream   one ordered sequence of raw records: a transcript file, or one thread of a database
//	record   the bytes of one record and where they lie
//	event    the tool-independent form of what was said or done
//	fact     what a fold keeps of an event; facts are only ever added
//	node     a typed result derived from the facts
//	delta    what turns the nodes that a sink holds into those that are true now
package core
