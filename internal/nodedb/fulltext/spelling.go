package fulltext

import (
	"context"
	"slices"
	"strings"

	"github.com/memscribe/memscribe/internal/nodedb/schema"
	"github.com/memscribe/memscribe/internal/search"
)

// Known reports whether a word, or one that begins so, is in a text of the database.
func Known(ctx context.Context, q schema.Querier, word string) (known bool, err error) {
	err = q.QueryRowContext(ctx, "SELECT EXISTS (SELECT * FROM terms WHERE term >= ?1 AND term < ?1 || char(1114111))", word).Scan(&known)
	return known, err
}

const (
	fewLetters = 8   // from when on two slips are forgiven
	beginning  = 3   // letters that a word with two slips has in common with what is meant
	manyTerms  = 600 // words with that beginning that are looked at
)

// Near returns the words that a word may be a misspelling of.
func Near(ctx context.Context, q schema.Querier, word string) ([]string, error) {
	typos := search.Typos(word)
	if len(typos) == 0 {
		return nil, nil
	}
	list, err := schema.JSONList(typos)
	if err != nil {
		return nil, err
	}
	words, err := schema.Collect(ctx, q, schema.Single[string], "SELECT value FROM json_each(?) WHERE EXISTS (SELECT * FROM terms WHERE term = value)", list)
	if err != nil || len(words) > 0 || len(word) < fewLetters {
		return words, err
	}
	all, err := BegunWith(ctx, q, word[:beginning], manyTerms)
	return slices.DeleteFunc(all, func(w string) bool { return search.Distance(w, word, 2) > 2 }), err
}

// BegunWith returns the words that begin with some plain letters; none if they are more
// than most, or it is no plain word.
func BegunWith(ctx context.Context, q schema.Querier, word string, most int) ([]string, error) {
	if word == "" || strings.IndexFunc(word, NotPlain) >= 0 {
		return nil, nil
	}
	// From each to the next: of a word there may be many.
	all, err := schema.Collect(ctx, q, schema.Single[string], `WITH RECURSIVE each(term) AS (
		  SELECT (SELECT term FROM terms WHERE term >= ?1 LIMIT 1)
		  UNION ALL SELECT (SELECT term FROM terms WHERE term >= each.term || char(1) LIMIT 1)
		    FROM each WHERE term < ?1 || char(1114111) LIMIT ?2)
		SELECT term FROM each WHERE term < ?1 || char(1114111)`, word, most+1)
	if len(all) > most {
		return nil, err
	}
	return all, err
}

// Phrases returns the FTS5 expressions for the ways in which a text can contain a term:
// as it is, as the parts of a name, or corrected. begun also matches the beginning of a
// word.
func Phrases(t search.Term, begun bool) []string {
	var all []string
	add := func(text string, begun bool) {
		p := "text : " + Quoted(Spaced(text))
		if begun {
			p += " *"
		}
		all = append(all, p)
	}
	if len(t.Near) > 0 {
		for _, w := range t.Near {
			add(w, false)
		}
		return all
	}
	begun = begun && !t.Phrase
	add(t.Text, begun)
	if parts := Parts(t.Text); parts != "" && !t.Phrase {
		add(parts, begun)
	}
	return all
}
