package table

import (
	"cmp"

	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/internal/nodedb/fulltext"
	"github.com/memscribe/memscribe/internal/nodedb/schema"
)

// Entry is what the index of words holds of a node.
type Entry struct {
	N                 int64
	Text, Path, Scope string
}

// EntryOf is what the index of words holds of a row.
func (s *Scopes) EntryOf(r *Row) Entry {
	return Entry{N: r.N, Text: fulltext.Spaced(r.Words.text), Path: fulltext.Spaced(r.Words.path), Scope: s.of(r)}
}

// Spoken is what the index for memscribe search holds of a node or a message.
type Spoken struct {
	Row         int64
	Text, Scope string
}

// ByRow orders by row.
func ByRow(x, y Spoken) int { return cmp.Compare(x.Row, y.Row) }

// SpokenOf is what the index for memscribe search holds of a node.
func (s *Scopes) SpokenOf(r *Row) Spoken {
	scope := s.of(r)
	by := fulltext.ByAgent
	if r.Speaker == "user" || r.DecidedBy == "user" {
		by = fulltext.ByPerson
	}
	scope += " " + by
	if r.IsBan {
		scope += " " + fulltext.IsBan
	}
	return Spoken{Row: schema.RowOfNode(r.N), Text: fulltext.Findable(r.Spoken), Scope: scope}
}

// SpokenOfMessage is what the index for memscribe search holds of a message.
func (s *Scopes) SpokenOfMessage(m *Message) Spoken {
	by := fulltext.ByAgent
	if m.Kind == string(core.Asked) {
		by = fulltext.ByPerson
	}
	kind := "message"
	if m.Kind == string(core.Command) {
		kind = m.Kind
	}
	of := m.Row
	of.Kind = kind
	return Spoken{Row: schema.RowOfMessage(m.N), Text: fulltext.Findable(m.Text), Scope: s.of(&of) + " " + by}
}
