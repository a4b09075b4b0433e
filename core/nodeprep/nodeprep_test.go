package nodeprep_test

import (
	"slices"
	"testing"

	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/bind"
	"github.com/memscribe/memscribe/core/nodeprep"
	"github.com/memscribe/memscribe/core/segment"
)

func facts() (*segment.Turn, *segment.Decision, *segment.Edit) {
	head := core.Node{
		Source: core.ClaudeCode, Session: "s", Seq: 3, Time: core.ParseTime("2026-06-22T10:00:05Z"),
		Project: &core.Project{Cwd: "/repo", Git: core.Git{Branch: "main"}}, Provenance: []core.Location{{File: "/a", Line: 4}},
	}
	turn := &segment.Turn{Text: "Use X.", Opening: segment.Opening{Head: &head, Origin: "u1"}}
	d := &segment.Decision{Head: &head, Origin: "u1", By: "user"}
	e := &segment.Edit{Head: head, Origin: "call"}
	e.Head.Seq, e.Head.Time = 9, core.ParseTime("2026-06-22T10:00:01Z")
	e.CallID, e.Tool, e.Diff = "toolu_0123456789abcdef", "Edit", core.Diff{Path: "/repo/a.go", Change: core.Modify}
	return turn, d, e
}

// TestIdentity: the ids of nodes follow from the tool's own ids, whatever the
// session, the file or the moment.
func TestIdentity(t *testing.T) {
	turn, d, e := facts()
	link := bind.Link{Decision: d, Relation: core.Produced, Evidence: core.SameArc}
	ids := []string{
		nodeprep.Conversation(turn).ID, nodeprep.Decision(d).ID, nodeprep.Episode(e).ID, nodeprep.Binding(e, link).ID,
	}
	turn2, d2, e2 := facts()
	for _, h := range []*core.Node{turn2.Head, &e2.Head} {
		h.Session, h.Seq, h.Time, h.Provenance = "fork", 77, core.Unix(5), []core.Location{{File: "/elsewhere"}}
	}
	link.Decision = d2
	again := []string{
		nodeprep.Conversation(turn2).ID, nodeprep.Decision(d2).ID, nodeprep.Episode(e2).ID, nodeprep.Binding(e2, link).ID,
	}
	if !slices.Equal(ids, again) {
		t.Errorf("ids %v\nin a copy %v", ids, again)
	}
	slices.Sort(ids)
	if len(slices.Compact(ids)) != 4 {
		t.Errorf("ids %v are not four", ids)
	}
	e2.Diff.Path = "/repo/b.go"
	d2.Index = 1
	turn2.Origin = "u2"
	for _, n := range []*core.Node{nodeprep.Episode(e2), nodeprep.Decision(d2), nodeprep.Conversation(turn2)} {
		if slices.Contains(ids, n.ID) {
			t.Errorf("%s names two things", n.ID)
		}
	}
}

// TestUsedBeforeGenerated: a decision is not used after the edit that carries it
// out was made, even where the tool's clock ran backwards.
func TestUsedBeforeGenerated(t *testing.T) {
	turn, d, e := facts()
	for _, l := range []bind.Link{{Decision: d, Relation: core.Produced}, {Turn: &turn.Opening, Relation: core.DerivedFrom}} {
		n := nodeprep.Binding(e, l)
		prov := n.Body.(*core.Binding).Prov
		if prov.Use.Compare(prov.Gen) > 0 || prov.Gen != e.Head.Time {
			t.Errorf("used %v, generated %v", prov.Use, prov.Gen)
		}
		if (prov.UsedDecision != "") != (l.Decision != nil) {
			t.Errorf("used decision %q", prov.UsedDecision)
		}
		if n.Fact != core.Derived {
			t.Errorf("fact status %s", n.Fact)
		}
	}
}

func TestCompare(t *testing.T) {
	turn, d, e := facts()
	want := []*core.Node{
		nodeprep.Conversation(turn), nodeprep.Decision(d),
		nodeprep.Binding(e, bind.Link{Decision: d, Relation: core.Produced}), nodeprep.Episode(e),
	}
	got := []*core.Node{want[3], want[1], want[2], want[0]}
	slices.SortFunc(got, nodeprep.Compare)
	if !slices.Equal(got, want) {
		t.Error("order is not source, session, thread, seq, kind, id")
	}
	if got := nodeprep.Episode(e).Body.(*core.Episode).Git.Branch; got != "main" {
		t.Errorf("the episode's branch is %q", got)
	}
}

func BenchmarkNodes(b *testing.B) {
	turn, d, e := facts()
	link := bind.Link{Decision: d, Relation: core.Produced}
	b.ReportAllocs()
	for b.Loop() {
		nodeprep.Conversation(turn)
		nodeprep.Decision(d)
		nodeprep.Episode(e)
		nodeprep.Binding(e, link)
	}
}
