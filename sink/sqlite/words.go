package sqlite

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"unicode"
	"unicode/utf8"
)

// The words by which a search is narrowed stand in a column of their own, where
// nobody looks for words of a text.
func kindWord(kind string) string { return "kind" + letters(kind) }

func toolWord(source string) string { return "tool" + letters(source) }

func projectWord(project string) string {
	sum := sha256.Sum256([]byte(project))
	return "in" + hex.EncodeToString(sum[:6])
}

// letters leaves out what would make several words of one.
func letters(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return r
		}
		return -1
	}, s)
}

// scopes makes the words by which searches for a node are narrowed, and remembers
// them: many nodes have the same.
type scopes struct{ known map[scope]string }

type scope struct{ kind, source, project string }

// manyScopes is how many are remembered.
const manyScopes = 1024

func (s *scopes) of(r *row) string {
	of := scope{r.kind, r.source, r.project()}
	words, ok := s.known[of]
	if ok {
		return words
	}
	if s.known == nil || len(s.known) >= manyScopes {
		s.known = map[scope]string{}
	}
	words = kindWord(of.kind) + " " + toolWord(of.source) + " " + projectWord(of.project)
	s.known[of] = words
	return words
}

// ideographic reports whether a character is written without spaces around the
// word that it belongs to.
func ideographic(r rune) bool {
	return r >= 0x2e80 && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana)
}

// spaced sets characters of scripts without spaces apart, so that each can be
// found. Other texts come back as they are.
func spaced(s string) string {
	at := 0
	for at < len(s) && s[at] < 0xe2 { // as no character that is ideographic begins
		at++
	}
	if strings.IndexFunc(s[at:], ideographic) < 0 {
		return s
	}
	var b strings.Builder
	b.Grow(2 * len(s))
	for _, r := range s {
		if !ideographic(r) {
			b.WriteRune(r)
			continue
		}
		b.WriteByte(' ')
		b.WriteRune(r)
		b.WriteByte(' ')
	}
	return b.String()
}

// term is what must, or must not, stand in what is searched for.
type term struct {
	text   string
	prefix bool // the last word may go on
	not    bool
	path   bool // in a path only

	begun []string // the words that begin with text, if they were looked up
}

// parseTerms reads what a person types: words, "a phrase", begin*, -without,
// path:words. Whatever they type is a search, if it has a word.
func parseTerms(s string) []term {
	var terms []term
	for s = strings.TrimSpace(s); s != ""; s = strings.TrimSpace(s) {
		var t term
		t, s = nextTerm(s)
		if strings.IndexFunc(t.text, isWord) >= 0 {
			terms = append(terms, t)
		}
	}
	return terms
}

func nextTerm(s string) (t term, rest string) {
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

// isWord reports whether a character is part of a word, as the tokenizer has it.
func isWord(r rune) bool {
	return unicode.IsLetter(r) || unicode.IsNumber(r) || unicode.Is(unicode.Co, r)
}

// match is the FTS5 expression for terms; "" when nothing is searched for.
func match(terms []term) string {
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

func (t term) String() string {
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
	phrase := columns + quoted(spaced(t.text))
	if t.prefix {
		phrase += " *"
	}
	return phrase
}

// manyBegun is how many words a beginning is replaced by at most.
const manyBegun = 800

// terms reads what is searched for. Beginnings become the words that begin so:
// FTS5 gathers and sorts everything that it has of a beginning before it gives the
// first of it, and gives that of words one by one, the newest first.
func (v view) terms(ctx context.Context, text string) ([]term, error) {
	terms := parseTerms(text)
	for i := range terms {
		t := &terms[i]
		if !t.prefix || strings.IndexFunc(t.text, notPlain) >= 0 {
			continue
		}
		// From each to the next: of a word there may be many.
		begun, err := collect(ctx, v, single[string], `WITH RECURSIVE each(term) AS (
			  SELECT (SELECT term FROM vocabulary WHERE term >= ?1 LIMIT 1)
			  UNION ALL SELECT (SELECT term FROM vocabulary WHERE term >= each.term || char(1) LIMIT 1)
			    FROM each WHERE term < ?1 || char(1114111) LIMIT ?2)
			SELECT term FROM each WHERE term < ?1 || char(1114111)`, strings.ToLower(t.text), manyBegun+1)
		if err != nil {
			return nil, err
		}
		if len(begun) <= manyBegun {
			t.begun = begun
		}
	}
	return terms, nil
}

// notPlain reports whether a character, or another in its place, is more or less
// to the tokenizer than a letter in lower case.
func notPlain(r rune) bool {
	return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9')
}

// maybeScope reports whether a term could mean one of the words by which searches
// are narrowed, and not only words of a text.
func (t term) maybeScope() bool {
	word := strings.ToLower(t.text)
	if strings.IndexFunc(word, func(r rune) bool { return (r < 'a' || r > 'z') && (r < '0' || r > '9') }) >= 0 {
		return true // who knows what the tokenizer makes of it
	}
	for _, begin := range []string{kindWord(""), toolWord(""), "in"} {
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

func quoted(s string) string {
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
	from := max(0, firstHit(runes, parseTerms(search))-width/3)
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

// firstHit is the index of the first character that begins a term's first word.
func firstHit(text []rune, terms []term) int {
	folded := make([]rune, len(text))
	for i, r := range text {
		folded[i] = unicode.ToLower(r)
	}
	first := len(text)
	for _, t := range terms {
		word := strings.FieldsFunc(spaced(t.text), func(r rune) bool { return !isWord(r) })
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

func indexRunes(s, sub []rune) int {
	for i := 0; i+len(sub) <= len(s); i++ {
		if string(s[i:i+len(sub)]) == string(sub) {
			return i
		}
	}
	return -1
}
