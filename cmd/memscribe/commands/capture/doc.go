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
//
// The command that each constructor makes, and the room that does its work:
//
//	NewWatch                watch      → internal/watch
//	NewReplay, NewParse     replay     → internal/replay
//	NewHook                 hook       → internal/hook       never fails
//	NewHooks                hooks      → internal/hooks
//	NewService              service    → internal/service
//	NewMemDB                memdb …    → internal/memories
//	NewPrune, NewForget     deletion   → internal/prune, internal/forgetting
//	NewJoin and others      a team     → internal/team
package capture
