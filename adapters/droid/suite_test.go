package droid_test

import (
	"testing"

	"github.com/memscribe/memscribe/adapters/droid"
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/testkit/adaptertest"
)

// session is one in the form of published ones.
const session = `{"type":"session_start","id":"s1","title":"t","sessionTitle":"t","owner":"dev","version":2,"cwd":"/w"}
{"type":"message","id":"m1","timestamp":"2026-01-28T16:57:01.391Z","message":{"role":"user","content":[{"type":"text","text":"Let's call it DROID3."},{"type":"text","text":"<system-reminder>\nx\n</system-reminder>"},{"type":"text","text":"Contents of /w/a.ts (lines 1-1 of 1):\n// DROID2\n"}]}}
{"type":"message","id":"m2","timestamp":"2026-01-28T16:57:02.391Z","message":{"role":"assistant","content":[{"type":"thinking","thinking":"Hm."},{"type":"tool_use","id":"c0","name":"Read","input":{"file_path":"/w/a.ts"}},{"type":"tool_use","id":"c1","name":"ApplyPatch","input":{"input":"*** Begin Patch\n*** Update File: /w/a.ts\n@@\n-// DROID2\n+// DROID3\n*** End Patch"}}]}}
{"type":"message","id":"m3","timestamp":"2026-01-28T16:57:03.391Z","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"c0","content":"// DROID2\nlet x\n"},{"type":"tool_result","tool_use_id":"c1","content":"{\"success\":true,\"file_path\":\"/w/a.ts\"}"}]}}
{"type":"message","id":"m4","timestamp":"2026-01-28T16:57:04.391Z","message":{"role":"assistant","content":[{"type":"tool_use","id":"c2","name":"Edit","input":{"file_path":"/w/a.ts","old_str":"let x","new_str":"let y"}},{"type":"tool_use","id":"c3","name":"Create","input":{"file_path":"b.ts","content":"b\n"}},{"type":"tool_use","id":"c4","name":"Edit","input":{"file_path":"/w/c.ts","old_str":"a","new_str":"b"}}]}}
{"type":"message","id":"m5","timestamp":"2026-01-28T16:57:05.391Z","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"c2","content":"ok"},{"type":"tool_result","tool_use_id":"c3","content":"ok"},{"type":"tool_result","tool_use_id":"c4","is_error":true,"content":"Error: no such text"}]}}
{"type":"todo_state","id":"t1","timestamp":"2026-01-28T16:57:06.391Z","todos":{"todos":"1. [completed] x"},"messageIndex":1}
{"type":"compaction_state","id":"k1","timestamp":"2026-01-28T16:57:07.391Z","summary":{"title":"t","body":"All is renamed."}}
`

func samples() []adaptertest.Sample { return []adaptertest.Sample{{Path: "s1.jsonl", Data: session}} }

// TestSuite holds the adapter to what every adapter passes.
func TestSuite(t *testing.T) { adaptertest.Suite(t, droid.Adapter{}, samples()...) }

// FuzzParse reads anything at all.
func FuzzParse(f *testing.F) { adaptertest.Fuzz(f, droid.Adapter{}, samples()...) }

// BenchmarkParse reads the samples into events.
func BenchmarkParse(b *testing.B) { adaptertest.BenchmarkCorpus(b, droid.Adapter{}, samples()...) }

// TestEdits: a patch and a replacement of a text that was shown are exact, a file
// that is written may have been there, and a call that failed edits nothing.
func TestEdits(t *testing.T) {
	var got []string
	human := 0
	adaptertest.Parse(droid.Adapter{}, "s1.jsonl", []byte(session), func(ev *core.Event) {
		switch b := ev.Body.(type) {
		case *core.FileEdit:
			got = append(got, b.Diff.Path+" "+string(b.Diff.Change)+" "+string(b.Diff.Certainty))
		case *core.UserTurn:
			if !ev.Injected {
				human++
			}
		}
	})
	want := []string{"/w/a.ts modify ", "/w/a.ts modify ", "/w/b.ts write "}
	if len(got) != len(want) {
		t.Fatalf("%q, want %q", got, want)
	}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("%q, want %q", got[i], want[i])
		}
	}
	if human != 1 {
		t.Errorf("%d turns of a person", human)
	}
}

// TestWild reads what people published.
func TestWild(t *testing.T) {
	w := adaptertest.Wild{Dir: "wild/droid", Match: adaptertest.Ending(".jsonl"), Alien: func(string) bool { return false }}
	if c := w.Read(t, droid.Adapter{}); c.Undescribed > 0 || c.Human == 0 || c.Results == 0 || c.Edits == 0 {
		t.Errorf("undescribed kinds, or no person's turns, results or edits: %+v", c)
	}
}
