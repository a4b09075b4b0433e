package annotate

import (
	"fmt"
	"slices"
	"strings"
)

// Mark is how a node stands by all that was said of it. The zero Mark is that of a node
// that has no annotation.
type Mark struct {
	Accepted     bool   `json:"accepted,omitempty"`
	Rejected     bool   `json:"rejected,omitempty"`
	VerdictBy    string `json:"verdict_by,omitempty"`
	Pinned       bool   `json:"pinned,omitempty"`
	Title        string `json:"title,omitempty"`
	TitleBy      string `json:"title_by,omitempty"`
	SupersededBy string `json:"superseded_by,omitempty"`
	// Proposed is the decision that an agent would have in its place. It holds once a
	// person says so; until then nothing follows from it.
	Proposed   string `json:"proposed,omitempty"`
	ProposedBy string `json:"proposed_by,omitempty"`
	Notes      []Note `json:"notes,omitempty"`
	// Shared is set if the node was not captured here but received from a team.
	Shared *Shared `json:"shared,omitempty"`
}

// Shared says whose node it is.
type Shared struct {
	By        string `json:"by"` // as the server says, which does not check it
	Server    string `json:"server"`
	Namespace string `json:"namespace"`
}

// String says who shared the node, and where, as "shared by Ann in acme.app".
func (s *Shared) String() string { return "shared by " + s.By + " in " + s.Namespace }

// Note is one note about a node.
type Note struct {
	Text  string `json:"text"`
	By    string `json:"by"`
	At    string `json:"at"`
	Agent bool   `json:"agent,omitempty"` // an agent's words, and no person's
}

// Who names the author of a note: "Ada", or "agent codex" of an agent, whatever name
// that gave itself.
func (n *Note) Who() string {
	if n.Agent {
		return "agent " + n.By
	}
	return n.By
}

// The notes of a node that are shown: the last of people, and the last of agents.
const (
	maxNotes      = 50
	maxAgentNotes = 10
)

// IsZero reports whether nothing was said.
func (m *Mark) IsZero() bool {
	return !m.Accepted && !m.Rejected && !m.Pinned && m.Title == "" && m.SupersededBy == "" && m.Proposed == "" && len(m.Notes) == 0 && m.Shared == nil
}

// Marks works out how nodes stand, by their ids. Of what contradicts each other the last
// holds, whoever said it; notes add up.
func Marks(all []Annotation) map[string]Mark {
	marks := map[string]Mark{}
	ordered := Merge(all, nil)
	slices.SortStableFunc(ordered, func(a, b Annotation) int { return a.Round - b.Round })
	for _, a := range ordered {
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
	if m.Shared != nil {
		parts = append(parts, m.Shared.String())
	}
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
	if m.Proposed != "" {
		parts = append(parts, "agent "+m.ProposedBy+" proposes "+m.Proposed+" in its place")
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

// take adds an annotation to what was said before. Whatever a person says of whether a
// decision holds answers what an agent proposed.
func (m *Mark) take(a *Annotation) {
	switch {
	case a.Author == Agent && a.Kind == Supersede:
		m.Proposed, m.ProposedBy = a.Text, a.By
		return
	case a.Kind == Accept, a.Kind == Reject, a.Kind == Supersede:
		m.Proposed, m.ProposedBy = "", ""
	}
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
		m.note(Note{Text: a.Text, By: a.By, At: a.At, Agent: a.Author == Agent})
	case Add: // it is a node by itself
	}
}

// note adds a note, and drops the first one of such an author when there are too
// many: an agent's notes displace no person's.
func (m *Mark) note(n Note) {
	most := maxNotes
	if n.Agent {
		most = maxAgentNotes
	}
	m.Notes = append(m.Notes, n)
	alike := func(o Note) bool { return o.Agent == n.Agent }
	count := 0
	for i := range m.Notes {
		if alike(m.Notes[i]) {
			count++
		}
	}
	if count > most {
		first := slices.IndexFunc(m.Notes, alike)
		m.Notes = slices.Delete(m.Notes, first, first+1)
	}
}
