// Package capture defines the commands that capture, keep and delete: watch, replay,
// parse, service, hook, hooks, memdb, prune and forget.
//
// A command here is its text and its flags. What it does is in the room of its name beside
// this one, which knows nothing of cobra.
package capture
