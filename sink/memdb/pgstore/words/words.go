// Package words writes the words of memories and searches as PostgreSQL reads them: a tsvector
// for a memory, a tsquery for a search.
//
//	memory     content "Use cursors", kind decision     '=qk86…' 'cursors':2 'use':1
//	search     "cursor", kinds decision or episode      ('=qk86…'|'=qk7e…')&('cursor')
//
// Filters are words, too, which begin with "=": so one index serves for both. Words between
// brackets are alternatives, everything else must all be there.
package words

import (
	"strings"

	"github.com/memscribe/memscribe/sink/internal/pg"
	"github.com/memscribe/memscribe/sink/memdb/api"
	"github.com/memscribe/memscribe/sink/memdb/record"
)

// searchBytes is how much of a content can be searched for.
const searchBytes = 4096

// scopeMark begins a word that stands for a value of a field: no word of a text has
// it.
const scopeMark = "="

// Vector returns the tsvector of a memory, as text: its words with their places, and the
// words by which it can be filtered without.
func Vector(m *api.Memory, scopes *record.Scopes) string {
	var values []string
	for s := range strings.FieldsSeq(scopes.Of(m)) {
		values = append(values, scopeMark+s)
	}
	return pg.Vector(record.Searchable(m.Content, searchBytes), values)
}

// Expression returns the tsquery of a search: what is typed, and the filters; "" finds every
// memory.
func Expression(r *api.SearchRequest) string {
	var groups []string
	any := func(field rune, values ...string) {
		var some []string
		for _, v := range values {
			if v != "" {
				some = append(some, "'"+scopeMark+record.ScopeWord(field, v)+"'")
			}
		}
		if len(some) > 0 {
			groups = append(groups, "("+strings.Join(some, "|")+")")
		}
	}
	any(record.KindField, r.Kinds...)
	trusts := make([]string, len(r.Trust))
	for i, t := range r.Trust {
		trusts[i] = string(t)
	}
	any(record.TrustField, trusts...)
	for _, t := range r.Tags {
		any(record.TagField, t)
	}
	any(record.SessionField, r.SessionID)
	any(record.SourceField, r.Source)
	any(record.PathField, r.Path)
	any(record.ParentField, r.ParentID)
	if r.Action != nil {
		any(record.ActionField, record.ActionWord(r.Action))
	}
	for _, t := range record.Terms(r.Query) {
		if phrase := pg.Phrase(pg.Term(t)); phrase != "" {
			groups = append(groups, phrase)
		}
	}
	return strings.Join(groups, "&")
}
