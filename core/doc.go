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
//	record   the bytes of one record and its place in the source
//	event    the tool-independent form of what was said or done
//	fact     what the fold keeps of an event; facts are added, never removed
//	node     a typed result derived from the facts
//	delta    the nodes that are new or changed since the last delivery to a sink
package core
