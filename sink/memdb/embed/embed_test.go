package embed_test

import (
	"context"
	"errors"
	"log/slog"
	"math"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/memscribe/memscribe/sink/memdb/api"
	"github.com/memscribe/memscribe/sink/memdb/embed"
	"github.com/memscribe/memscribe/sink/memdb/record"
)

func equal[T any](t *testing.T, what string, got, want T) {
	t.Helper()
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("%s (-want +got):\n%s", what, d)
	}
}

func TestVector(t *testing.T) {
	v, err := embed.New([]float64{3, 4, 0, 0, 0})
	if err != nil {
		t.Fatal(err)
	}
	equal(t, "length one", v, embed.Vector{0.6, 0.8, 0, 0, 0})
	equal(t, "read back", embed.FromBytes(v.Bytes(), nil), v)
	equal(t, "no vector", embed.FromBytes([]byte{1, 2, 3}, nil), nil)
	w, err := embed.New([]float64{4, 3, 0, 0, 0})
	if err != nil {
		t.Fatal(err)
	}
	if near := v.Dot(w); math.Abs(float64(near)-0.96) > 1e-6 {
		t.Errorf("their angle has the cosine %v, want 0.96", near)
	}
	for name, numbers := range map[string][]float64{
		"nothing": nil, "zeros": {0, 0}, "not a number": {1, math.NaN()}, "infinite": {math.Inf(1), 1}, "too large together": {1e300, 1e300},
		"too many": make([]float64, embed.MaxDims+1),
	} {
		if v, err := embed.New(numbers); err == nil {
			t.Errorf("%s makes %v", name, v[:1])
		}
	}
}

func TestText(t *testing.T) {
	long := strings.Repeat("é", 8<<10)
	if text := embed.Text(long); len(text) > 8<<10 || len(text) < 8<<10-4 || !strings.HasPrefix(long, text) {
		t.Errorf("%d bytes", len(text))
	}
	equal(t, "the same beginning", embed.HashOf(long), embed.HashOf(long+"x"))
}

func TestFuse(t *testing.T) {
	equal(t, "both before one", embed.Fuse([]string{"a", "b", "c"}, []string{"b", "d"}), []string{"b", "a", "d", "c"})
	equal(t, "one list", embed.Fuse([]int{3, 1}, nil), []int{3, 1})
	equal(t, "none", embed.Fuse[int](), nil)
}

// at is a candidate of a namespace.
func at(namespace string, seq, valid int64) embed.Candidate {
	return embed.Candidate{Place: embed.Place{Namespace: namespace, Seq: seq}, Valid: valid}
}

// seqs are the entries of some places.
func seqs(places []embed.Place) (all []int64) {
	for _, p := range places {
		all = append(all, p.Seq)
	}
	return all
}

// stored is the record of a memory as stores keep it.
func stored(t *testing.T, content string) []byte {
	t.Helper()
	const moment = "2026-01-01T00:00:00Z"
	r, err := record.New(&api.Memory{
		ID: "x", Namespace: "a", Body: api.Body{Kind: "note", Content: content, Origin: api.Internal, ValidAt: moment}, Trust: api.Trusted, TransactionAt: moment,
	})
	if err != nil {
		t.Fatal(err)
	}
	return r.JSON
}

func TestWorded(t *testing.T) {
	contents := []string{"retry " + strings.Repeat("and other things ", 50), "Retry, and retry once more", "a retry", "one retry"}
	order := func(query string) []int64 {
		w := embed.NewWorded(&api.SearchRequest{Namespaces: []string{"a"}, Query: query})
		for i, text := range contents {
			equal(t, text, w.Take(at("a", int64(9-i), 1), stored(t, text)), record.Added)
		}
		return seqs(w.Places())
	}
	equal(t, "order", order("RETRY"), []int64{8, 7, 6, 9})
	equal(t, "without words the latest first", order(""), []int64{9, 8, 7, 6})

	all := embed.NewWorded(&api.SearchRequest{Namespaces: []string{"a", "b"}})
	for _, name := range []string{"a", "b"} {
		one := embed.NewWorded(&api.SearchRequest{Namespaces: []string{"a"}})
		for i := range int64(embed.Most) {
			one.Take(at(name, i, embed.Most-i), stored(t, "x"))
		}
		equal(t, "no room", one.Take(at(name, 0, 0), stored(t, "x")), record.Full)
		all.Join(one)
	}
	joined := all.Places()
	equal(t, "how many", len(joined), embed.Most)
	equal(t, "of two namespaces by turns", joined[:3], []embed.Place{{Namespace: "b"}, {Namespace: "a"}, {Namespace: "b", Seq: 1}})
}

func TestNearest(t *testing.T) {
	var n embed.Nearest
	for i := range 3 * embed.Most {
		n.Add(at("a", int64(i), 0), float32(i%(2*embed.Most)))
	}
	keys := seqs(n.Places())
	equal(t, "how many", len(keys), embed.Most)
	equal(t, "the nearest", keys[:2], []int64{2*embed.Most - 1, 2*embed.Most - 2})
	var same embed.Nearest
	for i := range int64(embed.Most) {
		same.Add(at("a", i, i%7), 1)
		same.Add(at("b", i, 0), 1)
	}
	equal(t, "of equals the latest", same.Places()[:2], []embed.Place{{Namespace: "a", Seq: 195}, {Namespace: "a", Seq: 188}})
	equal(t, "then by namespace", same.Places()[embed.Most-1].Namespace, "b")
}

// gateway is one that can be away. It gives each text a vector of its own.
type gateway struct {
	away  atomic.Bool
	asked atomic.Int64
}

func (g *gateway) Vectors(ctx context.Context, texts []string) (all []embed.Vector, err error) {
	g.asked.Add(1)
	if g.away.Load() {
		<-ctx.Done()
		return nil, ctx.Err()
	}
	for _, text := range texts {
		v, err := embed.New([]float64{1, float64(len(text))})
		if err != nil {
			return nil, err
		}
		all = append(all, v)
	}
	return all, nil
}

func none(context.Context, []embed.Hash) (map[embed.Hash]embed.Vector, error) { return nil, nil }

// TestCanceled has the caller go away while the gateway is asked: that is not the
// gateway's fault, and it is asked by the next caller.
func TestCanceled(t *testing.T) {
	g := &gateway{}
	g.away.Store(true)
	e := embed.NewEmbedder(embed.Options{Gateway: g, Model: "m", Now: time.Now, Log: slog.New(slog.DiscardHandler)})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := e.Vectors(ctx, "team", []string{"a"}, none); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	g.away.Store(false)
	made, err := e.Vectors(t.Context(), "team", []string{"a", "b", "a"}, none)
	if err != nil || len(made) != 2 || made[embed.HashOf("a")] == nil {
		t.Errorf("%v, %v", made, err)
	}
	before := g.asked.Load()
	if _, err = e.Vectors(t.Context(), "team", []string{"b"}, none); err != nil || g.asked.Load() != before {
		t.Errorf("what is remembered was asked for, %v", err)
	}
	if _, err = e.Vectors(t.Context(), "another", []string{"b"}, none); err != nil || g.asked.Load() != before+1 {
		t.Errorf("a namespace knows what another one has, %v", err)
	}
}

// shelf is a store of memories without vectors.
type shelf struct {
	lacking []embed.Lacking
	filled  chan embed.Filled
}

func (s *shelf) Lacking(_ context.Context, _ string, after embed.Place, most int) (all []embed.Lacking, err error) {
	for _, l := range s.lacking {
		if l.Seq > after.Seq && len(all) < most {
			all = append(all, l)
		}
	}
	return all, nil
}

func (s *shelf) Fill(_ context.Context, _ string, filled []embed.Filled) error {
	for _, f := range filled {
		s.filled <- f
	}
	return nil
}

// TestKeepFilling fills in more than is asked for at once, and ends when it shall.
func TestKeepFilling(t *testing.T) {
	const many = 150
	s := &shelf{filled: make(chan embed.Filled)}
	for i := range many {
		s.lacking = append(s.lacking, embed.Lacking{Place: embed.Place{Namespace: "team", Seq: int64(i + 1)}, Content: "x"})
	}
	e := embed.NewEmbedder(embed.Options{Gateway: &gateway{}, Model: "m", Now: time.Now, Log: slog.New(slog.DiscardHandler), Pause: time.Millisecond})
	end := e.Start(t.Context(), s)
	for i := range many {
		if f := <-s.filled; f.Seq != int64(i+1) || f.Hash != embed.HashOf("x") {
			t.Fatalf("%d is filled with %+v", i, f)
		}
	}
	end()
	var without *embed.Embedder
	without.Start(t.Context(), s)()
}
