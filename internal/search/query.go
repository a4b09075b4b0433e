// Package search parses search queries and ranks the results.
//
// The way of a query, with what each step keeps:
//
//	typed    redis "no cache" -test file:orders.js
//	Parse    Terms redis, "no cache"   Without test   Filters file = orders.js
//	(the database finds texts that have all terms; package search sees only those)
//	Rank     BM25 over these texts; more for whole words, phrases and new texts
//	Around   the part of a text with most hits, on one line, hits in bytes of it
//
// Words are cut alike everywhere: getUserName and get_user_name are three words, a
// character of Chinese or Japanese is one.
//
// Where to find what: query.go parses, rank.go ranks, excerpt.go cuts excerpts; near.go and
// project_names.go find names that were probably meant.
package search

import (
	"strings"
	"unicode"
)

// Query is a parsed query: a text must have all Terms, none of Without, and satisfy the
// Filters.
type Query struct {
	Terms   []Term
	Without []Term
	// Filters are the values by their names: project, file, tool, session, since,
	// until, by, kind. The last of a name holds.
	Filters map[string]string
}

// Term is a word, or a "phrase" of several.
type Term struct {
	Text   string
	Phrase bool     // it was in quotes
	Near   []string // words to look for in its place, since nothing has it
}

// FilterNames returns the names that mean a filter before a colon.
func FilterNames() []string {
	return []string{"project", "file", "tool", "session", "since", "until", "by", "kind"}
}

// maxTerms is how many words are searched for: more of them find nothing more.
const maxTerms = 32

// Parse reads a query. Every text is a query: what is no filter is a word, and words without a
// letter or digit are left out. Of more than maxTerms words the first are kept.
func Parse(typed string) Query {
	q := Query{Filters: map[string]string{}}
	for rest := strings.TrimSpace(typed); rest != ""; rest = strings.TrimSpace(rest) {
		var (
			t   Term
			not bool
		)
		if after, ok := strings.CutPrefix(rest, "-"); ok {
			not, rest = true, after
		}
		if name, ok := filterAt(rest); ok && !not {
			q.Filters[name], rest = value(rest[len(name)+1:])
			continue
		}
		t.Text, t.Phrase, rest = next(rest)
		switch {
		case strings.IndexFunc(t.Text, IsWord) < 0:
		case not:
			q.Without = append(q.Without, t)
		case len(q.Terms) < maxTerms:
			q.Terms = append(q.Terms, t)
		}
	}
	return q
}

// filterAt returns the name of the filter that s begins with.
func filterAt(s string) (name string, ok bool) {
	for _, name := range FilterNames() {
		if rest, ok := strings.CutPrefix(s, name+":"); ok && rest != "" && !unicode.IsSpace(rune(rest[0])) {
			return name, true
		}
	}
	return "", false
}

// Meant returns the words of a query that look like a misspelt filter, each with the filter's
// name. They are still searched for as words; the caller may ask whether the filter was meant.
//
//	Meant("projct:orders cache")  {"projct:orders": "project"}
func (q Query) Meant() map[string]string {
	meant := map[string]string{}
	for _, t := range q.Terms {
		name, rest, ok := strings.Cut(t.Text, ":")
		if !ok || t.Phrase || rest == "" || strings.HasPrefix(rest, "/") || strings.HasPrefix(rest, ":") || len(name) < 2 {
			continue
		}
		for _, known := range FilterNames() {
			if most := max(1, len(known)/3); Distance(strings.ToLower(name), known, most) <= most && len(name) > most {
				meant[t.Text] = known
				break
			}
		}
	}
	return meant
}

// value returns what stands behind the colon of a filter.
func value(s string) (value, rest string) {
	value, _, rest = next(s)
	return value, rest
}

// next cuts off the first word, or the text in quotes, which need not be closed. A star at the
// end of a word is dropped: every word matches longer ones.
func next(s string) (text string, quoted bool, rest string) {
	if after, ok := strings.CutPrefix(s, `"`); ok {
		text, rest, _ = strings.Cut(after, `"`)
		return text, true, rest
	}
	end := strings.IndexFunc(s, unicode.IsSpace)
	if end < 0 {
		end = len(s)
	}
	return strings.TrimSuffix(s[:end], "*"), false, s[end:]
}

// IsWord reports whether a character is part of a word.
func IsWord(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) }
