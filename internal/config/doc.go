// Package config reads memscribe.toml and settings from the environment. It knows
// where in the file each value stands, so that whatever is wrong with one is said
// with file, line and column, and with what may have been meant.
//
//	file → Document → Check against a Schema → values
//
// The schema of a program is what [Schema.Add] adds. The environment beats the file.
//
// A [Document] keeps the position of every value. A path names a value: "redact.rules[1].pattern"
// is the pattern of the second table [[redact.rules]]. [Problems] are all that is wrong with a
// file, so that a user can correct them at once.
package config
