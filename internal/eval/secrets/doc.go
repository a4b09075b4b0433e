// Package secrets measures redaction against labelled cases: the share of secrets removed and
// of look-alikes kept.
//
// A case is a line of JSON with a text and the spans of its secrets; one without spans is a
// look-alike, which must stay:
//
//	{"text":"password = hunter2x","secret_spans":[{"start":11,"end":19,"type":"password"}],
//	 "tier":"core","kind":"positive","cat":"assignment"}
//
// Each case is tried in several shapes: as it is, coloured as a terminal would, and quoted into
// JSON once and twice, because that is how transcripts carry what a program printed. A secret
// counts as removed if at least half of its bytes are; a look-alike counts as damaged if any
// byte of it is removed.
package secrets
