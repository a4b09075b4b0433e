package store

import (
	"context"
	"strings"

	"github.com/memscribe/memscribe/internal/sqlitefile"
	"github.com/memscribe/memscribe/sink/memdb/api"
	"github.com/memscribe/memscribe/sink/memdb/chain"
	"github.com/memscribe/memscribe/sink/memdb/record"
)

// expression returns the FTS5 expression of a search: the words of the query and the
// filters, which are indexed as words of a second column. For namespaces [team], kinds
// [decision], and the query `cursor pag* -offset`:
//
//	(text : "cursor") AND (text : ("pages" OR "pagination")) AND (scope : (…)) AND (scope : (…))
//	    NOT (text : ("offset"))
//
// Filters are hashes of field and value (record.ScopeWord). Two values may share a
// hash, so [record.Page.Take] checks each record again.
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
			words = append(words, record.ScopeWord(field, v))
		}
		if len(words) > 0 {
			groups = append(groups, "scope : ("+strings.Join(words, " OR ")+")")
		}
	}
	any(record.NamespaceField, r.Namespaces)
	any(record.KindField, r.Kinds)
	var trusts []string
	for _, t := range r.Trust {
		trusts = append(trusts, string(t))
	}
	any(record.TrustField, trusts)
	for _, t := range r.Tags {
		any(record.TagField, []string{t})
	}
	one := func(field rune, value string) {
		if value != "" {
			any(field, []string{value})
		}
	}
	one(record.SessionField, r.SessionID)
	one(record.SourceField, r.Source)
	one(record.PathField, r.Path)
	one(record.ParentField, r.ParentID)
	if r.Action != nil {
		one(record.ActionField, record.ActionWord(r.Action))
	}
	expr := "(" + strings.Join(groups, ") AND (") + ")"
	if len(without) > 0 {
		expr += " NOT (text : (" + strings.Join(without, " OR ") + "))"
	}
	return expr, nil
}

// expressions returns those of what must be in a text, and of what must not.
func expressions(ctx context.Context, db chain.DB, query string) (with, without []string, err error) {
	for _, t := range record.Terms(query) {
		text := quoted(record.Spaced(t.Text))
		if t.Prefix {
			if text, err = begun(ctx, db, t.Text); err != nil {
				return nil, nil, err
			}
		}
		if t.Not {
			without = append(without, text)
		} else {
			with = append(with, text)
		}
	}
	return with, without, nil
}

// manyBegun is how many words a beginning is replaced by at most.
const manyBegun = 800

// begun returns the expression for all words with this beginning. It lists the words
// themselves, at most 800, because FTS5 collects and sorts all matches of a prefix
// before it returns the first one, while for single words it returns the newest at
// once. A beginning with more words, or with characters that the tokenizer changes,
// stays a prefix.
func begun(ctx context.Context, db chain.DB, text string) (string, error) {
	whole := quoted(record.Spaced(text)) + " *"
	if strings.ContainsFunc(text, notPlain) {
		return whole, nil
	}
	// From each to the next: of a word there may be many.
	words, err := sqlitefile.Column[string](ctx, db, `WITH RECURSIVE each(term) AS (
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

// quoted returns s as a string of an FTS5 query.
func quoted(s string) string {
	return `"` + strings.ReplaceAll(strings.ReplaceAll(s, "\x00", " "), `"`, `""`) + `"`
}
