package segment

import "github.com/memscribe/memscribe/core"

// maxCalls is how many calls of a thread are kept. The event of an edit comes at most a
// few calls after that of its call.
const maxCalls = 1024

// maxTexts limits the bytes of plans and memories that the calls of a thread keep, not
// counting the latest call.
const maxTexts = 1 << 20

// maxPlan is the size of the longest plan that is kept.
const maxPlan = 16 << 10

// call is a tool call. It is kept until maxCalls later ones of its thread were made, not
// only until its result, since the event of its edit may come after the result.
type call struct {
	seq       uint64
	arc       *Arc
	plan      string // the plan that a person is asked to approve
	hasResult bool   // its result was read

	memories []*Memory // its accesses to memories, until its result confirms them
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

// dropTexts drops the plans and memory accesses of all calls but one.
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

// markDone records that the result of a call was read. Its edit may still follow.
func (c *calls) markDone(id string) {
	if made, ok := c.byID[id]; ok && !made.hasResult {
		made.hasResult = true
		c.byID[id] = made
	}
}

// dropDone drops the calls that have their result, and returns how many bytes the others
// take.
func (c *calls) dropDone() int {
	const each = 256 // of a call without its texts
	size := 0
	open := calls{}
	for i := range c.order {
		id := c.order[(c.next+i)%len(c.order)]
		made := c.byID[id]
		if made.hasResult {
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

// get returns the call of an id, and whether it is known.
func (c *calls) get(id string) (call, bool) {
	made, ok := c.byID[id]
	return made, ok
}

// planOf returns the plan that a call asks a person to approve: tools with a plan mode
// pass it as the argument "plan".
func planOf(b *core.ToolCall) string {
	plan := b.Args.Value().Get("plan")
	if text := core.Token(plan); !text.IsEmpty() && text.Size() <= maxPlan {
		return text.String()
	}
	return ""
}

// memoriesOf returns the accesses of a call to memories of the agent, such as those of
// Claude's memory tool. An edit of a memory's file is not one of them: package memory
// recognises it by its path.
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

// remember records the memory accesses of a call, once, even if its result comes in
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
