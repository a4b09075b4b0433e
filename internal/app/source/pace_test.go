package source_test

import (
	"slices"
	"testing"

	"github.com/memscribe/memscribe/internal/app/source"
)

// TestPaced: garbage may be twice what lives while that is little, as many bytes as
// always while it is more, and never less than four fifths of it. The collector is only told what makes a
// difference, and nothing where its owner has said how it shall work.
func TestPaced(t *testing.T) {
	const mib = 1 << 20
	got := source.Paced(0, 8*mib, 14*mib, 15*mib, 20*mib, 28*mib, 29*mib, 500*mib, 16*mib)
	if want := []int{140, 100, 80, 175}; !slices.Equal(got, want) {
		t.Errorf("the collector is told %d, want %d", got, want)
	}
	if !source.PacedBy("") || source.PacedBy("150") {
		t.Error("the owner's GOGC is not what decides whether the collector is told anything")
	}
}
