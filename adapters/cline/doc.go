// Package cline parses the tasks and sessions of Cline, and the tasks of its forks
// Roo Code and Kilo Code 1.
//
// Each is one document, rewritten at every change: a list of messages in the
// form of Anthropic's API. A task (until 2.x) writes calls as XML into what the
// model says, and their results into what the user says; a session (3.x) has
// blocks with ids for both.
//
// docs/adapters/cline.md says what is known of the format, and how.
package cline
