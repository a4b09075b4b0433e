// Package config reads memscribe.toml and settings from the environment. It knows
// where in the file each value stands, so that whatever is wrong with one is said
// with file, line and column, and with what may have been meant.
//
//	file → Document → Check against a Schema → flags, rules
//
// A flag says by which key it can be set ([Bind]); the schema of a program is the
// keys of its flags and what [Schema.Add] adds. Flags on the command line beat
// the environment, and that beats the file ([Settings.Apply]).
package config
