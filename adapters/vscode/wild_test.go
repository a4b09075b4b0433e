package vscode_test

import (
	"strings"
	"testing"

	"github.com/memscribe/memscribe/adapters/vscode"
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/testkit/adaptertest"
	"github.com/memscribe/memscribe/testkit/size"
)

// TestWild reads what people published: exports, documents and logs.
func TestWild(t *testing.T) {
	spawned, threads := map[string]bool{}, map[string]bool{}
	w := adaptertest.Wild{
		Dir: "wild/vscode-chat", Match: adaptertest.Ending(".json", ".jsonl"),
		Alien: func(name string) bool { // a debug log of the extension, and shapes that somebody made up
			return strings.HasSuffix(name, ".chatreplay.json") || strings.Contains(name, "sample-session-data") || strings.Contains(name, "vscode/v1/")
		},
		See: func(_ string, ev *core.Event) {
			if ev.Thread != "" {
				threads[ev.Thread] = true
			}
			if b, ok := ev.Body.(*core.ToolResult); ok && b.Spawned != "" {
				spawned[b.Spawned] = true
			}
		},
	}
	c := w.Read(t, vscode.Adapter{})
	for thread := range threads {
		if !spawned[thread] {
			t.Errorf("no call spawned %s", thread)
		}
	}
	if c.Undescribed > 0 || c.Human < 35 || c.Edits < size.Of(5, 20) || c.Calls < size.Of(15, 200) || len(threads) == 0 {
		t.Errorf("undescribed kinds, or counts are out of bounds: %+v, %d threads", c, len(threads))
	}
}
