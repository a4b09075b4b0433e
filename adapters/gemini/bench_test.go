package gemini_test

import (
	"testing"

	"github.com/memscribe/memscribe/adapters/gemini"
	"github.com/memscribe/memscribe/testkit/adaptertest"
)

// BenchmarkParse indexes and parses transcripts into a consumer that does
// nothing: collected documents, and the sample of a log many times over.
func BenchmarkParse(b *testing.B) {
	b.Run("log", func(b *testing.B) {
		data := adaptertest.Read(b, "testdata/0.61.0-compaction.jsonl")
		adaptertest.Benchmark(b, gemini.Adapter{}, "p/x.jsonl", data)
	})
	b.Run("document", func(b *testing.B) {
		data := adaptertest.Read(b, adaptertest.Shared(b, "wild/gemini/mischa-thisness__M-Gemini/chat_logs/session-2025-12-31T04-53-1d4abdfd.json"))
		adaptertest.Benchmark(b, gemini.Adapter{}, "p/x.json", data)
	})
}
