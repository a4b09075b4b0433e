// Package claudecode reads the transcripts of Claude Code.
//
// A transcript is a file of JSON lines. Records of the types user, assistant,
// system, attachment and progress have a uuid and a parentUuid and form a tree;
// all others are bookkeeping beside it. File order is the order in which things
// happened; the tree serves to see where a person took the conversation back,
// and which sidechain a record belongs to.
//
// What the versions from 1.0.0 to 2.1.329 write, and on what evidence that is
// known, stands in docs/adapters/claude_code.md.
package claudecode
