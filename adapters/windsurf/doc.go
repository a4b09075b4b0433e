// Package windsurf parses the transcripts that Windsurf's Cascade writes for its
// hooks. Its own store is encrypted:
// the adapter finds it and reports each file as unreadable.
//
// docs/adapters/windsurf.md says what is known of the format, and how.
package windsurf
