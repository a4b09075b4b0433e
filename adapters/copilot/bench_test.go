package copilot_test

import (
	"testing"

	"github.com/memscribe/memscribe/adapters/copilot"
	"github.com/memscribe/memscribe/testkit/adaptertest"
)

// BenchmarkParse reads sessions into events: the index of each record and the
// parser, and nothing behind it.
func BenchmarkParse(b *testing.B) {
	for _, from := range []string{"transcripts/copilot", "wild/copilot-cli/EntityProcess__agentv/@entire-checkpoints-v1"} {
		b.Run(from[:4], func(b *testing.B) {
			var data []byte
			for _, path := range adaptertest.Files(b, adaptertest.Shared(b, from), adaptertest.Ending(".jsonl")) {
				data = append(append(data, adaptertest.Read(b, path)...), '\n')
			}
			adaptertest.Benchmark(b, copilot.Adapter{}, "session-state/x/events.jsonl", data)
		})
	}
}
