// Package pi reads the sessions of the pi coding agent.
//
// A session is a file of JSON lines: a header, and entries that form a tree by
// id and parentId. File order is the order in which things happened; an entry
// that does not hang on the one before it begins another branch. Entries before
// version 2 of the format have no ids and form a line.
//
// OpenClaw and Oh My Pi are built on the same agent and write the same form.
// docs/adapters/pi.md says what is known of the format, and how.
package pi
