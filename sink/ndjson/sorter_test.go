package ndjson_test

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"testing"

	"github.com/memscribe/memscribe/internal/sink"
	"github.com/memscribe/memscribe/sink/ndjson"
)

// TestManyLines sorts more lines than are sorted in memory at a time, many of which
// are there again later: each id comes once, with its last line, in its last place.
func TestManyLines(t *testing.T) {
	tmp := t.TempDir()
	t.Setenv("TMPDIR", tmp)
	t.Setenv("TMP", tmp)
	const n, ids = 200_000, 150_000
	random := rand.New(rand.NewPCG(1, 2))
	var out bytes.Buffer
	s := ndjson.NewSorted(&out)
	last := map[string]sink.Line{}
	for i := range n {
		id := fmt.Sprintf("decision:%032x", random.IntN(ids)*7919)
		l := sink.Line{ID: id, Kind: "decision", Source: "x", Session: fmt.Sprint(random.IntN(3)), Seq: random.Uint64N(1000)}
		l.JSON = fmt.Appendf(nil, `{"id":%q,"n":%d}`, id, i)
		last[id] = l
		if err := s.Apply(context.Background(), []sink.Line{l}); err != nil {
			t.Fatal(err)
		}
	}
	want := make([]sink.Line, 0, len(last))
	for _, l := range last {
		want = append(want, l)
	}
	slices.SortFunc(want, func(a, b sink.Line) int {
		return cmp.Or(cmp.Compare(a.Session, b.Session), cmp.Compare(a.Seq, b.Seq), cmp.Compare(a.ID, b.ID))
	})
	if err := s.Flush(context.Background()); err != nil {
		t.Fatal(err)
	}
	lines := bytes.Split(bytes.TrimSpace(out.Bytes()), []byte("\n"))
	if len(lines) != len(want) {
		t.Fatalf("%d lines, want %d", len(lines), len(want))
	}
	for i, l := range want {
		if !bytes.Equal(lines[i], l.JSON) {
			t.Fatalf("line %d is %s, want %s", i, lines[i], l.JSON)
		}
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	if left, err := os.ReadDir(os.TempDir()); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v (%v)", left, err)
	}
}
