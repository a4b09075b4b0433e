// Package score extracts features from a text and computes a score from 0 to 100
// with learnt weights.
//
// A feature is a name: "w instead of" is an n-gram of the person's words, "edited
// yes" says that an edit followed. A [Bag] collects the features of one part of an
// exchange as hashes; a [Model] has the weight of each. All arithmetic is on
// integers, so that every machine comes to the same score.
package score
