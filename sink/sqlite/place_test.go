package sqlite_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/internal/nodedb/schema"
	"github.com/memscribe/memscribe/internal/sink"
	"github.com/memscribe/memscribe/sink/sinktest"
	"github.com/memscribe/memscribe/sink/sqlite"
)

// TestNewestFirst wants numbers in the order of time, with the unknown first.
func TestNewestFirst(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir, sqlite.Options{})
	times := []string{
		"2026-01-01T00:00:00Z", "", "1970-01-01T00:00:00Z", "2026-01-01T00:00:00.001Z", "9999-12-31T23:59:59.999Z", "2025-12-31T23:59:59.9999Z", "1970-01-01T00:00:00.001Z",
	}
	for i, at := range times {
		apply(t, s, sinktest.Line(decision("s", uint64(i), at, fmt.Sprint(i))))
	}
	got := ask[string](t, dir, "SELECT coalesce(timestamp, '') FROM nodes ORDER BY n")
	want := []string{
		"", "1970-01-01T00:00:00Z", "1970-01-01T00:00:00.001Z", "2025-12-31T23:59:59.9999Z", "2026-01-01T00:00:00Z", "2026-01-01T00:00:00.001Z", "9999-12-31T23:59:59.999Z",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestCrowd stores many nodes of one moment, and of none, and again.
func TestCrowd(t *testing.T) {
	t.Parallel()
	many := share(400, 1500)
	dir := t.TempDir()
	s := open(t, dir, sqlite.Options{})
	var lines []sink.Line
	for i := range many {
		lines = append(lines,
			sinktest.Line(decision("timed", uint64(i), "2026-01-01T00:00:00Z", fmt.Sprint(i))),
			sinktest.Line(decision("untimed", uint64(i), "", fmt.Sprint(i))))
	}
	for part := range slices.Chunk(lines, 500) {
		apply(t, s, part...)
	}
	before := ask[string](t, dir, "SELECT n || id FROM nodes ORDER BY n")
	if len(before) != len(lines) {
		t.Fatalf("%d nodes, want %d", len(before), len(lines))
	}
	slices.Reverse(lines)
	apply(t, s, lines...)
	if diff := cmp.Diff(before, ask[string](t, dir, "SELECT n || id FROM nodes ORDER BY n")); diff != "" {
		t.Errorf("redelivery moves nodes (-before +after):\n%s", diff)
	}
	if far := ask[int](t, dir, "SELECT count(*) FROM nodes WHERE session = 'timed' AND abs((n >> 6) - 1767225600000) > 1000"); far[0] > 0 {
		t.Errorf("%d nodes are more than a second from where they belong", far[0])
	}
	order := ask[int](t, dir, "SELECT seq FROM nodes WHERE session = 'untimed' ORDER BY n")
	if !slices.IsSorted(order) {
		t.Error("nodes without a time are not in the order of their session")
	}
}

// TestCrowdFilledUp stores nodes of one moment, by a new sink each time that knows nothing
// of the run before: each gets the number after the last.
func TestCrowdFilledUp(t *testing.T) {
	dir := t.TempDir()
	seq := uint64(0)
	for _, many := range []int{1, 1, 1, 5, 60, 1, 1, 200, 1} {
		s := open(t, dir, sqlite.Options{})
		var lines []sink.Line
		for range many {
			lines = append(lines, sinktest.Line(decision("s", seq, "2026-01-01T00:00:00Z", fmt.Sprint(seq))))
			seq++
		}
		apply(t, s, lines...)
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if holes := ask[int](t, dir, "SELECT max(n) - min(n) + 1 - count(*) FROM nodes"); holes[0] != 0 {
		t.Errorf("%d numbers in the run are free", holes[0])
	}
	if order := ask[int](t, dir, "SELECT seq FROM nodes ORDER BY n"); !slices.IsSorted(order) {
		t.Error("the nodes are not in the order of coming")
	}
}

// TestSameMoment wants what came in one millisecond in the order of coming.
func TestSameMoment(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir, sqlite.Options{})
	var lines []sink.Line
	for seq := range 10 {
		for k := range 3 {
			lines = append(lines, sinktest.Line(decision("s", uint64(seq), "2026-01-01T00:00:00Z", fmt.Sprint(k))))
		}
	}
	apply(t, s, lines...)
	var want []string
	for _, l := range lines {
		want = append(want, l.ID)
	}
	if diff := cmp.Diff(want, ask[string](t, dir, "SELECT id FROM nodes ORDER BY n")); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestMoves gives a node another time, and back, into places that are taken.
func TestMoves(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir, sqlite.Options{})
	a, b := decision("s", 1, "2026-01-01T00:00:00Z", "alpha"), decision("s", 1, "2026-02-01T00:00:00Z", "beta")
	apply(t, s, sinktest.Line(a), sinktest.Line(b))
	for _, at := range []string{"2026-02-01T00:00:00Z", "2026-03-01T00:00:00Z", "", "2026-01-01T00:00:00Z"} {
		a.Time = core.ParseTime(at)
		apply(t, s, sinktest.Line(a))
		got := ask[string](t, dir, "SELECT coalesce(timestamp, '') || ' ' || (n >> 6) FROM search JOIN nodes ON n = search.rowid WHERE search MATCH 'alpha'")
		want := []string{at + " " + fmt.Sprint(milli(at))}
		if at == "" {
			want[0] = ""
			got[0] = got[0][:0]
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", at, diff)
		}
	}
	if n := ask[int](t, dir, "SELECT count(*) FROM nodes"); n[0] != 2 {
		t.Errorf("%d nodes, want 2", n[0])
	}
	checkWords(t, dir, []sink.Line{sinktest.Line(a), sinktest.Line(b)})
}

func milli(at string) int64 {
	ms, _ := schema.Millis(at)
	return ms
}
