package claudecode_test

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/memscribe/memscribe/adapters/claudecode"
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/jsondoc"
)

// BenchmarkParse indexes and parses transcripts into a consumer that does
// nothing. Made is a file of the shared generator, named by MEMSCRIBE_BENCH;
// real is one of the larger collected sessions.
func BenchmarkParse(b *testing.B) {
	files := map[string]string{
		"made":     os.Getenv("MEMSCRIBE_BENCH"),
		"real":     shared + "/wild/claude-code/obra__episodic-memory/test/fixtures/large-conversation.jsonl",
		"new":      shared + "/wild/claude-code/JanDeDobbeleer__oh-my-posh/@entire-checkpoints-v1/9b/dd12391c14/0/full.jsonl",
		"recorded": shared + "/transcripts/claude_code/2.1.329/interleaved_arcs/home/.claude/projects/-home-dev-work-orders-service/00dbe616-df7a-4c23-b58c-b75a8c1a0c4d.jsonl",
	}
	for _, name := range []string{"made", "real", "new", "recorded"} {
		b.Run(name, func(b *testing.B) {
			data, err := os.ReadFile(filepath.FromSlash(files[name]))
			if err != nil {
				b.Skipf("no transcript: %v", err)
			}
			benchmark(b, data)
		})
	}
}

func benchmark(b *testing.B, data []byte) {
	split := bytes.Split(bytes.TrimSpace(data), []byte("\n"))
	var doc jsondoc.Doc
	events := uint64(0)
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		p := claudecode.Adapter{}.NewParser(core.StreamInfo{Path: "p/x.jsonl"})
		emit := func(ev *core.Event) { ev.Seq = events; events++ }
		for _, line := range split {
			rec := core.Record{Bytes: line, Doc: &doc}
			if _, err := doc.Parse(line); err != nil {
				rec.Doc, rec.Err = nil, err
			}
			p.Parse(rec, emit)
		}
	}
	b.ReportMetric(float64(events)/float64(b.N)/float64(len(split)), "events/record")
}
