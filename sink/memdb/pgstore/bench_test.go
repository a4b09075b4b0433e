package pgstore_test

import (
	"context"
	"crypto/rand"
	"fmt"
	"math"
	mathrand "math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/memscribe/memscribe/sink/memdb/api"
	"github.com/memscribe/memscribe/sink/memdb/pgstore"
	"github.com/memscribe/memscribe/sink/memdb/store"
	"github.com/memscribe/memscribe/sink/sinktest"
	"github.com/memscribe/memscribe/testkit/postgres"
)

// contender keeps memories, and finds them by a word.
type contender struct {
	name   string
	put    func(ctx context.Context, namespace string) error
	write  func(ctx context.Context, writer int, namespace string, memories []api.MemoryWrite) error
	search func(ctx context.Context, word string) (found int, err error)
	size   func() int64 // bytes on the disk
}

// The place where all memories are, and how many write at a time, each into a namespace
// of its own.
const (
	crowd   = "crowd"
	writers = 16
)

// stored is a store of memories as a contender; a writer goes to one of its servers.
func stored(name string, servers ...interface {
	PutNamespace(ctx context.Context, name string, put api.NamespacePut) (api.Namespace, bool, error)
	Write(ctx context.Context, namespace string, memories []api.MemoryWrite) ([]api.WriteResult, error)
	Search(ctx context.Context, r api.SearchRequest) (api.SearchResponse, error)
},
) contender {
	return contender{
		name: name,
		put: func(ctx context.Context, namespace string) error {
			_, _, err := servers[0].PutNamespace(ctx, namespace, api.NamespacePut{})
			return err
		},
		write: func(ctx context.Context, writer int, namespace string, memories []api.MemoryWrite) error {
			_, err := servers[writer%len(servers)].Write(ctx, namespace, memories)
			return err
		},
		search: func(ctx context.Context, word string) (int, error) {
			a, err := servers[0].Search(ctx, api.SearchRequest{Namespaces: []string{crowd}, Query: word, Limit: 20})
			return len(a.Memories), err
		},
	}
}

// bare is what a program has that writes rows into PostgreSQL and nothing else: an
// upsert by id and a search by words, without versions, chain, redaction or rights.
func bare(b *testing.B, url string) contender {
	b.Helper()
	pool, err := pgxpool.New(b.Context(), url)
	if err == nil {
		_, err = pool.Exec(b.Context(), `CREATE TABLE rows (namespace TEXT, id TEXT, at BIGINT, content TEXT, words TSVECTOR, PRIMARY KEY (namespace, id));
			CREATE INDEX ON rows (namespace, at DESC); CREATE INDEX ON rows USING GIN (words)`)
	}
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(pool.Close)
	return contender{
		name: "bare pgx",
		put:  func(context.Context, string) error { return nil },
		write: func(ctx context.Context, _ int, namespace string, memories []api.MemoryWrite) error {
			var ids, contents []string
			for i := range memories {
				ids, contents = append(ids, memories[i].ID), append(contents, memories[i].Content)
			}
			_, err := pool.Exec(ctx, `INSERT INTO rows SELECT $1, r.id, $4, r.content, to_tsvector('simple', r.content)
				FROM unnest($2::text[], $3::text[]) AS r (id, content)
				ON CONFLICT (namespace, id) DO UPDATE SET at = excluded.at, content = excluded.content, words = excluded.words`,
				namespace, ids, contents, time.Now().UnixMilli())
			return err
		},
		search: func(ctx context.Context, word string) (int, error) {
			rows, err := pool.Query(ctx, `SELECT content FROM rows WHERE namespace = $1 AND words @@ to_tsquery('simple', $2)
				ORDER BY at DESC LIMIT 20`, pgx.QueryExecModeExec, crowd, word)
			if err != nil {
				return 0, err
			}
			found, err := pgx.CollectRows(rows, pgx.RowTo[string])
			return len(found), err
		},
	}
}

// field are all contenders: a file, PostgreSQL with one server and with two, and bare
// rows in the same PostgreSQL, which reaches the disk before it says so.
func field(b *testing.B) []contender {
	b.Helper()
	server := postgres.Start(b, "fsync=on", "shared_buffers=512MB", "max_wal_size=4GB")
	url := server.Database()
	opened := func() *pgstore.Store {
		s, err := pgstore.Open(b.Context(), url, pgstore.Options{Now: time.Now, Random: rand.Reader})
		if err != nil {
			b.Fatal(err)
		}
		b.Cleanup(func() { _ = s.Close() })
		return s
	}
	dir := b.TempDir()
	file, err := store.Open(b.Context(), filepath.Join(dir, "memories.db"), store.Options{Now: time.Now, Random: rand.Reader})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = file.Close() })
	one, two, bareURL := opened(), opened(), server.Database()
	all := []contender{stored("SQLite", file), stored("one server", one), stored("two servers", one, two), bare(b, bareURL)}
	all[0].size = func() int64 {
		info, err := os.Stat(filepath.Join(dir, "memories.db"))
		if err != nil {
			b.Fatal(err)
		}
		return info.Size()
	}
	all[1].size, all[3].size = sizeOf(b, url), sizeOf(b, bareURL)
	return all
}

// sizeOf asks how large a database of PostgreSQL is.
func sizeOf(b *testing.B, url string) func() int64 {
	b.Helper()
	return func() (bytes int64) {
		conn, err := pgx.Connect(b.Context(), url)
		if err == nil {
			err = conn.QueryRow(b.Context(), "SELECT pg_database_size(current_database())").Scan(&bytes)
			_ = conn.Close(b.Context())
		}
		if err != nil {
			b.Fatal(err)
		}
		return bytes
	}
}

// speaker makes memories of some forty words, of which a few are frequent and many rare.
type speaker struct {
	maker *sinktest.Maker
	words *mathrand.Zipf
	made  int
}

func newSpeaker() *speaker {
	source := mathrand.New(mathrand.NewPCG(1, 2)) //nolint:gosec // the same words each time
	return &speaker{maker: sinktest.NewMaker(1), words: mathrand.NewZipf(source, 1.1, 8, 50_000)}
}

// word is one as frequent as they are.
func (s *speaker) word() string {
	n := int(min(s.words.Uint64(), math.MaxInt32))
	return s.maker.Word(n%3000) + strconv.Itoa(n/3000)
}

func (s *speaker) take(n int) []api.MemoryWrite {
	all := make([]api.MemoryWrite, n)
	for i := range all {
		said := make([]string, 40)
		for k := range said {
			said[k] = s.word()
		}
		s.made++
		all[i] = api.MemoryWrite{ID: fmt.Sprintf("memory-%d", s.made), Body: api.Body{Kind: "note", Content: strings.Join(said, " "), Origin: api.External}}
	}
	return all
}

// BenchmarkScale fills every contender with MEMSCRIBE_BENCH_MEMORIES memories (20,000),
// and then, in turns, writes and searches in each: sixteen writers, each in a namespace
// of its own, one memory a call and a hundred; all of them in one namespace; and pages
// of twenty by a word among all memories.
func BenchmarkScale(b *testing.B) {
	size := 20_000
	if n, err := strconv.Atoi(os.Getenv("MEMSCRIBE_BENCH_MEMORIES")); err == nil {
		size = n
	}
	all, from := field(b), newSpeaker()
	for _, c := range all {
		for _, name := range namespaces() {
			if err := c.put(b.Context(), name); err != nil {
				b.Fatal(err)
			}
		}
	}
	b.Run("fill", func(b *testing.B) {
		for b.Loop() {
			fill(b, all, from, size)
		}
		b.ReportMetric(0, "ns/op")
	})
	for _, h := range []heat{{"one memory a call", 1, 50, false}, {"a hundred a call", 100, 2, false}, {"one a call, one namespace", 1, 50, true}} {
		b.Run(h.name, func(b *testing.B) {
			for b.Loop() {
				race(b, all, from, h)
			}
			b.ReportMetric(0, "ns/op")
		})
	}
	b.Run("search", func(b *testing.B) {
		for b.Loop() {
			look(b, all, from)
		}
		b.ReportMetric(0, "ns/op")
	})
}

func namespaces() []string {
	all := []string{crowd}
	for i := range writers {
		all = append(all, fmt.Sprint("writer", i))
	}
	return all
}

// fill writes the memories that everything else is done among. Two servers share one
// database.
func fill(b *testing.B, all []contender, from *speaker, size int) {
	b.Helper()
	took := make([]time.Duration, len(all))
	for done := 0; done < size; done += 5000 {
		some := from.take(min(5000, size-done))
		for i, c := range all {
			if c.name == "two servers" {
				continue
			}
			start := time.Now()
			for batch := range slices.Chunk(some, 500) {
				if err := c.write(b.Context(), 0, crowd, slices.Clone(batch)); err != nil {
					b.Fatal(err)
				}
			}
			took[i] += time.Since(start)
		}
	}
	for i, c := range all {
		if took[i] > 0 {
			b.Logf("%-12s filled with %d memories: %.0f a second; %d MB", c.name, size, float64(size)/took[i].Seconds(), c.size()>>20)
		}
	}
}

// heat is one way of writing.
type heat struct {
	name     string
	batch    int // memories a call
	calls    int // of each writer, in a round
	together bool
}

const rounds = 12

// race has all writers write, at each contender in turns.
func race(b *testing.B, all []contender, from *speaker, h heat) {
	b.Helper()
	rates := make([][]float64, len(all))
	for range rounds {
		work := make([][][]api.MemoryWrite, writers)
		for w := range work {
			for range h.calls {
				work[w] = append(work[w], from.take(h.batch))
			}
		}
		for _, i := range mathrand.Perm(len(all)) { // what one has left to the disk must not always fall to the same other
			c := all[i]
			start := time.Now()
			run(b, c, work, h)
			rates[i] = append(rates[i], float64(writers*h.calls*h.batch)/time.Since(start).Seconds())
			for w := range work { // the two servers share a database with the one: nothing is there yet
				for k := range work[w] {
					for m := range work[w][k] {
						work[w][k][m].ID += "x"
					}
				}
			}
		}
	}
	for i, c := range all {
		slices.Sort(rates[i])
		b.Logf("%-12s %.0f memories a second (%.0f–%.0f)", c.name, rates[i][rounds/2], rates[i][0], rates[i][rounds-1])
	}
}

// run is one round of one contender.
func run(b *testing.B, c contender, work [][][]api.MemoryWrite, h heat) {
	b.Helper()
	var all sync.WaitGroup
	for w := range work {
		namespace := fmt.Sprint("writer", w)
		if h.together {
			namespace = crowd
		}
		all.Go(func() {
			for _, batch := range work[w] {
				if err := c.write(b.Context(), w, namespace, slices.Clone(batch)); err != nil {
					b.Error(err)
				}
			}
		})
	}
	all.Wait()
}

// look searches for words as frequent as they are, at each contender in turns.
func look(b *testing.B, all []contender, from *speaker) {
	b.Helper()
	times := make([][]time.Duration, len(all))
	found := make([]int, len(all))
	for range 400 {
		word := from.word()
		for i, c := range all {
			start := time.Now()
			n, err := c.search(b.Context(), word)
			if err != nil {
				b.Fatal(err)
			}
			times[i], found[i] = append(times[i], time.Since(start)), found[i]+n
		}
	}
	for i, c := range all {
		slices.Sort(times[i])
		at := func(percent int) float64 { return float64(times[i][len(times[i])*percent/100].Microseconds()) / 1000 }
		b.Logf("%-12s p50 %.1f ms, p95 %.1f ms, %d found", c.name, at(50), at(95), found[i])
	}
}
