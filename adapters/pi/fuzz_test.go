package pi_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/memscribe/memscribe/adapters/pi"
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/jsondoc"
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
		f.Add(data)
		for line := range bytes.Lines(data) {
			f.Add(line)
		}
	}
	for _, s := range []*script{
		header("/x/p.jsonl").user("a").says("b").from("e1").user("<skill name=\"x\">y</skill>\n\nz").
			entry("compaction", obj{"summary": "S", "firstKeptEntryId": "e1"}),
		header("").call("r", "read", obj{"path": "a"}).done("r", "read", "1\r\n2\r\n", nil).
			call("e", "edit", obj{"path": "a", "edits": `[{"oldText":"2","newText":"x"}]`}).done("e", "edit", "ok", obj{"diff": " 1 1\n-2 2\n+2 x\n   ..."}),
		header("").call("e", "edit", obj{"path": "a", "oldText": "1", "newText": "2"}).done("e", "edit", "ok", obj{"diff": "+3 x\n 9 y\n ...\n-1 z"}),
	} {
		f.Add([]byte(strings.Join(s.lines, "\n")))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		text := parsed(t, data)
		if parsed(t, data) != text {
			t.Error("read twice, it differs")
		}
		pi.Adapter{}.Detect(core.Sample{Head: data})
	})
}

// parsed reads a session with the parser alone and checks each event.
func parsed(t *testing.T, data []byte) string {
	p := pi.Adapter{}.NewParser(core.StreamInfo{Path: "session.jsonl"})
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
