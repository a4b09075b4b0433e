package stream

import (
	"strings"

	"github.com/memscribe/memscribe/core/jsondoc"
)

// Kind is a row in the table of a tool's records. It says what some kinds of record become,
// and how that is known. The parser dispatches by the table, the drift report finds new kinds
// with it, and the table on the tool's page in docs/adapters is made from it:
//
//	{Names: "user", Known: "rec", Becomes: "`user_turn`", Read: (*parser).userRecord},
//	{Names: "attachment", Known: "rec", Becomes: "by its type", Read: (*parser).attached},
//	{In: "attachment", Names: "date model skill_listing", Known: "rec 2.1.329"},
type Kind struct {
	// In is the outer kind, if these are kinds within one.
	In string
	// Names are the kinds as the tool writes them, separated by blanks. A single name
	// that ends in "*" matches all kinds with that prefix.
	Names string
	// Known is the evidence: rec, wild, src, hear, doc or unv, and the versions.
	Known string
	// Becomes says in Markdown which events a record becomes. It is empty for
	// bookkeeping: records of nothing that was said or done.
	Becomes string
	// Read is the function that reads a record; all functions of a table have one type.
	// [Dispatch] needs func(P, Head, jsondoc.Value). A record without a reader, or of
	// which the reader makes no event, is kept as bookkeeping.
	Read any
}

// has reports whether the row has a kind.
func (k *Kind) has(in, kind string) bool {
	if k.In != in || kind == "" || strings.ContainsAny(kind, " \t\n") {
		return false
	}
	if prefix, ok := strings.CutSuffix(k.Names, "*"); ok {
		return len(kind) > len(prefix) && strings.HasPrefix(kind, prefix)
	}
	for end := 0; ; {
		at := strings.Index(k.Names[end:], kind)
		if at < 0 {
			return false
		}
		at += end
		end = at + len(kind)
		if (at == 0 || k.Names[at-1] <= ' ') && (end == len(k.Names) || k.Names[end] <= ' ') {
			return true
		}
	}
}

// Table looks kinds up. It belongs to one parser and caches what it has found, since a
// transcript has few kinds.
type Table struct {
	kinds []Kind
	cache []Match
}

// Match is the result of looking a kind up.
type Match struct {
	Name  string // with the outer kind: "attachment/date"
	Known bool   // the table has the kind
	Read  any

	in, kind string // as in the bytes of the record
}

// maxCached limits the cache, since a file may have any number of invented kinds.
// initialCache is enough for most files.
const (
	maxCached    = 128
	initialCache = 16
)

// NewTable returns a table of kinds.
func NewTable(kinds []Kind) Table { return Table{kinds: kinds} }

// Described reports whether a table has a kind.
func Described(kinds []Kind, kind jsondoc.Value) bool {
	t := NewTable(kinds)
	return t.Of("", kind).Known
}

// Of looks up a kind, within the outer kind in if that is not empty.
func (t *Table) Of(in string, kind jsondoc.Value) Match {
	written := kind.Body()
	for i := range t.cache {
		if m := &t.cache[i]; m.kind == string(written) && m.in == in {
			return *m
		}
	}
	if !kind.Escaped() {
		return t.find(in, string(written), string(written))
	}
	return t.find(in, string(written), kind.Str())
}

// Named looks up a kind by a name that the parser has made.
func (t *Table) Named(name string) Match {
	for i := range t.cache {
		if m := &t.cache[i]; m.kind == name && m.in == "" {
			return *m
		}
	}
	return t.find("", name, name)
}

// find looks a kind up in the rows, and caches the result.
func (t *Table) find(in, written, name string) Match {
	m := Match{Name: name, in: in, kind: written}
	for i := range t.kinds {
		if k := &t.kinds[i]; k.has(in, name) {
			m.Known, m.Read = true, k.Read
			break
		}
	}
	if in != "" {
		m.Name = in + "/" + name
	}
	if t.cache == nil {
		t.cache = make([]Match, 0, initialCache)
	}
	if len(t.cache) < maxCached && len(written) <= maxName {
		t.cache = append(t.cache, m)
	}
	return m
}

// Dispatch reads v with the reader of its kind, within the outer kind in if that is not
// empty. If that emits no event, the record is kept as an unknown event: as bookkeeping if the
// table has the kind. A record may have several such values.
func Dispatch[P any](p P, b *Base, in string, kind jsondoc.Value, h Head, v jsondoc.Value) {
	before := b.Emitted
	b.Emitted = false
	if k := Read(p, &b.Kinds, in, kind, h, v); !b.Emitted {
		b.keep(h, k.Name, b.Raw, k.Known)
	}
	b.Emitted = b.Emitted || before
}

// Read reads v with the reader of its kind, if it has one.
func Read[P any](p P, t *Table, in string, kind jsondoc.Value, h Head, v jsondoc.Value) Match {
	k := t.Of(in, kind)
	if read, ok := k.Read.(func(P, Head, jsondoc.Value)); ok {
		read(p, h, v)
	}
	return k
}

// ReadAs is [Read] for readers that need no head: a parser has put that elsewhere, and gives
// them what it has made of the record.
func ReadAs[P, V any](p P, t *Table, in string, kind jsondoc.Value, v V) Match {
	k := t.Of(in, kind)
	if read, ok := k.Read.(func(P, V)); ok {
		read(p, v)
	}
	return k
}
