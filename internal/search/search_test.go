package search_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/memscribe/memscribe/internal/search"
)

func TestParse(t *testing.T) {
	term := func(words ...string) (terms []search.Term) {
		for _, w := range words {
			terms = append(terms, search.Term{Text: w})
		}
		return terms
	}
	for typed, want := range map[string]search.Query{
		"":                       {},
		"  token   rotation ":    {Terms: term("token", "rotation")},
		`"as it is" pagin* -not`: {Terms: []search.Term{{Text: "as it is", Phrase: true}, {Text: "pagin"}}, Without: term("not")},
		`project:"my app" file:a.go since:7d x`: {
			Terms: term("x"), Filters: map[string]string{"project": "my app", "file": "a.go", "since": "7d"},
		},
		"project: http://x foo:bar": {Terms: term("project:", "http://x", "foo:bar")},
		"by:me by:agent":            {Filters: map[string]string{"by": "agent"}},
		"-- - * ( ) ?! ok":          {Terms: term("ok")},
		`"without an end`:           {Terms: []search.Term{{Text: "without an end", Phrase: true}}},
		"数据库 -кот":                  {Terms: term("数据库"), Without: term("кот")},
	} {
		if want.Filters == nil {
			want.Filters = map[string]string{}
		}
		if diff := cmp.Diff(want, search.Parse(typed)); diff != "" {
			t.Errorf("%q: %s", typed, diff)
		}
	}
	if n := len(search.Parse(strings.Repeat("word ", 1000)).Terms); n > 32 {
		t.Errorf("%d words are searched for", n)
	}
}

func TestTokens(t *testing.T) {
	for text, want := range map[string]string{
		"getUserName HTTPServer2":  "get user name http server2",
		"snake_case-and.dots/path": "snake case and dots path",
		"数据 is 2":                  "数 据 is 2",
		"Ünïcode ÄÖ":               "ünïcode äö",
		"":                         "",
		"x\xffy":                   "x y",
	} {
		if got := strings.Join(search.Words(text), " "); got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
		for _, tok := range search.Tokens(text) {
			if !strings.EqualFold(text[tok.From:tok.To], tok.Word) {
				t.Errorf("%q: %q stands at %q", text, tok.Word, text[tok.From:tok.To])
			}
		}
	}
}

// TestRank: the order of some texts for a query, the best first.
func TestRank(t *testing.T) {
	for name, tc := range map[string]struct {
		query string
		texts []string // in the order that is wanted
	}{
		"more often and shorter":      {"token", []string{"token, token", "the token is here among many other words that have no say", "none"}},
		"together before apart":       {"token rotation", []string{"we need token rotation now", "rotation of each and every token"}},
		"a rare word before a common": {"the revocation", []string{"a revocation x", "the one x", "the two x", "the three x"}},
		"whole before begun":          {"page", []string{"page one x", "pages are x"}},
		"names":                       {"user name", []string{"getUserName()", "a name of some user"}},
	} {
		q := search.Parse(tc.query)
		var texts []search.Text
		for _, w := range slices.Backward(tc.texts) {
			texts = append(texts, search.Text{Words: w})
		}
		scores := q.Rank(texts)
		for i := 1; i < len(scores); i++ {
			if scores[i].Value < scores[i-1].Value {
				t.Errorf("%s: %q has %.3f and %q %.3f", name, texts[i].Words, scores[i].Value, texts[i-1].Words, scores[i-1].Value)
			}
		}
	}
	q := search.Parse("x")
	age := q.Rank([]search.Text{{Words: "x", Age: 1}, {Words: "x"}, {Words: "x", Weight: 2}})
	if age[0].Value >= age[1].Value || age[1].Value >= age[2].Value {
		t.Errorf("neither age nor kind counts: %v", age)
	}
}

// TestHits: which part of a text a query means.
func TestHits(t *testing.T) {
	for _, tc := range []struct{ query, text, want string }{
		{"mysql", "Use MySQL here", "Use [MySQL] here"},
		{"postgresql", "PostgreSQL, not mysql", "[PostgreSQL], not mysql"},
		{"postgres", "PostgreSQL", "[PostgreSQL]"},
		{"getuser", "getUserName()", "[getUser]Name()"},
		{"github action", "GitHub actions", "[GitHub] [actions]"},
		{"mysql", "my SQL", "my SQL"},
		{"user name", "getUserName", "get[UserName]"},
		{"数据", "这数据库", "这[数据]库"},
		{"name", "rename", "rename"},
	} {
		q := search.Parse(tc.query)
		score := q.Rank([]search.Text{{Words: tc.text}})[0]
		if got := search.Around(tc.text, score.Hits, 100).Marked("[", "]"); got != tc.want {
			t.Errorf("%s: got %q, want %q", tc.query, got, tc.want)
		}
	}
}

func TestExcerpt(t *testing.T) {
	long := strings.Repeat("before it ", 60) + "the token\n\n\tis rotated " + strings.Repeat("and after ", 60)
	q := search.Parse("token rotated")
	scores := q.Rank([]search.Text{{Words: long}})
	e := search.Around(long, scores[0].Hits, 80)
	if got := e.Marked("[", "]"); !strings.Contains(got, "the [token] is [rotated] and") || len(got) > 100 ||
		!strings.HasPrefix(got, "…") || !strings.HasSuffix(got, "…") {
		t.Errorf("got %q", got)
	}
	for _, text := range []string{"", "short token", "日本語のトークン token を使う" + strings.Repeat("字", 300), strings.Repeat("x", 500) + " token"} {
		scores := q.Rank([]search.Text{{Words: text}})
		for _, width := range []int{1, 10, 40, 1000} {
			e := search.Around(text, scores[0].Hits, width)
			if strings.ToValidUTF8(e.Text, "") != e.Text {
				t.Errorf("%q in %d: a character is cut: %q", text, width, e.Text)
			}
			for _, h := range e.Hits {
				if e.Text[h.From:h.To] != "token" {
					t.Errorf("%q in %d: the hit is %q", text, width, e.Text[h.From:h.To])
				}
			}
		}
	}
}

func TestTypos(t *testing.T) {
	for typed, meant := range map[string]string{
		"tokne": "token", "rotaton": "rotation", "paginattion": "pagination", "databese": "database", "xindex": "index", "indez": "index",
	} {
		if !slices.Contains(search.Typos(typed), meant) || search.Distance(typed, meant, 1) != 1 {
			t.Errorf("%s is not taken for %s (distance %d)", typed, meant, search.Distance(typed, meant, 3))
		}
	}
	for _, word := range []string{"abcd", "Token", "größe", strings.Repeat("x", 40)} {
		if got := search.Typos(word); got != nil {
			t.Errorf("%s is taken for %d others", word, len(got))
		}
	}
	for pair, want := range map[[2]string]int{
		{"", ""}: 0, {"a", ""}: 1, {"kitten", "sitting"}: 3, {"abcd", "badc"}: 2, {"same", "same"}: 0, {"short", "muchlonger"}: 4,
	} {
		if got := search.Distance(pair[0], pair[1], 3); got != want {
			t.Errorf("%q: got %d, want %d", pair, got, want)
		}
	}
}
