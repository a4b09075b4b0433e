package claudecode

import (
	"github.com/memscribe/memscribe/adapters/internal/stream"
	"github.com/memscribe/memscribe/core/jsondoc"
)

// calls remembers the calls that have no result yet.
type calls struct {
	byID  map[string]*call
	order []opened // oldest first; closed calls are still in it
	size  int      // of all inputs
	spare [][]byte // memory of the inputs of closed calls
	doc   jsondoc.Doc
}

// opened is the place of a call among the others. Its id may be that of a later
// call by now.
type opened struct {
	id   string
	made *call
}

// call is what the result of a call will need of it.
type call struct {
	name    string
	input   []byte // of a tool whose result does not repeat it
	prompt  uint64 // of a subagent
	spawned string // thread of the subagent
}

// Calls that are never answered (a killed client) must not pile up.
const (
	maxCalls     = 256
	maxCallBytes = 32 << 20
)

// Memory of inputs is used again: of this many of them, none larger than this.
const (
	maxSpare      = 8
	maxSpareBytes = 256 << 10
)

// open notes a call.
func (c *calls) open(id, name string, input jsondoc.Value) {
	if id == "" {
		return
	}
	made := &call{name: name}
	switch name {
	case "Edit", "MultiEdit", "Write", "NotebookEdit", "Read", "AskUserQuestion":
		made.input = append(c.room(), input.Raw()...)
	case "Task", "Agent":
		made.prompt = stream.Hash(input.Get("prompt").Body())
	}
	c.close(id)
	if c.byID == nil {
		c.byID = map[string]*call{}
	}
	c.byID[id] = made
	c.order = append(c.order, opened{id, made})
	c.size += len(made.input)
	for len(c.byID) > maxCalls || c.size > maxCallBytes && len(c.byID) > 1 {
		if oldest := c.order[0]; c.isOpen(oldest) {
			c.close(oldest.id)
		}
		c.order = c.order[1:]
	}
	if len(c.order) > 4*maxCalls {
		c.compact()
	}
}

// compact drops the closed calls from the order.
func (c *calls) compact() {
	open := make([]opened, 0, 2*len(c.byID))
	for _, o := range c.order {
		if c.isOpen(o) {
			open = append(open, o)
		}
	}
	c.order = open
}

func (c *calls) isOpen(o opened) bool { return c.byID[o.id] == o.made }

// close returns a call and forgets it; the zero call if it is not known. Its
// input is valid until the next call is opened.
func (c *calls) close(id string) call {
	made := c.byID[id]
	if made == nil {
		return call{}
	}
	delete(c.byID, id)
	c.size -= len(made.input)
	if n := cap(made.input); n > 0 && n <= maxSpareBytes && len(c.spare) < maxSpare {
		c.spare = append(c.spare, made.input[:0])
	}
	return *made
}

// room is empty memory for an input.
func (c *calls) room() []byte {
	last := len(c.spare) - 1
	if last < 0 {
		return nil
	}
	b := c.spare[last]
	c.spare = c.spare[:last]
	return b
}

// args is what the call was made with.
func (c *calls) args(made *call) jsondoc.Value {
	if made.input == nil {
		return jsondoc.Value{}
	}
	if _, err := c.doc.Parse(made.input); err != nil {
		return jsondoc.Value{}
	}
	return c.doc.Root()
}

// spawn says that a sidechain began with a prompt: it belongs to the call that
// gave this prompt, or else to the oldest one that has none yet.
func (c *calls) spawn(prompt uint64, thread string) {
	var first *call
	for _, o := range c.order {
		made := o.made
		if !c.isOpen(o) || made.prompt == 0 || made.spawned != "" {
			continue
		}
		if made.prompt == prompt {
			made.spawned = thread
			return
		}
		if first == nil {
			first = made
		}
	}
	if first != nil {
		first.spawned = thread
	}
}
