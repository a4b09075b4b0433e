package qwen

import (
	"bytes"
	"cmp"

	"github.com/memscribe/memscribe/adapters/internal/google"
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/jsondoc"
)

// outcome holds the members of a toolCallResult that mean something here.
type outcome struct{ id, status, display, error jsondoc.Value }

func (o *outcome) read(v jsondoc.Value) {
	for name, v := range v.Fields() {
		switch string(name.Body()) {
		case "callId":
			o.id = v
		case "status":
			o.status = v
		case "resultDisplay":
			o.display = v
		case "error":
			o.error = v
		}
	}
}

// responded reads the result of a call. What the client knows of it stands beside
// the message; a subagent's own file has none of that but the id (recorded
// 0.24.4).
func (p *parser) responded(r *record, inner jsondoc.Value) {
	var o outcome
	o.read(r.result)
	id := inner.Get("id").Str()
	if id == "" || !inner.Exists() {
		id = o.id.Str()
	} else if o.id.Kind() == jsondoc.String && !o.id.Is(id) {
		o = outcome{} // of another call
	}
	made := p.calls.close(id, p.Names.Of(inner.Get("name")))
	if id == "" {
		id = made.id
	}
	name := made.name
	if name == "" {
		name = p.Names.Of(inner.Get("name"))
	}
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
	kind := display.Get("subagentName").Str()
	if kind == "" {
		kind = args.Str()
	}
	if kind == "" || id == "" {
		return ""
	}
	return kind + "-" + id
}
