// Package testkit tests the whole path from transcript to nodes against ground
// truth, the invariants of the contract, and expected output.
package testkit
