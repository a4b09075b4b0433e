// Package continuedev reads the sessions of Continue: those of its command line
// tool, and those of its extensions for editors, which write the same form.
//
// Each is one document, rewritten at every change: a list of messages, each
// with the states of the calls that it makes. Nothing in it has a time, and only
// the editors' messages have ids.
//
// What is known of the form, and on what evidence, stands in docs/adapters/continue.md.
package continuedev
