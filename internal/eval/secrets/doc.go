// Package secrets measures redaction against labelled cases: the share of secrets
// removed and of look-alikes kept.
//
// A case is tried in several shapes: as it is, coloured as a terminal
// would, and quoted into JSON once and twice, because that is how transcripts
// carry what a program printed. A secret counts as taken out when at least half
// of its bytes are; a look-alike counts as damaged when anything of it is.
package secrets
