package sqlite_test

import (
	"encoding/json"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/internal/nodedb"
	"github.com/memscribe/memscribe/internal/nodedb/lists"
	"github.com/memscribe/memscribe/internal/nodedb/schema"
	"github.com/memscribe/memscribe/internal/sink"
	"github.com/memscribe/memscribe/sink/sinktest"
	"github.com/memscribe/memscribe/sink/sqlite"
)

// since are the lines that a database with a horizon keeps: nodes that are not
// older, and bindings of which both ends are there.
func since(t *testing.T, lines []sink.Line, h schema.Horizon) []sink.Line {
	t.Helper()
	type node struct {
		Node, ID, From, To string
		Timestamp          time.Time
	}
	begin := map[string]time.Time{"conversation": h.Conversations, "decision": h.Decisions, "episode": h.Edits}
	there := map[string]bool{}
	read := func(l sink.Line) (n node) {
		if err := json.Unmarshal(l.JSON, &n); err != nil {
			t.Fatal(err)
		}
		return n
	}
	for _, l := range lines {
		if n := read(l); n.Node != "binding" && !n.Timestamp.Before(begin[n.Node]) {
			there[n.ID] = true
		}
	}
	return slices.DeleteFunc(slices.Clone(lines), func(l sink.Line) bool {
		n := read(l)
		if n.Node == "binding" {
			return !there[n.From] || !there[n.To]
		}
		return !there[n.ID]
	})
}

// at is the time of a line.
func at(t *testing.T, l sink.Line) time.Time {
	t.Helper()
	var n struct{ Timestamp time.Time }
	if err := json.Unmarshal(l.JSON, &n); err != nil {
		t.Fatal(err)
	}
	return n.Timestamp
}

// TestPrune lets nodes go while others come, come again and change, in another
// order: what is there in the end is what a horizon keeps of all of them, and
// can be found and is counted, however that came about.
func TestPrune(t *testing.T) {
	t.Parallel()
	for seed := range uint64(2) {
		rng := rand.New(rand.NewPCG(seed, 5))
		lines := sinktest.NewMaker(seed).Take(400)
		var h schema.Horizon
		dir := t.TempDir()
		options := []sqlite.Options{{}, {Bulk: true}}
		s := open(t, dir, options[seed%2])
		for range 6 {
			part := slices.Clone(lines[:100+rng.IntN(300)])
			rng.Shuffle(len(part), func(i, j int) { part[i], part[j] = part[j], part[i] })
			for some := range slices.Chunk(part, 70) {
				apply(t, s, some...)
			}
			if rng.IntN(2) == 0 { // another process does it
				prune(t, open(t, dir, sqlite.Options{}), &h, rng, lines)
			} else {
				prune(t, s, &h, rng, lines)
			}
		}
		apply(t, s, lines...)
		if err := s.Flush(t.Context()); err != nil {
			t.Fatal(err)
		}
		kept := since(t, lines, h)
		if len(kept) == 0 || len(kept) == len(lines) {
			t.Fatalf("%d of %d lines are kept: that shows nothing", len(kept), len(lines))
		}
		checkStored(t, dir, kept)
		counted := ask[int](t, dir, "SELECT coalesce(sum(conversations + decisions + episodes + bindings), 0) FROM tally")
		if counted[0] != len(kept) {
			t.Errorf("seed %d: %d nodes are counted of %d", seed, counted[0], len(kept))
		}
		checkTallies(t, dir)
	}
}

// prune moves one of the moments of a horizon forward, or tries to move it back.
func prune(t *testing.T, s *sqlite.Sink, h *schema.Horizon, rng *rand.Rand, lines []sink.Line) {
	t.Helper()
	moment := at(t, lines[rng.IntN(len(lines)*3/4)])
	var wanted schema.Horizon
	for i, m := range []*time.Time{&wanted.Conversations, &wanted.Decisions, &wanted.Edits} {
		if rng.IntN(2) == 0 {
			continue
		}
		*m = moment
		if is := []*time.Time{&h.Conversations, &h.Decisions, &h.Edits}[i]; moment.After(*is) {
			*is = moment
		}
	}
	if _, err := s.Prune(t.Context(), wanted); err != nil {
		t.Fatal(err)
	}
	apply(t, s, lines[rng.IntN(len(lines)):]...)
}

// TestPruneCounts wants to be told what went, once.
func TestPruneCounts(t *testing.T) {
	t.Parallel()
	lines := sinktest.NewMaker(9).Take(400)
	dir := t.TempDir()
	s := open(t, dir, sqlite.Options{})
	apply(t, s, lines...)
	h := schema.Horizon{Conversations: at(t, lines[200]), Edits: at(t, lines[100])}
	r, err := nodedb.Open(t.Context(), file(dir))
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	older, err := lists.Older(t.Context(), r, h)
	if err != nil {
		t.Fatal(err)
	}
	p, err := s.Prune(t.Context(), h)
	if err != nil {
		t.Fatal(err)
	}
	if p != older {
		t.Errorf("%+v went, and %+v were to go", p, older)
	}
	if gone := len(lines) - len(since(t, lines, h)); p.Nodes() != int64(gone) || p.Decisions != 0 || p.Conversations == 0 || p.Edits == 0 || p.Bindings == 0 {
		t.Errorf("got %+v, want %d nodes and no decision", p, gone)
	}
	if p, err = s.Prune(t.Context(), h); err != nil || p.Nodes() != 0 {
		t.Errorf("again: %+v, %v", p, err)
	}
	before := s.LeftOut()
	apply(t, s, lines...)
	if left := s.LeftOut() - before; left != int64(len(lines)-len(since(t, lines, h))) {
		t.Errorf("%d lines were left out", left)
	}
	kept := map[string]bool{}
	for _, l := range since(t, lines, h) {
		kept[l.ID] = true
	}
	for _, l := range lines {
		if keeps, err := sqlite.Keeps(h, l.JSON); err != nil || keeps != kept[l.ID] {
			t.Fatalf("keeps %v, want %v, %v: %s", keeps, kept[l.ID], err, l.JSON)
		}
	}
	if got, err := lists.Horizon(t.Context(), r); err != nil || !got.Conversations.Equal(h.Conversations) || !got.Edits.Equal(h.Edits) || !got.Decisions.IsZero() {
		t.Errorf("the horizon is %v, %v", got, err)
	}
}

// TestPruneMark holds the database to knowing itself again after what was applied
// last was left out.
func TestPruneMark(t *testing.T) {
	t.Parallel()
	lines := sinktest.NewMaker(9).Take(200)
	s := open(t, t.TempDir(), sqlite.Options{})
	apply(t, s, lines...)
	if _, err := s.Prune(t.Context(), schema.Horizon{Conversations: at(t, lines[150]), Decisions: at(t, lines[150]), Edits: at(t, lines[150])}); err != nil {
		t.Fatal(err)
	}
	apply(t, s, lines[:20]...)
	if mark := s.Mark(); !s.Holds(mark) {
		t.Errorf("it does not hold %q", mark)
	}
}

// TestPruneErases looks for words of what went in the bytes of the files.
func TestPruneErases(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := open(t, dir, sqlite.Options{})
	var lines []sink.Line
	for i := range 40 {
		day := time.Date(2026, 1, 1+i, 12, 0, 0, 0, time.UTC)
		word := "oldest"
		if i >= 20 {
			word = "newest"
		}
		lines = append(lines, sinktest.Line(decision("s", uint64(i), day.Format(time.RFC3339), "Use "+word+strings.Repeat("z", 2000)+".")))
	}
	for _, l := range lines {
		apply(t, s, l)
	}
	p, err := s.Prune(t.Context(), schema.Horizon{Decisions: at(t, lines[20])})
	if err != nil || p.Decisions != 20 {
		t.Fatalf("%+v, %v", p, err)
	}
	before := fileSize(t, dir)
	if err := s.Shrink(t.Context()); err != nil {
		t.Fatal(err)
	}
	if after := fileSize(t, dir); after >= before {
		t.Errorf("%d bytes before and %d after", before, after)
	}
	if content := string(read(t, file(dir))); strings.Contains(content, "oldest") || !strings.Contains(content, "newest") {
		t.Error("the file has what went, or has not what stays")
	}
	if log, err := os.ReadFile(file(dir) + "-wal"); err == nil && strings.Contains(string(log), "oldest") {
		t.Error("the log has what went")
	}
	checkStored(t, dir, lines[20:])
}

func fileSize(t *testing.T, dir string) (n int64) {
	t.Helper()
	for _, name := range []string{"nodes.db", "nodes.db-wal"} {
		if info, err := os.Stat(filepath.Join(filepath.Dir(file(dir)), name)); err == nil {
			n += info.Size()
		}
	}
	return n
}

// TestReadmit wants what went to be taken in again, and a node without a time to
// have stayed.
func TestReadmit(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := open(t, dir, sqlite.Options{})
	untimed := decision("s", 2, "2026-01-01T00:00:00Z", "Use UUIDs.")
	untimed.Time = core.Time{}
	lines := []sink.Line{sinktest.Line(decision("s", 1, "2026-01-01T00:00:00Z", "Use YAML.")), sinktest.Line(untimed)}
	apply(t, s, lines...)
	if _, err := s.Prune(t.Context(), schema.Horizon{Decisions: time.Date(2026, 2, 1, 0, 0, 0, 0, time.UTC)}); err != nil {
		t.Fatal(err)
	}
	apply(t, s, lines...)
	checkStored(t, dir, lines[1:])
	if err := s.Readmit(t.Context()); err != nil {
		t.Fatal(err)
	}
	checkStored(t, dir, lines[1:])
	apply(t, s, lines...)
	checkStored(t, dir, lines)
}
