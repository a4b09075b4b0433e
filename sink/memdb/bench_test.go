package memdb_test

import (
	"context"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/memscribe/memscribe/sink"
	"github.com/memscribe/memscribe/sink/memdb/api"
	"github.com/memscribe/memscribe/sink/memdb/store"
	"github.com/memscribe/memscribe/sink/sinktest"
	"github.com/memscribe/memscribe/sink/sqlite"
)

// BenchmarkDeliver gives, side by side, how long the same lines take into a
// database of nodes, into MemDB in the same process, and into MemDB over HTTP on
// this machine: in turns, a part of the lines each, so that whatever else the
// machine does, it does to all.
func BenchmarkDeliver(b *testing.B) {
	const size, part = 12_000, 3000
	lines := sinktest.NewMaker(1).Take(size)
	names := []string{"sqlite", "embedded", "remote"}
	took := map[string]time.Duration{}
	for b.Loop() {
		sinks := map[string]sink.Sink{}
		for name, open := range contenders() {
			k, err := open(b.Context(), b.TempDir())
			if err != nil {
				b.Fatal(err)
			}
			sinks[name] = k
		}
		for some := range slices.Chunk(lines, part) {
			for _, name := range names {
				start := time.Now()
				for batch := range slices.Chunk(some, 500) {
					if err := sinks[name].Apply(b.Context(), batch); err != nil {
						b.Fatal(err)
					}
				}
				if err := sinks[name].Flush(b.Context()); err != nil {
					b.Fatal(err)
				}
				took[name] += time.Since(start)
			}
		}
		for _, name := range names {
			if err := sinks[name].Close(); err != nil {
				b.Fatal(err)
			}
		}
	}
	b.ReportMetric(float64(b.N*size)/took["sqlite"].Seconds(), "sqlite-rows/s")
	b.ReportMetric(took["embedded"].Seconds()/took["sqlite"].Seconds(), "embedded/sqlite")
	b.ReportMetric(took["remote"].Seconds()/took["sqlite"].Seconds(), "remote/sqlite")
	b.ReportMetric(0, "ns/op")
}

func contenders() map[string]func(context.Context, string) (sink.Sink, error) {
	return map[string]func(context.Context, string) (sink.Sink, error){
		"sqlite": func(ctx context.Context, dir string) (sink.Sink, error) {
			return sqlite.Open(ctx, filepath.Join(dir, "nodes.db"), sqlite.Options{})
		},
		"embedded": func(ctx context.Context, dir string) (sink.Sink, error) { return openEmbedded(ctx, dir) },
		"remote":   openRemote,
	}
}

// BenchmarkSearch gives how long a page of a search takes among many memories.
func BenchmarkSearch(b *testing.B) {
	const size = 100_000
	maker := sinktest.NewMaker(2)
	dir := b.TempDir()
	k, err := openEmbedded(b.Context(), dir)
	if err != nil {
		b.Fatal(err)
	}
	for range size / 5000 {
		if err := k.Apply(b.Context(), maker.Take(5000)); err != nil {
			b.Fatal(err)
		}
	}
	if err := k.Close(); err != nil {
		b.Fatal(err)
	}
	s, err := store.Open(b.Context(), file(dir), storeOptions(dir))
	if err != nil {
		b.Fatal(err)
	}
	defer s.Close()
	var times []time.Duration
	for i := 0; b.Loop(); i++ {
		start := time.Now()
		// Another word each time: the cache has none of the answers.
		if _, err := s.Search(b.Context(), api.SearchRequest{Namespaces: []string{"captured"}, Query: maker.Word(i % 3000), Limit: 20 + i/3000}); err != nil {
			b.Fatal(err)
		}
		times = append(times, time.Since(start))
	}
	slices.Sort(times)
	b.ReportMetric(float64(times[len(times)*95/100].Microseconds())/1000, "p95-ms")
}
