package sqlite_test

import (
	"errors"
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
	"github.com/memscribe/memscribe/internal/search"
	"github.com/memscribe/memscribe/internal/sink"
	"github.com/memscribe/memscribe/sink/sinktest"
	"github.com/memscribe/memscribe/sink/sqlite"
)

// BenchmarkFind gives the times of memscribe search, over 20,000 turns or as many as
// MEMSCRIBE_BENCH_TURNS says. With MEMSCRIBE_BENCH_DIR the database is kept there,
// to be used again.
func BenchmarkFind(b *testing.B) {
	r, err := nodedb.Open(b.Context(), turns(b))
	if err != nil {
		b.Fatal(err)
	}
	defer r.Close()
	words := strings.Fields(strings.Join(texts(sinktest.NewMaker(99), 4000), " "))
	word := func(i int) string { return words[i*7919%len(words)] }
	for _, q := range []struct {
		name string
		ask  func(i int) (string, nodedb.Finding)
	}{
		{"word", func(i int) (string, nodedb.Finding) { return word(i), nodedb.Finding{} }},
		{"two words", func(i int) (string, nodedb.Finding) { return word(i) + " " + word(i+1), nodedb.Finding{} }},
		{"three words", func(i int) (string, nodedb.Finding) {
			return word(i) + " " + word(i+1) + " " + word(i+2), nodedb.Finding{}
		}},
		{"half a word", func(i int) (string, nodedb.Finding) { return word(i)[:min(5, len(word(i)))], nodedb.Finding{} }},
		{"typing error", func(i int) (string, nodedb.Finding) {
			w := word(i)
			return w[1:] + w[:1] + " " + word(i+1), nodedb.Finding{}
		}},
		{"word in project", func(i int) (string, nodedb.Finding) {
			return word(i), nodedb.Finding{Filter: nodedb.Filter{Project: "p7"}}
		}},
		{"nothing", func(i int) (string, nodedb.Finding) { return fmt.Sprintf("xq%dzzy", i), nodedb.Finding{} }},
	} {
		b.Run(q.name, func(b *testing.B) {
			var wall, cpu []time.Duration
			found := 0
			for b.Loop() {
				text, f := q.ask(len(wall))
				start, worked := time.Now(), cpuTime()
				a, err := r.Find(b.Context(), search.Parse(text), f)
				if err != nil && !errors.Is(err, nodedb.ErrSearch) {
					b.Fatal(err)
				}
				wall, cpu = append(wall, time.Since(start)), append(cpu, cpuTime()-worked)
				found += len(a.Hits)
			}
			for name, times := range map[string][]time.Duration{"": wall, "-cpu": cpu} { // in any order
				slices.Sort(times)
				for _, p := range []int{50, 95} {
					b.ReportMetric(float64(times[p*(len(times)-1)/100].Microseconds())/1000, fmt.Sprintf("p%d%s-ms", p, name))
				}
			}
			b.ReportMetric(float64(found)/float64(len(wall)), "hits")
			b.ReportMetric(0, "ns/op")
		})
	}
}

// turns is a database of so many messages, 100 a session, in 50 projects.
func turns(b *testing.B) string {
	b.Helper()
	count := 20_000
	if n, err := strconv.Atoi(os.Getenv("MEMSCRIBE_BENCH_TURNS")); err == nil {
		count = n
	}
	dir := os.Getenv("MEMSCRIBE_BENCH_DIR")
	if dir == "" {
		dir = b.TempDir()
	}
	path := filepath.Join(dir, fmt.Sprintf("turns-%d.db", count))
	if _, err := os.Stat(path); err == nil {
		return path
	}
	s, err := sqlite.Open(b.Context(), path, sqlite.Options{Bulk: true, Messages: true})
	if err != nil {
		b.Fatal(err)
	}
	m, start := sinktest.NewMaker(1), time.Now()
	for from := 0; from < count; from += 1000 {
		var lines []sink.Line
		for i := from; i < min(count, from+1000); i++ {
			session := fmt.Sprintf("session-%06d", i/100)
			kind := []core.MessageKind{core.Asked, core.Said, core.Said, core.Command}[i%4]
			lines = append(lines, said(core.Message{
				ID: messageID(strconv.Itoa(i)), Session: session, Seq: uint64(i % 100), Time: core.Unix(1_700_000_000 + int64(i)*30),
				Project: &core.Project{Cwd: fmt.Sprintf("/home/dev/p%d", i/100%50)}, File: session, Kind: kind, Text: m.Text(10 + i%60),
			}))
		}
		if err := s.Apply(b.Context(), lines); err != nil {
			b.Fatal(err)
		}
	}
	if err := s.Close(); err != nil {
		b.Fatal(err)
	}
	info, err := os.Stat(path)
	if err != nil {
		b.Fatal(err)
	}
	b.Logf("%d turns written in %v, %d bytes", count, time.Since(start), info.Size())
	return path
}
