// Package labels measures the decisions that are found in labelled turns.
package labels
