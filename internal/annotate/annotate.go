// Package annotate stores people's annotations of nodes: accepted, rejected, a better title, a
// note. It never changes a node.
//
// Annotations lie in a file of their own beside the database, a JSON object a line, which is
// only ever appended to, so they outlive the database:
//
//	{"schema":"memscribe.annotation/v1","id":"…","kind":"edit","node":"decision:468f…",
//	 "text":"Cursors, not offsets","by":"Ada","at":"2026-11-27T09:00:00Z"}
//
// The database keeps a copy, by which it answers. What one of the two has lost, it gets back
// from the other.
//
// The marks of a node follow from its annotations in their order: the last accept or reject
// counts, the last title, and pins until they are taken back. An agent can only add notes and
// propose a decision that supersedes another; neither overrides what a person said.
//
//	accept ─ reject ─ edit title ─ reject      the node is rejected, and has the title
//
// The order is that of the rounds, and within a round that of the times. A round begins when
// the clock was set back below the time of an earlier annotation of the node.
//
// The id of an annotation is a hash of its content, so importing the same file twice changes
// nothing.
//
// Where to find what: annotate.go has the kinds and how annotations merge, file.go the file
// beside the database, mark.go what follows from them for a node.
package annotate

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/memscribe/memscribe/core"
)

// Schema is the version that every annotation carries.
const Schema = "memscribe.annotation/v1"

// Person is the tool of what a person added: no tool recorded it.
const Person core.Tool = "person"

// Kind says what an annotation does.
type Kind string

// The kinds.
const (
	Accept    Kind = "accept"    // the decision is right
	Reject    Kind = "reject"    // it is none
	Edit      Kind = "edit"      // Text is its title
	Pin       Kind = "pin"       // it comes first
	Say       Kind = "note"      // Text is a note
	Supersede Kind = "supersede" // the decision Text holds in its place
	Add       Kind = "add"       // Text was decided elsewhere
)

// Kinds returns all kinds.
func Kinds() []Kind { return []Kind{Accept, Reject, Edit, Pin, Say, Supersede, Add} }

// Author says who speaks. The zero Author is a person.
type Author string

// Agent speaks for itself and decides nothing: it may note, and propose what holds in
// the place of a decision.
const Agent Author = "agent"

// The most that a text has, in bytes.
const (
	MaxText = 16 << 10
	MaxBy   = 256
)

// maxRound bounds how often the clock was set back.
const maxRound = 1 << 20

// Annotation is what a person or an agent said about a node. Its JSON is one line of the file,
// which is only appended to.
type Annotation struct {
	Schema string `json:"schema"`
	ID     string `json:"id"`
	Kind   Kind   `json:"kind"`
	Node   string `json:"node"`
	Text   string `json:"text,omitempty"`
	Undo   bool   `json:"undo,omitempty"` // takes back what was said by this kind before
	By     string `json:"by"`
	Author Author `json:"author_kind,omitempty"`
	At     string `json:"at"` // RFC 3339
	// Round counts how often the clock had been set back below the time of what was said of
	// the node before. Of two annotations that of the higher round is the later one.
	Round int `json:"round,omitempty"`

	// Of what was added.
	Project string `json:"project,omitempty"`
	IsBan   bool   `json:"is_ban,omitempty"`
}

// ErrText is the error of an annotation that lacks a text, or has one that is too long.
var ErrText = errors.New("its text is missing or too long")

// Finish completes an annotation that was just made: it removes the secrets that scrub finds,
// and sets the schema, the time and the id; an added decision also gets the id of its node.
// Without a scrubber it is an error, so that no annotation is stored unredacted.
func (a Annotation) Finish(scrub core.Scrubber, now time.Time) (Annotation, error) {
	a, err := a.Clean(scrub)
	if err != nil {
		return a, err
	}
	a.Schema, a.At = Schema, now.UTC().Format(time.RFC3339Nano)
	if a.Kind == Add && a.Node == "" {
		a.Node = core.NodeID("decision", Person, a.Project, a.By, a.At, a.Text)
	}
	parts := []string{string(a.Kind), a.Node, a.By, a.At, a.Text}
	if a.Author != "" { // a person who says the same at that moment says something else
		parts = append(parts, string(a.Author))
	}
	a.ID = core.NodeID("annotation", Person, parts...)
	return a, a.check()
}

// Clean returns the annotation without the secrets that scrub finds in its texts, which become
// valid UTF-8. White space is folded, except in notes.
func (a Annotation) Clean(scrub core.Scrubber) (Annotation, error) {
	if scrub == nil {
		return a, errors.New("annotate: nothing takes secrets out")
	}
	for _, s := range []struct {
		field core.Field
		text  *string
	}{{core.TextField, &a.Text}, {core.TextField, &a.By}, {core.PathField, &a.Project}} {
		clean, _, err := scrub.Scrub(s.field, []byte(strings.ToValidUTF8(*s.text, "\ufffd")))
		if err != nil {
			return a, fmt.Errorf("annotate: take secrets out: %w", err)
		}
		*s.text = strings.TrimSpace(string(clean))
	}
	if a.Kind != Say {
		a.Text = strings.Join(strings.Fields(a.Text), " ")
	}
	return a, nil
}

// check returns an error if the fields do not make up an annotation: the message names the kind
// and the node. [ErrText] means that the text is missing or too long.
func (a *Annotation) check() error {
	if a.Schema != Schema {
		return fmt.Errorf("annotation of schema %q, known is %s", a.Schema, Schema)
	}
	if !slices.Contains(Kinds(), a.Kind) || a.ID == "" || a.Node == "" {
		return fmt.Errorf("annotation of kind %q without an id or a node", a.Kind)
	}
	if a.Author != "" && (a.Author != Agent || a.Undo || a.Kind != Say && a.Kind != Supersede) {
		return fmt.Errorf("%s %s: author %q: an agent may note and supersede, and takes nothing back", a.Kind, a.Node, a.Author)
	}
	needs := !a.Undo && slices.Contains([]Kind{Edit, Say, Supersede, Add}, a.Kind)
	if needs && a.Text == "" || len(a.Text) > MaxText || len(a.By) > MaxBy || !utf8.ValidString(a.Text+a.By+a.Node+a.ID) {
		return fmt.Errorf("%s %s: %w", a.Kind, a.Node, ErrText)
	}
	if _, err := time.Parse(time.RFC3339Nano, a.At); err != nil {
		return fmt.Errorf("%s %s: read time: %w", a.Kind, a.Node, err)
	}
	if a.Round < 0 || a.Round > maxRound {
		return fmt.Errorf("%s %s: round %d is not between 0 and %d", a.Kind, a.Node, a.Round, maxRound)
	}
	if a.Kind == Add && !strings.HasPrefix(a.Node, "decision:") {
		return fmt.Errorf("add %s: it is no decision", a.Node)
	}
	return nil
}

// Merge returns every annotation of both lists once, by time and then by id.
func Merge(a, b []Annotation) []Annotation {
	all := slices.Concat(a, b)
	slices.SortStableFunc(all, func(x, y Annotation) int { return cmp.Or(x.time().Compare(y.time()), cmp.Compare(x.ID, y.ID)) })
	return slices.CompactFunc(all, func(x, y Annotation) bool { return x.ID == y.ID })
}

// Follow makes a new annotation later than all others of its node, even if the clock was set
// back since: then it gets the next round.
func (a *Annotation) Follow(others []Annotation) {
	for i := range others {
		if o := &others[i]; o.Node == a.Node && o.Round >= a.Round {
			if a.Round = o.Round; !a.time().After(o.time()) {
				a.Round = min(o.Round+1, maxRound)
			}
		}
	}
}

// time is when it was said.
func (a *Annotation) time() time.Time {
	t, _ := time.Parse(time.RFC3339Nano, a.At) // checked
	return t
}

// Missing returns the annotations of all that some do not have.
func Missing(all, some []Annotation) (missing []Annotation) {
	has := make(map[string]bool, len(some))
	for i := range some {
		has[some[i].ID] = true
	}
	for i := range all {
		if !has[all[i].ID] {
			missing = append(missing, all[i])
		}
	}
	return missing
}

// Decision returns the node of a decision that a person added; nil for any other annotation.
// The node has the person's words as title, epitome and turn, and a session of its own.
func (a *Annotation) Decision() *core.Node {
	if a.Kind != Add {
		return nil
	}
	said := core.Whole(a.Text)
	return &core.Node{
		ID: a.Node, Source: Person, Session: "added-" + strings.TrimPrefix(a.Node, "decision:")[:12], Time: core.ParseTime(a.At),
		Project: &core.Project{Cwd: a.Project, RepoRoot: a.Project}, Fact: core.Observed,
		Provenance: []core.Location{{File: string(Person), Row: a.ID}},
		Body: &core.Decision{
			Epitome: said, Title: core.Title{{Fragment: said}}, Score: 100, IsBan: a.IsBan, DecidedBy: string(core.User), Turn: said,
		},
	}
}
