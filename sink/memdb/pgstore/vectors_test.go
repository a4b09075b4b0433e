package pgstore_test

import (
	"context"
	crand "crypto/rand"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/memscribe/memscribe/sink/memdb/api"
	"github.com/memscribe/memscribe/sink/memdb/embed"
	"github.com/memscribe/memscribe/sink/memdb/pgstore"
	"github.com/memscribe/memscribe/sink/memdb/store"
	"github.com/memscribe/memscribe/testkit/postgres"
)

// drawn is a gateway whose vectors are drawn, the same for the same text.
type drawn struct{ dims int }

// Vectors implements [embed.Gateway].
func (d drawn) Vectors(_ context.Context, texts []string) (all []embed.Vector, err error) {
	for _, text := range texts {
		h := embed.HashOf(text)
		r := rand.New(rand.NewChaCha8(h))
		numbers := make([]float64, d.dims)
		for i := range numbers {
			numbers[i] = r.NormFloat64()
		}
		v, err := embed.New(numbers)
		if err != nil {
			return nil, err
		}
		all = append(all, v)
	}
	return all, nil
}

// TestPGVector has pgvector compare vectors, and finds what is found without it.
func TestPGVector(t *testing.T) {
	server := postgres.Start(t)
	url := server.Database()
	dir := t.TempDir()
	openWith := func(name string) *pgstore.Store {
		t.Helper()
		return withEmbedder(t, url, filepath.Join(dir, name),
			embed.NewEmbedder(embed.Options{Gateway: drawn{64}, Model: "drawn", Required: true, Now: time.Now, Log: slog.New(slog.DiscardHandler)}))
	}
	without := openWith("without")
	for _, n := range []string{"one", "two"} {
		if _, _, err := without.PutNamespace(t.Context(), n, api.NamespacePut{}); err != nil {
			t.Fatal(err)
		}
		var all []api.MemoryWrite
		for i := range 400 {
			all = append(all, note(fmt.Sprint(n, i), fmt.Sprintf("memory %d of %s, about %s", i, n, []string{"paging", "retries", "colours"}[i%3]))...)
		}
		if _, err := without.Write(t.Context(), n, all); err != nil {
			t.Fatal(err)
		}
	}
	if !hasPGVector(t, url) {
		t.Skip("there is no pgvector: install it (packages of PostgreSQL have postgresql-NN-pgvector) to run this test")
	}
	server.Exec(strings.TrimPrefix(strings.Split(url, "?")[0], "postgres://postgres@/"), "CREATE EXTENSION vector")
	with := openWith("with")
	for i := range 20 {
		r := api.SearchRequest{Namespaces: []string{"one", "two"}, Query: fmt.Sprint("paging ", i), Mode: api.BySense, Limit: 50}
		question, err := drawn{64}.Vectors(t.Context(), []string{r.Query})
		if err != nil {
			t.Fatal(err)
		}
		got, want := scores(t, with, r, question[0]), scores(t, without, r, question[0])
		// It rounds otherwise: of two that are equally near but for that any may be the first.
		if d := cmp.Diff(want, got, cmpopts.EquateApprox(0, 1e-5)); d != "" {
			t.Errorf("question %d: with pgvector (+), without (-):\n%s", i, d)
		}
	}
}

// scores are how near the memories of an answer are to a question.
func scores(t *testing.T, s *pgstore.Store, r api.SearchRequest, question embed.Vector) (all []float32) {
	t.Helper()
	a, err := s.Search(t.Context(), r)
	if err != nil || len(a.Memories) != r.Limit {
		t.Fatalf("%d found, %v", len(a.Memories), err)
	}
	for i := range a.Memories {
		v, err := drawn{64}.Vectors(t.Context(), []string{a.Memories[i].Content})
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, question.Dot(v[0]))
	}
	return all
}

// BenchmarkVectors asks for the nearest of many vectors: in a file, in PostgreSQL, and in
// PostgreSQL with pgvector.
//
//	MEMSCRIBE_BENCH_VECTORS=100000 go test ./sink/memdb/pgstore -run '^$' -bench Vectors -benchtime 20x
func BenchmarkVectors(b *testing.B) {
	many, err := strconv.Atoi(os.Getenv("MEMSCRIBE_BENCH_VECTORS"))
	if err != nil {
		b.Skip("MEMSCRIBE_BENCH_VECTORS says how many")
	}
	const dims = 768
	embedder := func() *embed.Embedder {
		return embed.NewEmbedder(embed.Options{Gateway: drawn{dims}, Model: "drawn", Required: true, Now: time.Now, Log: slog.New(slog.DiscardHandler)})
	}
	server := postgres.Start(b, "shared_buffers=512MB")
	url := server.Database()
	onServer := func() *pgstore.Store {
		s, err := pgstore.Open(b.Context(), url, pgstore.Options{Now: time.Now, Random: crand.Reader, Embedder: embedder()})
		if err != nil {
			b.Fatal(err)
		}
		b.Cleanup(func() { _ = s.Close() })
		return s
	}
	inFile, err := store.Open(b.Context(), filepath.Join(b.TempDir(), "m.db"), store.Options{Now: time.Now, Random: crand.Reader, Embedder: embedder()})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = inFile.Close() })
	plain := onServer()
	for _, s := range []interface {
		PutNamespace(ctx context.Context, name string, put api.NamespacePut) (api.Namespace, bool, error)
		Write(ctx context.Context, namespace string, memories []api.MemoryWrite) ([]api.WriteResult, error)
	}{inFile, plain} {
		if _, _, err := s.PutNamespace(b.Context(), "team", api.NamespacePut{}); err != nil {
			b.Fatal(err)
		}
		for at := 0; at < many; at += 500 {
			var batch []api.MemoryWrite
			for i := at; i < min(at+500, many); i++ {
				batch = append(batch, note(fmt.Sprint(i), fmt.Sprintf("memory %d about %s", i, []string{"paging", "retries", "colours"}[i%3]))...)
			}
			if _, err := s.Write(b.Context(), "team", batch); err != nil {
				b.Fatal(err)
			}
		}
	}
	server.Exec(strings.TrimPrefix(strings.Split(url, "?")[0], "postgres://postgres@/"), "CREATE EXTENSION IF NOT EXISTS vector")
	for name, s := range map[string]interface {
		Search(ctx context.Context, r api.SearchRequest) (api.SearchResponse, error)
	}{"file": inFile, "postgres": plain, "pgvector": onServer()} {
		for _, mode := range []api.Mode{api.BySense, api.ByHybrid} {
			b.Run(name+"/"+string(mode), func(b *testing.B) {
				n := 0
				for b.Loop() {
					n++
					if _, err := s.Search(b.Context(), api.SearchRequest{Namespaces: []string{"team"}, Query: fmt.Sprint("paging ", n), Mode: mode}); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
