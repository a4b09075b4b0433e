package pi_test

import (
	"testing"

	"github.com/memscribe/memscribe/adapters/pi"
	"github.com/memscribe/memscribe/testkit/adaptertest"
)

// BenchmarkParse reads sessions into events.
func BenchmarkParse(b *testing.B) {
	adaptertest.BenchmarkShared(b, pi.Adapter{}, adaptertest.Ending(".jsonl"), "transcripts/pi", "wild/pi")
}
