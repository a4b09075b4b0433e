// Package capture declares the commands that take in what tools write, and that keep it or
// let it go: watch, replay, parse, service, hook, hooks, memdb, prune and forget.
//
// A command here is its text and its flags. What it does is in the room of its name beside
// this one, which knows nothing of cobra.
package capture
