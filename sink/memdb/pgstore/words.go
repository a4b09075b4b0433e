package pgstore

import (
	"slices"
	"strconv"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"github.com/memscribe/memscribe/sink/memdb/api"
	"github.com/memscribe/memscribe/sink/memdb/record"
)

// Words are told apart here and not by the server: so that every server, of every
// locale, finds what SQLite's tokenizer finds, and none takes a word for its stem.

// searchBytes is how much of a content can be searched for.
const searchBytes = 4096

// The bounds of a tsvector: what is more cannot be told by its place.
const (
	mostPlace  = 16000
	mostPlaces = 255
	mostBytes  = 1024 // of a word
)

// words are those of a text: runs of letters and digits, in lower case and without
// accents.
//
//	"Façade, fertig: 数据" → facade fertig 数 据
func words(text string) []string {
	var all []string
	var word strings.Builder
	end := func() {
		if word.Len() > 0 {
			all = append(all, word.String())
			word.Reset()
		}
	}
	for _, r := range norm.NFD.String(record.Spaced(text)) {
		switch {
		case unicode.Is(unicode.Mn, r):
		case unicode.IsLetter(r) || unicode.IsNumber(r) || unicode.Is(unicode.Co, r):
			if word.Len() < mostBytes {
				word.WriteRune(unicode.ToLower(r))
			}
		default:
			end()
		}
	}
	end()
	return all
}

// scopeMark begins a word that stands for a value of a field: no word of a text has
// it.
const scopeMark = "="

// vector is the tsvector of a memory, as text: its words with their places, and the
// words by which it can be filtered without.
func vector(m *api.Memory, scopes *record.Scopes) string {
	places := map[string][]string{}
	for i, w := range words(record.Searchable(m.Content, searchBytes)) {
		if i < mostPlace && len(places[w]) < mostPlaces {
			places[w] = append(places[w], strconv.Itoa(i+1))
		}
	}
	all := make([]string, 0, len(places)+8)
	for w, at := range places {
		all = append(all, "'"+w+"':"+strings.Join(at, ","))
	}
	for s := range strings.FieldsSeq(scopes.Of(m)) {
		all = append(all, "'"+scopeMark+s+"'")
	}
	slices.Sort(all)
	return strings.Join(slices.Compact(all), " ")
}

// expression is the tsquery of a search: what is typed, and the filters.
func expression(r *api.SearchRequest) string {
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
		if phrase := phrase(t); phrase != "" {
			groups = append(groups, phrase)
		}
	}
	return strings.Join(groups, "&")
}

// phrase is what one term asks for: words that follow each other.
func phrase(t record.Term) string {
	all := words(t.Text)
	if len(all) == 0 {
		return ""
	}
	for i, w := range all {
		all[i] = "'" + w + "'"
	}
	if t.Prefix {
		all[len(all)-1] += ":*"
	}
	text := "(" + strings.Join(all, "<->") + ")"
	if t.Not {
		text = "!" + text
	}
	return text
}
