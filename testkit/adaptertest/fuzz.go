package adaptertest

import (
	"bytes"
	"strings"
	"testing"

	"github.com/memscribe/memscribe/core"
)

// Fuzz has no bytes lose a record, break an event, or give two readings, whatever
// file they stand in. Seeds are added before, as a path and bytes.
func Fuzz(f *testing.F, a core.Adapter) {
	f.Fuzz(func(t *testing.T, path string, data []byte) {
		first, records, events := bare(t, a, path, data)
		if again, _, _ := bare(t, a, path, data); !bytes.Equal(first, again) {
			t.Error("two readings differ")
		}
		if events < records {
			t.Errorf("%d records gave %d events", records, events)
		}
		a.Detect(core.Sample{Path: path, Head: data[:min(len(data), 64<<10)]})
	})
}

func bare(t *testing.T, a core.Adapter, path string, data []byte) (out []byte, records, events int) {
	var enc core.Encoder
	records, events = Parse(a, path, data, func(ev *core.Event) {
		b, err := enc.Event(out, ev)
		if err != nil {
			t.Fatal(err)
		}
		out = append(b, '\n')
	})
	return out, records, events
}

// Benchmark reads a transcript into a consumer that does nothing.
func Benchmark(b *testing.B, a core.Adapter, path string, data []byte) {
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		Parse(a, path, data, func(*core.Event) {})
	}
}

// BenchmarkShared reads all transcripts of folders below the shared one, each
// folder a benchmark of its own: the index of each record and the parser, and
// nothing behind it.
func BenchmarkShared(b *testing.B, a core.Adapter, match func(path string) bool, dirs ...string) {
	for _, dir := range dirs {
		kind, _, _ := strings.Cut(dir, "/")
		b.Run(kind, func(b *testing.B) {
			var files [][]byte
			paths := Files(b, Shared(b, dir), match)
			size := 0
			for _, path := range paths {
				files = append(files, Read(b, path))
				size += len(files[len(files)-1])
			}
			b.SetBytes(int64(size))
			b.ReportAllocs()
			for b.Loop() {
				for i, path := range paths {
					Parse(a, path, files[i], func(*core.Event) {})
				}
			}
		})
	}
}
