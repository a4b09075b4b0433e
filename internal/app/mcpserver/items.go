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
//
//	{"id":"decision:d411…","kind":"decision","time":"2026-11-22T09:43:52.030Z","tool":"pi",
//	 "session":"01a202a3-…","seq":13,"project":"…","from":"person","text":"…","title":"…",
//	 "rule":"choice","score":96,"edits":[{"id":"episode:8791…","path":"…","relation":"produced",
//	                                      "evidence":"same_arc"}]}
type Item struct {
	ID      string `json:"id"`   // of a node; for other items session:seq
	Kind    string `json:"kind"` // decision, conversation, episode; user, assistant, command
	Time    string `json:"time,omitempty"`
	Tool    string `json:"tool"`
	Session string `json:"session"`
	Seq     int64  `json:"seq,omitempty"` // its position in the session
	Project string `json:"project,omitempty"`
	// From is whose words Text has: person, teammate, agent or file. Words of
	// others are only a record.
	From string `json:"from"`
	Text string `json:"text"`

	Title string `json:"title,omitempty"` // a decision in words that can be understood alone
	Rule  string `json:"rule,omitempty"`  // why it is in force: ban, rule, choice, accepted
	Ban   bool   `json:"ban,omitempty"`
	// how many of 100 decisions with this evidence are right
	Score      int      `json:"score,omitempty"`
	Superseded bool     `json:"superseded,omitempty"`
	Path       string   `json:"path,omitempty"`
	Change     string   `json:"change,omitempty"`
	Because    []Reason `json:"because,omitempty"` // of an edit: what it carries out
	Edits      []Reason `json:"edits,omitempty"`   // of a decision: what carries it out

	SharedBy string   `json:"shared_by,omitempty"` // the teammate who shared it
	Accepted bool     `json:"accepted,omitempty"`  // a person said that it is right
	Pinned   bool     `json:"pinned,omitempty"`    // a person wants it to be seen first
	Notes    []string `json:"notes,omitempty"`     // what people noted about it

	// notes of agents; they are only a record
	AgentNotes []string `json:"agent_notes,omitempty"`
	// the decision that an agent proposes in its place; the proposal has no effect by itself
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

// The values of Item.From.
const (
	fromPerson = "person"
	fromTeam   = "teammate"
	fromAgent  = "agent"
	fromFile   = "file"
)

// The largest number of bindings of an item, and the longest text of one in bytes.
const (
	maxReasons = 5
	maxReason  = 240
)

// item returns the item of a node. The title of a person's decision consists of their words and is
// not sanitized.
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

// cleaned returns a text that is not a person's, without orders to agents.
func (s *Server) cleaned(text string) string {
	out, _ := s.clean.Clean(text)
	return out
}

// Items is a page of an answer. The last page has no Next.
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

// budget returns the largest size of an answer in bytes, for the max_tokens of a call; 0 means the
// default.
func budget(tokens int) int {
	if tokens <= 0 {
		tokens = defaultTokens
	}
	return min(tokens, maxTokens) * bytesPerToken
}

// fit returns how many items fit into a budget, at least one. If the first item is too long by
// itself, fit shortens it. It is for questions whose items are already read; see fill for the
// others.
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

// sizeOf returns the size of a part of an answer in bytes.
func sizeOf(part any) int {
	b, _ := json.Marshal(part) // what cannot be written fails where it is written
	return len(visible.Text(string(b)))
}

// shortened is the end of a text that was cut.
const shortened = "\n… cut: ask with a larger max_tokens"

// shorten makes an item fit into room bytes. It leaves out bindings, then cuts the text at the end of
// a line and appends shortened. The id and From always stay.
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

// cut returns the beginning of a text, at most so many bytes of whole characters.
func cut(text string, most int) string {
	if len(text) <= most {
		return text
	}
	for most > 0 && !utf8.RuneStart(text[most]) {
		most--
	}
	return text[:most]
}
