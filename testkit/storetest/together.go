package storetest

import (
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/memscribe/memscribe/sink/memdb/api"
)

// testTogether writes and searches from many sides at once, in two stores on one
// file.
func testTogether(t *testing.T, s Suite) {
	dir := t.TempDir()
	a, b := s.open(t, dir), s.open(t, dir)
	var all sync.WaitGroup
	for i, f := range []*fixture{a, b, a, b} {
		all.Go(func() {
			for k := range 25 {
				if _, err := f.Write(t.Context(), "team", []api.MemoryWrite{note(fmt.Sprint(i, " ", k), fmt.Sprint("common word ", i, k))}); err != nil {
					t.Error(err)
				}
				if _, err := f.Search(t.Context(), api.SearchRequest{Namespaces: []string{"team"}, Query: "common"}); err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	equal(t, "memories", a.intact().Memories, 100)
	equal(t, "found", len(b.search(api.SearchRequest{Query: "common", Limit: 200})), 100)
}

// testClockGoesBack wants times in the chain that do not go back with a clock that is
// set back a little.
func testClockGoesBack(t *testing.T, s Suite) {
	f := s.open(t, t.TempDir())
	f.write(note("a", "1"))
	f.clock.add(-59 * time.Second)
	f.write(note("a", "2"))
	e := f.entries("a")
	if e[1].TransactionAt < e[0].TransactionAt || e[1].EntryID < e[0].EntryID {
		t.Errorf("%s after %s", e[1].TransactionAt, e[0].TransactionAt)
	}
	f.intact()
}

// testClockWasAhead has the clock stand two years ahead for a while. What is learnt
// when it is right again is learnt then, in this process and in the next, and what was
// known at a time can be asked for.
func testClockWasAhead(t *testing.T, s Suite) {
	const wrong = 2 * 365 * 24 * time.Hour
	dir := t.TempDir()
	f := s.open(t, dir)
	f.clock.add(wrong)
	f.write(note("a", "1"), note("b", "1"))
	f.clock.add(-wrong)
	for i := range 2 {
		f.write(note("a", fmt.Sprint("right ", i)))
		e := f.entries("a")
		last := e[len(e)-1]
		if want := f.clock.Now().UTC(); last.TransactionAt[:16] != want.Format("2006-01-02T15:04") {
			t.Errorf("learnt at %s, when it is %s", last.TransactionAt, want)
		}
		if made, want := last.EntryID[:8], fmt.Sprintf("%012x", f.clock.Now().UnixMilli())[:8]; made != want {
			t.Errorf("the id begins with %s, want %s", made, want)
		}
		f.clock.add(time.Second)
		known := f.search(api.SearchRequest{Query: "right", AsOf: f.clock.Now().UTC().Format(time.RFC3339)})
		equal(t, "known as of now", len(known), 1)
		f.intact()
		f.clock.add(time.Hour)
	}
}

// testValidByWrongClock writes memories that do not say since when they are valid while the
// clock stands two years ahead. Once it is right, a new version is valid from the present
// on, and one that is superseded is not in force for two more years.
func testValidByWrongClock(t *testing.T, s Suite) {
	const wrong = 2 * 365 * 24 * time.Hour
	f := s.open(t, t.TempDir())
	f.clock.add(wrong)
	old := note("old", "word of old")
	old.SupersededBy = "new"
	f.write(note("a", "word, once"), note("a", "word, twice"), old)
	f.clock.add(-wrong)
	f.write(note("new", "word of new"), note("a", "word, right"))
	now := f.clock.Now().UTC().Format(time.RFC3339Nano)
	if got := f.get("a").Memory.ValidAt; got[:16] != now[:16] {
		t.Errorf("valid since %s, when it is %s", got, now)
	}
	f.clock.add(time.Second)
	for _, asOf := range []string{"", f.clock.Now().UTC().Format(time.RFC3339), "2050-01-01T00:00:00Z"} {
		equal(t, "in force as of "+asOf, slices.Sorted(slices.Values(f.search(api.SearchRequest{Query: "word", AsOf: asOf}))), []string{"a", "new"})
	}
	f.clock.add(time.Hour)
	f.write(note("a", "word, later"))
	if got := f.get("a").Memory.ValidAt; got[:16] != now[:16] {
		t.Errorf("a right time became %s", got)
	}
	f.intact()
}
