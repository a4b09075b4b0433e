// Package upkeep defines the commands about the program itself: config, doctor,
// verify, eval, redact, version, update and man.
//
// A command here is its text and its flags. What it does is in the room of its name beside
// this one, which knows nothing of cobra.
package upkeep
