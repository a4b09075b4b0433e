package testkit_test

import (
	"testing"

	"github.com/memscribe/memscribe/internal/verify/truth"
)

// TestTruthOfRecorded holds what comes out of the recordings elsewhere to what
// happened in them; those of the corpus, the suite of each adapter does.
func TestTruthOfRecorded(t *testing.T) { each(t, recorded(), checkTruth) }

func checkTruth(t *testing.T, s *session) {
	for _, p := range truth.Check(s.Case, s.result) {
		t.Error(p)
	}
}
