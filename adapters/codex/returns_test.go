package codex_test

import (
	"testing"

	"github.com/memscribe/memscribe/adapters/codex"
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/testkit/adaptertest"
)

// TestCarriageReturns: where the event of an edit splits its lines at carriage returns,
// so that it shows no change, what the patch asked for is told.
func TestCarriageReturns(t *testing.T) {
	const log = `{"timestamp":"2026-11-24T03:34:56.000Z","type":"session_meta","payload":{"id":"01a20b9e-f42a-7543-a550-adc8df8ae720","timestamp":"2026-11-24T03:34:56.000Z","cwd":"/w","originator":"codex_exec","cli_version":"0.150.0"}}
{"timestamp":"2026-11-24T03:34:57.165Z","type":"response_item","payload":{"type":"custom_tool_call","status":"completed","call_id":"c1","name":"apply_patch","input":"*** Begin Patch\n*** Update File: e/cr.txt\n@@\n-a\rb\rc\r\n+a\rB\rc\r\n*** End Patch\n"}}
{"timestamp":"2026-11-24T03:34:57.173Z","type":"event_msg","payload":{"type":"item_completed","thread_id":"01a20b9e-f42a-7543-a550-adc8df8ae720","turn_id":"t1","item":{"type":"FileChange","id":"c1","changes":{"/w/e/cr.txt":{"type":"update","unified_diff":"@@ -1,3 +1,3 @@\n a\r-b\r-c\r+B\r+c\n","move_path":null}},"status":"completed","stdout":"","stderr":""}}}
`
	var edits []core.Diff
	adaptertest.Parse(codex.Adapter{}, "rollout-2026-11-24T03-34-56-01a20b9e-f42a-7543-a550-adc8df8ae720.jsonl", []byte(log), func(ev *core.Event) {
		if b, ok := ev.Body.(*core.FileEdit); ok {
			edits = append(edits, b.Diff)
		}
	})
	if len(edits) != 1 || edits[0].Certainty != core.Told || edits[0].Added != 1 || edits[0].Removed != 1 {
		t.Errorf("%+v", edits)
	}
}
