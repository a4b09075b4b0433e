package sqlite_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/memscribe/memscribe/internal/nodedb"
	"github.com/memscribe/memscribe/internal/nodedb/fulltext"
	"github.com/memscribe/memscribe/sink/sinktest"
	"github.com/memscribe/memscribe/sink/sqlite"
)

// TestScopeIsNoText searches for what the words are, or begin with, by which
// searches are narrowed.
func TestScopeIsNoText(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir, sqlite.Options{})
	apply(t, s, sinktest.Line(decision("s", 1, "2026-01-01T00:00:00Z", "Use it.")))
	apply(t, s, sinktest.Line(decision("s", 2, "2026-01-01T00:00:01Z", "Kind tools need indices; in time, kinddecisions.")))
	r := reader(t, dir)
	for word, want := range map[string]int{
		"k*": 1, "ki*": 1, "kind*": 1, "kind": 1, "kinddecision": 0, "kinddecision*": 1, "KINDDECISION": 0, "kindd*": 1,
		"t*": 1, "to*": 1, "tool*": 1, "tools": 1, "toolcodex": 0, "toolc*": 0, "i*": 2, "in*": 1, "ind*": 1, "in": 1,
		"in0*": 0, "in1*": 0, "in2*": 0, "in3*": 0, "in4*": 0, "in5*": 0, "in6*": 0, "in7*": 0, "in8*": 0, "in9*": 0, "ina*": 0, "inb*": 0, "us*": 1, "it": 1, "nee*": 1, "\"in time\"": 1, "-kind* it": 1, "-kinddecision it": 1, "-in* use": 1,
	} {
		a, err := r.Search(t.Context(), nodedb.Filter{Text: word}, nodedb.Page{})
		if err != nil || len(a.Nodes) != want {
			t.Errorf("%s: found %d, want %d (%v)", word, len(a.Nodes), want, err)
		}
	}
}

// TestFinding searches a few texts for what people type.
func TestFinding(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir, sqlite.Options{})
	texts := map[string]string{
		"pg":     "Use Postgres, not MySQL: the orders table needs partial indexes.",
		"cursor": "Page with cursors; never with OFFSET.",
		"café":   "Rename Café to CAFE in src/menu_items.go",
		"zh":     "使用数据库分页,不要用偏移量",
		"ja":     "データベースはPostgreSQLを使う",
		"ko":     "데이터베이스는 Postgres",
		"code":   "formatCents(x) != round(x*100) // see RFC 3339",
	}
	for name, text := range texts {
		apply(t, s, sinktest.Line(decision(name, 1, "2026-01-01T00:00:00Z", text)))
	}
	r := reader(t, dir)
	for search, want := range map[string]string{
		"postgres": "ko pg", "Postgres*": "ja ko pg", "POSTGRES mysql": "pg", `"partial indexes"`: "pg", `"indexes partial"`: "",
		"postgres -mysql": "ko", `-"partial indexes" postgres`: "ko", "offset": "cursor", "page never": "cursor", "cafe": "café", "CAFÉ": "café",
		"menu_items": "café", "src/menu_items.go": "café", "menu items": "café", "item": "", "item*": "café",
		"数据库": "zh", "数据": "zh", "据数": "", "分页 偏移": "zh", "データベース": "ja", "使": "ja zh", "데이터베이스는": "ko", "데이터*": "ko",
		"formatCents": "code", "formatcents(x)": "code", "x*100": "code", "rfc 3339": "code", "3339": "code",
		`"never closed`: "", "AND": "", "OR NOT": "", "the NEAR orders": "", "column:orders": "", "(orders": "pg", "orders)": "pg", "orders^2": "", "text:orders": "",
		"path:orders": "", `a"b`: "", "orders\x00table": "pg", "\xff orders": "pg", "!!! orders ???": "pg",
		"kinddecision": "", "toolcodex": "",
	} {
		a, err := r.Search(t.Context(), nodedb.Filter{Text: search}, nodedb.Page{})
		if err != nil {
			t.Errorf("%q: %v", search, err)
			continue
		}
		var got []string
		for name := range texts {
			for _, n := range a.Nodes {
				if n.Session == name {
					got = append(got, name)
				}
			}
		}
		if !sameWords(strings.Fields(want), got) {
			t.Errorf("%q: found %v, want %q", search, got, want)
		}
	}
}

func sameWords(a, b []string) bool {
	count := map[string]int{}
	for _, s := range a {
		count[s]++
	}
	for _, s := range b {
		count[s]--
	}
	for _, n := range count {
		if n != 0 {
			return false
		}
	}
	return true
}

func FuzzSearch(f *testing.F) {
	dir := f.TempDir()
	s := open(f, dir, sqlite.Options{})
	apply(f, s, sinktest.NewMaker(1).Take(50)...)
	r := reader(f, dir)
	for _, seed := range []string{"", "a", `"a b`, `-"x" y*`, "path:a/b", "\x00", "a AND (b", "日本", "*", "a\"\"b", "^a", "{x y}:z"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		a, err := r.Search(t.Context(), nodedb.Filter{Text: text, Project: "orders", Kinds: []string{"decision", "episode"}}, nodedb.Page{})
		if err != nil && !errors.Is(err, nodedb.ErrSearch) {
			t.Errorf("%q: %v", text, err)
		}
		for _, n := range a.Nodes {
			if short := fulltext.Excerpt(n.Text, text, 20); utf8.RuneCountInString(short) > 22 {
				t.Errorf("%q: %q is too long", text, short)
			}
		}
	})
}

func TestExcerpt(t *testing.T) {
	long := strings.Repeat("before ", 20) + "the Needle stands\n here " + strings.Repeat("after ", 20)
	for _, tc := range []struct {
		text, search string
		width        int
		want         string
	}{
		{"short  text\n", "x", 40, "short text"},
		{long, "needle", 30, "…efore the Needle stands here a…"},
		{long, `"needle stands"`, 30, "…efore the Needle stands here a…"},
		{long, "-needle before", 30, "before before before before be…"},
		{long, "nowhere", 30, "before before before before be…"},
		{long, "after", 12, "…ere after af…"},
		{strings.Repeat("ü", 50), "", 10, strings.Repeat("ü", 10) + "…"},
		{"a bb ccc dddd", "dddd", 6, "…c dddd"},
		{"", "x", 10, ""},
	} {
		if got := fulltext.Excerpt(tc.text, tc.search, tc.width); got != tc.want {
			t.Errorf("%s: got %q, want %q", fmt.Sprintf("%.20q %q", tc.text, tc.search), got, tc.want)
		}
	}
}

// TestBeginnings searches for beginnings of few words, and of more than are looked
// up one by one.
func TestBeginnings(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir, sqlite.Options{})
	const nodes, each = 30, 40
	for i := range nodes {
		text := fmt.Sprintf("Rare%02d", i)
		for k := range each {
			text += fmt.Sprintf(" many%04d", i*each+k)
		}
		apply(t, s, sinktest.Line(decision("s", uint64(i), fmt.Sprintf("2026-01-01T00:00:%02dZ", i), text)))
	}
	r := reader(t, dir)
	for search, want := range map[string]int{
		"many*": nodes, "MANY00*": 3, "many0000*": 1, "rare*": nodes, "rare1* many00*": 0,
		"rare* -rare0*": 20, "path:rare*": 0, "-many00* rare*": 27, "many9*": 0, "many00* rare02*": 1,
	} {
		got, after := 0, ""
		for {
			a, err := r.Search(t.Context(), nodedb.Filter{Text: search}, nodedb.Page{Limit: 20, After: after})
			if err != nil {
				t.Fatalf("%s: %v", search, err)
			}
			if got += len(a.Nodes); a.Next == "" {
				break
			}
			after = a.Next
		}
		if got != want {
			t.Errorf("%s: found %d, want %d", search, got, want)
		}
	}
}
