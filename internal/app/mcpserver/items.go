package mcpserver

import (
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/memscribe/memscribe/internal/nodedb"
	"github.com/memscribe/memscribe/internal/visible"
)

// Item is a node as an agent sees it. Fields that do not apply are left out.
type Item struct {
	ID      string `json:"id"`   // of a node; of what is none, session:seq
	Kind    string `json:"kind"` // decision, conversation, episode; user, assistant, command
	Time    string `json:"time,omitempty"`
	Tool    string `json:"tool"`
	Session string `json:"session"`
	Seq     int64  `json:"seq,omitempty"` // where in the session it stands
	Project string `json:"project,omitempty"`
	// From says whose words Text holds: person, teammate, agent or file. Only a person's
	// are more than a record.
	From string `json:"from"`
	Text string `json:"text"`

	Title string `json:"title,omitempty"` // a decision that reads by itself
	Rule  string `json:"rule,omitempty"`  // why it is in force: ban, rule, choice, accepted
	Ban   bool   `json:"ban,omitempty"`
	// of 100 decisions like this one, so many are right
	Score      int      `json:"score,omitempty"`
	Superseded bool     `json:"superseded,omitempty"`
	Path       string   `json:"path,omitempty"`
	Change     string   `json:"change,omitempty"`
	Because    []Reason `json:"because,omitempty"` // of an edit: what it carries out
	Edits      []Reason `json:"edits,omitempty"`   // of a decision: what carries it out

	SharedBy string   `json:"shared_by,omitempty"` // the teammate that it was received from
	Accepted bool     `json:"accepted,omitempty"`  // a person said that it is right
	Pinned   bool     `json:"pinned,omitempty"`    // a person wants it to be seen first
	Notes    []string `json:"notes,omitempty"`     // what people noted about it

	// what agents noted: records, as an agent's words are
	AgentNotes []string `json:"agent_notes,omitempty"`
	// what an agent would have in its place; it does not hold
	Proposed string `json:"proposed,omitempty"`
}

// Reason is the other end of a binding, with how it is known.
type Reason struct {
	ID       string `json:"id"`
	Text     string `json:"text,omitempty"`
	Path     string `json:"path,omitempty"`
	Relation string `json:"relation"`
	Evidence string `json:"evidence"`
}

// Whose words a text may hold.
const (
	fromPerson = "person"
	fromTeam   = "teammate"
	fromAgent  = "agent"
	fromFile   = "file"
)

// The bounds of the bindings of an item: how many, and how long the text of each.
const (
	maxReasons = 5
	maxReason  = 240
)

// item tells of a node.
// A title of a person's decision is made of their words and stands as it is.
func (s *Server) item(n *nodedb.Node) (Item, error) {
	it := Item{
		ID: n.ID, Kind: n.Kind, Time: n.Timestamp, Tool: string(n.Source), Session: n.Session, Seq: n.Seq, Project: n.Project,
		From: fromPerson, Text: n.Text, Ban: n.IsBan, Superseded: n.SupersededBy != "", Path: n.Path, Change: n.Change,
	}
	var node struct {
		Score     int    `json:"score"`
		DecidedBy string `json:"decided_by"`
		Diff      struct {
			Unified string `json:"unified"`
		} `json:"diff"`
	}
	if err := json.Unmarshal(n.JSON, &node); err != nil {
		return it, fmt.Errorf("read %s: %w", n.ID, err)
	}
	it.Title, it.Score = n.Title, node.Score
	it.Accepted, it.Pinned, it.Proposed = n.Mark.Accepted, n.Mark.Pinned, n.Mark.Proposed
	for _, note := range n.Mark.Notes {
		if note.Agent {
			it.AgentNotes = append(it.AgentNotes, s.cleaned(note.Who()+": "+note.Text))
			continue
		}
		it.Notes = append(it.Notes, note.Text)
	}
	switch {
	case n.Kind == "episode":
		it.From, it.Text = fromFile, node.Diff.Unified
	case n.Speaker == "assistant", n.Kind == "decision" && node.DecidedBy != "user":
		it.From = fromAgent
	case n.Mark.Shared != nil:
		it.From = fromTeam
	}
	if n.Mark.Shared != nil {
		it.SharedBy = s.cleaned(n.Mark.Shared.By)
	}
	if it.From != fromPerson {
		it.Text = s.cleaned(it.Text)
		it.Title = s.cleaned(it.Title)
	}
	for _, l := range n.Links {
		if len(it.Because)+len(it.Edits) == maxReasons {
			break
		}
		r := Reason{ID: l.ID, Text: s.cleaned(cut(l.Text, maxReason)), Path: l.Path, Relation: l.Relation, Evidence: l.Evidence}
		if n.Kind == "episode" {
			it.Because = append(it.Because, r)
		} else {
			it.Edits = append(it.Edits, r)
		}
	}
	return it, nil
}

// cleaned returns a text from outside without orders to an agent.
func (s *Server) cleaned(text string) string {
	out, _ := s.clean.Clean(text)
	return out
}

// Items is a part of an answer. Without Next it is the last.
type Items struct {
	Items []Item `json:"items"`
	Next  string `json:"next,omitempty"` // the cursor of the next page
	Note  string `json:"note,omitempty"`
}

// The budget of an answer, in tokens of about four bytes.
const (
	defaultTokens = 1500
	maxTokens     = 10_000
	bytesPerToken = 4
)

// budget returns how many bytes an answer may have: the tokens that the agent asked
// for, the default without a request, never more than the maximum.
func budget(tokens int) int {
	if tokens <= 0 {
		tokens = defaultTokens
	}
	return min(tokens, maxTokens) * bytesPerToken
}

// fit returns how many items there is room for, at least one, cut if need be.
// The first item is changed if it is too long by itself.
func fit(items []Item, tokens int) int {
	room := budget(tokens)
	for i := range items {
		size := sizeOf(&items[i])
		if size > room {
			if i > 0 {
				return i
			}
			shorten(&items[0], room)
			return 1
		}
		room -= size
	}
	return len(items)
}

// sizeOf returns what a part of an answer takes, in bytes.
func sizeOf(part any) int {
	b, _ := json.Marshal(part) // what cannot be written fails where it is written
	return len(visible.Text(string(b)))
}

// shortened is what stands at the end of a text that was cut.
const shortened = "\n… cut: ask with a larger max_tokens"

// shorten makes an item fit: it leaves bindings out, then cuts the text at the end of
// a line, and says that it did. The id and where the item is from always stay.
func shorten(it *Item, room int) {
	for len(it.Because)+len(it.Edits) > 1 && sizeOf(it) > room {
		it.Because, it.Edits = it.Because[:len(it.Because)/2], it.Edits[:len(it.Edits)/2]
	}
	over := sizeOf(it) - room
	if over <= 0 {
		return
	}
	text := cut(it.Text, max(len(it.Text)-over-len(shortened), 0))
	if i := strings.LastIndexByte(text, '\n'); i > 0 {
		text = text[:i]
	}
	it.Text = text + shortened
}

// cut returns the beginning of a text of at most so many bytes, in whole characters.
func cut(text string, most int) string {
	if len(text) <= most {
		return text
	}
	for most > 0 && !utf8.RuneStart(text[most]) {
		most--
	}
	return text[:most]
}
