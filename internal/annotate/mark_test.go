package annotate_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/internal/annotate"
)

// plain takes nothing out.
type plain struct{}

func (plain) Scrub(_ core.Field, s []byte) ([]byte, []core.Cut, error) { return s, nil, nil }

const node = "decision:1"

func finish(t *testing.T, a annotate.Annotation, second int) annotate.Annotation {
	t.Helper()
	a.Node = node
	k, err := a.Finish(plain{}, time.Date(2026, 11, 1, 10, 0, second, 0, time.UTC))
	if err != nil {
		t.Fatal(err)
	}
	return k
}

// An agent may say the same as a person, under the same name at the same moment: that is
// another annotation, and what it may not say is none.
func TestAuthor(t *testing.T) {
	said := annotate.Annotation{Kind: annotate.Say, Text: "why not", By: "Ada"}
	person := finish(t, said, 1)
	said.Author = annotate.Agent
	if agent := finish(t, said, 1); agent.ID == person.ID {
		t.Errorf("a person and an agent have said %s", agent.ID)
	}
	for _, kind := range annotate.Kinds() {
		for _, undo := range []bool{false, true} {
			a := annotate.Annotation{Kind: kind, Node: node, Text: "decision:2", By: "x", Author: annotate.Agent, Undo: undo}
			_, err := a.Finish(plain{}, time.Unix(1, 0))
			if want := !undo && (kind == annotate.Say || kind == annotate.Supersede); (err == nil) != want {
				t.Errorf("an agent's %s, undo %v: %v", kind, undo, err)
			}
		}
	}
	said.Author = "king"
	if _, err := said.Finish(plain{}, time.Unix(1, 0)); err == nil {
		t.Error("an author of another kind is taken")
	}
}

// What an agent proposes is no part of how a decision stands, and ends with what a
// person says of it.
func TestProposal(t *testing.T) {
	proposal := finish(t, annotate.Annotation{Kind: annotate.Supersede, Text: "decision:2", By: "codex", Author: annotate.Agent}, 1)
	m := annotate.Marks([]annotate.Annotation{proposal})[node]
	if m.SupersededBy != "" || m.Proposed != "decision:2" || m.ProposedBy != "codex" || !strings.Contains(m.String(), "agent codex proposes decision:2") {
		t.Errorf("proposed is %+v, %s", m, m.String())
	}
	for kind, over := range map[annotate.Kind]string{annotate.Accept: "", annotate.Reject: "", annotate.Supersede: "decision:2"} {
		text := ""
		if kind == annotate.Supersede {
			text = "decision:2"
		}
		m = annotate.Marks([]annotate.Annotation{proposal, finish(t, annotate.Annotation{Kind: kind, Text: text, By: "Ada"}, 2)})[node]
		if m.Proposed != "" || m.SupersededBy != over {
			t.Errorf("after a person's %s it stands as %+v", kind, m)
		}
	}
	before := finish(t, annotate.Annotation{Kind: annotate.Supersede, Text: "decision:3", By: "Ada"}, 0)
	if m = annotate.Marks([]annotate.Annotation{before, proposal})[node]; m.SupersededBy != "decision:3" {
		t.Errorf("an agent overrules a person: %+v", m)
	}
}

// However much agents note, what people noted stays.
func TestNotesOfAgents(t *testing.T) {
	all := []annotate.Annotation{finish(t, annotate.Annotation{Kind: annotate.Say, Text: "mine", By: "Ada"}, 0)}
	for i := range 60 {
		all = append(all, finish(t, annotate.Annotation{Kind: annotate.Say, Text: fmt.Sprint(i), By: "codex", Author: annotate.Agent}, i))
	}
	notes := annotate.Marks(all)[node].Notes
	if len(notes) != 11 || notes[0].Text != "mine" || notes[0].Who() != "Ada" || notes[10].Text != "59" || notes[10].Who() != "agent codex" {
		t.Errorf("notes are %+v", notes)
	}
}
