package table

import (
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/internal/nodedb/fulltext"
	"github.com/memscribe/memscribe/internal/nodedb/schema"
	"github.com/memscribe/memscribe/internal/nodedb/wordindex"
)

// EntryOf returns the row of the index search for a node.
func (s *Scopes) EntryOf(r *Row) wordindex.Entry {
	return wordindex.Entry{N: r.N, Text: fulltext.Spaced(r.Words.text), Path: fulltext.Spaced(r.Words.path), Scope: s.of(r, "")}
}

// TextOf returns the row of the index words for a node.
func (s *Scopes) TextOf(r *Row) wordindex.Text {
	by := fulltext.ByAgent
	if r.Speaker == "user" || r.DecidedBy == "user" {
		by = fulltext.ByPerson
	}
	if r.IsBan {
		by += " " + fulltext.IsBan
	}
	return wordindex.Text{Row: schema.RowOfNode(r.N), Text: fulltext.Findable(r.Spoken), Scope: s.of(r, by)}
}

// TextOfMessage returns the row of the index words for a message.
func (s *Scopes) TextOfMessage(m *Message) wordindex.Text {
	by := fulltext.ByAgent
	if m.Kind == string(core.Asked) {
		by = fulltext.ByPerson
	}
	of := m.Row
	if of.Kind = "message"; m.Kind == string(core.Command) {
		of.Kind = m.Kind
	}
	return wordindex.Text{Row: schema.RowOfMessage(m.N), Text: fulltext.Findable(m.Text), Scope: s.of(&of, by)}
}
