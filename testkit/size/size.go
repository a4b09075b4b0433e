// Package size says how much the tests do.
//
// There are three sizes. -short gives quick feedback. The ordinary size is that of
// "go test ./...", on every change: nearly every property has its test, and
// docs/testing.md lists the others. The full size is taken before a release
// (.ci/run release-tests): the same properties over every version of every tool and every
// published session, with more kills and more seeds.
package size

import (
	"os"
	"testing"
)

// Variable is the variable of the environment that asks for the full size, as "full".
const Variable = "MEMSCRIBE_TESTS"

// IsFull reports whether tests do all that they can.
func IsFull() bool { return os.Getenv(Variable) == "full" }

// Of is an amount: the ordinary one, or the full one.
func Of(ordinary, full int) int {
	if IsFull() {
		return full
	}
	return ordinary
}

// NeedsFull skips a test that is run at full size only. The reason says which other test
// holds the same property at the ordinary size.
func NeedsFull(t testing.TB, reason string) {
	t.Helper()
	if !IsFull() {
		t.Skipf("%s=full runs it: %s", Variable, reason)
	}
}

// NeedsNoDetector skips a test under the race detector, which makes it many times slower,
// unless at full size. It is for tests in which one goroutine does the same thing many times:
// without the detector they are run at every size.
func NeedsNoDetector(t testing.TB) {
	t.Helper()
	if Race && !IsFull() {
		t.Skip("one goroutine does all of it; run without the race detector")
	}
}

// Some thins out a list at the ordinary size: every n-th of its entries, beginning with
// the first. The full size takes them all.
func Some[T any](all []T, n int) []T {
	if IsFull() {
		return all
	}
	var some []T
	for i := 0; i < len(all); i += n {
		some = append(some, all[i])
	}
	return some
}
