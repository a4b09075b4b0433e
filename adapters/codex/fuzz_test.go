package codex_test

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/memscribe/memscribe/adapters/codex"
	"github.com/memscribe/memscribe/testkit/adaptertest"
)

// FuzzParse reads anything at all as a rollout: no record is lost, none breaks
// the parser, and reading twice gives the same.
func FuzzParse(f *testing.F) {
	for _, pattern := range []string{"testdata/*.jsonl", shared + "/transcripts/codex/0.105.0/*/home/.codex/sessions/*/*/*/*.jsonl"} {
		files, err := filepath.Glob(pattern)
		if err != nil {
			f.Fatal(err)
		}
		for _, path := range files {
			data, err := os.ReadFile(path)
			if err != nil {
				f.Fatal(err)
			}
			f.Add("rollout.jsonl", data)
			for line := range bytes.Lines(data) {
				if len(line) < 4<<10 {
					f.Add("rollout.jsonl", line)
				}
			}
		}
	}
	for _, r := range []*rollout{
		original(), fork(newThread, original()), started(oldThread).user("a").event(obj{"type": "thread_rolled_back", "num_turns": 1}),
		started(oldThread).custom("c", "exec", `tools.apply_patch("`+patchText+`")`).output("c", "Script completed\n"),
		started(oldThread).call("r", "shell", obj{"command": []string{"bash", "-lc", "nl -ba a.go | sed -n '1,9p'"}}).output("r", "     1\told\n").
			custom("c", "apply_patch", patchText).output("c", wrapped),
		started(oldThread).call("c", "request_user_input", obj{"questions": []obj{{"id": "q", "options": []obj{{"label": "x"}}}}}).output("c", `{"answers":{"q":{"answers":["x"]}}}`),
	} {
		f.Add("rollout.jsonl", []byte(r.String()))
	}
	f.Add("rollout.jsonl", []byte(`{"session":{"id":"T"},"items":[{"type":"message","role":"user","content":"x"},7,null]}`))
	f.Add("rollout.jsonl", []byte(`{"id":"T","timestamp":"2025-05-07T17:24:21.597Z"}`+"\n"+`{"record_type":"state"}`))
	adaptertest.Fuzz(f, codex.Adapter{})
}
