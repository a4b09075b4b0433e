package sqlite_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/internal/nodedb"
	"github.com/memscribe/memscribe/sink/sinktest"
	"github.com/memscribe/memscribe/sink/sqlite"
)

// BenchmarkQuery gives the times of answers, over 20,000 nodes or as many as
// MEMSCRIBE_BENCH_NODES says. With MEMSCRIBE_BENCH_DIR the database is kept
// there, to be used again.
func BenchmarkQuery(b *testing.B) {
	path := benchDatabase(b)
	r, err := nodedb.Open(b.Context(), path)
	if err != nil {
		b.Fatal(err)
	}
	defer r.Close()
	words := strings.Fields(strings.Join(texts(sinktest.NewMaker(99), 4000), " "))
	word := func(i int) string { return words[i*7919%len(words)] }
	since := time.UnixMilli(1_750_000_000_000)
	type ask func(ctx context.Context, i int) (nodedb.Answer, error)
	search := func(f func(i int) nodedb.Filter) ask {
		return func(ctx context.Context, i int) (nodedb.Answer, error) { return r.Search(ctx, f(i), nodedb.Page{}) }
	}
	for _, q := range []struct {
		name string
		ask  ask
	}{
		{"word", search(func(i int) nodedb.Filter { return nodedb.Filter{Text: word(i)} })},
		{"two words", search(func(i int) nodedb.Filter { return nodedb.Filter{Text: word(i) + " " + word(i+1)} })},
		{"three words", search(func(i int) nodedb.Filter { return nodedb.Filter{Text: word(i) + " " + word(i+1) + " " + word(i+2)} })},
		{"phrase", search(func(i int) nodedb.Filter { return nodedb.Filter{Text: `"` + words[i] + " " + words[i+1] + `"`} })},
		{"without", search(func(i int) nodedb.Filter { return nodedb.Filter{Text: word(i) + " -" + word(i+1)} })},
		{"begin", search(func(i int) nodedb.Filter { return nodedb.Filter{Text: word(i)[:min(4, len(word(i)))] + "*"} })},
		{"word in project", search(func(i int) nodedb.Filter { return nodedb.Filter{Text: word(i), Project: "orders"} })},
		{"word of tool", search(func(i int) nodedb.Filter { return nodedb.Filter{Text: word(i), Tool: core.Gemini} })},
		{"word in time", search(func(i int) nodedb.Filter {
			return nodedb.Filter{Text: word(i), Since: since, Until: since.Add(time.Duration(i+1) * time.Hour)}
		})},
		{"decisions", func(ctx context.Context, _ int) (nodedb.Answer, error) {
			return r.Decisions(ctx, nodedb.Filter{Project: "parser"}, nodedb.Page{})
		}},
		{"decisions with word", func(ctx context.Context, i int) (nodedb.Answer, error) {
			return r.Decisions(ctx, nodedb.Filter{Text: word(i)}, nodedb.Page{})
		}},
		{"bans", func(ctx context.Context, _ int) (nodedb.Answer, error) {
			return r.Bans(ctx, nodedb.Filter{Project: "site"}, nodedb.Page{})
		}},
		{"episodes", func(ctx context.Context, i int) (nodedb.Answer, error) {
			return r.Episodes(ctx, nodedb.Filter{Until: since.Add(time.Duration(i+1) * time.Hour)}, nodedb.Page{})
		}},
		{"session", func(ctx context.Context, i int) (nodedb.Answer, error) {
			return r.Session(ctx, fmt.Sprintf("session-%08d", 1+i%100), nodedb.Filter{}, nodedb.Page{})
		}},
		{"file", func(ctx context.Context, i int) (nodedb.Answer, error) {
			return r.File(ctx, "src/api/"+sinktest.NewMaker(1).Word(200+i%40)+"1.go", nodedb.Filter{}, nodedb.Page{})
		}},
	} {
		b.Run(q.name, func(b *testing.B) {
			var times, cpu []time.Duration // what others do on the machine costs no time of the processor
			found := 0
			for b.Loop() {
				start, worked := time.Now(), cpuTime()
				a, err := q.ask(b.Context(), len(times))
				if err != nil {
					b.Fatal(err)
				}
				times, cpu = append(times, time.Since(start)), append(cpu, cpuTime()-worked)
				found += len(a.Nodes)
			}
			slices.Sort(times)
			slices.Sort(cpu)
			at := func(times []time.Duration, p float64) float64 {
				return float64(times[int(p*float64(len(times)-1))].Microseconds()) / 1000
			}
			b.ReportMetric(at(times, 0.5), "p50-ms")
			b.ReportMetric(at(times, 0.95), "p95-ms")
			b.ReportMetric(at(cpu, 0.5), "p50-cpu-ms")
			b.ReportMetric(at(cpu, 0.95), "p95-cpu-ms")
			b.ReportMetric(float64(found)/float64(len(times)), "nodes")
			b.ReportMetric(0, "ns/op")
		})
	}
}

// texts are the words of so many nodes.
func texts(m *sinktest.Maker, n int) []string {
	all := make([]string, n)
	for i := range all {
		all[i] = m.Text(20)
	}
	return all
}

func benchDatabase(b *testing.B) string {
	b.Helper()
	count := 20_000
	if n, err := strconv.Atoi(os.Getenv("MEMSCRIBE_BENCH_NODES")); err == nil {
		count = n
	}
	dir := os.Getenv("MEMSCRIBE_BENCH_DIR")
	if dir == "" {
		dir = b.TempDir()
	}
	path := filepath.Join(dir, fmt.Sprintf("%d.db", count))
	if _, err := os.Stat(path); err == nil {
		return path
	}
	s, err := sqlite.Open(b.Context(), path, sqlite.Options{Bulk: true})
	if err != nil {
		b.Fatal(err)
	}
	m := sinktest.NewMaker(1)
	var took time.Duration
	for done := 0; done < count; done += 1000 {
		lines := m.Take(min(1000, count-done))
		start := time.Now()
		if err := s.Apply(b.Context(), lines); err != nil {
			b.Fatal(err)
		}
		took += time.Since(start)
	}
	start := time.Now()
	if err := s.Flush(b.Context()); err != nil {
		b.Fatal(err)
	}
	b.Logf("%d nodes written in %v, of which flushing %v", count, took+time.Since(start), time.Since(start))
	if err := s.Close(); err != nil {
		b.Fatal(err)
	}
	return path
}
