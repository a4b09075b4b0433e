// Package testkit checks the whole from transcript to nodes: its tests hold what
// comes out of recorded and of found sessions to the truth, to the invariants of
// the contract, and to expected output.
package testkit
