package grok_test

import (
	"testing"

	"github.com/memscribe/memscribe/adapters/grok"
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/testkit/adaptertest"
)

// log has what no recording shows: an edit within a line of a file that was never
// read, and an update that is not known.
const log = `{"timestamp":1,"method":"session/update","params":{"sessionId":"s1","update":{"sessionUpdate":"user_message_chunk","content":{"type":"text","text":"Let's rename it."},"_meta":{"modelId":"m","promptIndex":0}},"_meta":{"eventId":"s1-2","agentTimestampMs":1795440307192}}}
{"timestamp":1,"method":"session/update","params":{"sessionId":"s1","update":{"sessionUpdate":"tool_call","toolCallId":"c1","title":"search_replace","rawInput":{"file_path":"/w/a.js","old_string":"foo","new_string":"bar"},"_meta":{"x.ai/tool":{"name":"search_replace"}}},"_meta":{"eventId":"s1-3","agentTimestampMs":1795440307193}}}
{"timestamp":1,"method":"session/update","params":{"sessionId":"s1","update":{"sessionUpdate":"tool_call_update","toolCallId":"c1","status":"completed","content":[{"type":"diff","path":"/w/a.js","oldText":"foo","newText":"bar","_meta":{"details":[{"old_string":"foo","old_line":7,"new_string":"bar","new_line":7,"context_before":"x\n","context_after":"y\n","line_prefix":"  "}]}}],"rawOutput":{"type":"SearchReplace","EditsApplied":{"tool_output_for_prompt":"The file /w/a.js has been updated successfully."}}},"_meta":{"eventId":"s1-4","agentTimestampMs":1795440307194}}}
{"timestamp":1,"method":"session/update","params":{"sessionId":"s1","update":{"sessionUpdate":"tool_call","toolCallId":"c2","title":"search_replace","rawInput":{},"_meta":{}},"_meta":{"eventId":"s1-5","agentTimestampMs":1795440307195}}}
{"timestamp":1,"method":"session/update","params":{"sessionId":"s1","update":{"sessionUpdate":"tool_call_update","toolCallId":"c2","status":"completed","content":[{"type":"diff","path":"/w/a.js","oldText":"z\n","newText":"","_meta":{"details":[{"old_string":"z\n","old_line":9,"new_string":"","new_line":9,"context_before":"x\n","context_after":"y\n","line_prefix":""}]}}],"rawOutput":{"type":"SearchReplace","EditsApplied":{"tool_output_for_prompt":"The file /w/a.js has been updated successfully."}}},"_meta":{"eventId":"s1-6","agentTimestampMs":1795440307196}}}
{"timestamp":1,"method":"session/update","params":{"sessionId":"s1","update":{"sessionUpdate":"novelty"},"_meta":{"eventId":"s1-7","agentTimestampMs":1795440307197}}}
`

func samples() []adaptertest.Sample {
	return []adaptertest.Sample{{Path: "/home/dev/.grok/sessions/%2Fw/s1/updates.jsonl", Data: log}}
}

// TestSuite holds the adapter to what every adapter passes.
func TestSuite(t *testing.T) { adaptertest.Suite(t, grok.Adapter{}, samples()...) }

// FuzzParse reads anything at all.
func FuzzParse(f *testing.F) { adaptertest.Fuzz(f, grok.Adapter{}, samples()...) }

// BenchmarkParse reads the recordings and the samples into events.
func BenchmarkParse(b *testing.B) { adaptertest.BenchmarkCorpus(b, grok.Adapter{}, samples()...) }

// TestShown: lines that the client shows whole are a hunk with their numbers; an
// edit within a line of an unknown file is told by its strings alone.
func TestShown(t *testing.T) {
	var edits []core.Diff
	cwd := ""
	adaptertest.Parse(grok.Adapter{}, samples()[0].Path, []byte(log), func(ev *core.Event) {
		switch b := ev.Body.(type) {
		case *core.FileEdit:
			edits = append(edits, b.Diff)
		case *core.SessionStart:
			cwd = b.Cwd
		}
	})
	if len(edits) != 2 || cwd != "/w" {
		t.Fatalf("%d edits in %q, want 2 in /w", len(edits), cwd)
	}
	if edits[0].Certainty != core.Told {
		t.Errorf("an edit within a line has certainty %q, want %q", edits[0].Certainty, core.Told)
	}
	const want = "--- a/w/a.js\n+++ b/w/a.js\n@@ -8,3 +8,2 @@\n x\n-z\n y\n"
	if edits[1].Unified != want || edits[1].Certainty != "" {
		t.Errorf("%q %q, want %q", edits[1].Unified, edits[1].Certainty, want)
	}
}
