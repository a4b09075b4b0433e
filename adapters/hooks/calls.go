package hooks

import (
	"strings"

	"github.com/memscribe/memscribe/adapters/internal/stream"
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/jsondoc"
)

// maxOpen bounds how many calls without an id may wait for their results.
const maxOpen = 1024

// open joins calls with their results where the tool gives neither an id: the
// first result goes with the first call of the same tool with the same arguments.
type open struct {
	made    map[string]int // calls so far
	settled map[string]int // how many of them have a result
}

func (o *open) call(key string) int {
	if o.made == nil || len(o.made) >= maxOpen {
		o.made, o.settled = map[string]int{}, map[string]int{}
	}
	o.made[key]++
	return o.made[key]
}

func (o *open) result(key string) int {
	if o.settled[key] >= o.made[key] {
		o.call(key) // its call was not reported
	}
	o.settled[key]++
	return o.settled[key]
}

// call is what a payload says of a call.
type call struct {
	id, name string
	args     jsondoc.Value
}

// callOf reads a call. The name and the arguments stand under other keys with
// nearly every tool; Windsurf's and Cursor's older events are named after what they
// do instead.
func (p *parser) callOf(isResult bool) call {
	v := p.root
	c := call{
		id: stream.Some(v, "tool_call_id", "tool_use_id", "toolUseId"), name: stream.Some(v, "tool_name", "toolName"),
		args: stream.Member(v, "tool_input", "toolArgs"),
	}
	switch p.event {
	case "beforeShellExecution", "afterShellExecution":
		c.name, c.args = "Shell", v.Get("command")
	case "pre_run_command", "post_run_command":
		c.name, c.args = "run_command", v.Path("tool_info", "command_line")
	case "pre_mcp_tool_use", "post_mcp_tool_use":
		c.name, c.args = v.Path("tool_info", "mcp_tool_name").Str(), v.Path("tool_info", "mcp_tool_arguments")
	}
	if c.id == "" {
		key := p.Session + "\x00" + c.name + "\x00" + core.ContentID(c.args.AppendCompact(nil))
		n := 0
		if isResult {
			n = p.open.result(key)
		} else {
			n = p.open.call(key)
		}
		c.id = "call-" + core.ContentID([]byte(key + strings.Repeat("+", n)))[:16]
	}
	return c
}

func (p *parser) called() {
	c := p.callOf(false)
	p.told.Put(c.id, struct{}{}, len(c.id))
	p.send(&core.ToolCall{CallID: c.id, Name: c.name, Args: core.RawValue(c.args)})
}

// returned tells a result, and the edit that follows from it.
func (p *parser) returned(ok bool) {
	c := p.callOf(true)
	if p.told.Get(c.id) == nil {
		p.send(&core.ToolCall{CallID: c.id, Name: c.name, Args: core.RawValue(c.args)})
	}
	out := p.output()
	ok = ok && !refused(p.root, out)
	p.send(&core.ToolResult{CallID: c.id, OK: ok, Output: core.RawValue(out)})
	if !ok {
		return
	}
	for _, d := range p.diffs(c, out) {
		p.send(&core.FileEdit{CallID: c.id, Tool: c.name, Diff: d})
	}
}

// output is what a call returned.
func (p *parser) output() jsondoc.Value {
	out := stream.Member(p.root, "tool_response", "tool_result", "toolResult", "tool_output", "output", "result_json", "error", "error_message")
	if !out.Exists() {
		out = p.root.Path("tool_info", "mcp_result")
	}
	return out
}

// refused reports whether a result that was reported as one says itself that the
// call failed.
func refused(payload, out jsondoc.Value) bool {
	if e := out.Get("error"); e.Exists() && e.Kind() != jsondoc.Null { // Gemini CLI
		return true
	}
	for _, key := range []string{"result_type", "resultType"} { // Copilot CLI
		if kind := out.Get(key); kind.Exists() && !kind.Is("success") {
			return true
		}
	}
	if n, ok := out.Path("metadata", "exit_code").Int(); ok && n != 0 { // Codex
		return true
	}
	if payload.Get("tool_name").Is("apply_patch") && out.Kind() == jsondoc.String {
		return !strings.Contains(out.Str(), "Success. Updated the following files")
	}
	return false
}
