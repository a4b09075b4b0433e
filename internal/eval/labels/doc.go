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
//
// What the figures mean. A turn counts as found if at least one decision was found in it.
//
//	precision   of the turns that were taken for decisions, how many are labelled so
//	recall      of the turns that are labelled so, how many were found
//	interval    95 %: Wilson's for a share, 2,000 draws with a fixed generator for F1
//	epitome     of the decisions that were found, how many quote the labelled sentence
//
// Numbers such as a ridge or a share are chosen by cross-validation outside of the locked fifth
// of the projects, and are explained where they stand. The locked fifth is looked at for
// published figures only, never for its errors.
//
// Where to find what:
//
//	labels.go, seeds.go      Turn: reading labelled turns, and the project's own examples
//	cross.go                 Judge and CrossValidate
//	measure.go, share.go     Report: shares, intervals, F1
//	contents.go              whether the right words and options were found
//	report.go, json.go       the report as Markdown and as JSON
//	learn.go, model.go       logistic regression, the two models, and how they are joined
//	aspect.go, names.go      what a sentence decides, and which options it names
//	group.go                 languages with few labelled turns
package labels
