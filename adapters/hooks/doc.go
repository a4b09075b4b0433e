// Package hooks parses what tools pass to their hooks.
//
// A payload comes as a line of the journal (see [Schema]) or, bare, as the tool
// wrote it. What the payloads of which tool hold, and on what evidence that is
// known, stands in docs/hooks.md.
//
// Nearly every tool that has hooks also keeps a transcript, and the transcript is
// the better witness: it has the ids, the order and what no hook receives. The
// events of such a tool are echoes (see [core.Event]): they keep what was said and
// done, and leave nodes to the transcript. Windsurf's store cannot be read, and
// a payload of Codex may say that there is no transcript; then the hooks are all
// there is.
package hooks
