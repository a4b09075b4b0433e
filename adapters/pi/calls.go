package pi

import (
	"github.com/memscribe/memscribe/adapters/internal/pending"
	"github.com/memscribe/memscribe/adapters/internal/stream"
	"github.com/memscribe/memscribe/core/jsondoc"
)

// calls remembers the calls that have no result yet.
type calls struct {
	pending.Calls[string, call]

	doc   jsondoc.Doc
	inner jsondoc.Doc // of arguments that are JSON in a string
}

// call is what the result of a call will need of it; the result takes it out.
type call struct {
	name  string
	input []byte // of a tool that edits, reads or runs a command
}

// open notes a call.
// Calls of other tools need nothing: their results say all there is.
func (c *calls) open(id, name string, input jsondoc.Value) {
	if id == "" || !edits(name) && name != "read" && name != "bash" {
		return
	}
	made := call{name: name, input: append([]byte(nil), input.Raw()...)}
	c.Put(id, made, len(made.input))
}

// args is what a call was made with; absent if it is not known.
func (c *calls) args(made *call) jsondoc.Value {
	return stream.Parsed(&c.doc, made.input)
}

// list is an argument that is a list, which some models write as a string.
func (c *calls) list(v jsondoc.Value) jsondoc.Value {
	if v.Kind() != jsondoc.String {
		return v
	}
	return stream.Parsed(&c.inner, []byte(v.Str()))
}
