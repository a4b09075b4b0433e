// Package score weighs features: it turns what a text says into features, and
// features into a score from 0 to 100 by weights that were learnt elsewhere.
//
// A feature is a name: "w instead of" is an n-gram of the person's words, "edited
// yes" says that an edit followed. A [Bag] collects the features of one part of an
// exchange as hashes; a [Model] has the weight of each. All arithmetic is on
// integers, so that every machine comes to the same score.
package score
