// Package cline reads the tasks and sessions of Cline, and the tasks of Roo Code
// and of the first Kilo Code, which were made of it.
//
// Each is one document, rewritten at every change: a list of messages in the
// form of Anthropic's API. A task (until 2.x) writes calls as XML into what the
// model says, and their results into what the user says; a session (3.x) has
// blocks with ids for both.
//
// What is known of the form, and on what evidence, stands in docs/adapters/cline.md.
package cline
