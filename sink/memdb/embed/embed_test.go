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

func TestByWords(t *testing.T) {
	memory := func(content string) api.Memory { return api.Memory{Body: api.Body{Content: content}} }
	memories := []api.Memory{
		memory("retry " + strings.Repeat("and other things ", 50)), memory("Retry, and retry once more"), memory("a retry"), memory("one retry"),
	}
	equal(t, "order", embed.ByWords([]int{0, 1, 2, 3}, memories, []string{"RETRY"}), []int{1, 2, 3, 0})
	equal(t, "without words as before", embed.ByWords([]int{0, 1, 2, 3}, memories, nil), []int{0, 1, 2, 3})
}

func TestNearest(t *testing.T) {
	n := embed.Nearest[int]{First: func(a, b int) bool { return a < b }}
	for i := range 3 * embed.Most {
		n.Add(i, float32(i%(2*embed.Most)))
	}
	keys := n.Keys()
	equal(t, "how many", len(keys), embed.Most)
	equal(t, "the nearest", keys[:2], []int{2*embed.Most - 1, 2*embed.Most - 2})
	same := embed.Nearest[int]{First: func(a, b int) bool { return a < b }}
	for i := 2 * embed.Most; i > 0; i-- {
		same.Add(i, 1)
	}
	equal(t, "of equals the first", same.Keys()[:3], []int{1, 2, 3})
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
