package memdb_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/internal/sink"
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

// BenchmarkSearch gives how long a page of a search takes among many memories:
// 20,000, or as many as MEMSCRIBE_BENCH_MEMORIES says.
func BenchmarkSearch(b *testing.B) {
	dir := b.TempDir()
	load(b, dir)
	s, err := store.Open(b.Context(), file(dir), storeOptions(dir))
	if err != nil {
		b.Fatal(err)
	}
	defer s.Close()
	maker := sinktest.NewMaker(2)
	word := func(i int) string { return maker.Word(i % 3000) }
	for _, q := range []struct {
		name string
		ask  func(i int) api.SearchRequest
	}{
		{"word", func(i int) api.SearchRequest { return api.SearchRequest{Query: word(i)} }},
		{"two words", func(i int) api.SearchRequest { return api.SearchRequest{Query: word(i%200) + " " + word(i/2)} }},
		{"begin", func(i int) api.SearchRequest { return api.SearchRequest{Query: word(i)[:min(4, len(word(i)))] + "*"} }},
		{"kind and word", func(i int) api.SearchRequest { return api.SearchRequest{Query: word(i), Kinds: []string{"decision"}} }},
		{"session", func(i int) api.SearchRequest {
			return api.SearchRequest{SessionID: fmt.Sprintf("session-%08d", 1+i%100)}
		}},
		{"in force at", func(i int) api.SearchRequest {
			return api.SearchRequest{Query: word(i), InForceAt: core.UnixMilli(1_750_000_000_000 + int64(i)*3_600_000).String()}
		}},
	} {
		b.Run(q.name, func(b *testing.B) {
			var times []time.Duration
			for i := 0; b.Loop(); i++ {
				r := q.ask(i)
				r.Namespaces, r.Limit = []string{"captured"}, 20+i/3000
				start := time.Now()
				if _, err := s.Search(b.Context(), r); err != nil {
					b.Fatal(err)
				}
				times = append(times, time.Since(start))
			}
			slices.Sort(times)
			b.ReportMetric(float64(times[len(times)/2].Microseconds())/1000, "p50-ms")
			b.ReportMetric(float64(times[len(times)*95/100].Microseconds())/1000, "p95-ms")
			b.ReportMetric(0, "ns/op")
		})
	}
}

// load fills a database.
func load(b *testing.B, dir string) {
	b.Helper()
	size := 20_000
	if n, err := strconv.Atoi(os.Getenv("MEMSCRIBE_BENCH_MEMORIES")); err == nil {
		size = n
	}
	maker := sinktest.NewMaker(2)
	k, err := openEmbedded(b.Context(), dir)
	if err != nil {
		b.Fatal(err)
	}
	var took time.Duration
	for done := 0; done < size; done += 5000 {
		lines := maker.Take(min(5000, size-done))
		start := time.Now()
		if err := k.Apply(b.Context(), lines); err != nil {
			b.Fatal(err)
		}
		took += time.Since(start)
	}
	start := time.Now()
	if err := k.Close(); err != nil {
		b.Fatal(err)
	}
	b.Logf("%d memories written in %v", size, took+time.Since(start))
}
