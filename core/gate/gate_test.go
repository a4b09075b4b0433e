package gate_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/gate"
	"github.com/memscribe/memscribe/core/gate/lexicon"
	"github.com/memscribe/memscribe/core/prose"
)

func standard(t testing.TB) *gate.Rules {
	t.Helper()
	r, err := gate.New(lexicon.Standard())
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestExamples runs every rule over its own examples; every rule has one that
// it must mark, and every English one another that it must not.
func TestExamples(t *testing.T) {
	r := standard(t)
	if err := r.Check(); err != nil {
		t.Error(err)
	}
	for i := range r.Len() {
		rule := r.Rule(i)
		if r.Lang(i) == "en" && (len(rule.Must) == 0 || len(rule.MustNot) == 0) {
			t.Errorf("rule %q has %d and %d examples", rule.ID, len(rule.Must), len(rule.MustNot))
		}
		if rule.Tier > gate.Cue && len(rule.Must) == 0 {
			t.Errorf("rule %q has no example", rule.ID)
		}
	}
}

func TestPatterns(t *testing.T) {
	lists := map[string][]string{"colour": {"red", "dark_blue"}}
	for _, tc := range []struct {
		pattern, text string
		want          string // what is marked; "" for nothing
	}{
		{"use", "I use it", "use"},
		{"use", "the user", ""},
		{"use", "USE it", "USE"},
		{"dont", "I don't", "don't"},
		{"über", "das uber alles", "uber"},
		{"use|take", "take it", "take"},
		{"go_with", "we go with it", "go with"},
		{"{colour}", "a dark blue box", "dark blue"},
		{"make it? {colour}", "make it red", "make it red"},
		{"make it? {colour}", "make red", "make red"},
		{"from .. to @any", "from a to b", "from a to b"},
		{"from .. to @any", "from a, to b", ""},
		{"from ..1 to", "from a b to", ""},
		{"use @name", "use Postgres", "use Postgres"},
		{"use @name", "use it", ""},
		{"use @code", "use a.go", "use a.go"},
		{"after @num", "after 15", "after 15"},
		{"say @quote", `say "so"`, `say "so"`},
		{"^ use", "use it", "use"},
		{"^ use", "please use it", "use"},
		{"^ use", "can you use it", "use"},
		{"^ use", "I read it and use it", "use"},
		{"^ use", "fine, use it", "use"},
		{"^ use", "the use", ""},
		{"^ use", "did you use it", ""},
		{"it $", "use it", "it"},
		{"it $", "use it, ok", "it"},
		{"it $", "it is", ""},
		{"不要", "请不要用", "不要"},
		{", not @any", "tabs, not spaces", ", not spaces"},
	} {
		r, err := gate.New([]gate.Table{{Lang: "en", Lists: lists, Leads: []string{"please", "can_you"}, Joins: []string{"and"}, Rules: []gate.Rule{
			{ID: "x", Category: core.Imperative, Tier: gate.Hint, Patterns: []string{tc.pattern}},
		}}})
		if err != nil {
			t.Errorf("%q: %v", tc.pattern, err)
			continue
		}
		got := ""
		for _, m := range r.Mark(prose.Of(tc.text)) {
			got = m.Text
			if tc.text[m.Offset:m.Offset+len(m.Text)] != m.Text {
				t.Errorf("%q in %q: offset %d", tc.pattern, tc.text, m.Offset)
			}
		}
		if got != tc.want {
			t.Errorf("%q marks %q in %q, want %q", tc.pattern, got, tc.text, tc.want)
		}
	}
}

func TestNewRefuses(t *testing.T) {
	for _, tc := range []struct {
		rule gate.Rule
		want string
	}{
		{gate.Rule{Patterns: []string{"x"}}, "no id"},
		{gate.Rule{ID: "a.b"}, `rule "a.b": no pattern`},
		{gate.Rule{ID: "a.b", Patterns: []string{"x"}}, "neither a category nor a family"},
		{gate.Rule{ID: "a.b", Category: "bann", Patterns: []string{"x"}}, `rule "a.b": no category "bann"`},
		{gate.Rule{ID: "a.b", Category: core.Ban, Tier: 9, Patterns: []string{"x"}}, "no tier"},
		{gate.Rule{ID: "a.b", Category: core.Ban, Family: 250, Patterns: []string{"x"}}, "no family"},
		{gate.Rule{ID: "a.b", Category: core.Ban, Patterns: []string{"@num"}}, `rule "a.b": pattern "@num": no word`},
		{gate.Rule{ID: "a.b", Category: core.Ban, Patterns: []string{"x @foo"}}, "no class @foo"},
		{gate.Rule{ID: "a.b", Category: core.Ban, Patterns: []string{"x {foo}"}}, "no list {foo}"},
		{gate.Rule{ID: "a.b", Category: core.Ban, Patterns: []string{"x ..99 y"}}, "gap"},
		{gate.Rule{ID: "a.b", Category: core.Ban, Patterns: []string{"x?"}}, "no word that must be there"},
		{gate.Rule{ID: "a.b", Category: core.Ban, Patterns: []string{"a||b"}}, "empty word"},
		{gate.Rule{ID: "a.b", Category: core.Ban, Patterns: []string{strings.Repeat("a", 80)}}, "too long"},
		{gate.Rule{ID: "a.b", Category: core.Ban, Patterns: []string{""}}, "no word"},
	} {
		_, err := gate.New(lexicon.Standard(), gate.Table{Rules: []gate.Rule{tc.rule}})
		if err == nil || !strings.Contains(err.Error(), tc.want) {
			t.Errorf("%+v: error %v, want %q", tc.rule, err, tc.want)
		}
	}
}

// TestFurther shows that further rules add to, replace and take out rules.
func TestFurther(t *testing.T) {
	own := gate.Table{Rules: []gate.Rule{
		{ID: "own.vetoed", Category: core.Ban, Tier: gate.Strong, Patterns: []string{"tabu"}},
		{ID: "en.never"},
		{ID: "en.use", Category: core.Ban, Patterns: []string{"^ use"}},
	}}
	r, err := gate.New(lexicon.Standard(), own)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, m := range r.Mark(prose.Of("Jargon is tabu. Never use it. Use words.")) {
		got = append(got, m.Rule+" "+string(m.Category)+" "+m.Text)
	}
	want := []string{"own.vetoed ban tabu"}
	if diff := cmp.Diff(want, got[:1]); diff != "" {
		t.Error(diff)
	}
	for _, g := range got {
		if strings.HasPrefix(g, "en.never") || strings.HasPrefix(g, "en.use") && !strings.Contains(g, "ban") {
			t.Errorf("marker %q", g)
		}
	}
}

func TestMark(t *testing.T) {
	text := "Thanks!\n```\nnever\n```\nUse `a` instead of b. Never touch c, never."
	type mark struct {
		Rule, Text string
		Category   core.Category
	}
	var got []mark
	at := 0
	for _, m := range standard(t).Mark(prose.Of(text)) {
		if text[m.Offset:m.Offset+len(m.Text)] != m.Text || m.Offset < at {
			t.Errorf("marker %+v after %d", m, at)
		}
		at = m.Offset
		got = append(got, mark{m.Rule, m.Text, m.Category})
	}
	want := []mark{
		{"en.use", "Use", core.DecisionVerb},
		{"en.instead-of", "instead of", core.DecisionVerb},
		{"en.never", "Never touch", core.Ban},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// TestLanguages shows that a table is used for turns of its language only.
func TestLanguages(t *testing.T) {
	r := standard(t)
	langs := func(text string) string {
		p := prose.Of(text)
		s := r.Scan(p)
		seen := map[string]bool{}
		for i := range p.Sentences {
			for _, h := range s.Of(i) {
				seen[r.Lang(h.Rule)] = true
			}
		}
		var out []string
		for _, l := range []string{"zh", "ja", "ko", "ru", "de", "fr", "es", "pt", "it"} {
			if seen[l] {
				out = append(out, l)
			}
		}
		return strings.Join(out, " ")
	}
	for text, want := range map[string]string{
		"The use of the cache was wrong, fix the change and continue.": "",
		"Cache order lookups.": "", // French for hiding
		"Resume uploads":       "", // and for telling briefly
		"Decide later":         "", // and decided, but for its accents
		"Cache le bouton":      "fr",
		"Supprime Redis":       "fr",
		"Verwende bitte immer den Cache statt der Datei.":               "de",
		"Il faut que tu utilises toujours le cache au lieu du fichier.": "fr",
		"No uses nunca el archivo, usa siempre la caché en vez de él.":  "es",
		"Nunca use o arquivo, é para usar sempre o cache em vez dele.":  "pt",
		"以后都用缓存，不要用文件。":                                                 "zh",
		"ファイルではなくキャッシュを使ってください。":                                        "ja",
		"앞으로는 파일 대신 캐시를 사용해줘":                                           "ko",
		"ВСЕГДА ИСПОЛЬЗУЙ кеш, а не файл":                               "ru",
		"Non usare mai il disco, che è lento: usa sempre gli oggetti":   "it",
	} {
		if got := langs(text); got != want {
			t.Errorf("%q is read as %q, want %q", text, got, want)
		}
	}
}

func TestFamilies(t *testing.T) {
	for f := gate.NoFamily + 1; int(f) < gate.Families; f++ {
		if got, ok := gate.FamilyNamed(f.String()); !ok || got != f {
			t.Errorf("family %d is named %q, which is %d", f, f.String(), got)
		}
	}
}

func FuzzScan(f *testing.F) {
	r := standard(f)
	for i := range r.Len() {
		for _, s := range r.Rule(i).Must {
			f.Add(s)
		}
	}
	f.Fuzz(func(t *testing.T, text string) {
		p := prose.Of(text)
		for _, m := range r.Mark(p) {
			if m.Offset < 0 || m.Offset+len(m.Text) > len(text) || text[m.Offset:m.Offset+len(m.Text)] != m.Text || m.Text == "" {
				t.Fatalf("marker %+v", m)
			}
		}
	})
}

// BenchmarkMark measures the rules per megabyte of prose.
func BenchmarkMark(b *testing.B) {
	r := standard(b)
	const said = "Let's use Postgres instead of MySQL for the orders service, with a pool of 25. " +
		"I ran the tests again and they still fail with the same error, can you have a look at the log? " +
		"The buttons in the header should be a bit bigger, and please never log the token. "
	text := strings.Repeat(said, 8000/len(said))
	p := prose.Of(text)
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		r.Mark(p)
	}
}

// TestForeign shows that one word that two languages share tells nothing, and two do.
func TestForeign(t *testing.T) {
	rules, err := gate.New(lexicon.Standard())
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]bool{
		"Do not edit anything under vendor/.":           false,
		"Use tabs.":                                     false,
		"Die Farbe der Knöpfe soll rot sein.":           true,
		"No quiero que la lista se muestre en el menú.": true,
	} {
		if scan := rules.Scan(prose.Plain(text)); scan.Foreign() != want {
			t.Errorf("%q is foreign: %v", text, !want)
		}
	}
}

// TestFindShort looks every word of the rules up both ways.
func TestFindShort(t *testing.T) {
	rules, err := gate.New(lexicon.Standard())
	if err != nil {
		t.Fatal(err)
	}
	if err := rules.FindsShort(); err != nil {
		t.Error(err)
	}
}
