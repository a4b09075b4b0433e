package claudecode

import (
	"bytes"
	"cmp"

	"github.com/memscribe/memscribe/adapters/internal/stream"
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/jsondoc"
)

// prompt begins a turn, after a rewind if the prompt follows another turn than
// the one that is alive.
func (p *parser) prompt(r *record) {
	if p.tree.Outside() {
		return
	}
	p.branch()
	if p.restarts(r) {
		p.rewind(p.tree.Line(), &core.Rewind{ToEvent: p.Session, ToSeq: p.first})
	}
	p.tree.Prompt(p.Last)
	p.prompted, p.window.done = p.Session, false
}

// restarts reports whether a prompt takes the conversation back to before its first one: then it
// has no parent. Since 2.0 every later prompt has a parent. Unverified: no recording shows it.
func (p *parser) restarts(r *record) bool {
	return p.tree.Turns() > 0 && r.parent.Kind() == jsondoc.Null && p.prompted == p.Session && p.version.atLeast(2, 0, 0)
}

// branch emits a rewind if a record that a person caused leaves the live branch.
func (p *parser) branch() {
	d := p.tree.Branch()
	if !d.Rewound {
		return
	}
	p.tree.Left(&d, rewindOf(p.ID), p.Last)
	p.rewind(d.Of, &core.Rewind{ToEvent: p.Parent, ToSeq: d.ToSeq})
}

// rewindOf is the id of the rewind before a record.
func rewindOf(id string) string { return "rewind:" + id }

// settle notes whether the model is at work after a record. A client that is interrupted writes
// that down; one that is killed does not, but then its session continues behind what it was doing.
func (p *parser) settle(r *record) {
	switch {
	case p.Thread != "":
	case r.kind.Is("assistant"):
		p.tree.Working(p.atWork(r))
	case r.kind.Is("user") && p.turn.results > 0:
		p.tree.Working(true)
	case r.kind.Is("user") && bytes.HasPrefix(textOf(r.message.Get("content")), []byte("[Request interrupted by user")):
		p.tree.Working(false)
	case r.kind.Is("system") && (r.subtype.Is("turn_duration") || r.subtype.Is("stop_hook_summary")):
		p.tree.Working(false)
	}
}

// atWork reports whether the model continues behind a piece of a response: behind
// calls and thoughts, and where it says so.
func (p *parser) atWork(r *record) bool {
	if p.Assistant.Model == "" {
		return false // the client speaks in its name
	}
	for i := range p.turn.parts {
		if p.turn.parts[i].Kind != core.TextPart {
			return true
		}
	}
	return r.message.Get("stop_reason").Is("tool_use")
}

// rewind emits a rewind. Its id differs from the record's, which belongs to the turn that follows:
// the turn has to have the same id in a copy of the session where nothing was rewound.
func (p *parser) rewind(on *core.Strand, body *core.Rewind) {
	id := p.ID
	p.ID = rewindOf(id)
	p.On, p.Scope = on, cmp.Or(p.CopyOf, p.ID)
	p.Put(body, false)
	p.ID = id
}

// retract takes back what the system declared void: messages of a model that
// refused, before another model answers the same prompt.
func (p *parser) retract(r *record) {
	prompt, ok := p.tree.Seq(r.refused)
	if !ok || p.Thread != "" {
		return
	}
	for void := range r.retracted.Elems() {
		if at, ok := p.tree.Seq(void); ok && at > prompt {
			p.rewind(p.tree.Line(), &core.Rewind{ToEvent: r.refused.Str(), ToSeq: prompt})
			return
		}
	}
}

// sidechain is the thread of a record of a sidechain in the main file. One that
// begins here belongs to the call that gave this prompt.
func (p *parser) sidechain(r *record) string {
	thread, begins := p.sides.Of(r.uuid, r.parent, &p.tree)
	if begins {
		content := r.message.Get("content")
		prompt := stream.Hash(content.Body())
		for el := range content.Elems() {
			prompt = stream.Hash(el.Get("text").Body())
			break
		}
		p.calls.spawn(prompt, thread)
	}
	return thread
}

// window is what the model could see: what a compaction replaces.
type window struct {
	from uint64 // seq of its first event
	end  uint64 // seq of the last event before the boundary
	open bool   // a boundary was seen, and no summary yet
	done bool   // it was compacted since the last prompt
}

// boundary notes that the client compacted the conversation. The summary comes with a later record.
func (p *parser) boundary(r *record) {
	p.window.open, p.window.end = true, p.Last
	if at, ok := p.tree.Seq(r.logicalParent); ok {
		p.window.end = at
	}
}

// compacted emits a compaction. A boundary without a summary counts as soon as
// something else is said.
func (p *parser) compacted(summary core.Text) {
	w := &p.window
	if !w.open {
		w.end = p.Last
	}
	body := core.Compaction{Summary: summary}
	if w.end > w.from {
		body.Start, body.End = w.from, w.end
	}
	w.open, w.done = false, true
	p.send(&body, false)
	w.from = p.Last
}

// toldCompacted emits a compaction when the transcript holds nothing of it but what
// the client told the person (recorded 1.0.60). Copies of that are lists.
func (p *parser) toldCompacted(content jsondoc.Value) {
	const told = "<local-command-stdout>Compacted"
	if p.Thread != "" || p.window.done || !p.version.renamesCopies() || !bytes.HasPrefix(content.Body(), []byte(told)) {
		return
	}
	id := p.ID
	p.ID = "compaction:" + id
	p.compacted(core.Text{})
	p.ID = id
}

// unsummarized emits a compaction whose summary never came.
func (p *parser) unsummarized() {
	if !p.window.open || p.Thread != "" {
		return
	}
	id := p.ID
	p.ID = "compaction:" + id
	p.compacted(core.Text{})
	p.ID = id
}
