package pi_test

import (
	"bytes"
	"testing"

	"github.com/memscribe/memscribe/adapters/pi"
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/jsondoc"
)

// BenchmarkParse reads sessions into events: the index of each record and the
// parser, and nothing behind it.
func BenchmarkParse(b *testing.B) {
	for _, from := range []string{"transcripts/pi", "wild/pi"} {
		b.Run(from[:4], func(b *testing.B) {
			var data []byte
			for _, path := range filesBelow(b, sharedDir(b, from), ".jsonl") {
				data = append(append(data, readFile(b, path)...), '\n')
			}
			b.Run("index", func(b *testing.B) { parseAll(b, data, nil) })
			b.Run("events", func(b *testing.B) { parseAll(b, data, pi.Adapter{}) })
		})
	}
}

func parseAll(b *testing.B, data []byte, a core.Adapter) {
	lines := bytes.Split(data, []byte("\n"))
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	var doc jsondoc.Doc
	for b.Loop() {
		var p core.Parser
		if a != nil {
			p = a.NewParser(core.StreamInfo{Path: "session.jsonl"})
		}
		var seq uint64
		emit := func(ev *core.Event) { ev.Seq = seq; seq++ }
		for _, line := range lines {
			if len(line) == 0 {
				continue
			}
			rec := core.Record{Bytes: line}
			if n, err := doc.Parse(line); err == nil && n > 0 {
				rec.Doc = &doc
			}
			if p != nil {
				p.Parse(rec, emit)
			}
		}
	}
}
