package claudecode

import (
	"github.com/memscribe/memscribe/adapters/internal/pending"
	"github.com/memscribe/memscribe/adapters/internal/stream"
	"github.com/memscribe/memscribe/core/jsondoc"
)

// calls remembers the calls that have no result yet.
type calls struct {
	pending.Calls[string, call]

	doc jsondoc.Doc
}

// call is what the result of a call will need of it.
type call struct {
	name    string
	input   []byte // of a tool whose result does not repeat it
	prompt  uint64 // of a subagent
	spawned string // thread of the subagent
}

// open notes a call.
func (c *calls) open(id, name string, input jsondoc.Value) {
	if id == "" {
		return
	}
	made := call{name: name}
	switch name {
	case "Edit", "MultiEdit", "Write", "NotebookEdit", "Read", "AskUserQuestion":
		made.input = append(made.input, input.Raw()...)
	case "Task", "Agent":
		made.prompt = stream.Hash(input.Get("prompt").Body())
	}
	c.Put(id, made, len(made.input))
}

// args is what the call was made with.
func (c *calls) args(made *call) jsondoc.Value {
	return stream.Parsed(&c.doc, made.input)
}

// spawn says that a sidechain began with a prompt: it belongs to the call that
// gave this prompt, or else to the oldest one that has none yet.
func (c *calls) spawn(prompt uint64, thread string) {
	var first *call
	for made := range c.All() {
		if made.prompt == 0 || made.spawned != "" {
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
