package record

import (
	"slices"
	"strings"
	"unicode"

	"github.com/memscribe/memscribe/sink/memdb/api"
)

// Term is what must, or must not, be in what is searched for.
type Term struct {
	Text        string
	Prefix, Not bool
}

// Terms reads what a person types: words, "a phrase", begin*, -without. Whatever
// they type is a search.
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

// Wanted returns the words and phrases that a query asks for.
func Wanted(query string) (words []string) {
	for _, t := range Terms(query) {
		if !t.Not {
			words = append(words, t.Text)
		}
	}
	return words
}

// Unwanted returns the part of a query that says what must not be there.
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

// isWord reports whether a character is part of a word, as the tokenizer has it.
func isWord(r rune) bool {
	return unicode.IsLetter(r) || unicode.IsNumber(r) || unicode.Is(unicode.Co, r)
}

// Fits holds a memory to the filters: the words by which it was found are hashes.
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
