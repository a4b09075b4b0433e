package continuedev_test

import (
	"testing"

	"github.com/memscribe/memscribe/adapters/continuedev"
	"github.com/memscribe/memscribe/testkit/adaptertest"
)

// BenchmarkParse reads sessions into events.
func BenchmarkParse(b *testing.B) {
	adaptertest.BenchmarkShared(b, continuedev.Adapter{}, func(path string) bool {
		return adaptertest.Ending(".json")(path) && !adaptertest.Ending("truth.json", "sessions.json")(path)
	}, "transcripts/continue")
}
