package segment

import "github.com/memscribe/memscribe/core"

// maxCalls is how many calls a thread remembers. An edit becomes known at most
// a few calls after its own; a session may make hundreds of thousands.
const maxCalls = 1024

// maxTexts is how many bytes of plans and memories the calls of a thread may have, but
// for the latest call.
const maxTexts = 1 << 20

// maxPlan bounds what is kept of a plan that is put before a person.
const maxPlan = 16 << 10

// call is where in the stream a call was made. It is remembered from the call until
// maxCalls later ones of its thread have been made; the result alone does not end it,
// since an edit that it made may become known behind the result.
type call struct {
	seq  uint64
	arc  *Arc
	plan string // what it put before a person for approval
	done bool   // its result has come

	memories []*Memory // what it does to a memory, until its result says that it did
}

// calls remembers the latest calls of a thread by id. The ring and the map hold the
// same ids; texts is the sum of size over them.
type calls struct {
	byID  map[string]call
	order []string // a ring of the ids, oldest at next
	next  int
	texts int // bytes of plans and memories
}

// size is how many bytes of texts a call has.
func (c *call) size() int {
	n := len(c.plan)
	for _, m := range c.memories {
		n += len(m.Text)
	}
	return n
}

// add remembers a call until its result. The first of several with one id counts.
// A call without an id cannot be answered and is not remembered. If the texts get too
// many, those of all calls but this one are dropped: of plans and memories only the
// latest matters in practice.
func (c *calls) add(id string, made call) {
	if id == "" {
		return
	}
	if c.byID == nil {
		c.byID = map[string]call{}
	}
	if _, again := c.byID[id]; again {
		return
	}
	c.byID[id] = made
	if c.texts += made.size(); c.texts > maxTexts {
		c.dropTexts(id)
	}
	if len(c.order) < maxCalls {
		c.order = append(c.order, id)
		return
	}
	oldest := c.byID[c.order[c.next]]
	c.texts -= oldest.size()
	delete(c.byID, c.order[c.next])
	c.order[c.next] = id
	c.next = (c.next + 1) % maxCalls
}

// dropTexts has all calls but one forget what they plan, and what they do to memories.
func (c *calls) dropTexts(but string) {
	for _, id := range c.order {
		if made := c.byID[id]; id != but {
			made.plan, made.memories = "", nil
			c.byID[id] = made
		}
	}
	latest := c.byID[but]
	c.texts = latest.size()
}

// done says that the result of a call has come. An edit may still follow it.
func (c *calls) done(id string) {
	if made, ok := c.byID[id]; ok && !made.done {
		made.done = true
		c.byID[id] = made
	}
}

// dropDone forgets the calls that are done, and says how much memory the others
// take, 0 if there are none.
func (c *calls) dropDone() int {
	const each = 256 // of a call without its texts
	size := 0
	open := calls{}
	for i := range c.order {
		id := c.order[(c.next+i)%len(c.order)]
		made := c.byID[id]
		if made.done {
			continue
		}
		open.add(id, made)
		size += each + len(id) + len(made.plan)
		for _, m := range made.memories {
			size += each + len(m.Text)
		}
	}
	*c = open
	return size
}

// get is the call of an id, and whether it is known.
func (c *calls) get(id string) (call, bool) {
	made, ok := c.byID[id]
	return made, ok
}

// planOf is the text that a call puts before a person for approval: tools that
// plan before they work pass it as "plan".
func planOf(b *core.ToolCall) string {
	plan := b.Args.Value().Get("plan")
	if text := core.Token(plan); !text.IsEmpty() && text.Size() <= maxPlan {
		return text.String()
	}
	return ""
}

// memoriesOf is what a call does to a memory of the agent's own. What the edit of
// a file says is left to the edit.
// The file of a memory is written by an edit like any other, which package memory knows
// by its path: here only what the call itself says counts, such as Claude's memory
// tool.
func memoriesOf(ev *core.Event, b *core.ToolCall) []*Memory {
	if len(b.Memory) == 0 || b.Memory[0].Text == "" {
		return nil
	}
	head := Head(ev)
	all := make([]*Memory, len(b.Memory))
	for i, a := range b.Memory {
		all[i] = &Memory{MemoryAccess: a, Head: &head, Index: i, Copied: ev.CopyOf != ""}
	}
	return all
}

// remember records what a call has done to a memory, once: a result may come in
// pieces.
func (f *Facts) remember(t *Thread, ev *core.Event, callID string) {
	c := t.calls.byID[callID]
	for _, m := range c.memories {
		m.Origin = ev.CallIdentity(callID)
		m.Turns = core.TurnRange{Start: min(c.seq, ev.Seq), End: ev.Seq}
		f.Memories = append(f.Memories, m)
	}
	t.calls.texts -= c.size()
	c.memories = nil
	t.calls.texts += c.size()
	t.calls.byID[callID] = c
}
