package entire_test

import (
	"encoding/json"
	"testing"

	"github.com/memscribe/memscribe/adapters/entire"
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/testkit/adaptertest"
)

// log is one in the form of published ones, with an edit that succeeded, one that
// failed, one without a result, and a record that is not known.
const log = `{"v":1,"agent":"claude-code","cli_version":"0.8.42","type":"user","ts":"2026-07-28T18:20:34.312Z","content":[{"id":"u1","text":"Let's ignore it."}]}
{"v":1,"agent":"claude-code","cli_version":"0.8.42","type":"assistant","ts":"2026-07-28T18:20:46.283Z","id":"m1","input_tokens":2,"output_tokens":7,"content":[{"type":"text","text":"I do."},{"type":"tool_use","id":"c1","name":"Edit","input":{"file_path":"/w/.gitignore","old_string":"a","new_string":"b"},"result":{"output":"ok","status":"success","file":{"filePath":"/w/.gitignore"}}}]}
{"v":1,"agent":"claude-code","cli_version":"0.8.42","type":"assistant","ts":"2026-07-28T18:20:47.283Z","id":"m2","input_tokens":2,"output_tokens":7,"content":[{"type":"tool_use","id":"c2","name":"Edit","input":{"file_path":"/w/.gitignore","old_string":"x","new_string":"y"},"result":{"output":"no","status":"error"}},{"type":"tool_use","id":"c3","name":"Bash","input":{"command":"ls"}}]}
{"v":1,"agent":"claude-code","cli_version":"0.8.42","type":"novelty","ts":"2026-07-28T18:20:48.283Z"}
`

func samples() []adaptertest.Sample {
	return []adaptertest.Sample{{Path: "transcript.jsonl", Data: log}}
}

// TestSuite holds the adapter to what every adapter passes.
func TestSuite(t *testing.T) { adaptertest.Suite(t, entire.Adapter{}, samples()...) }

// TestClient: what the client says in a person's place is injected.
func TestClient(t *testing.T) {
	for text, injected := range map[string]bool{
		"Let's ignore it.":                                    false,
		"<task-notification>\n<task-id>a1</task-id>":          true,
		"<system-reminder>Ask first.</system-reminder>":       true,
		"Base directory for this skill: /w/.claude/skills/x.": true,
		"What does <task-notification> mean?":                 false,
	} {
		quoted, err := json.Marshal(text)
		if err != nil {
			t.Fatal(err)
		}
		line := `{"v":1,"agent":"claude-code","cli_version":"0.8.42","type":"user","ts":"2026-07-28T18:20:34.312Z","content":[{"id":"u1","text":` + string(quoted) + `}]}` + "\n"
		turns := 0
		adaptertest.Parse(entire.Adapter{}, "transcript.jsonl", []byte(line), func(ev *core.Event) {
			if _, ok := ev.Body.(*core.UserTurn); ok {
				turns++
				if ev.Injected != injected {
					t.Errorf("%q: injected %v", text, ev.Injected)
				}
			}
		})
		if turns != 1 {
			t.Errorf("%q: %d turns", text, turns)
		}
	}
}

// FuzzParse reads anything at all.
func FuzzParse(f *testing.F) { adaptertest.Fuzz(f, entire.Adapter{}, samples()...) }

// BenchmarkParse reads the samples into events.
func BenchmarkParse(b *testing.B) { adaptertest.BenchmarkCorpus(b, entire.Adapter{}, samples()...) }

// TestWild reads what people published.
func TestWild(t *testing.T) {
	w := adaptertest.Wild{Dir: "wild/entire-compact", Match: adaptertest.Ending(".jsonl"), Alien: func(string) bool { return false }}
	if c := w.Read(t, entire.Adapter{}); c.Undescribed > 0 || c.Human == 0 || c.Results == 0 || c.Edits != 1 {
		t.Errorf("undescribed kinds, no person's turns or results, or not the one edit that succeeded: %+v", c)
	}
}
