// Package topic finds the words that say what a text is about, so that two texts can be compared.
//
// The texts are a person's decisions and requests, and the lines that an edit changes.
//
// Names are cut into their words: "formatCents", "format_cents" and "format cents" are the
// same two words. Function words and words of any work ("use", "add", "file") are left out.
// English endings are removed. In scripts without blanks each pair of characters is a word.
//
//	Back to pagination: wire the cursor through   →  back pagination wir cursor
//	const pageCursor = nextPage()                 →  const pag cursor next
//
// Words are kept as hashes of 32 bits, so texts can be compared without being kept. Two
// different words have the same hash about once in four billion pairs; a comparison may then
// count one word too many.
//
// Two texts are near if they share a word, and at least a fifth of the words of the shorter
// one:
//
//	use cursor pagination for the list     cursor pagination list
//	wire the cursor through the API        wir cursor api
//
// share "cursor", one of three, and are near. At most 96 words of a text are kept, so a
// comparison is a merge of two short sorted lists.
package topic
