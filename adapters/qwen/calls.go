package qwen

import "github.com/memscribe/memscribe/core/jsondoc"

// calls remembers the calls that have no result yet.
type calls struct {
	list []call // oldest first
	size int    // of all arguments
	doc  jsondoc.Doc
}

// call is what the result of a call will need of it.
type call struct {
	id, name string
	given    bool   // the id is not the client's
	args     []byte // of a tool whose result may not tell all
}

// Calls that are never answered (a killed client) must not pile up.
const (
	maxCalls     = 256
	maxCallBytes = 32 << 20
)

// open notes a call.
func (c *calls) open(made call, args jsondoc.Value) {
	switch made.name {
	case "edit", "replace", "write_file", "notebook_edit", "read_file", "run_shell_command", "ask_user_question":
		made.args = append(made.args, args.Raw()...)
	case "agent", "task":
		made.args = append(made.args, args.Get("subagent_type").Raw()...)
	}
	c.list = append(c.list, made)
	c.size += len(made.args)
	for len(c.list) > maxCalls || c.size > maxCallBytes && len(c.list) > 1 {
		c.remove(0)
	}
}

// close returns the call of an id and forgets it. A result without an id answers
// the oldest call of its name that has none either.
func (c *calls) close(id, name string) (call, bool) {
	for i := range c.list {
		made := &c.list[i]
		if id != "" && made.id == id || id == "" && made.given && made.name == name {
			return c.remove(i), true
		}
	}
	return call{}, false
}

func (c *calls) remove(i int) call {
	made := c.list[i]
	c.size -= len(made.args)
	c.list = append(c.list[:i], c.list[i+1:]...)
	return made
}

// args is what a call was made with.
func (c *calls) args(made *call) jsondoc.Value {
	if made.args == nil {
		return jsondoc.Value{}
	}
	if _, err := c.doc.Parse(made.args); err != nil {
		return jsondoc.Value{}
	}
	return c.doc.Root()
}
