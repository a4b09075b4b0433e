package qwen_test

import (
	"testing"

	"github.com/memscribe/memscribe/adapters/qwen"
	"github.com/memscribe/memscribe/testkit/adaptertest"
)

// BenchmarkParse indexes and parses the recorded samples into a consumer that does
// nothing.
func BenchmarkParse(b *testing.B) {
	for _, name := range []string{"0.5.2-failure", "0.24.4-compaction"} {
		b.Run(name, func(b *testing.B) {
			data := samples(b)[name+".jsonl"]
			adaptertest.Benchmark(b, qwen.Adapter{}, "p/x.jsonl", data)
		})
	}
}
