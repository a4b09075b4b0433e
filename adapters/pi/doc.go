// Package pi reads the sessions of the pi coding agent.
//
// A session is a file of JSON lines: a header, and entries that form a tree by
// id and parentId. File order is the order in which things happened; an entry
// that does not hang on the one before it begins another branch. Entries before
// version 2 of the format have no ids and form a line.
//
// OpenClaw and Oh My Pi are built on the same agent and write the same form.
// docs/adapters/pi.md says what is known of the format, and how.
//
// A session with a branch, in file order:
//
//	{"type":"session","id":"s","cwd":"/w"}                                 session_start
//	{"type":"message","id":"a","parentId":null,"message":{"role":"user"…}}    user_turn
//	{"type":"message","id":"b","parentId":"a",…"role":"assistant"…}           assistant_turn
//	{"type":"message","id":"c","parentId":"b",…"role":"user"…}                user_turn
//	{"type":"message","id":"d","parentId":"b",…"role":"user"…}                rewind to b, user_turn
//
// Ids are short and only unique within a file; an event is named by the id and the
// moment, "d@2026-03-01T10:00:00Z", which a fork copies unchanged.
//
// What a file held before an edit is found, in this order: from the text as it is
// known, with the edit done as the client does it, if the diff on the screen agrees;
// from that diff; from the strings of the call. Versions such as 0.49.2 compare texts
// smoothed where an exact match fails, and then write the whole file smooth: see
// sloppy.
package pi
