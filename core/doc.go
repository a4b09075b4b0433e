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
//
// A session in these terms: the person asks for a route, the agent reads a file and edits it.
// Each line is an event, with the node that it leads to:
//
//	seq  event            what                                        node
//	0    session_start    cwd /home/dev/work/orders-service
//	4    user_turn        "Add a /healthz route that returns 200."    conversation, decision
//	5    assistant_turn   calls a tool
//	6    tool_call        read src/index.js
//	7    tool_result      ok
//	10   tool_result      ok
//	11   file_edit        src/index.js, +2                            episode, binding decision → episode
//
// Who owns what. A parser's [Event] and a [Record] are valid during one call only, since their
// memory is reused. Nodes and messages are the receiver's, and never change after they were
// passed on. [Project] and [Strand] are shared by many events, and are never modified.
package core
