package gemini_test

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/memscribe/memscribe/adapters/gemini"
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/jsondoc"
)

// BenchmarkParse indexes and parses transcripts into a consumer that does
// nothing: collected documents, and the sample of a log many times over.
func BenchmarkParse(b *testing.B) {
	b.Run("log", func(b *testing.B) {
		data := readFile(b, "testdata/0.61.0-compaction.jsonl")
		benchmark(b, bytes.Split(bytes.TrimSpace(data), []byte("\n")), "p/x.jsonl")
	})
	b.Run("document", func(b *testing.B) {
		data, err := os.ReadFile(filepath.FromSlash(shared + "/wild/gemini/mischa-thisness__M-Gemini/chat_logs/session-2025-12-31T04-53-1d4abdfd.json"))
		if err != nil {
			b.Skipf("no transcript: %v", err)
		}
		benchmark(b, [][]byte{data}, "p/x.json")
	})
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
		p := gemini.Adapter{}.NewParser(core.StreamInfo{Path: path})
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
