package pgstore_test

import (
	"context"
	"crypto/rand"
	"fmt"
	"log/slog"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/memscribe/memscribe/sink/memdb/api"
	"github.com/memscribe/memscribe/sink/memdb/embed"
	"github.com/memscribe/memscribe/sink/memdb/pgstore"
	"github.com/memscribe/memscribe/sink/memdb/store"
	"github.com/memscribe/memscribe/testkit/postgres"
)

// similar is a gateway whose vectors are hardly apart: many are the same, and others differ by less
// than what the sums of two programs do.
type similar struct{}

// Vectors implements [embed.Gateway].
func (similar) Vectors(_ context.Context, texts []string) (all []embed.Vector, err error) {
	const dims = 48
	for _, text := range texts {
		h := embed.HashOf(text)
		numbers := make([]float64, dims)
		for i := range numbers {
			numbers[i] = 1 + float64(h[i%2]%4)/10 + float64(h[2]%8)*1e-8*float64(i%5)
		}
		v, err := embed.New(numbers)
		if err != nil {
			return nil, err
		}
		all = append(all, v)
	}
	return all, nil
}

// searched is a store in which memories are written and looked for.
type searched interface {
	PutNamespace(ctx context.Context, name string, put api.NamespacePut) (api.Namespace, bool, error)
	Write(ctx context.Context, namespace string, memories []api.MemoryWrite) ([]api.WriteResult, error)
	Forget(ctx context.Context, namespace, id string) error
	Search(ctx context.Context, r api.SearchRequest) (api.SearchResponse, error)
}

// equals writes what is equal in many ways: the same moment, the same words, the same vector, in two
// namespaces by turns; some of it is changed, and some forgotten.
func equals(t *testing.T, s searched) {
	t.Helper()
	const batches, size = 30, 20
	about := []string{"paging", "retries and paging", "colours", "paging, and paging again", "the naïve Straße", "retry-after 3.5"}
	names := []string{"one", "two"}
	for _, n := range names {
		if _, _, err := s.PutNamespace(t.Context(), n, api.NamespacePut{}); err != nil {
			t.Fatal(err)
		}
	}
	write := func(in string, from int, more string) {
		t.Helper()
		var all []api.MemoryWrite
		for i := range size {
			k := from*size + i
			m := note(fmt.Sprint("m", k), about[k%len(about)]+more+strings.Repeat(" filler", k%3*10))
			m[0].ValidAt = time.Date(2026, 1, 1, 0, 0, k/150, 0, time.UTC).Format(time.RFC3339)
			m[0].Tags = []string{fmt.Sprint("t", k%2)}
			all = append(all, m...)
		}
		if _, err := s.Write(t.Context(), in, all); err != nil {
			t.Fatal(err)
		}
	}
	for b := range batches {
		write(names[b%2], b, "")
	}
	for b := 0; b < batches; b += 7 {
		write(names[b%2], b, " changed")
	}
	for k := 0; k < batches*size; k += 41 {
		if err := s.Forget(t.Context(), names[k/size%2], fmt.Sprint("m", k)); err != nil {
			t.Fatal(err)
		}
	}
}

// TestOneOrder has a file, PostgreSQL, and PostgreSQL with pgvector find the same memories in the
// same order, also where vectors, words and times are equal or nearly so.
func TestOneOrder(t *testing.T) {
	server := postgres.Start(t)
	dir := t.TempDir()
	embedder := func() *embed.Embedder {
		return embed.NewEmbedder(embed.Options{Gateway: similar{}, Model: "similar", Required: true, Now: time.Now, Log: slog.New(slog.DiscardHandler)})
	}
	stores := map[string]searched{}
	inFile, err := store.Open(t.Context(), filepath.Join(dir, "m.db"), store.Options{Now: time.Now, Random: rand.Reader, Embedder: embedder()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = inFile.Close() })
	stores["file"] = inFile
	plain, vector := server.Database(), server.Database()
	stores["postgres"] = withEmbedder(t, plain, filepath.Join(dir, "plain"), embedder())
	if hasPGVector(t, vector) {
		server.Exec(strings.TrimPrefix(strings.Split(vector, "?")[0], "postgres://postgres@/"), "CREATE EXTENSION vector")
		stores["pgvector"] = withEmbedder(t, vector, filepath.Join(dir, "vector"), embedder())
	}
	for _, s := range stores {
		equals(t, s)
	}
	both := []string{"one", "two"}
	asked := 0
	for _, namespaces := range [][]string{{"one"}, {"two"}, both} {
		for _, query := range []string{"paging", "retries paging", "straße -changed", "fill*", "something else"} {
			for _, tags := range [][]string{nil, {"t1"}} {
				for _, mode := range []api.Mode{api.ByWords, api.BySense, api.ByHybrid} {
					if mode == api.ByWords && len(namespaces) > 1 {
						continue // within a moment each store has an order of its own
					}
					asked++
					r := api.SearchRequest{Namespaces: namespaces, Query: query, Tags: tags, Mode: mode, Limit: 200}
					want := found(t, inFile, r)
					for name, s := range stores {
						if d := cmp.Diff(want, found(t, s, r)); d != "" {
							t.Errorf("%+v: in a file (-), in %s (+):\n%.600s", r, name, d)
						}
					}
				}
			}
		}
	}
	if asked < 50 || len(found(t, inFile, api.SearchRequest{Namespaces: both, Query: "paging", Mode: api.ByHybrid, Limit: 200})) != 200 {
		t.Errorf("%d questions: nothing was tried", asked)
	}
	if stores["pgvector"] == nil {
		t.Skip("there is no pgvector: install it (packages of PostgreSQL have postgresql-NN-pgvector) to run the rest of this test")
	}
}

// found are the memories of an answer, in its order.
func found(t *testing.T, s searched, r api.SearchRequest) (ids []string) {
	t.Helper()
	a, err := s.Search(t.Context(), r)
	if err != nil {
		t.Fatal(err)
	}
	for i := range a.Memories {
		ids = append(ids, a.Memories[i].Namespace+" "+a.Memories[i].ID)
	}
	return ids
}

// hasPGVector reports whether the server of a database has pgvector.
func hasPGVector(t *testing.T, url string) (there bool) {
	t.Helper()
	if err := connect(t, url).QueryRow(t.Context(), "SELECT EXISTS (SELECT 1 FROM pg_available_extensions WHERE name = 'vector')").Scan(&there); err != nil {
		t.Fatal(err)
	}
	return there
}

// withEmbedder opens a database with vectors.
func withEmbedder(t *testing.T, url, state string, e *embed.Embedder) *pgstore.Store {
	t.Helper()
	o := options(state)
	o.Embedder = e
	s, err := pgstore.Open(t.Context(), url, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}
