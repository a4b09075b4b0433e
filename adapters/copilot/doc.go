// Package copilot reads the sessions of the GitHub Copilot command line tool.
//
// A session is a log of events, a JSON object a line: {type, data, id,
// timestamp, parentId, agentId}. Before 0.0.342 it was one JSON document, which
// was rewritten whole; see legacy.go. Events that the client marks ephemeral do
// not reach the disk, but they do reach the stream that --output-format json
// prints, which has the same form and is read as well.
//
// A database beside the sessions repeats what was said in them, also what a rewind
// has deleted; see rows.go.
//
// What the versions write, and on what evidence that is known, stands in
// docs/adapters/copilot.md.
package copilot
