package codex_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/memscribe/memscribe/adapters/codex"
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/jsondoc"
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
			f.Add(data)
			for line := range bytes.Lines(data) {
				if len(line) < 4<<10 {
					f.Add(line)
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
		f.Add([]byte(r.String()))
	}
	f.Add([]byte(`{"session":{"id":"T"},"items":[{"type":"message","role":"user","content":"x"},7,null]}`))
	f.Add([]byte(`{"id":"T","timestamp":"2025-05-07T17:24:21.597Z"}` + "\n" + `{"record_type":"state"}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		text := parsed(t, data)
		if parsed(t, data) != text {
			t.Error("read twice, it differs")
		}
	})
}

// parsed reads a rollout with the parser alone and checks each event.
func parsed(t *testing.T, data []byte) string {
	p := codex.Adapter{}.NewParser(core.StreamInfo{Path: "rollout.jsonl"})
	var enc core.Encoder
	var doc jsondoc.Doc
	var out []byte
	var seq uint64
	emit := func(ev *core.Event) {
		ev.Seq = seq
		seq++
		if e, ok := ev.Body.(*core.FileEdit); ok && !strings.ContainsAny(e.Diff.Path+e.Diff.OldPath, "\r\n") {
			checkCounts(t, e.Diff)
		}
		b, err := enc.Event(out, ev)
		if err != nil {
			t.Fatal(err)
		}
		out = b
	}
	eachLine(data, func(line []byte, _, _ int64) {
		rec := core.Record{Bytes: line}
		if n, err := doc.Parse(line); err == nil && n > 0 {
			rec.Doc = &doc
		}
		before := seq
		p.Parse(rec, emit)
		if seq == before {
			t.Errorf("no event of %q", line)
		}
	})
	return string(out)
}
