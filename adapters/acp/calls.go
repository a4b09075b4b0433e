package acp

import (
	"cmp"
	"strings"

	"github.com/memscribe/memscribe/adapters/internal/asked"
	"github.com/memscribe/memscribe/adapters/internal/pending"
	"github.com/memscribe/memscribe/adapters/internal/stream"
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/jsondoc"
)

// calls are the calls that have not ended.
type calls struct {
	open pending.Calls[string, call]
}

// call is what is known of a call until it ends. It is emitted once it says what it asks for.
type call struct {
	name, kind string
	told       bool
	shown      string // the last content that shows edits, as JSON
}

// called reads the beginning of a call, its progress or its end. Each says what is new.
func (p *parser) called(u jsondoc.Value) {
	id, status := u.Get("toolCallId").Str(), u.Get("status")
	c := p.calls.open.Take(id)
	c.kind = cmp.Or(u.Get("kind").Str(), c.kind)
	c.name = cmp.Or(c.name, nameOf(u, c.kind))
	if content := u.Get("content"); showsEdit(content) {
		c.shown = string(content.Raw())
	}
	ended := status.Is("completed") || status.Is("failed")
	args := u.Get("rawInput")
	h := stream.Head{}
	if !c.told && (ended || says(args)) {
		c.told = true
		p.Call(h, id, c.name, args)
	} else if !ended {
		p.Known(h, u.Get("sessionUpdate").Str())
	}
	if !ended {
		p.calls.open.Put(id, c, len(c.name)+len(c.shown))
		return
	}
	p.end(u, id, &c)
}

// says reports whether the arguments of a call are there: agents begin many with none, or
// with the folder of work alone.
func says(args jsondoc.Value) bool {
	n := 0
	for name := range args.Fields() {
		if !name.Is("cwd") {
			n++
		}
	}
	return n > 0
}

// nameOf is the tool that a call is of. The protocol has no name for it: an agent may say it in
// a member of its own, or begin with it as the title; else there is the kind.
func nameOf(u jsondoc.Value, kind string) string {
	if name := u.Path("_meta", "claudeCode", "toolName").Str(); name != "" {
		return name
	}
	if title := u.Get("title").Str(); title != "" && !strings.ContainsAny(title, " /\\.:\n\t`") {
		return title
	}
	return kind
}

func showsEdit(content jsondoc.Value) bool {
	for piece := range content.Elems() {
		if piece.Get("type").Is("diff") {
			return true
		}
	}
	return false
}

// end reads what a call came to, and the edits that it shows; those that it asked for, where
// it shows none.
func (p *parser) end(u jsondoc.Value, id string, c *call) {
	ok, out := u.Get("status").Is("completed"), u.Get("rawOutput")
	for _, member := range []string{"exit", "exitCode", "exit_code"} {
		code, known := out.Path("metadata", member).Int()
		if !known {
			code, known = out.Get(member).Int()
		}
		ok = ok && (!known || code == 0)
	}
	if !out.Exists() {
		out = u.Get("content")
	}
	h := stream.Head{}
	name, args := p.Result(h, id, ok, core.RawValue(out), func(string) bool { return c.kind == "edit" })
	if !ok {
		return
	}
	p.wasRead(out.Path("metadata", "display"))
	var doc jsondoc.Doc
	if n, err := doc.Parse([]byte(c.shown)); err == nil && n > 0 {
		for piece := range doc.Root().Elems() {
			if piece.Get("type").Is("diff") {
				p.Edit(p.head("edit", id), id, name, p.edited(piece))
			}
		}
		return
	}
	if c.kind == "edit" {
		for _, d := range asked.Edits(&p.Files, p.Resolve, args) {
			delete(p.written, d.Path)
			p.Edit(p.head("edit", id), id, name, d)
		}
	}
}

// wasRead takes in what a file holds where the agent shows all of it, as OpenCode does. Whether
// its last line ends it does not show.
func (p *parser) wasRead(v jsondoc.Value) {
	first, _ := v.Get("lineStart").Int()
	last, _ := v.Get("lineEnd").Int()
	total, known := v.Get("totalLines").Int()
	if v.Get("type").Is("file") && known && first == 1 && last == total && !v.Get("truncated").Bool() {
		p.Files.SetOpen(p.Resolve(v.Get("path").Str()), v.Get("text").Str()+"\n")
	}
}
