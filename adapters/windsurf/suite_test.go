package windsurf_test

import (
	"testing"

	"github.com/memscribe/memscribe/adapters/windsurf"
	"github.com/memscribe/memscribe/testkit/adaptertest"
)

// samples are conversations as the adapter gets them.
func samples() []adaptertest.Sample {
	return []adaptertest.Sample{
		{Path: "/h/.windsurf/transcripts/t1.jsonl", Data: steps},
		{Path: "/h/chat.md", Data: exported},
		{Path: "/h/.codeium/windsurf/cascade/a.pb", Data: steps},
	}
}

// TestSuite holds the adapter to what every adapter passes.
func TestSuite(t *testing.T) { adaptertest.Suite(t, windsurf.Adapter{}, samples()...) }

// FuzzParse reads anything at all.
func FuzzParse(f *testing.F) { adaptertest.Fuzz(f, windsurf.Adapter{}, samples()...) }

// BenchmarkParse reads the samples into events.
func BenchmarkParse(b *testing.B) { adaptertest.BenchmarkCorpus(b, windsurf.Adapter{}, samples()...) }
