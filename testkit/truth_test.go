package testkit_test

import (
	"testing"

	"github.com/memscribe/memscribe/testkit/truth"
)

func TestTruthOfFixtures(t *testing.T) { each(t, fixtures, checkTruth) }
func TestTruthOfRecorded(t *testing.T) { each(t, recorded(), checkTruth) }

func checkTruth(t *testing.T, s *session) {
	for _, p := range truth.Check(s.Case, s.result) {
		t.Error(p)
	}
}
