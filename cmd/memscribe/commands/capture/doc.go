// Package capture defines the commands that capture, keep and delete: watch, replay,
// parse, service, hook, hooks, memdb, prune and forget.
//
// A command here is its text and its flags. What it does is in the room of its name beside
// this one, which knows nothing of cobra.
//
// How a flag becomes a setting. Flags that can also stand in memscribe.toml are marked
// by [cli.Configurable]; before a command runs, [cli.App.Configure] fills in those that
// the command line does not set. A command that takes the settings of watch without
// having its flags (forget, doctor) builds an empty command with them and applies the
// settings to it.
package capture
