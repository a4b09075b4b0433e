// Package upkeep defines the commands about the program itself: config, doctor,
// verify, eval, redact, version, update and man.
//
// A command here is its text, its flags, and what it prints. What it does is a function of
// a package in internal/app or internal, which knows nothing of cobra or a terminal.
package upkeep
