package geminilog

import (
	"cmp"
	"strconv"
	"strings"

	"github.com/memscribe/memscribe/adapters/internal/google"
	"github.com/memscribe/memscribe/adapters/internal/stream"
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/jsondoc"
)

// toolCalls passes on what is new of the calls of a message. Each call stands
// there with its result; a message gets more calls as the client works on.
//
// Before 0.31, and in the minute in which a session began before 0.36, a subagent writes its words
// into the document of its session, and the client adds the session's calls, all ended, to whatever
// message is the last one there: those of a subagent it writes down nowhere (source; recorded
// 0.26.0). So the session continues with them.
func (p *Parser) toolCalls(e *entry) {
	p.files.AtOnce(e.name)
	n := 0
	for v := range e.calls.Elems() {
		n++
		p.helper = ""
		p.tool.read(v)
		p.toolCall(e, &p.tool, n)
	}
	p.ID, p.Parent, p.Time = e.name, "", e.at()
}

// toolCall emits what is new of a call: the call itself, its result, its edits. A call is written again
// at each change of its state, and one that is complete says nothing more.
func (p *Parser) toolCall(e *entry, c *call, n int) {
	id := cmp.Or(c.id.Str(), e.name+"/"+strconv.Itoa(n))
	key := stream.Hash([]byte(id))
	state := p.calls[key]
	if state.progress == called|resulted|done {
		return
	}
	p.Parent, p.Time = e.name, e.at()
	if state.progress&called == 0 {
		p.open.Take(id)
		p.locate(c.args)
		again := p.remade(e, c)
		p.calling(id, p.Names.Of(c.name), core.RawValue(c.args))
		state = told{called, p.Last}
		if again != 0 {
			p.edits[again] = asked{id, p.Last}
		}
	}
	if ended(c) {
		p.ended(c, id, state.progress&resulted == 0)
		state.progress |= resulted | done
	}
	p.calls[key] = state
}

// calling passes a call on. Its event is named after it, so that a second telling of the
// call in another list has the same id.
func (p *Parser) calling(id, name string, args core.Raw) {
	p.ID = "call:" + id
	p.Call = core.ToolCall{CallID: id, Name: name, Args: args}
	p.send(&p.Call, false)
	p.compacted = false
}

// ended reports whether a call has its result. A client that was killed leaves
// calls behind that wait for approval, or run.
func ended(c *call) bool {
	switch string(c.status.Body()) {
	case "success", "error", "cancelled":
		return true
	case "":
		return c.result.Exists() && c.result.Kind() != jsondoc.Null
	}
	return false
}

// ended passes on the result of a call, and what the call did.
func (p *Parser) ended(c *call, id string, fresh bool) {
	told, failed := google.ResultText(c.result)
	ok := c.status.Is("success") || !c.status.Exists() && !failed
	name := p.Names.Of(c.name)
	if t := stream.Time(c.time); !t.IsZero() {
		p.Time = t
	}
	if fresh {
		p.ID = "result:" + id
		p.Result = core.ToolResult{CallID: id, OK: ok, Output: core.RawValue(c.result)}
		if p.Result.Output.IsAbsent() || c.result.Kind() == jsondoc.Null {
			p.Result.Output = core.RawValue(c.display)
		}
		if c.status.Is("cancelled") && strings.Contains(string(told), "User did not allow tool call") { // source, 0.6 to 0.21
			p.Result.Verdict = core.Rejected
		}
		google.Answer(&p.Result, name, c.args, told)
		p.Result.Spawned = spawned(c, told)
		p.send(&p.Result, false)
	}
	if ok {
		p.effects(google.Edit{Tool: name, Args: c.args, Display: c.display, Told: told}, id)
	}
}

// effects takes in what a successful call did to files, or showed of them, and
// emits the edit that it made.
func (p *Parser) effects(e google.Edit, id string) {
	diff, ok := p.files.Effect(e, p.Project)
	if !ok {
		return
	}
	p.ID = "edit:" + id
	p.Change = core.FileEdit{CallID: id, Tool: e.Tool, Diff: diff}
	p.send(&p.Change, false)
}

// spawned is the line of the subagent that a call started: its id is with the
// call (recorded 0.61.0), or in the ids of the subagent's own calls (recorded
// 0.61.0: "<id>#0-1"). Before 0.37 only the prompt links the two.
func spawned(c *call, told []byte) string {
	if c.agent.Kind() == jsondoc.String {
		return c.agent.Str()
	}
	if !c.display.Get("isSubagentProgress").Bool() && !strings.HasPrefix(string(told), "Subagent '") {
		return ""
	}
	for activity := range c.display.Get("recentActivity").Elems() {
		if id, _, ok := strings.Cut(activity.Get("id").Str(), "#"); ok {
			return id
		}
	}
	for _, name := range []string{"request", "prompt", "query", "objective", "question", "task"} {
		if prompt := c.args.Get(name); prompt.Kind() == jsondoc.String {
			return promptThread(prompt.Str())
		}
	}
	return ""
}
