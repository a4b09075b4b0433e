package invariant

import (
	"cmp"
	"strings"
	"time"

	"github.com/memscribe/memscribe/internal/verify/trial"
)

// nodeSet: no id is there twice, nodes stand in canonical order, an id begins with its kind,
// and every place of a node is one of an event.
func nodeSet(p *problems, r *trial.Result) {
	places := map[trial.Location]bool{}
	for _, e := range r.Events() {
		places[e.Provenance] = true
	}
	seen := map[string]bool{}
	for i, n := range r.Nodes {
		if seen[n.ID] {
			p.add("node", "node %s is there twice", n.ID)
		}
		seen[n.ID] = true
		if i > 0 && compare(r.Nodes[i-1], n) >= 0 {
			p.add("order", "node %s (seq %d) stands after %s (seq %d)", n.ID, n.Seq, r.Nodes[i-1].ID, r.Nodes[i-1].Seq)
		}
		if !strings.HasPrefix(n.ID, n.Node+":") {
			p.add("node", "%s has the id %s", n.Node, n.ID)
		}
		for _, at := range n.Provenance {
			if !places[at] {
				p.add("provenance", "%s: %s points to no event", where(at), n.ID)
			}
		}
	}
}

// compare returns the contract's order: source, session, thread, seq, kind, id.
func compare(a, b *trial.Node) int {
	return cmp.Or(
		strings.Compare(a.Source, b.Source), strings.Compare(a.SessionID, b.SessionID), strings.Compare(a.ThreadID, b.ThreadID),
		cmp.Compare(a.Seq, b.Seq), strings.Compare(a.Node, b.Node), strings.Compare(a.ID, b.ID),
	)
}

// episodes: each edit gave an episode, copies aside, nothing else did, and their diffs are as
// sound as those of the edits. An edit is known by its call and its file.
func episodes(p *problems, r *trial.Result) {
	type edit struct{ call, path string }
	owed, have := map[edit]bool{}, map[edit]bool{}
	for _, e := range r.Events() {
		if e.Event == "file_edit" && e.Body.Diff != nil && !e.Echo {
			owed[edit{e.Body.CallID, e.Body.Diff.Path}] = true
		}
	}
	for _, n := range r.NodesOf("episode") {
		k := edit{n.CallID, n.Path}
		have[k] = true
		checkDiff(p, n.ID, n.Diff)
		if !owed[k] {
			p.add("episode", "%s: episode of %s by %s without an edit", n.ID, n.Path, n.CallID)
		}
	}
	for k := range owed {
		if !have[k] {
			p.add("episode", "edit of %s by %s without an episode", k.path, k.call)
		}
	}
}

// turns: the turns of a conversation or decision are events of its stream. more is called with
// each such node and those events.
func turns(p *problems, r *trial.Result, more func(p *problems, n *trial.Node, span []*trial.Event)) {
	streams := map[string]*trial.Stream{}
	for _, s := range r.Streams {
		streams[s.Input.Name] = s
	}
	for _, n := range r.Nodes {
		if n.TurnRange == nil {
			continue
		}
		s := streams[n.Provenance[len(n.Provenance)-1].File]
		if s == nil || n.TurnRange.Start > n.TurnRange.End || n.TurnRange.End >= uint64(len(s.Events)) {
			p.add("turns", "%s: turns %d to %d", n.ID, n.TurnRange.Start, n.TurnRange.End)
			continue
		}
		more(p, n, s.Events[n.TurnRange.Start:n.TurnRange.End+1])
	}
}

// words: what a node says was said in one of its turns, word by word, and its last turn is
// neither injected by the tool nor a compaction.
func words(p *problems, n *trial.Node, span []*trial.Event) {
	last := span[len(span)-1]
	if last.Injected || last.Event == "compaction" {
		p.add("injected", "%s: %s out of what the tool put there: %.100q", where(last.Provenance), n.ID, text(n))
	}
	found := false
	for _, e := range span {
		found = found || strings.Contains(said(e), text(n))
	}
	if !found {
		p.add("verbatim", "%s: %s is not in its turns: %.200q", where(last.Provenance), n.ID, text(n))
	}
}

// markers: what a marker quotes stands at its offset, in bytes, of the text of the turn.
func markers(p *problems, n *trial.Node, span []*trial.Event) {
	last := span[len(span)-1]
	for _, m := range n.Markers {
		in := n.Text
		if n.Node == "decision" {
			in = last.Body.Text
		}
		if last.Event == "user_turn" && (m.Offset > len(in) || !strings.HasPrefix(in[m.Offset:], m.Text)) {
			p.add("marker", "%s: marker %q does not stand at %d of the turn", n.ID, m.Text, m.Offset)
		}
	}
}

// said returns all that an event says in anybody's words, one piece a line. The strings in JSON
// values are there unquoted.
func said(e *trial.Event) string {
	var all strings.Builder
	// a call's own words are JSON
	all.WriteString(e.Body.Text + "\n" + e.Body.Reason + "\n" + e.Body.Name + "\n" + string(e.Body.Args))
	for _, v := range append(e.Body.Choices, e.Body.Args, e.Body.Output) {
		all.WriteString("\n" + flat(v))
	}
	return all.String()
}

// text returns what a node says.
func text(n *trial.Node) string { return cmp.Or(n.Epitome, n.Text) }

// bindings: both ends exist and are of the right kind, what was used was there
// before what came of it, and nothing is bound to what was taken back before.
//
// "Late" compares times of the two nodes; without both times nothing is said.
func bindings(p *problems, r *trial.Result) {
	byID := map[string]*trial.Node{}
	for _, n := range r.Nodes {
		byID[n.ID] = n
	}
	for _, b := range r.NodesOf("binding") {
		from, to := byID[b.From], byID[b.To]
		if from == nil || to == nil {
			p.add("binding", "%s: from %s (%t) to %s (%t)", b.ID, b.From, from != nil, b.To, to != nil)
			continue
		}
		if to.Node != "episode" || from.Node != "decision" && from.Node != "conversation" {
			p.add("binding", "%s: from a %s to a %s", b.ID, from.Node, to.Node)
		}
		if derived := b.Relation == "derived_from"; derived != (from.Node == "conversation") {
			p.add("binding", "%s: %s a %s", b.ID, b.Relation, from.Node)
		}
		if (b.Prov.UsedDecision != "") != (from.Node == "decision") || from.Node == "decision" && b.Prov.UsedDecision != from.ID {
			p.add("binding", "%s: used decision %q of %s", b.ID, b.Prov.UsedDecision, from.ID)
		}
		if late(b.Prov.Use, b.Prov.Gen) {
			p.add("binding", "%s: used at %s, made at %s", b.ID, b.Prov.Use, b.Prov.Gen)
		}
		if from.SessionID == to.SessionID && from.ThreadID == to.ThreadID && from.Seq > to.Seq && sameFile(from, to) {
			p.add("binding", "%s: edit of seq %d hangs on seq %d", b.ID, to.Seq, from.Seq)
		}
	}
}

// sameFile reports whether two nodes come from one file.
func sameFile(a, b *trial.Node) bool {
	return a.Provenance[len(a.Provenance)-1].File == b.Provenance[len(b.Provenance)-1].File
}

// late reports whether the first of two times is after the second.
func late(use, gen string) bool {
	u, err1 := time.Parse(time.RFC3339Nano, use)
	g, err2 := time.Parse(time.RFC3339Nano, gen)
	return err1 == nil && err2 == nil && u.After(g)
}
