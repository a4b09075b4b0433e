package agents

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/memscribe/memscribe/sink/sqlite"
)

// Item is a node as an agent is told of it.
type Item struct {
	ID      string `json:"id"`
	Kind    string `json:"kind"` // decision, conversation, episode
	Time    string `json:"time,omitempty"`
	Tool    string `json:"tool"`
	Session string `json:"session"`
	Project string `json:"project,omitempty"`
	// From says whose words Text holds: person, agent or file. Only a person's are
	// more than a record.
	From string `json:"from"`
	Text string `json:"text"`

	Title      string   `json:"title,omitempty"` // a decision that reads by itself
	Ban        bool     `json:"ban,omitempty"`
	Score      int      `json:"score,omitempty"` // of 100 decisions like this one, so many are right
	Superseded bool     `json:"superseded,omitempty"`
	Path       string   `json:"path,omitempty"`
	Change     string   `json:"change,omitempty"`
	Because    []Reason `json:"because,omitempty"` // of an edit: what it carries out
	Edits      []Reason `json:"edits,omitempty"`   // of a decision: what carries it out
}

// Reason is the other end of a binding, with how it is known.
type Reason struct {
	ID       string `json:"id"`
	Text     string `json:"text,omitempty"`
	Path     string `json:"path,omitempty"`
	Relation string `json:"relation"`
	Evidence string `json:"evidence"`
}

// maxReasons bounds the bindings of an item.
const maxReasons = 5

// item tells of a node.
func (s *Server) item(n *sqlite.Node) (Item, error) {
	it := Item{
		ID: n.ID, Kind: n.Kind, Time: n.Timestamp, Tool: string(n.Source), Session: n.Session, Project: n.Project,
		From: "person", Text: n.Text, Ban: n.IsBan, Superseded: n.SupersededBy != "", Path: n.Path, Change: n.Change,
	}
	var node struct {
		Title     string `json:"title"`
		Score     int    `json:"score"`
		DecidedBy string `json:"decided_by"`
		Diff      struct {
			Unified string `json:"unified"`
		} `json:"diff"`
	}
	if err := json.Unmarshal(n.JSON, &node); err != nil {
		return it, fmt.Errorf("read %s: %w", n.ID, err)
	}
	it.Title, it.Score = node.Title, node.Score
	switch {
	case n.Kind == "episode":
		it.From, it.Text = "file", node.Diff.Unified
	case n.Speaker == "assistant", n.Kind == "decision" && node.DecidedBy != "user":
		it.From = "agent"
	}
	if it.From != "person" {
		it.Text = s.cleaned(it.Text)
		it.Title = s.cleaned(it.Title)
	}
	for _, l := range n.Links {
		if len(it.Because)+len(it.Edits) == maxReasons {
			break
		}
		r := Reason{ID: l.ID, Text: s.cleaned(l.Text), Path: l.Path, Relation: l.Relation, Evidence: l.Evidence}
		if n.Kind == "episode" {
			it.Because = append(it.Because, r)
		} else {
			it.Edits = append(it.Edits, r)
		}
	}
	return it, nil
}

// cleaned is a text from outside without orders to an agent.
func (s *Server) cleaned(text string) string {
	out, _ := s.clean.Clean(text)
	return out
}

// Items is a part of an answer.
type Items struct {
	Items []Item `json:"items"`
	Next  string `json:"next,omitempty"` // the cursor with which the answer goes on
	Note  string `json:"note,omitempty"`
}

// The budget of an answer, in tokens of about four bytes.
const (
	defaultTokens = 1500
	maxTokens     = 10_000
	bytesPerToken = 4
)

func budget(tokens int) int {
	if tokens <= 0 {
		tokens = defaultTokens
	}
	return min(tokens, maxTokens) * bytesPerToken
}

// fit returns how many items there is room for, at least one, cut if need be.
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

func sizeOf(it *Item) int {
	b, _ := json.Marshal(it)
	return len(b)
}

// shorten cuts an item's text at the end of a line and says that it did.
func shorten(it *Item, room int) {
	over := sizeOf(it) - room
	keep := max(len(it.Text)-over-len("\n… cut: ask with a larger max_tokens"), 0)
	text := strings.ToValidUTF8(it.Text[:keep], "")
	if i := strings.LastIndexByte(text, '\n'); i > 0 {
		text = text[:i]
	}
	it.Text = text + "\n… cut: ask with a larger max_tokens"
}
