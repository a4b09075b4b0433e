package record

import (
	"slices"
	"strings"
	"unicode"

	"github.com/memscribe/memscribe/sink/memdb/api"
)

// Term is a word or a phrase that a search wants or excludes.
type Term struct {
	Text        string
	Prefix, Not bool
}

// Terms parses what a person types into a search. Every text is a valid search.
//
//	cursor "page token" lim* -offset
//
//	→ cursor           a word
//	  page token       a phrase: the words next to each other
//	  lim, Prefix      words that begin with it
//	  offset, Not      excluded
//
// A term without a letter or a digit is dropped.
func Terms(s string) (all []Term) {
	for s = strings.TrimSpace(s); s != ""; s = strings.TrimSpace(s) {
		var t Term
		if after, ok := strings.CutPrefix(s, "-"); ok {
			t.Not, s = true, after
		}
		if after, ok := strings.CutPrefix(s, `"`); ok {
			t.Text, s, _ = strings.Cut(after, `"`)
		} else {
			end := strings.IndexFunc(s, unicode.IsSpace)
			if end < 0 {
				end = len(s)
			}
			t.Text, t.Prefix = strings.CutSuffix(s[:end], "*")
			s = s[end:]
		}
		if strings.ContainsFunc(t.Text, isWord) {
			all = append(all, t)
		}
	}
	return all
}

// Wanted returns the words and phrases that a query does not exclude.
func Wanted(query string) (words []string) {
	for _, t := range Terms(query) {
		if !t.Not {
			words = append(words, t.Text)
		}
	}
	return words
}

// Unwanted returns the part of a query that excludes something.
//
//	cursor "page token" -offset -limit* → -"offset" -limit*
func Unwanted(query string) string {
	var parts []string
	for _, t := range Terms(query) {
		switch {
		case t.Not && t.Prefix:
			parts = append(parts, "-"+t.Text+"*")
		case t.Not:
			parts = append(parts, `-"`+t.Text+`"`)
		}
	}
	return strings.Join(parts, " ")
}

// isWord reports whether the tokenizer takes a character for a part of a word.
func isWord(r rune) bool {
	return unicode.IsLetter(r) || unicode.IsNumber(r) || unicode.Is(unicode.Co, r)
}

// Fits reports whether a memory meets the conditions of a search. It must be asked even for
// results of the index: the index has only hashes of values, and two values may share one.
func Fits(r *api.SearchRequest, m *api.Memory) bool {
	is := func(want, have string) bool { return want == "" || want == have }
	has := func(want string, have []string) bool { return want == "" || slices.Contains(have, want) }
	return slices.Contains(r.Namespaces, m.Namespace) &&
		(len(r.Kinds) == 0 || slices.Contains(r.Kinds, m.Kind)) &&
		(len(r.Trust) == 0 || slices.Contains(r.Trust, m.Trust)) &&
		is(r.SessionID, m.SessionID) && is(r.Source, m.Source) &&
		has(r.Path, m.Paths) && has(r.ParentID, m.ParentIDs) &&
		!slices.ContainsFunc(r.Tags, func(t string) bool { return !slices.Contains(m.Tags, t) }) &&
		(r.Action == nil || m.Action != nil && r.Action.Kind == m.Action.Kind && r.Action.Store == m.Action.Store && is(r.Action.Key, m.Action.Key))
}
