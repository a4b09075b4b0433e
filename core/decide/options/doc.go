// Package options finds the alternatives that a sentence names, and which one it
// chooses.
//
//	Use Postgres instead of MySQL.            takes Postgres, leaves MySQL
//	Rename the flag from --out to --target.   takes --target, leaves --out
//	Don't add lodash.                         leaves lodash
//	1. **SQLite**  2. **Postgres** (a list)   [Listed] gives both, with their labels
//
// An option is verbatim, and its offset says where it stands: in the person's words, or in
// the assistant's if [core.Option.InAssistant] is set. Names are cut by word lists and by
// the acts that the rules found, for there is no grammar of what is typed in a hurry.
//
// The order is that of [Named]: contrasts name both sides best, then changes, then what
// is adopted or forbidden; values and identifiers are looked for only if nothing else
// was found. An option that says the same as an earlier one, or less, is left out; one
// that says more takes its place.
//
// It is for English; package naming is for other languages, and weighs what is found
// here against its own.
package options
