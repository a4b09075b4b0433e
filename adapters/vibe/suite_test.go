package vibe_test

import (
	"testing"

	"github.com/memscribe/memscribe/adapters/vibe"
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/testkit/adaptertest"
)

// log has what no recording shows: thoughts, an edit of a file that was never read,
// what the client put there, and a role that is not known.
const log = `{"role": "user", "content": "Let's rename it.", "injected": false, "message_id": "m1"}
{"role": "assistant", "content": "", "reasoning_content": "Hm.", "injected": false, "tool_calls": [{"id": "c1", "index": 0, "function": {"name": "edit", "arguments": "{\"file_path\":\"/w/a.js\",\"old_string\":\"foo\",\"new_string\":\"bar\"}"}, "type": "function"}], "message_id": "m2"}
{"role": "tool", "content": "file: /w/a.js\nmessage: The file has been updated successfully.", "injected": false, "name": "edit", "tool_call_id": "c1"}
{"role": "user", "content": "A reminder.", "injected": true, "message_id": "m3"}
{"role": "developer", "content": "x"}
`

func samples() []adaptertest.Sample {
	return []adaptertest.Sample{{Path: "/home/dev/.vibe/logs/session/session_20261123_140550_33c651cf/messages.jsonl", Data: log}}
}

// TestSuite holds the adapter to what every adapter passes.
func TestSuite(t *testing.T) { adaptertest.Suite(t, vibe.Adapter{}, samples()...) }

// FuzzParse reads anything at all.
func FuzzParse(f *testing.F) { adaptertest.Fuzz(f, vibe.Adapter{}, samples()...) }

// BenchmarkParse reads the recordings and the samples into events.
func BenchmarkParse(b *testing.B) { adaptertest.BenchmarkCorpus(b, vibe.Adapter{}, samples()...) }

// TestTold: an edit of a file that was never read is told by its strings alone.
func TestTold(t *testing.T) {
	var edits []core.Diff
	adaptertest.Parse(vibe.Adapter{}, samples()[0].Path, []byte(log), func(ev *core.Event) {
		if b, ok := ev.Body.(*core.FileEdit); ok {
			edits = append(edits, b.Diff)
		}
	})
	if len(edits) != 1 || edits[0].Certainty != core.Told {
		t.Errorf("%+v, want one edit that is told", edits)
	}
}
