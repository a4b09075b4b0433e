package pi

import (
	"cmp"
	"strings"

	"github.com/memscribe/memscribe/adapters/internal/edit"
	"github.com/memscribe/memscribe/adapters/internal/pending"
	"github.com/memscribe/memscribe/adapters/internal/stream"
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/jsondoc"
)

// edits reports whether a tool changes files.
func edits(name string) bool {
	switch name {
	case "edit", "write", // recorded 0.73.1
		"edit_file", "write_file": // one fixture, OpenClaw
		return true
	}
	return false
}

// callResult reads the result of a call, and the edit that it made.
func (p *parser) callResult(m jsondoc.Value) {
	id, failed := m.Get("toolCallId").Str(), m.Get("isError").Bool()
	content := m.Get("content")
	p.Result = core.ToolResult{CallID: id, OK: !failed, Output: core.RawValue(content)}
	p.send(&p.Result, false)
	p.tree.speak(p.Last)
	made := p.calls.Take(id)
	name := cmp.Or(made.name, p.Names.Of(m.Get("toolName")))
	args := p.calls.args(&made)
	if name == "bash" {
		p.files.Ran(args.Get("command").Str())
	}
	if failed {
		return
	}
	file := p.resolve(stream.Str(args, "path", "file_path"))
	switch {
	case file == "":
	case name == "read":
		p.wasRead(m, args, file)
	case edits(name):
		before, _ := p.files.Text(file)
		if d, ok := p.files.Of(p.facts(m, args, file)); ok {
			if m.Path("details", "patch").Exists() && mixed(before) {
				d.Certainty = core.Told
				p.files.Forget(file)
			}
			p.Change = core.FileEdit{CallID: id, Tool: name, Diff: d}
			p.send(&p.Change, false)
			p.tree.speak(p.Last)
		}
	}
}

// wasRead notes what a file holds. A part of a file, and one that was cut, is
// not its text.
func (p *parser) wasRead(m, args jsondoc.Value, file string) {
	if args.Get("offset").Exists() || args.Get("limit").Exists() || m.Path("details", "truncation").Exists() {
		return
	}
	content, text := m.Get("content"), jsondoc.Value{}
	for block := range content.Elems() {
		if text.Exists() || !block.Get("type").Is("text") {
			return
		}
		text = block.Get("text")
	}
	if text.Kind() == jsondoc.String {
		p.files.Set(file, text.Str())
	}
}

// facts are what the result and the call tell of an edit that was applied.
func (p *parser) facts(m, args jsondoc.Value, file string) edit.Facts {
	t := edit.Facts{Path: file, Strings: true, Content: edit.Text(args.Get("content")), Pairs: p.swaps(args)}
	shown := m.Path("details", "diff").Str()
	t.Redo = func(text string, _ int) (string, bool) {
		if after, ok := swap(text, t.Pairs); ok && agrees(text, shown) {
			return after, after != text
		}
		return sloppy(text, t.Pairs, shown)
	}
	if shown == "" {
		return t
	}
	t.Agrees = func(string, string, int) bool { return true } // else there is nothing to redo
	t.Shown = func() (core.Diff, bool) {
		d := edit.FromHunks(file, readScreen(shown))
		return d, d.Added+d.Removed > 0
	}
	return t
}

// swaps are the replacements of a call: one (wild, to early 2026), or a list
// (recorded 0.73.1).
func (p *parser) swaps(args jsondoc.Value) []edit.Pair {
	var list []edit.Pair
	add := func(v jsondoc.Value) {
		before, after := v.Get("oldText"), v.Get("newText")
		if before.Kind() == jsondoc.String && after.Kind() == jsondoc.String && len(list) < maxSwaps {
			list = append(list, edit.Pair{Before: before.Str(), After: after.Str()})
		}
	}
	add(args)
	for e := range p.calls.list(args.Get("edits")).Elems() {
		add(e)
	}
	return list
}

// maxSwaps bounds the replacements of one call.
const maxSwaps = 4096

// resolve makes a path absolute, as the client does: "@" before it is dropped.
func (p *parser) resolve(name string) string {
	if name = strings.TrimPrefix(name, "@"); strings.HasPrefix(name, "~") {
		return name
	}
	return p.Resolve(strings.TrimPrefix(name, `.\`))
}

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
