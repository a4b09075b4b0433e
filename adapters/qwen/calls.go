package qwen

import (
	"bytes"
	"cmp"
	"strings"

	"github.com/memscribe/memscribe/adapters/internal/google"
	"github.com/memscribe/memscribe/adapters/internal/pending"
	"github.com/memscribe/memscribe/adapters/internal/stream"
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/jsondoc"
)

// calls remembers the calls that have no result yet.
type calls struct {
	pending.Calls[string, call]

	doc jsondoc.Doc
}

// call is what the result of a call will need of it. It lasts until its result; how many
// are open is bounded by [pending.Calls].
type call struct {
	id, name string
	given    bool   // the id is not the client's
	args     []byte // of a tool whose result may not tell all
	waits    bool   // for a subagent that the client's measurements may tell of
	agent    string // that one, once it is known
	thread   string // of the subagent whose call it is, if those tell of it
	digest   uint64 // of its arguments then
}

// open notes a call.
// Arguments are copied, and only of the tools whose results need them.
func (c *calls) open(made call, args jsondoc.Value) {
	switch made.name {
	case "edit", "replace", "write_file", "notebook_edit", "read_file", "run_shell_command", "ask_user_question":
		made.args = append(made.args, args.Raw()...)
	case "agent", "task":
		made.args = append(made.args, args.Get("subagent_type").Raw()...)
		made.waits = made.thread == "" && !args.Get("run_in_background").Bool()
	}
	c.Put(made.id, made, len(made.args))
}

// close returns the call of an id and forgets it; an empty one, if none is open. A result without an id answers
// the oldest call of its name that has none either.
func (c *calls) close(id, name string) call {
	if id != "" {
		return c.Take(id)
	}
	for _, made := range c.All() {
		if made.given && made.name == name {
			return c.Take(made.id)
		}
	}
	return call{}
}

// closeLike is close for what a subagent's measured call says of itself: the name
// and the arguments, or else the oldest of the name.
func (c *calls) closeLike(thread, name string, digest uint64) (call, bool) {
	var oldest *call
	for _, made := range c.All() {
		if made.thread != thread || made.name != name {
			continue
		}
		if made.digest == digest {
			return c.Take(made.id), true
		}
		if oldest == nil {
			oldest = made
		}
	}
	if oldest == nil {
		return call{}, false
	}
	return c.Take(oldest.id), true
}

// agent returns a subagent that an open call waits for, "" if none does. Of one
// that has a file of its own the id ends with the call's (recorded 0.24.4);
// of another one nothing but its kind is known, and the calls wait in their order.
func (c *calls) agent(id string) string {
	cut := strings.LastIndexByte(id, '-')
	if cut < 0 || len(id)-cut-1 > maxRandom {
		return ""
	}
	var next *call
	for _, made := range c.All() {
		if made.agent == id {
			return id
		}
		if made.id == id[cut+1:] {
			return ""
		}
		if next == nil && made.waits && made.agent == "" && c.args(made).Is(id[:cut]) {
			next = made
		}
	}
	if next == nil {
		return ""
	}
	next.agent = id
	return id
}

// maxRandom is how long the random end of a subagent's id is.
const maxRandom = 6

// args is what a call was made with.
func (c *calls) args(made *call) jsondoc.Value {
	return stream.Parsed(&c.doc, made.args)
}

// outcome holds the members of a toolCallResult that mean something here.
type outcome struct{ id, status, display jsondoc.Value }

// responded reads the result of a call. What the client knows of it stands beside
// the message; a subagent's own file has none of that but the id (recorded
// 0.24.4).
func (p *parser) responded(r *record, inner jsondoc.Value) {
	o := outcome{r.result.Get("callId"), r.result.Get("status"), r.result.Get("resultDisplay")}
	id := inner.Get("id").Str()
	if id == "" || !inner.Exists() {
		id = o.id.Str()
	} else if o.id.Kind() == jsondoc.String && !o.id.Is(id) {
		o = outcome{} // of another call
	}
	made := p.calls.close(id, p.Names.Of(inner.Get("name")))
	id = cmp.Or(id, made.id)
	name := cmp.Or(made.name, p.Names.Of(inner.Get("name")))
	told, failed := google.Output(inner)
	ok := !failed
	if o.status.Kind() == jsondoc.String {
		ok = o.status.Is("success")
	}
	p.Result = core.ToolResult{CallID: id, OK: ok, Output: core.RawValue(inner)}
	if !inner.Exists() {
		p.Result.Output = core.RawValue(o.display)
	}
	if bytes.Contains(told, []byte("User did not allow tool call")) { // source
		p.Result.Verdict = core.Rejected
	}
	args := p.calls.args(&made)
	google.Answer(&p.Result, name, args, told)
	p.Result.Spawned = cmp.Or(made.agent, spawned(name, id, args, o.display))
	p.send(&p.Result, false)
	if ok {
		p.effects(google.Edit{Tool: name, Args: args, Display: o.display, Told: told, Qwen: true}, id)
	}
}

// effects takes in what a successful call did to files, or showed of them, and
// emits the edit that it made.
func (p *parser) effects(e google.Edit, id string) {
	diff, ok := p.files.Effect(e, p.Project)
	if !ok {
		return
	}
	p.Change = core.FileEdit{CallID: id, Tool: e.Tool, Diff: diff}
	p.send(&p.Change, false)
}

// spawned is the line of the subagent that a call started. Its id is its name and
// the call's (recorded 0.24.4; an editor's sessions have a random one
// instead, which the call does not know).
func spawned(name, id string, args, display jsondoc.Value) string {
	if name != "agent" && name != "task" {
		return ""
	}
	if agent := display.Get("agentId"); agent.Kind() == jsondoc.String {
		return agent.Str()
	}
	kind := cmp.Or(display.Get("subagentName").Str(), args.Str())
	if kind == "" || id == "" {
		return ""
	}
	return kind + "-" + id
}
