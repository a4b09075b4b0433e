package qwen_test

import (
	"bytes"
	"testing"

	"github.com/memscribe/memscribe/adapters/qwen"
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/jsondoc"
)

// BenchmarkParse indexes and parses the recorded samples into a consumer that does
// nothing.
func BenchmarkParse(b *testing.B) {
	for _, name := range []string{"0.5.2-failure", "0.24.4-compaction"} {
		b.Run(name, func(b *testing.B) {
			data := readFile(b, "testdata/"+name+".jsonl")
			benchmark(b, bytes.Split(bytes.TrimSpace(data), []byte("\n")), "p/x.jsonl")
		})
	}
}

func benchmark(b *testing.B, records [][]byte, path string) {
	var doc jsondoc.Doc
	events, size := uint64(0), 0
	for _, r := range records {
		size += len(r) + 1
	}
	b.SetBytes(int64(size))
	b.ReportAllocs()
	for b.Loop() {
		p := qwen.Adapter{}.NewParser(core.StreamInfo{Path: path})
		emit := func(ev *core.Event) { ev.Seq = events; events++ }
		for _, r := range records {
			rec := core.Record{Bytes: r, Doc: &doc}
			if _, err := doc.Parse(r); err != nil {
				rec.Doc, rec.Err = nil, err
			}
			p.Parse(rec, emit)
		}
	}
	b.ReportMetric(float64(events)/float64(b.N)/float64(len(records)), "events/record")
}
