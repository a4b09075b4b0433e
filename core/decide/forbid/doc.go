// Package forbid knows the forms in which ten languages order that something is not done.
//
// A negation mostly complains, asks or reports. It forbids in few forms, and each language has
// its own: an imperative that is denied ("don't touch it", "no toques", "не трогай", "건드리지 마"),
// an infinitive in its place ("nicht anfassen", "ne pas toucher"), a word that forbids by itself
// ("is forbidden", "vietato", "禁止"), and the bare thing that shall not be there ("no new
// dependencies", "keine neuen Abhängigkeiten"). Such a form opens a clause, or is all of it.
//
//	sentence   "Fix the test, but please don't mock the clock."
//	clauses     fix the test │ but please don't mock the clock
//	leads                      ──────────
//	form                                  don't + verb = [Order]
//
// Verbs by which one consoles or reminds are known: "don't worry", "n'oublie pas".
//
// Where to find what: forbid.go has [Finder], which looks at the clauses of a sentence;
// latin.go the forms of English, German, French, Spanish, Portuguese, Italian and Russian;
// wide.go those of Chinese, Japanese and Korean, which have no blanks or join words.
package forbid
