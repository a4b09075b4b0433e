// Package windsurf reads what can be had of Windsurf's Cascade: the transcripts
// that it writes for its hooks. It finds the store of all conversations too, which
// is encrypted, and says so of each file.
//
// What is known of the form, and on what evidence, stands in docs/adapters/windsurf.md.
package windsurf
