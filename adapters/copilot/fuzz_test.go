package copilot_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/memscribe/memscribe/adapters/copilot"
	"github.com/memscribe/memscribe/testkit/adaptertest"
)

// FuzzParse reads anything at all as a session: no record is lost, none breaks
// the parser, and reading twice gives the same.
func FuzzParse(f *testing.F) {
	files, err := filepath.Glob("testdata/*.json*")
	if err != nil || len(files) == 0 {
		f.Fatalf("no seeds: %v", err)
	}
	for _, path := range files {
		data, err := os.ReadFile(path)
		if err != nil {
			f.Fatal(err)
		}
		f.Add("session-state/x/events.jsonl", data)
		for line := range bytes.Lines(data) {
			f.Add("session-state/x/events.jsonl", line)
		}
	}
	for _, s := range []*script{
		session().call("v", "view", obj{"path": "a"}).done("v", "x", shown("/w/a", "@@ -1,2 +1,2 @@\n a\n b\n")).
			call("e", "edit", obj{"path": "a", "old_str": "b", "new_str": "x\n"}).done("e", "ok", shown("/w/a", "@@ -1,2 +1,3 @@\n a\n-b\n+x\n+\n")),
		session().call("e", "apply_patch", "*** Begin Patch\n*** Update File: a\n@@\n-b\n+x\n*** End Patch").
			done("e", "ok", shown("/w/a", "@@ -5,2 +5,2 @@\n-b\n+x\n \n")+shown("/w/b", "@@ -1 +1 @@\n-b\n+x\n")),
		session().call("e", "many", obj{}).event("tool.execution_complete", obj{
			"toolCallId": "e", "success": true, "fileEdits": []obj{{"path": "/w/a"}}, "result": obj{"detailedContent": shown("/w/a", "@@ -0,0 +1 @@\n+x\n")},
		}),
		session().user("a").event("session.usage_checkpoint", obj{"promptCacheBreakState": []obj{{"pendingRewriteSources": []string{"rewind"}}}}),
	} {
		f.Add("session-state/x/events.jsonl", []byte(strings.Join(s.lines, "\n")))
	}
	f.Add("session-state/x/events.jsonl", []byte(`{"sessionId":"s","startTime":"t","timeline":[{"type":"user","text":"x"},7],"chatMessages":[]}`))
	adaptertest.Fuzz(f, copilot.Adapter{}, adaptertest.Sample{Path: "/h/.copilot/session-store.db", Data: rows})
}
