package codex_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/memscribe/memscribe/adapters/codex"
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/jsondoc"
)

// generated is a realistic rollout of the given size, made by the generator of
// the benchmarks.
func generated(b *testing.B, size string) []byte {
	b.Helper()
	gen := sharedDir(b, "bench/gen")
	out := filepath.Join(b.TempDir(), "rollout.jsonl")
	cmd := exec.Command("go", "run", ".", "-format", "codex", "-size", size, "-seed", "1", "-o", out)
	cmd.Dir = gen
	cmd.Env = append(os.Environ(), "GOFLAGS=-mod=mod", "GOWORK=off")
	if msg, err := cmd.CombinedOutput(); err != nil {
		b.Skipf("generate a rollout: %v\n%s", err, msg)
	}
	return readFile(b, out)
}

// BenchmarkParse reads rollouts into events: the index of each record and the
// parser, and nothing behind it.
func BenchmarkParse(b *testing.B) {
	b.Run("generated", func(b *testing.B) { parseAll(b, generated(b, "33554432")) })
	b.Run("recorded", func(b *testing.B) {
		var data []byte
		for _, path := range rollouts(b, sharedDir(b, "transcripts/codex")) {
			data = append(data, readFile(b, path)...)
		}
		parseAll(b, data)
	})
	b.Run("wild", func(b *testing.B) {
		var data []byte
		for _, path := range wildFiles(b) {
			data = append(append(data, readFile(b, path)...), '\n')
		}
		parseAll(b, data)
	})
}

func parseAll(b *testing.B, data []byte) {
	lines := bytes.Split(data, []byte("\n"))
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	records := 0
	var doc jsondoc.Doc
	for b.Loop() {
		p := codex.Adapter{}.NewParser(core.StreamInfo{Path: "rollout.jsonl"})
		var seq uint64
		emit := func(ev *core.Event) { ev.Seq = seq; seq++ }
		records = 0
		for _, line := range lines {
			if len(line) == 0 {
				continue
			}
			records++
			rec := core.Record{Bytes: line}
			if n, err := doc.Parse(line); err == nil && n > 0 {
				rec.Doc = &doc
			}
			p.Parse(rec, emit)
		}
	}
	b.ReportMetric(float64(records), "records")
}

// BenchmarkIndex is the share of BenchmarkParse that is not the parser's.
func BenchmarkIndex(b *testing.B) {
	data := generated(b, "33554432")
	lines := bytes.Split(data, []byte("\n"))
	b.SetBytes(int64(len(data)))
	var doc jsondoc.Doc
	for b.Loop() {
		for _, line := range lines {
			if len(line) > 0 {
				if _, err := doc.Parse(line); err != nil {
					b.Fatal(err)
				}
			}
		}
	}
}
