package stream

import (
	"strings"

	"github.com/memscribe/memscribe/core/jsondoc"
)

// Kind is a row of the table of a tool's records: it says what the records of some
// kinds become, and how that is known. The parser finds its readers there, the report
// of drift what is new, and the tool's page in docs/adapters its table:
//
//	{Names: "user", Known: "rec", Becomes: "`user_turn`", Read: (*parser).userRecord},
//	{Names: "attachment", Known: "rec", Becomes: "by its type", Read: (*parser).attached},
//	{In: "attachment", Names: "date model skill_listing", Known: "rec 2.1.329"},
type Kind struct {
	// In is the kind of the records, if these are kinds within that one.
	In string
	// Names are the kinds as the tool writes them, with blanks between them. A single
	// one that ends in "*" stands for all that begin so.
	Names string
	// Known is the evidence: rec, wild, src, hear, doc or unv, and the versions.
	Known string
	// Becomes says in Markdown which events a record gives. It is empty for
	// bookkeeping: what carries nothing that was said or done.
	Becomes string
	// Read is the function that reads a record; of a table that [Dispatch] reads by, a
	// func(P, Head, jsondoc.Value). All of a table have one type. A record of which it
	// makes no event is kept as bookkeeping, and so is one without a reader.
	Read any
}

// has reports whether a row is about a kind.
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

// Table finds the rows of kinds. It belongs to one parser: it remembers what was looked
// up, so that a kind costs a comparison with each of the few that a transcript has.
type Table struct {
	kinds []Kind
	met   []Met
}

// Met is a kind of record that was met.
type Met struct {
	Name  string // with the kind that it is in: "attachment/date"
	Known bool   // the table has it
	Read  any

	in, kind string // as the bytes of the record have it
}

// maxMet bounds the kinds that are remembered: a file may make them up. Few have more
// than the usual number.
const (
	maxMet = 128
	usual  = 16
)

// NewTable is a table of these kinds.
func NewTable(kinds []Kind) Table { return Table{kinds: kinds} }

// Described reports whether a table has a kind of record.
func Described(kinds []Kind, kind jsondoc.Value) bool {
	t := NewTable(kinds)
	return t.Of("", kind).Known
}

// Of finds a kind, within another one if in is not empty.
func (t *Table) Of(in string, kind jsondoc.Value) Met {
	written := kind.Body()
	for i := range t.met {
		if m := &t.met[i]; m.kind == string(written) && m.in == in {
			return *m
		}
	}
	name := kind.Str()
	if !kind.Escaped() {
		return t.find(in, name, name)
	}
	return t.find(in, string(written), name)
}

// Named finds a kind by a name that the parser has made.
func (t *Table) Named(name string) Met {
	for i := range t.met {
		if m := &t.met[i]; m.kind == name && m.in == "" {
			return *m
		}
	}
	return t.find("", name, name)
}

// find looks a kind up in the rows, and remembers it.
func (t *Table) find(in, written, name string) Met {
	m := Met{Name: name, in: in, kind: written}
	for i := range t.kinds {
		if k := &t.kinds[i]; k.has(in, name) {
			m.Known, m.Read = true, k.Read
			break
		}
	}
	if in != "" {
		m.Name = in + "/" + name
	}
	if t.met == nil {
		t.met = make([]Met, 0, usual)
	}
	if len(t.met) < maxMet && len(written) <= maxName {
		t.met = append(t.met, m)
	}
	return m
}

// Dispatch has a parser read v by its kind, within another one if in is not empty. What
// becomes no event is kept, as bookkeeping if the table has the kind. A record may hold
// several such values.
func Dispatch[P any](p P, b *Base, t *Table, in string, kind jsondoc.Value, h Head, v jsondoc.Value) {
	k, before := t.Of(in, kind), b.Emitted
	b.Emitted = false
	if read, ok := k.Read.(func(P, Head, jsondoc.Value)); ok {
		read(p, h, v)
	}
	if !b.Emitted {
		b.keep(h, k.Name, b.Raw, k.Known)
	}
	b.Emitted = b.Emitted || before
}
