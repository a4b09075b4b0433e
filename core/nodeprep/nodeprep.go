// Package nodeprep turns facts into nodes: their ids, common fields and order.
//
// Each function is pure: the same fact gives the same node, byte for byte. An id is a hash
// over the tool and its own ids, never over a path or a time:
//
//	conversation   tool, identity of the turn's event         (a memory access: its index, too)
//	decision       tool, identity of the turn's event, index  (see segment.Decision.NodeID)
//	episode        tool, identity of the call, path of the file
//	binding        tool, ids of both ends, relation
//
// So copies of a transcript by resume, fork or backup give nodes with the same ids, and a
// sink that upserts by id keeps one of each.
//
// Example: the session s1 has a turn u1 that decides something, and a call c1 that carries it
// out in a.go.
//
//	conversation   hash(tool, u1)
//	decision       hash(tool, u1, 0)                  the first decision of the turn
//	episode        hash(tool, s1 and c1, a.go)
//	binding        hash(tool, decision id, episode id, "produced")
//
// A fork s2 copies u1 and c1; its adapter says so with CopyOf and CallScope, and all four ids
// are the same.
package nodeprep

import (
	"cmp"
	"strconv"
	"strings"

	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/bind"
	"github.com/memscribe/memscribe/core/segment"
)

// Compare compares two nodes in the canonical order: by source, session, thread, seq, kind
// and id. Nodes with different ids are never equal.
func Compare(a, b *core.Node) int {
	return cmp.Or(
		cmp.Compare(a.Source, b.Source), cmp.Compare(a.Session, b.Session), cmp.Compare(a.Thread, b.Thread),
		cmp.Compare(a.Seq, b.Seq), cmp.Compare(a.Name(), b.Name()), cmp.Compare(a.ID, b.ID),
	)
}

// Conversation returns the node of a turn that is worth keeping. Turns that decide nothing
// and set no work have none.
func Conversation(t *segment.Turn) *core.Node {
	n := *t.Head
	n.ID = conversationID(&t.Opening)
	n.Fact = core.Observed
	n.Body = &core.Conversation{
		Text: t.Text, Speaker: core.User, Turns: core.TurnRange{Start: n.Seq, End: n.Seq}, Markers: t.Verdict.Markers,
	}
	return &n
}

// conversationID returns the id of a turn's node. It is made from the tool and the identity
// of the turn's event, so the copies of a turn in forks have the same id.
func conversationID(t *segment.Opening) string {
	return core.NodeID("conversation", t.Head.Source, t.Origin)
}

// Memory returns the node of an agent's access to a memory of its own: a conversation node
// with the text of the call. If the text names the memory, the marker shows where.
func Memory(m *segment.Memory) *core.Node {
	n := *m.Head
	n.ID = core.NodeID("conversation", n.Source, m.Origin, strconv.Itoa(m.Index))
	n.Fact = core.Observed
	why := core.Marker{Rule: string(m.Action), Category: core.Memory}
	if at := strings.Index(m.Text, m.Key); at > 0 {
		why.Text, why.Offset = m.Key, at
	}
	n.Body = &core.Conversation{
		Text: m.Text, Speaker: core.Assistant, Turns: m.Turns, Markers: []core.Marker{why}, Memory: &m.MemoryAccess,
	}
	return &n
}

// Decision returns the node of a decision in its present state. The id never changes; the
// score and superseded_by may, and then the node is sent again.
func Decision(d *segment.Decision) *core.Node {
	n := *d.Head
	n.ID = d.NodeID()
	n.Fact = core.Observed
	body := &core.Decision{
		Epitome: part(d, d.Epitome, d.Offset, d.EpitomeInAssistant), Score: d.Score, IsBan: d.IsBan, DecidedBy: d.By, Confirmation: d.Confirming,
		SupersededBy: d.SupersededBy(), Turns: d.Turns, Markers: d.Markers, Turn: core.Whole(d.Turn),
	}
	if d.Structured {
		body.Turn = body.Epitome
	}
	for _, p := range d.Title {
		text := d.Turn
		if p.InBefore {
			text = d.Said
		}
		body.Title = append(body.Title, core.Piece{Joint: p.Joint, Fragment: part(d, p.In(text), p.Start, p.InBefore)})
	}
	for _, o := range d.Options {
		body.Options = append(body.Options, core.Considered{Fragment: part(d, o.Text, o.Offset, o.InAssistant), Chosen: o.Chosen})
	}
	n.Body = body
	return &n
}

// part returns text with the whole that it is a part of: the assistant's message before the
// turn, or the turn. Redaction looks at the whole, so a secret that begins outside of the
// part is found.
func part(d *segment.Decision, text string, offset int, inAssistant bool) core.Fragment {
	if inAssistant {
		return core.Fragment{Text: text, Whole: d.Said, Offset: offset}
	}
	return core.Fragment{Text: text, Whole: d.Turn, Offset: offset}
}

// Episode returns the node of an applied edit. The git state is the project's at that time.
func Episode(e *segment.Edit) *core.Node {
	n := e.Head
	n.ID = EpisodeID(e)
	n.Fact = core.Derived
	body := &core.Episode{
		EpisodeID: n.ID[len("episode:"):], CallID: e.CallID, Tool: e.Tool, Diff: e.Diff, Memory: e.Memory,
	}
	if n.Project != nil {
		body.Git = n.Project.Git
	}
	n.Body = body
	return &n
}

// EpisodeID returns the id of an edit's node. It is made from the call and the path of the
// file: a call that edits three files gives three episodes.
func EpisodeID(e *segment.Edit) string {
	return core.NodeID("episode", e.Head.Source, e.Origin, e.Diff.Path)
}

// Binding returns the node of a link: from a decision, or from the turn without a decision
// that the edit is derived from, to the edit. Only a decision is named in the provenance.
func Binding(e *segment.Edit, l bind.Link) *core.Node {
	n := e.Head
	from, head := "", core.Node{}
	if l.Decision != nil {
		from, head = l.Decision.NodeID(), *l.Decision.Head
	} else {
		from, head = conversationID(l.Turn), *l.Turn.Head
	}
	to := EpisodeID(e)
	n.ID = core.NodeID("binding", n.Source, from, to, string(l.Relation))
	n.Fact = core.Derived
	prov := core.Prov{UsedSession: head.Session, GeneratedBy: n.Session, Use: head.Time, Gen: n.Time}
	if l.Decision != nil {
		prov.UsedDecision = from
	}
	// A tool's clock may run backwards. The provenance never says that something was used
	// before it existed.
	if prov.Use.Compare(prov.Gen) > 0 {
		prov.Use = prov.Gen
	}
	n.Body = &core.Binding{From: from, To: to, Relation: l.Relation, Evidence: l.Evidence, Prov: prov}
	return &n
}
