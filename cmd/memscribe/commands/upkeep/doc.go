// Package upkeep declares the commands about the program itself and its files: config,
// doctor, verify, eval, redact, version, update and man.
//
// A command here is its text and its flags. What it does is in the room of its name beside
// this one, which knows nothing of cobra.
package upkeep
