// Package qwen reads the transcripts of Qwen Code.
//
// Qwen Code is a fork of Gemini CLI with a log of its own: JSON lines, each with
// a uuid and the uuid of its parent, and in it a message in the form of Google's
// API. Records of the types user, assistant, tool_result and system form a chain,
// which branches where a person took the conversation back. File order is the
// order in which things happened.
//
// Until 0.2 the fork kept its sessions as Gemini CLI does, as JSON documents in a
// folder of its own; those are read as such.
//
// What the versions from 0.5 to 0.24 write, and on what evidence that is known,
// stands in docs/adapters/qwen.md.
//
// A rewind, as it shows in the tree:
//
//	u1 ── a1 ── u2 ── a2
//	       └─── u3           u3 hangs on a1: u2 and a2 were taken back
//
// What is kept of a record is its place in the tree (some tens of bytes), for the whole
// file; of a call what its result needs, until that comes.
//
// A subagent that has no file of its own is known by what the client measured of it,
// between the call that started it and the result: which model answered, which calls it
// made, how they ended. What its calls told the model is not recorded.
package qwen
