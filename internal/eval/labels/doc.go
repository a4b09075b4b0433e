// Package labels measures the decisions found in labelled turns.
//
// A labelled turn is a JSON object on a line: the person's turn, the message before it,
// the beginning of the reply, and what readers found in it (label, epitome, options,
// ban, scope).
//
//	{"id":"t1","repo":"orders","text":"Use cursors, not offsets.","label":"choice",
//	 "epitome":"Use cursors, not offsets.","epitome_in":"user",
//	 "options":[{"text":"cursors","chosen":true},{"text":"offsets","chosen":false}]}
//
// Measuring: [Judge] with the weights of the program, or [CrossValidate] with weights
// that have not seen the turn's project, then [Measure] and [Report.Write].
//
// Learning ([Learn]) fits, on turns of many projects:
//
//	exchange   words and shapes of turn, message before, reply    ridge, by feature
//	sentence   which sentence of a turn decides
//	aspects    which kind it is, whether it stands, whether it forbids
//	names      which options it names
//	join       how exchange and sentence are added, from turns they have not seen
//	bounds     which sum has which score, from the same
//
// Projects are split by a hash of their name: a fifth is locked, for figures at the end
// only; the others fall into eight folds. A feature is learnt only if at least three
// projects have it. Everything is a function of the turns and their order, on every
// machine: products are rounded before they are added, so that no compiler fuses them.
package labels
