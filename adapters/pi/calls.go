package pi

import "github.com/memscribe/memscribe/core/jsondoc"

// calls remembers the calls that have no result yet.
type calls struct {
	byID  map[string]*call
	order []string // oldest first; closed calls are still in it
	size  int      // of all inputs
	doc   jsondoc.Doc
	inner jsondoc.Doc // of arguments that are JSON in a string
}

// call is what the result of a call will need of it.
type call struct {
	name  string
	input []byte // of a tool that edits or reads
}

// Calls that are never answered (an aborted response) must not pile up.
const (
	maxCalls     = 256
	maxCallBytes = 32 << 20
)

// open notes a call.
func (c *calls) open(id, name string, input jsondoc.Value) {
	if id == "" || !edits(name) && name != "read" {
		return
	}
	c.close(id)
	if c.byID == nil {
		c.byID = map[string]*call{}
	}
	made := &call{name: name, input: append([]byte(nil), input.Raw()...)}
	c.byID[id] = made
	c.order = append(c.order, id)
	c.size += len(made.input)
	for len(c.byID) > maxCalls || c.size > maxCallBytes && len(c.byID) > 1 {
		c.close(c.order[0])
		c.order = c.order[1:]
	}
	if len(c.order) > 4*maxCalls {
		c.compact()
	}
}

// compact drops the closed calls from the order.
func (c *calls) compact() {
	open := make([]string, 0, 2*len(c.byID))
	for _, id := range c.order {
		if c.byID[id] != nil {
			open = append(open, id)
		}
	}
	c.order = open
}

// close returns a call and forgets it; the zero call if it is not known.
func (c *calls) close(id string) call {
	made := c.byID[id]
	if made == nil {
		return call{}
	}
	delete(c.byID, id)
	c.size -= len(made.input)
	return *made
}

// args is what a call was made with; absent if it is not known.
func (c *calls) args(made *call) jsondoc.Value {
	if len(made.input) == 0 {
		return jsondoc.Value{}
	}
	if _, err := c.doc.Parse(made.input); err != nil {
		return jsondoc.Value{}
	}
	return c.doc.Root()
}

// list is an argument that is a list, which some models write as a string.
func (c *calls) list(v jsondoc.Value) jsondoc.Value {
	if v.Kind() != jsondoc.String {
		return v
	}
	if _, err := c.inner.Parse([]byte(v.Str())); err != nil {
		return jsondoc.Value{}
	}
	return c.inner.Root()
}
