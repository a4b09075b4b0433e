package copilot_test

import (
	"testing"

	"github.com/memscribe/memscribe/adapters/copilot"
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/pipeline"
	"github.com/memscribe/memscribe/testkit/adaptertest"
)

// capture reads a transcript and shows each event to f.
func capture(t testing.TB, file string, data []byte, f func(ev *core.Event)) (map[string]*core.Node, pipeline.Stats) {
	t.Helper()
	return adaptertest.Capture(t, copilot.Adapter{}, file, data, f)
}
