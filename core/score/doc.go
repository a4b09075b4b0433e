// Package score extracts features from a text and computes a score from 0 to 100
// with learnt weights.
//
// A feature is a name: "w instead of" is an n-gram of the person's words, "edited
// yes" says that an edit followed. A [Bag] collects the features of one part of an
// exchange as hashes; a [Model] has the weight of each. All arithmetic is on
// integers, so that every machine comes to the same score.
//
// The sum of a bag is Σ weight · value, where value = 256 · (1 + ln n) for a feature that occurs
// n times. The n-grams of a text are divided by the length of their bag, so that long texts do
// not weigh more; shapes are not. A sum is in thousandths of log odds ([Unit]):
//
//	sum of the exchange ──┐
//	                      ├─ Mix ── log odds ── table ── score, 0 to 100
//	sum of the sentence ──┘
//
// A [Model] is immutable and may be shared; a [Bag], a [Set] and [Words] are memory for one
// goroutine and are reused for every text.
//
// The text form of a model, as testkit/labels/weigh writes it: a model, a feature and a weight
// in thousandths on each line, separated by tabs (the weights here are invented).
//
//	e	w instead of	412
//	e	edited yes	655
//	bound	-3120
//
// A letter names the model: e is the exchange, s the sentence; Code lists all. Lines with a
// word are settings: least, first, turn, sentence, offset, alone, joins, and one bound for each
// score from 1 on.
//
// Cost. Nine in ten n-grams have no weight; a table of 2^18 bits that fits into the first-level
// cache rejects most of them before the weights are looked up.
package score
