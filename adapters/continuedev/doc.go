// Package continuedev parses the sessions of Continue. Its command-line tool and its
// editor extensions write the same format.
//
// Each is one document, rewritten at every change: a list of messages, each
// with the states of the calls that it makes. Nothing in it has a time, and only
// the editors' messages have ids.
//
// docs/adapters/continue.md says what is known of the format, and how.
package continuedev
