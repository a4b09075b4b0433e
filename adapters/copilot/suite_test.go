package copilot_test

import (
	"testing"

	"github.com/memscribe/memscribe/adapters/copilot"
	"github.com/memscribe/memscribe/testkit/adaptertest"
)

// TestSuite holds the adapter to what every adapter passes.
func TestSuite(t *testing.T) {
	adaptertest.Suite(t, copilot.Adapter{}, adaptertest.Sample{Path: "/h/.copilot/session-store.db", Data: rows})
}
