// Package topic finds the words that say what a text is about, so that two texts can be compared.
//
// The texts are what a person decides, what they ask for later, and the lines that an edit changes.
//
// A word is cut where a name is joined: "formatCents", "format_cents" and "format cents"
// are the same two words. Function words and those of any work ("use", "add", "file") say
// nothing; endings of English are taken off. Of scripts without blanks each pair of
// characters is a word.
//
//	Back to pagination: wire the cursor through   →  back pagination wir cursor
//	const pageCursor = nextPage()                 →  const pag cursor next
//
// Words are kept as hashes: a text is not needed to compare it. Two words may have the same
// hash; one of some millions does.
package topic
