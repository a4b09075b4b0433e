package annotate

import (
	"fmt"
	"strings"
)

// Mark is how a node stands by all that was said of it. The zero Mark is that of a node
// of which nothing was said.
type Mark struct {
	Accepted     bool   `json:"accepted,omitempty"`
	Rejected     bool   `json:"rejected,omitempty"`
	VerdictBy    string `json:"verdict_by,omitempty"`
	Pinned       bool   `json:"pinned,omitempty"`
	Title        string `json:"title,omitempty"`
	TitleBy      string `json:"title_by,omitempty"`
	SupersededBy string `json:"superseded_by,omitempty"`
	Notes        []Note `json:"notes,omitempty"`
}

// Note is what a person noted.
type Note struct {
	Text string `json:"text"`
	By   string `json:"by"`
	At   string `json:"at"`
}

// maxNotes is how many notes of a node are shown: the last.
const maxNotes = 50

// IsZero reports whether nothing was said.
func (m *Mark) IsZero() bool {
	return !m.Accepted && !m.Rejected && !m.Pinned && m.Title == "" && m.SupersededBy == "" && len(m.Notes) == 0
}

// Marks works out how nodes stand, by their ids. Of what contradicts each other the last
// holds, whoever said it; notes add up.
func Marks(all []Annotation) map[string]Mark {
	marks := map[string]Mark{}
	for _, a := range Merge(all, nil) {
		m := marks[a.Node]
		m.take(&a)
		marks[a.Node] = m
	}
	for id, m := range marks {
		if m.IsZero() {
			delete(marks, id)
		}
	}
	return marks
}

// String says in a few words how the node stands, as "accepted by Ada, pinned"; "" of
// the zero Mark.
func (m *Mark) String() string {
	var parts []string
	switch {
	case m.Accepted:
		parts = append(parts, "accepted by "+m.VerdictBy)
	case m.Rejected:
		parts = append(parts, "rejected by "+m.VerdictBy)
	}
	if m.Pinned {
		parts = append(parts, "pinned")
	}
	if m.Title != "" {
		parts = append(parts, "title by "+m.TitleBy)
	}
	if m.SupersededBy != "" {
		parts = append(parts, "replaced")
	}
	switch n := len(m.Notes); n {
	case 0:
	case 1:
		parts = append(parts, "a note")
	default:
		parts = append(parts, fmt.Sprintf("%d notes", n))
	}
	return strings.Join(parts, ", ")
}

func (m *Mark) take(a *Annotation) {
	switch a.Kind {
	case Accept, Reject:
		m.Accepted, m.Rejected = a.Kind == Accept && !a.Undo, a.Kind == Reject && !a.Undo
		m.VerdictBy = ""
		if !a.Undo {
			m.VerdictBy = a.By
		}
	case Pin:
		m.Pinned = !a.Undo
	case Edit:
		m.Title, m.TitleBy = a.Text, a.By
		if a.Undo {
			m.Title, m.TitleBy = "", ""
		}
	case Supersede:
		m.SupersededBy = a.Text
		if a.Undo {
			m.SupersededBy = ""
		}
	case Say:
		if a.Undo {
			m.Notes = nil
			return
		}
		m.Notes = append(m.Notes, Note{a.Text, a.By, a.At})
		m.Notes = m.Notes[max(0, len(m.Notes)-maxNotes):]
	case Add: // it is a node by itself
	}
}
