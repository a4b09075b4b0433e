// Package capture defines the commands that capture, keep and delete: watch, replay,
// parse, service, hook, hooks, memdb, prune and forget.
//
// A command here is its text, its flags, and what it prints. What it does is a function of
// a package in internal/app, which knows nothing of cobra or a terminal.
//
// How a flag becomes a setting. Flags that can also be in memscribe.toml are marked
// by [cli.Configurable]; before a command runs, [cli.App.Configure] fills in those that
// the command line does not set. A command that takes the settings of watch without
// having its flags (forget, doctor) builds an empty command with them and applies the
// settings to it.
//
// The command that each constructor makes, and the package that does its work:
//
//	NewWatch                watch      → internal/app/watch
//	NewReplay, NewParse     replay     → cmd/memscribe/internal/replay
//	NewHook                 hook       → internal/app/hook       never fails
//	NewHooks                hooks      → internal/app/hooksettings
//	NewService              service    → cmd/memscribe/internal/service
//	NewMemDB                memdb …    → internal/app/memories
//	NewPrune                prune      → internal/app/retention
//	NewForget               forget     → internal/app/forgetting
//	NewJoin and others      a team     → internal/app/team
package capture
