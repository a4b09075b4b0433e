package sqlite_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/internal/sink"
	"github.com/memscribe/memscribe/sink/sinktest"
	"github.com/memscribe/memscribe/sink/sqlite"
)

// spoken are the words that a node should be found by.
func spoken(doc []byte) []string {
	var n struct {
		Node, Text, Epitome, Path string
		Options                   []struct{ Text string } `json:"considered_options"`
	}
	if err := json.Unmarshal(doc, &n); err != nil {
		return []string{err.Error()}
	}
	text := n.Text + " " + n.Epitome
	if n.Node == "episode" {
		text = n.Path
	}
	for _, o := range n.Options {
		text += " " + o.Text
	}
	return strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return (r < 'a' || r > 'z') && (r < '0' || r > '9') })
}

// checkWords holds the index of words against the words of the nodes: the whole
// of what it holds, and what is found by some of them.
func checkWords(t *testing.T, dir string, lines []sink.Line) {
	t.Helper()
	last := map[string]sink.Line{}
	for _, l := range lines {
		last[l.ID] = l
	}
	want := map[string][]string{} // ids by word
	for id, l := range last {
		for _, w := range spoken(l.JSON) {
			want[w] = append(want[w], id)
		}
	}
	for w := range want {
		slices.Sort(want[w])
		want[w] = slices.Compact(want[w])
	}
	db := connect(t, file(dir), "")
	db.SetMaxOpenConns(1)
	if _, err := db.ExecContext(t.Context(), "CREATE VIRTUAL TABLE temp.words USING fts5vocab(main, search, instance)"); err != nil {
		t.Fatal(err)
	}
	has := map[string][]string{}
	for _, entry := range query[string](t, db, `SELECT DISTINCT term || ' ' || coalesce(id, 'node ' || doc || ', which is not there')
		FROM words LEFT JOIN nodes ON n = doc WHERE col <> 'scope' ORDER BY id`) {
		word, id, _ := strings.Cut(entry, " ")
		has[word] = append(has[word], id)
	}
	if diff := cmp.Diff(want, has); diff != "" {
		t.Fatalf("(-has it +found):\n%s", diff)
	}
	words := slices.Sorted(maps.Keys(want))
	for i := 0; i < len(words); i += 1 + len(words)/15 {
		found := query[string](t, db, "SELECT id FROM search JOIN nodes ON n = search.rowid WHERE search MATCH ? ORDER BY id", `{text path} : "`+words[i]+`"`)
		if diff := cmp.Diff(want[words[i]], found); diff != "" {
			t.Fatalf("%s (-has it +found):\n%s", words[i], diff)
		}
	}
	if _, err := db.ExecContext(t.Context(), "INSERT INTO search (search) VALUES ('integrity-check')"); err != nil {
		t.Error(err)
	}
	if left := query[int](t, db, "SELECT count(*) FROM pending"); left[0] != 0 {
		t.Errorf("%d ranges are still pending", left[0])
	}
	known := query[int](t, db, "SELECT count(*) FROM search_docsize WHERE id NOT IN (SELECT n FROM nodes)")
	if known[0] != 0 {
		t.Errorf("the index knows %d nodes that are not there", known[0])
	}
	if err := db.Close(); err != nil {
		t.Error(err)
	}
}

// changing makes lines and, later, other lines of the same ids.
func changing(rng *rand.Rand, n int) []sink.Line {
	var lines []sink.Line
	for i := range n {
		d := decision("s", uint64(i), fmt.Sprintf("2026-01-%02dT00:00:%02dZ", 1+i%28, i%60), "")
		d.ID = fmt.Sprintf("decision:%032d", rng.IntN(n/2))
		epitome := fmt.Sprintf("use %s over %s", colour(rng), colour(rng))
		switch d.Body = (&core.Decision{Epitome: core.Whole(epitome)}); rng.IntN(8) {
		case 0:
			d.Body = &core.Decision{} // without words
		case 1:
			d.Time = core.Time{}
		}
		lines = append(lines, sinktest.Line(d))
	}
	return lines
}

func colour(rng *rand.Rand) string {
	return []string{"red", "green", "blue", "black", "white", "grey", "pink"}[rng.IntN(7)]
}

func TestWords(t *testing.T) {
	t.Parallel()
	for _, o := range []sqlite.Options{{}, {Bulk: true}} {
		t.Run(fmt.Sprintf("bulk %v", o.Bulk), func(t *testing.T) {
			dir := t.TempDir()
			s := open(t, dir, o)
			lines := slices.Concat(sinktest.NewMaker(1).Take(share(240, 500)), changing(rand.New(rand.NewPCG(1, 1)), share(180, 400)))
			for i, part := range slices.Collect(slices.Chunk(lines, 60)) {
				apply(t, s, part...)
				if i%3 != 2 {
					continue
				}
				if err := s.Flush(t.Context()); err != nil {
					t.Fatal(err)
				}
				checkWords(t, dir, lines[:min(len(lines), (i+1)*60)])
			}
			if err := s.Close(); err != nil {
				t.Fatal(err)
			}
			checkWords(t, dir, lines)
		})
	}
}

// TestLargePieces gathers more than a piece of words holds.
func TestLargePieces(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := open(t, dir, sqlite.Options{Bulk: true, SearchBytes: 1 << 20})
	sqlite.SetPiece(s, 160_000)
	var lines []sink.Line
	filler := strings.Repeat(strings.Repeat("filler", 10)+" ", 7_000/61) // long words: it is bytes that count
	for i := range 26 {
		n := decision("s", uint64(i), "2026-01-01T00:00:00Z", fmt.Sprintf("only%d ", i)+filler)
		lines = append(lines, sinktest.Line(n))
		apply(t, s, lines[i])
	}
	if found := ask[int](t, dir, "SELECT count(*) FROM search_docsize"); found[0] == 0 || found[0] == len(lines) {
		t.Errorf("%d of %d are in the index before the flush; want some", found[0], len(lines))
	}
	if err := s.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	found := ask[string](t, dir, "SELECT id FROM search JOIN nodes ON n = search.rowid WHERE search MATCH 'only*' ORDER BY id")
	var ids []string
	for _, l := range lines {
		ids = append(ids, l.ID)
	}
	slices.Sort(ids)
	if diff := cmp.Diff(ids, found); diff != "" {
		t.Errorf("(-there +found):\n%s", diff)
	}
	if set := ask[int](t, dir, "SELECT v FROM search_config WHERE k IN ('hashsize', 'automerge') ORDER BY v"); !slices.Equal(set, []int{4, 1 << 20}) {
		t.Errorf("settings are left at %v", set)
	}
}

// TestAbandoned leaves a backfill without its words in the index, as a kill
// does, and lets others complete it.
func TestAbandoned(t *testing.T) {
	dir := t.TempDir()
	lines := slices.Concat(sinktest.NewMaker(1).Take(300), changing(rand.New(rand.NewPCG(2, 1)), 300))
	abandon := func(lines []sink.Line) {
		s := open(t, dir, sqlite.Options{Bulk: true})
		for part := range slices.Chunk(lines, 100) {
			apply(t, s, part...)
		}
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if err := s.Flush(ctx); !errors.Is(err, context.Canceled) {
			t.Fatalf("got %v, want that it was cancelled", err)
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
	}
	abandon(lines[:400])
	abandon(lines[400:])
	if left := ask[int](t, dir, "SELECT count(*) FROM pending"); left[0] == 0 {
		t.Error("a cancelled flush builds the index when it is closed")
	}
	s := open(t, dir, sqlite.Options{})
	lines = append(lines, changing(rand.New(rand.NewPCG(3, 1)), 300)...)
	apply(t, s, lines[600:]...)
	if err := s.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	checkWords(t, dir, lines)
}

// TestTwoWriters has a backfill and a watch deliver the same lines.
func TestTwoWriters(t *testing.T) {
	dir := t.TempDir()
	bulk, live := open(t, dir, sqlite.Options{Bulk: true}), open(t, dir, sqlite.Options{})
	lines := slices.Concat(sinktest.NewMaker(1).Take(300), changing(rand.New(rand.NewPCG(2, 1)), 300))
	rng := rand.New(rand.NewPCG(7, 7))
	var in []sink.Line
	for part := range slices.Chunk(lines, 30) {
		writers := []*sqlite.Sink{bulk, live}
		rng.Shuffle(2, func(i, j int) { writers[i], writers[j] = writers[j], writers[i] })
		apply(t, writers[0], part...)
		apply(t, writers[1], part[:20]...)
		in = append(append(in, part...), part[:20]...)
		if err := writers[rng.IntN(2)].Flush(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(live.Close(), bulk.Close()); err != nil {
		t.Fatal(err)
	}
	checkWords(t, dir, in)
	sinktest.Same(t, slices.Sorted(slices.Values(ask[string](t, dir, "SELECT json FROM nodes"))), sinktest.Fold(in))
}

// TestCap cuts off what is not to be found.
func TestCap(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir, sqlite.Options{SearchBytes: 30})
	apply(t, s, sinktest.Line(decision("s", 1, "2026-01-01T00:00:00Z", "early words are found, and later ones are not")))
	for word, want := range map[string]int{"early": 1, "found": 1, "later": 0, "lat": 0, "not": 0} {
		if got := ask[int](t, dir, "SELECT count(*) FROM search WHERE search MATCH ?", word); got[0] != want {
			t.Errorf("%s: found %d times, want %d", word, got[0], want)
		}
	}
}
