package copilot_test

import (
	"testing"

	"github.com/memscribe/memscribe/adapters/copilot"
	"github.com/memscribe/memscribe/testkit/adaptertest"
)

// BenchmarkParse reads sessions into events.
func BenchmarkParse(b *testing.B) {
	adaptertest.BenchmarkShared(b, copilot.Adapter{}, adaptertest.Ending(".jsonl"),
		"transcripts/copilot", "wild/copilot-cli/EntityProcess__agentv/@entire-checkpoints-v1")
}
