package store

import (
	"context"
	"strings"
	"unicode"

	"github.com/memscribe/memscribe/sink/memdb/api"
	"github.com/memscribe/memscribe/sink/memdb/chain"
)

// expression is the FTS5 expression of a search: what is typed, and the filters.
func expression(ctx context.Context, db chain.DB, r *api.SearchRequest) (string, error) {
	with, without, err := expressions(ctx, db, r.Query)
	if err != nil {
		return "", err
	}
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
	return expr, nil
}

// term is what must, or must not, stand in what is searched for.
type term struct {
	text        string
	prefix, not bool
}

// terms reads what a person types: words, "a phrase", begin*, -without. Whatever
// they type is a search.
func terms(s string) (all []term) {
	for s = strings.TrimSpace(s); s != ""; s = strings.TrimSpace(s) {
		var t term
		if after, ok := strings.CutPrefix(s, "-"); ok {
			t.not, s = true, after
		}
		if after, ok := strings.CutPrefix(s, `"`); ok {
			t.text, s, _ = strings.Cut(after, `"`)
		} else {
			end := strings.IndexFunc(s, unicode.IsSpace)
			if end < 0 {
				end = len(s)
			}
			t.text, t.prefix = strings.CutSuffix(s[:end], "*")
			s = s[end:]
		}
		if strings.ContainsFunc(t.text, isWord) {
			all = append(all, t)
		}
	}
	return all
}

// expressions are those of what must stand in a text, and of what must not.
func expressions(ctx context.Context, db chain.DB, query string) (with, without []string, err error) {
	for _, t := range terms(query) {
		text := quoted(spaced(t.text))
		if t.prefix {
			if text, err = begun(ctx, db, t.text); err != nil {
				return nil, nil, err
			}
		}
		if t.not {
			without = append(without, text)
		} else {
			with = append(with, text)
		}
	}
	return with, without, nil
}

// manyBegun is how many words a beginning is replaced by at most.
const manyBegun = 800

// begun is the expression for the words that begin so: the words themselves, for
// of a beginning FTS5 gathers everything before it gives the first, and of words
// one by one, the newest first.
func begun(ctx context.Context, db chain.DB, text string) (string, error) {
	whole := quoted(spaced(text)) + " *"
	if strings.ContainsFunc(text, notPlain) {
		return whole, nil
	}
	// From each to the next: of a word there may be many.
	words, err := column[string](ctx, db, `WITH RECURSIVE each(term) AS (
		  SELECT (SELECT term FROM vocabulary WHERE term >= ?1 LIMIT 1)
		  UNION ALL SELECT (SELECT term FROM vocabulary WHERE term >= each.term || char(1) LIMIT 1)
		    FROM each WHERE term < ?1 || char(1114111) LIMIT ?2)
		SELECT term FROM each WHERE term < ?1 || char(1114111)`, strings.ToLower(text), manyBegun+1)
	if err != nil || len(words) == 0 || len(words) > manyBegun {
		return whole, err
	}
	return `("` + strings.Join(words, `" OR "`) + `")`, nil
}

// notPlain reports whether a character, or another in its place, is more or less
// to the tokenizer than a letter in lower case.
func notPlain(r rune) bool {
	return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9')
}

// isWord reports whether a character is part of a word, as the tokenizer has it.
func isWord(r rune) bool {
	return unicode.IsLetter(r) || unicode.IsNumber(r) || unicode.Is(unicode.Co, r)
}

func quoted(s string) string {
	return `"` + strings.ReplaceAll(strings.ReplaceAll(s, "\x00", " "), `"`, `""`) + `"`
}
