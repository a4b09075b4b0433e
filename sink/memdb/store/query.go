package store

import (
	"strings"
	"unicode"

	"github.com/memscribe/memscribe/sink/memdb/api"
)

// expression is the FTS5 expression of a search: what is typed, and the filters.
func expression(r *api.SearchRequest) string {
	with, without := terms(r.Query)
	groups := []string{}
	for _, t := range with {
		groups = append(groups, "text : "+t)
	}
	any := func(field rune, values []string) {
		var words []string
		for _, v := range values {
			words = append(words, scopeWord(field, v))
		}
		if len(words) > 0 {
			groups = append(groups, "scope : ("+strings.Join(words, " OR ")+")")
		}
	}
	any(namespaceField, r.Namespaces)
	any(kindField, r.Kinds)
	var trusts []string
	for _, t := range r.Trust {
		trusts = append(trusts, string(t))
	}
	any(trustField, trusts)
	for _, t := range r.Tags {
		any(tagField, []string{t})
	}
	one := func(field rune, value string) {
		if value != "" {
			any(field, []string{value})
		}
	}
	one(sessionField, r.SessionID)
	one(sourceField, r.Source)
	one(pathField, r.Path)
	one(parentField, r.ParentID)
	if r.Action != nil {
		one(actionField, actionWord(r.Action))
	}
	expr := "(" + strings.Join(groups, ") AND (") + ")"
	if len(without) > 0 {
		expr += " NOT (text : (" + strings.Join(without, " OR ") + "))"
	}
	return expr
}

// terms reads what a person types: words, "a phrase", begin*, -without. Whatever
// they type is a search.
func terms(s string) (with, without []string) {
	for s = strings.TrimSpace(s); s != ""; s = strings.TrimSpace(s) {
		not := false
		if after, ok := strings.CutPrefix(s, "-"); ok {
			not, s = true, after
		}
		var text string
		prefix := false
		if after, ok := strings.CutPrefix(s, `"`); ok {
			text, s, _ = strings.Cut(after, `"`)
		} else {
			end := strings.IndexFunc(s, unicode.IsSpace)
			if end < 0 {
				end = len(s)
			}
			text, prefix = strings.CutSuffix(s[:end], "*")
			s = s[end:]
		}
		if !strings.ContainsFunc(text, isWord) {
			continue
		}
		t := quoted(spaced(text))
		if prefix {
			t += " *"
		}
		if not {
			without = append(without, t)
		} else {
			with = append(with, t)
		}
	}
	return with, without
}

// isWord reports whether a character is part of a word, as the tokenizer has it.
func isWord(r rune) bool {
	return unicode.IsLetter(r) || unicode.IsNumber(r) || unicode.Is(unicode.Co, r)
}

func quoted(s string) string {
	return `"` + strings.ReplaceAll(strings.ReplaceAll(s, "\x00", " "), `"`, `""`) + `"`
}
