package amp_test

import (
	"slices"
	"testing"

	"github.com/memscribe/memscribe/adapters/amp"
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/testkit/adaptertest"
)

// thread is one in the form of published ones.
const thread = `{"v":9,"id":"T-1","created":1772241173221,"messages":[
{"role":"user","messageId":0,"content":[{"type":"text","text":"Let's add a joke."}],"meta":{"sentAt":1772241201792}},
{"role":"assistant","messageId":1,"content":[{"type":"text","text":"\n\n"},{"type":"thinking","thinking":"Hm."},{"type":"tool_use","complete":true,"id":"c1","name":"edit_file","input":{"path":"/w/j.csv","old_str":"b","new_str":"b\nc"}},{"type":"tool_use","complete":true,"id":"c2","name":"create_file","input":{"path":"/w/n.md","content":"n\n"}},{"type":"tool_use","complete":true,"id":"c3","name":"edit_file","input":{"path":"/w/k.csv","old_str":"b","new_str":"c"}}],"usage":{"model":"m","inputTokens":3,"outputTokens":4,"cacheReadInputTokens":5,"cacheCreationInputTokens":6,"timestamp":"2026-02-28T01:13:29.713Z"}},
{"role":"user","messageId":2,"content":[{"type":"tool_result","toolUseID":"c1","run":{"status":"done","result":{"diff":"` + "```diff" + `\nIndex: /w/j.csv\n===================================================================\n--- /w/j.csv\toriginal\n+++ /w/j.csv\tmodified\n@@ -7,2 +7,3 @@\n a\n b\n+c\n` + "```" + `"}}},{"type":"tool_result","toolUseID":"c2","run":{"status":"done","result":"ok"}},{"type":"tool_result","toolUseID":"c3","run":{"status":"error","error":{"message":"not there"}}}]}
],"env":{"initial":{"trees":[{"displayName":"w","uri":"file:///w","repository":{"type":"git","url":"u","ref":"refs/heads/master","sha":"6be3"}}],"platform":{"clientVersion":"0.0.1"}}}}`

func samples() []adaptertest.Sample {
	return []adaptertest.Sample{{Path: "/home/dev/.local/share/amp/threads/T-1.json", Data: thread}}
}

// TestSuite holds the adapter to what every adapter passes.
func TestSuite(t *testing.T) { adaptertest.Suite(t, amp.Adapter{}, samples()...) }

// FuzzParse reads anything at all.
func FuzzParse(f *testing.F) { adaptertest.Fuzz(f, amp.Adapter{}, samples()...) }

// BenchmarkParse reads the samples into events.
func BenchmarkParse(b *testing.B) { adaptertest.BenchmarkCorpus(b, amp.Adapter{}, samples()...) }

// TestEdits: the diff in a result is the edit, with its numbers; a file that is
// written may have been there; a call that failed edits nothing.
func TestEdits(t *testing.T) {
	var got []string
	adaptertest.Parse(amp.Adapter{}, "T-1.json", []byte(thread), func(ev *core.Event) {
		if b, ok := ev.Body.(*core.FileEdit); ok {
			got = append(got, b.Diff.Path+" "+string(b.Diff.Change), b.Diff.Unified)
		}
	})
	want := []string{
		"/w/j.csv modify", "--- a/w/j.csv\n+++ b/w/j.csv\n@@ -7,2 +7,3 @@\n a\n b\n+c\n",
		"/w/n.md write", "--- a/w/n.md\n+++ b/w/n.md\n@@ -0,0 +1 @@\n+n\n",
	}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestWild reads what people published.
func TestWild(t *testing.T) {
	w := adaptertest.Wild{Dir: "wild/amp", Match: adaptertest.Ending(".json"), Alien: func(string) bool { return false }}
	if c := w.Read(t, amp.Adapter{}); c.Undescribed > 0 || c.Human == 0 || c.Results == 0 || c.Edits == 0 {
		t.Errorf("undescribed kinds, or no person's turns, results or edits: %+v", c)
	}
}
