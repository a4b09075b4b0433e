package storetest

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/memscribe/memscribe/sink/memdb/api"
)

func testSearch(t *testing.T, s Suite) {
	f := s.open(t, t.TempDir())
	a := note("a", "Use Postgres, never MySQL")
	a.Kind, a.Tags, a.SessionID, a.Source, a.ValidAt = "decision", []string{"db", "ban"}, "s1", "codex", "2026-01-01T00:00:00Z"
	b := note("b", "Postgres is set up; façade done")
	b.Tags, b.Paths, b.ParentIDs, b.ValidAt = []string{"db"}, []string{"/repo/db.go"}, []string{"a"}, "2026-02-01T00:00:00Z"
	c := note("c", "数据库 用 Postgres")
	c.Origin, c.ValidAt = api.External, "2026-03-01T00:00:00Z"
	c.Action = &api.Action{Kind: api.MemoryRead, Store: "file", Key: "/repo/CLAUDE.md"}
	f.write(a, b, c)
	tests := []struct {
		name string
		r    api.SearchRequest
		want []string
	}{
		{"everything", api.SearchRequest{}, []string{"c", "b", "a"}},
		{"word", api.SearchRequest{Query: "postgres"}, []string{"c", "b", "a"}},
		{"two words", api.SearchRequest{Query: "postgres mysql"}, []string{"a"}},
		{"without", api.SearchRequest{Query: "postgres -mysql"}, []string{"c", "b"}},
		{"only without", api.SearchRequest{Query: "-mysql"}, []string{"c", "b"}},
		{"phrase", api.SearchRequest{Query: `"never mysql"`}, []string{"a"}},
		{"not that phrase", api.SearchRequest{Query: `"mysql never"`}, []string{}},
		{"prefix", api.SearchRequest{Query: "post*"}, []string{"c", "b", "a"}},
		{"without accents", api.SearchRequest{Query: "facade"}, []string{"b"}},
		{"without spaces", api.SearchRequest{Query: "据库"}, []string{"c"}},
		{"syntax is none", api.SearchRequest{Query: `postgres AND ) OR NEAR( ": *`}, []string{}},
		{"nothing to search for", api.SearchRequest{Query: `" ( * -`}, []string{"c", "b", "a"}},
		{"kind", api.SearchRequest{Kinds: []string{"decision", "episode"}}, []string{"a"}},
		{"tags", api.SearchRequest{Tags: []string{"db", "ban"}}, []string{"a"}},
		{"tag", api.SearchRequest{Tags: []string{"db"}, Query: "postgres"}, []string{"b", "a"}},
		{"trust", api.SearchRequest{Trust: []api.Trust{api.Untrusted, api.Sanitized}}, []string{"c"}},
		{"session", api.SearchRequest{SessionID: "s1"}, []string{"a"}},
		{"source", api.SearchRequest{Source: "codex"}, []string{"a"}},
		{"path", api.SearchRequest{Path: "/repo/db.go"}, []string{"b"}},
		{"parent", api.SearchRequest{ParentID: "a"}, []string{"b"}},
		{"action", api.SearchRequest{Action: &api.Action{Kind: api.MemoryRead, Store: "file", Key: "/repo/CLAUDE.md"}}, []string{"c"}},
		{"another action", api.SearchRequest{Action: &api.Action{Kind: api.MemoryWritten, Store: "file", Key: "/repo/CLAUDE.md"}}, []string{}},
		{"from", api.SearchRequest{From: "2026-02-01T00:00:00Z"}, []string{"c", "b"}},
		{"to", api.SearchRequest{To: "2026-02-01T00:00:00Z"}, []string{"a"}},
		{"scope words are no text", api.SearchRequest{Query: "kind decision"}, []string{}},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			equal(t, "found", f.search(tc.r), tc.want)
			equal(t, "from the cache", f.search(tc.r), tc.want)
		})
	}
	if _, err := f.Search(t.Context(), api.SearchRequest{Query: "postgres"}); err == nil {
		t.Error("a search without namespaces is answered")
	}
	if _, err := f.Search(t.Context(), api.SearchRequest{Namespaces: []string{"team"}, Cursor: "*"}); err == nil {
		t.Error("a made up cursor is taken")
	}
}

func testPages(t *testing.T, s Suite) {
	f := s.open(t, t.TempDir())
	var memories []api.MemoryWrite
	for i := range 95 {
		memories = append(memories, note(fmt.Sprint(i), "the same moment"))
	}
	f.write(memories...)
	seen := map[string]bool{}
	r := api.SearchRequest{Namespaces: []string{"team"}, Query: "moment", Limit: 10}
	for range 10 {
		found, err := f.Search(t.Context(), r)
		if err != nil {
			t.Fatal(err)
		}
		for i := range found.Memories {
			seen[found.Memories[i].ID] = true
		}
		if r.Cursor = found.NextCursor; r.Cursor == "" {
			break
		}
	}
	if len(seen) != 95 || r.Cursor != "" {
		t.Errorf("pages have %d of 95 memories; cursor %q", len(seen), r.Cursor)
	}
}

// testTimes asks along both axes: when something was so, and when MemDB knew it.
func testTimes(t *testing.T, s Suite) {
	f := s.open(t, t.TempDir())
	m := note("plan", "the plan is alpha")
	m.ValidAt = "2026-06-01T00:00:00Z"
	f.write(m) // learnt 12:00
	f.clock.add(time.Hour)
	m.Content, m.InvalidAt = "the plan was alpha", "2026-06-15T00:00:00Z"
	f.write(m) // learnt 13:00
	later := note("later", "the plan is beta")
	later.ValidAt = "2026-06-15T00:00:00Z"
	f.write(later)
	f.clock.add(time.Hour)
	tests := []struct {
		name string
		r    api.SearchRequest
		want []string
	}{
		{"now", api.SearchRequest{Query: "plan"}, []string{"later"}},
		{"with what is over", api.SearchRequest{Query: "plan", IncludeInvalid: true}, []string{"later", "plan"}},
		{"in force early in June", api.SearchRequest{Query: "plan", InForceAt: "2026-06-10T00:00:00Z"}, []string{"plan"}},
		{"in force at the change", api.SearchRequest{Query: "plan", InForceAt: "2026-06-15T00:00:00Z"}, []string{"later"}},
		{"in force in May", api.SearchRequest{Query: "plan", InForceAt: "2026-05-01T00:00:00Z"}, []string{}},
		{"as known at half past twelve", api.SearchRequest{Query: "plan", AsOf: "2026-07-01T12:30:00Z"}, []string{"plan"}},
		{"by the words of then", api.SearchRequest{Query: "is alpha", AsOf: "2026-07-01T12:30:00Z"}, []string{"plan"}},
		{"not by later words", api.SearchRequest{Query: "was alpha", AsOf: "2026-07-01T12:30:00Z"}, []string{}},
		{"nor now by words of then", api.SearchRequest{Query: "is alpha", IncludeInvalid: true}, []string{}},
		{"before MemDB knew", api.SearchRequest{Query: "plan", AsOf: "2026-07-01T11:00:00Z"}, []string{}},
		{"known then of June", api.SearchRequest{Query: "plan", AsOf: "2026-07-01T13:30:00Z", InForceAt: "2026-06-10T00:00:00Z"}, []string{"plan"}},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) { equal(t, "found", f.search(tc.r), tc.want) })
	}
	f.intact()
}

// testCacheIsInvalidated asks again after each thing that changes the answer.
func testCacheIsInvalidated(t *testing.T, s Suite) {
	dir := t.TempDir()
	f, other := s.open(t, dir), s.open(t, dir)
	ask := func() []string { return f.search(api.SearchRequest{Query: "word"}) }
	equal(t, "nothing", ask(), []string{})
	f.write(note("a", "word"))
	equal(t, "after a write", ask(), []string{"a"})
	other.write(note("b", "word"))
	equal(t, "after another's write", len(ask()), 2)
	if err := f.Forget(t.Context(), "team", "a"); err != nil {
		t.Fatal(err)
	}
	equal(t, "after forgetting", ask(), []string{"b"})
	soon := note("c", "word")
	soon.InvalidAt = "2026-07-01T12:30:00Z"
	f.write(soon)
	equal(t, "while it holds", len(ask()), 2)
	f.clock.add(time.Hour)
	equal(t, "when time has passed", ask(), []string{"b"})
}

// testBeginnings searches for beginnings of few words, and of more than are looked
// up one by one.
func testBeginnings(t *testing.T, s Suite) {
	f := s.open(t, t.TempDir())
	const notes, each = 30, 40
	var all []api.MemoryWrite
	for i := range notes {
		var text strings.Builder
		fmt.Fprintf(&text, "Rare%02d", i)
		for k := range each {
			fmt.Fprintf(&text, " many%04d", i*each+k)
		}
		all = append(all, note(fmt.Sprintf("n%02d", i), text.String()))
	}
	f.write(all...)
	for search, want := range map[string]int{
		"many*": notes, "MANY00*": 3, "many0000*": 1, "rare*": notes, "rare1* many00*": 0,
		"rare* -rare0*": 20, "-many00* rare*": 27, "many9*": 0, "many00* rare02*": 1, "q*": 0, "qn*": 0,
	} {
		equal(t, search, len(f.search(api.SearchRequest{Query: search, Limit: 200})), want)
	}
}
