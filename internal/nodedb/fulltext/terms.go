package fulltext

import (
	"context"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/memscribe/memscribe/internal/nodedb/schema"
)

// Term is what must, or must not, be in what is searched for.
type Term struct {
	text   string
	prefix bool // the last word may go on
	not    bool
	path   bool // in a path only

	begun []string // the words that begin with text, if they were looked up
}

// ParseTerms reads what a person types: words, "a phrase", begin*, -without,
// path:words. Whatever they type is a search, if it has a word.
func ParseTerms(s string) []Term {
	var terms []Term
	for s = strings.TrimSpace(s); s != ""; s = strings.TrimSpace(s) {
		var t Term
		t, s = nextTerm(s)
		if strings.IndexFunc(t.text, IsWord) >= 0 {
			terms = append(terms, t)
		}
	}
	return terms
}

// nextTerm reads the next term of a query: "-" excludes, "path:" looks in paths,
// quotes make a phrase.
func nextTerm(s string) (t Term, rest string) {
	if after, ok := strings.CutPrefix(s, "-"); ok {
		t.not, s = true, after
	}
	if after, ok := strings.CutPrefix(s, "path:"); ok {
		t.path, s = true, after
	}
	if after, ok := strings.CutPrefix(s, `"`); ok {
		t.text, rest, _ = strings.Cut(after, `"`)
		return t, rest
	}
	end := strings.IndexFunc(s, unicode.IsSpace)
	if end < 0 {
		end = len(s)
	}
	t.text, t.prefix = strings.CutSuffix(s[:end], "*")
	return t, s[end:]
}

// Match returns the FTS5 expression for terms; "" when nothing is searched for.
func Match(terms []Term) string {
	var with, without []string
	for _, t := range terms {
		if t.not {
			without = append(without, t.String())
		} else {
			with = append(with, t.String())
		}
	}
	if len(with) == 0 {
		return ""
	}
	var expr strings.Builder
	expr.WriteString("(" + strings.Join(with, " AND ") + ")")
	for _, t := range without {
		expr.WriteString(" NOT " + t)
	}
	return expr.String()
}

// Scope narrows a search to rows of any of some kinds, of a tool, and of any of some
// projects. What is empty narrows nothing.
type Scope struct {
	Kinds    []string
	Tool     string
	Projects []string
}

// Match returns the FTS5 expression for terms in the scope; "" when nothing is searched for.
func (s Scope) Match(terms []Term) string {
	expr := Match(terms)
	if expr == "" {
		return ""
	}
	var words [3][]string
	for _, k := range s.Kinds {
		words[0] = append(words[0], Quoted(KindWord(k)))
	}
	if s.Tool != "" {
		words[1] = append(words[1], Quoted(ToolWord(s.Tool)))
	}
	for _, p := range s.Projects {
		words[2] = append(words[2], Quoted(ProjectWord(p)))
	}
	expr = "(" + expr + ")"
	for _, w := range words {
		if len(w) > 0 {
			expr += " AND scope : (" + strings.Join(w, " OR ") + ")"
		}
	}
	return expr
}

// String returns the FTS5 expression of the term.
func (t Term) String() string {
	columns := "{text path} : "
	switch {
	case t.path:
		columns = "path : "
	case !t.maybeScope():
		columns = "" // to look at columns takes time
	}
	if len(t.begun) > 0 {
		return columns + `("` + strings.Join(t.begun, `" OR "`) + `")`
	}
	phrase := columns + Quoted(Spaced(t.text))
	if t.prefix {
		phrase += " *"
	}
	return phrase
}

// ManyBegun is how many words a beginning is replaced by at most.
const ManyBegun = 800

// TermsOf reads what is searched for. Beginnings become the words that begin so:
// FTS5 gathers and sorts everything that it has of a beginning before it gives the
// first of it, and gives that of words one by one, the newest first.
func TermsOf(ctx context.Context, q schema.Querier, text string) ([]Term, error) {
	terms := ParseTerms(text)
	for i := range terms {
		t := &terms[i]
		if !t.prefix || strings.IndexFunc(t.text, NotPlain) >= 0 {
			continue
		}
		// From each to the next: of a word there may be many.
		begun, err := schema.Collect(ctx, q, schema.Single[string], `WITH RECURSIVE each(term) AS (
			  SELECT (SELECT term FROM vocabulary WHERE term >= ?1 LIMIT 1)
			  UNION ALL SELECT (SELECT term FROM vocabulary WHERE term >= each.term || char(1) LIMIT 1)
			    FROM each WHERE term < ?1 || char(1114111) LIMIT ?2)
			SELECT term FROM each WHERE term < ?1 || char(1114111)`, strings.ToLower(t.text), ManyBegun+1)
		if err != nil {
			return nil, err
		}
		if len(begun) <= ManyBegun {
			t.begun = begun
		}
	}
	return terms, nil
}

// NotPlain reports whether a character, or another in its place, is more or less
// to the tokenizer than a letter in lower case.
func NotPlain(r rune) bool {
	return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9')
}

// maybeScope reports whether a term could mean one of the words by which searches
// are narrowed, and not only words of a text.
func (t Term) maybeScope() bool {
	word := strings.ToLower(t.text)
	if strings.IndexFunc(word, func(r rune) bool { return (r < 'a' || r > 'z') && (r < '0' || r > '9') }) >= 0 {
		return true // who knows what the tokenizer makes of it
	}
	for _, begin := range []string{KindWord(""), ToolWord(""), "in"} {
		if t.prefix && strings.HasPrefix(begin, word) {
			return true
		}
		rest, ok := strings.CutPrefix(word, begin)
		if ok && (begin != "in" || strings.Trim(rest, "0123456789abcdef") == "") {
			return true
		}
	}
	return false
}

// Quoted returns a phrase for FTS5.
func Quoted(s string) string {
	s = strings.ToValidUTF8(strings.ReplaceAll(s, "\x00", " "), " ")
	return `"` + strings.ReplaceAll(s, `"`, `""`) + `"`
}

// Excerpt shortens a text to about so many characters around the first place
// where it has a word of a search, and puts it on one line.
func Excerpt(text, search string, width int) string {
	text = strings.Join(strings.Fields(text), " ")
	if utf8.RuneCountInString(text) <= width {
		return text
	}
	runes := []rune(text)
	from := max(0, firstHit(runes, ParseTerms(search))-width/3)
	to := min(len(runes), from+width)
	from = max(0, to-width)
	out := strings.TrimSpace(string(runes[from:to]))
	if from > 0 {
		out = "…" + out
	}
	if to < len(runes) {
		out += "…"
	}
	return out
}

// firstHit returns the index of the first character that begins a term's first word.
func firstHit(text []rune, terms []Term) int {
	folded := make([]rune, len(text))
	for i, r := range text {
		folded[i] = unicode.ToLower(r)
	}
	first := len(text)
	for _, t := range terms {
		word := strings.FieldsFunc(Spaced(t.text), func(r rune) bool { return !IsWord(r) })
		if t.not || len(word) == 0 {
			continue
		}
		if at := indexRunes(folded, []rune(strings.ToLower(word[0]))); at >= 0 {
			first = min(first, at)
		}
	}
	if first == len(text) {
		return 0
	}
	return first
}

// indexRunes returns the index of sub in s, or -1.
func indexRunes(s, sub []rune) int {
	for i := 0; i+len(sub) <= len(s); i++ {
		if string(s[i:i+len(sub)]) == string(sub) {
			return i
		}
	}
	return -1
}
