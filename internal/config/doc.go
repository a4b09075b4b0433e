// Package config reads memscribe.toml and the environment variables that go with it. It
// remembers where in the file each value stands, so that a message about a setting names the
// file, line and column, and the setting that was probably meant.
//
//	file → Document → Check against a Schema → values
//
// A [Schema] is the list of settings that a program has; [Schema.Add] adds to it. A [Document]
// is one file that was read, with the position of every value. The environment beats the file,
// and flags beat both.
//
// A path names a setting, with the index of a table in a list of tables behind its name:
//
//	[capture]                  capture.tools
//	tools = ["codex"]          capture.tools[0]
//	[[redact.rules]]           redact.rules[0].pattern
//	pattern = 'BADGE-\d{6}'
//	[[redact.rules]]           redact.rules[1].pattern
//	pattern = 'corp_[a-z]+'
//	[gate.lists]               gate.lists."a.b"
//	"a.b" = ["x"]
//
// A key of the schema is written the same way, with [] for any index and * for any name:
// "redact.rules[].pattern", "gate.lists.*".
//
// What is wrong with a file is returned all at once, as [Problems], so that a user corrects it
// in one go:
//
//	memscribe.toml:2:1: unknown key "capture.tols"; did you mean "capture.tools"?
//
// Where to find what:
//
//	schema.go     Key and Schema: which keys there are, and of which type
//	document.go   a file with the place of each value
//	settings.go   file, environment and paths
//	problem.go    mistakes with their places, and what was probably meant
//	example.go    the file that config init writes
package config
