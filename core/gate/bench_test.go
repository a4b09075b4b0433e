package gate_test

import (
	"testing"

	"github.com/memscribe/memscribe/core/gate"
	"github.com/memscribe/memscribe/core/gate/lexicon"
)

// BenchmarkNew makes the rules of all languages, which the program does at its start.
func BenchmarkNew(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		if _, err := gate.New(lexicon.Standard()); err != nil {
			b.Fatal(err)
		}
	}
}
