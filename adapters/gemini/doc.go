// Package gemini reads the transcripts of Gemini CLI.
//
// What its versions from 0.6 to 0.61 write, and on what evidence that is known,
// stands in docs/adapters/gemini.md.
package gemini
