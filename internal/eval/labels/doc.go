// Package labels measures the decisions found in labelled turns.
package labels
