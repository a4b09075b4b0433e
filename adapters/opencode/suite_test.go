package opencode_test

import (
	"testing"

	"github.com/memscribe/memscribe/adapters/opencode"
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/testkit/adaptertest"
)

// TestSuite holds the adapter to what every adapter passes: as OpenCode's, and as
// Kilo's.
func TestSuite(t *testing.T) {
	adaptertest.Suite(t, opencode.Adapter{})
	adaptertest.Suite(t, opencode.Adapter{Name: core.Kilo})
}

// BenchmarkParse reads the recordings of the corpus into events.
func BenchmarkParse(b *testing.B) { adaptertest.BenchmarkCorpus(b, opencode.Adapter{}) }
