package vscode

import (
	"cmp"
	"slices"
	"strings"

	"github.com/memscribe/memscribe/adapters/internal/stream"
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/jsondoc"
)

// call is a call of a tool as the model made it. It lives as long as its request is the
// open one.
type call struct {
	id, name string // id without what the client adds to it
	full     string // with it
	args     string // JSON
	thread   string // of the subagent that made it
	told     bool   // a part tells of it
	bare     bool   // no part does
	diffed   map[string]bool
	creates  []string // files that a patch moved others to
}

// bare takes off what the client adds to the ids of calls.
func bare(id string) string {
	if i := strings.LastIndex(id, "__vscode-"); i >= 0 && strings.Trim(id[i+len("__vscode-"):], "0123456789") == "" {
		return id[:i]
	}
	return id
}

// pair lists the calls that the model made.
// The model's own list stands with the result, so that a request which was broken off
// has none: then parts are all that tells of calls.
func (y *reply) pair() {
	for round := range y.request.Path("result", "metadata", "toolCallRounds").Elems() {
		for c := range round.Get("toolCalls").Elems() {
			id := c.Get("id").Str()
			y.calls = append(y.calls, call{id: bare(id), full: id, name: c.Get("name").Str(), args: c.Get("arguments").Str()})
		}
	}
	y.orphan()
}

// orphan marks the calls that no part mentions, as of those that were refused
// for their arguments: if the parts have the ids of the calls.
func (y *reply) orphan() {
	parts := map[string]bool{}
	for v := range y.request.Get("response").Elems() {
		if isCall(v.Get("kind")) {
			parts[bare(v.Get("toolCallId").Str())] = true
		}
	}
	known := slices.ContainsFunc(y.calls, func(c call) bool { return parts[c.id] })
	for i := range y.calls {
		y.calls[i].bare = known && !parts[y.calls[i].id]
	}
}

// find returns the call that a part mentions: by its id, else the next one of
// that tool. Parts of late 2025 have ids of their own.
func (y *reply) find(v jsondoc.Value) *call {
	id := bare(v.Get("toolCallId").Str())
	for i := range y.calls {
		if c := &y.calls[i]; !c.told && c.id == id {
			return c
		}
	}
	if subagent(v) {
		return nil
	}
	tool := v.Get("toolId").Str()
	for i := y.next; i < len(y.calls); i++ {
		if c := &y.calls[i]; !c.told && isTool(tool, c.name) {
			y.next = i + 1
			return c
		}
	}
	return nil
}

// subagent reports whether a subagent made the call.
func subagent(v jsondoc.Value) bool {
	return v.Get("fromSubAgent").Bool() || v.Get("subAgentInvocationId").Kind() == jsondoc.String
}

// isTool reports whether the client's name of a tool is the model's.
func isTool(client, model string) bool {
	switch client {
	case "copilot_replaceString":
		return model == "replace_string_in_file"
	case "copilot_multiReplaceString":
		return model == "multi_replace_string_in_file"
	case "copilot_insertEdit", "vscode_editFile_internal":
		return model == "insert_edit_into_file"
	case "copilot_findTextInFiles":
		return model == "grep_search"
	case "copilot_findFiles":
		return model == "file_search"
	case "copilot_listDirectory":
		return model == "list_dir"
	case "copilot_editNotebook":
		return model == "edit_notebook_file"
	case "copilot_getErrors":
		return model == "get_errors"
	}
	plain := func(s string) string { return strings.ToLower(strings.ReplaceAll(s, "_", "")) }
	client = strings.TrimPrefix(strings.TrimPrefix(client, "copilot_"), "vscode_")
	return plain(client) == plain(model) || strings.HasPrefix(model, client)
}

// invoked passes on a part that tells of a call.
func (p *parser) invoked(y *reply, v jsondoc.Value) {
	c := y.find(v)
	if c == nil {
		y.internal++
		id := v.Get("toolCallId").Str()
		if id == "" {
			h := y.named("call", y.internal)
			id = cmp.Or(h.CopyOf, h.ID)
		}
		c = &call{id: bare(id), full: id, name: v.Get("toolId").Str()}
	}
	p.overdue(y, c)
	p.called(y, c, v)
}

// overdue passes on the calls before another one that have no part of their own.
func (p *parser) overdue(y *reply, before *call) {
	i := slices.IndexFunc(y.calls, func(c call) bool { return c.id == before.id })
	for j := range max(i, 0) {
		if c := &y.calls[j]; c.bare && !c.told {
			p.called(y, c, jsondoc.Value{})
		}
	}
}

// mergeTool is the client's own tool by which it merges the sketch of a call into
// the file.
const mergeTool = "vscode_editFile_internal"

// called passes on a call and its result; v is the part that tells of it, if one
// does.
// Of a log a call is passed on once, however often its part is written.
func (p *parser) called(y *reply, c *call, v jsondoc.Value) {
	c.told = true
	if p.log && p.told[c.id] {
		return
	}
	p.told[c.id] = true
	c.thread = y.thread(v)
	h := y.ofCall("call:"+c.id, c.thread)
	y.starts(c, v)
	args := p.arguments(c, v)
	p.send(h, &core.ToolCall{CallID: c.id, Name: c.name, Args: args})
	result := y.request.Path("result", "metadata", "toolCallResults").Get(c.full)
	told := resultText(result)
	body := core.ToolResult{CallID: c.id, OK: succeeded(v, told), Output: core.RawValue(result)}
	if body.Output.IsAbsent() {
		body.Output = output(v)
	}
	if !v.Exists() && !result.Exists() || v.Exists() && v.Get("isComplete").Kind() == jsondoc.Bool && !v.Get("isComplete").Bool() {
		return // it never ended
	}
	if !result.Exists() && y.brokenOff(v) {
		return
	}
	if denied(v) {
		body.OK, body.Verdict = false, core.Rejected
	}
	if y.agent == c.id {
		body.Spawned = c.id
	}
	h = y.ofCall("result:"+c.id, h.Thread)
	p.send(h, &body)
	if y.owner != nil && c.name == mergeTool {
		return // on behalf of the call before
	}
	y.owner = nil
	if body.OK {
		y.claims(c, v)
		p.effects(c, h, told)
	}
}

// brokenOff reports whether a command was still running when its response was
// cancelled: it counts as complete all the same.
func (y *reply) brokenOff(v jsondoc.Value) bool {
	const cancelled = 2
	state, _ := y.request.Path("modelState", "value").Int()
	data := v.Get("toolSpecificData")
	return state == cancelled && data.Get("kind").Is("terminal") && !data.Path("terminalCommandState", "exitCode").Exists()
}

// starts notes that a call started a subagent.
func (y *reply) starts(c *call, v jsondoc.Value) {
	if !subagent(v) && strings.HasPrefix(strings.ToLower(c.name), "runsubagent") {
		y.agent = c.id
	}
}

// thread is the line of the subagent that a part belongs to.
func (y *reply) thread(v jsondoc.Value) string {
	if id := v.Get("subAgentInvocationId"); id.Kind() == jsondoc.String {
		return bare(id.Str())
	}
	if subagent(v) {
		return y.agent
	}
	return ""
}

// arguments are what a call was made with: the model's own JSON, or what the part
// has of it.
func (p *parser) arguments(c *call, v jsondoc.Value) core.Raw {
	if c.args != "" {
		if n, err := p.args.Parse([]byte(c.args)); err == nil && n == len(c.args) {
			return core.RawValue(p.args.Root())
		}
		return core.RawString(c.args)
	}
	if in := stream.Member(v.Get("toolSpecificData"), "rawInput", "input", "commandLine", "command", "prompt", "todoList"); in.Exists() {
		return core.RawValue(in)
	}
	return core.RawValue(v.Get("invocationMessage"))
}

// output is what a part shows of the result of its call.
func output(v jsondoc.Value) core.Raw {
	data := v.Get("toolSpecificData")
	for _, shown := range []jsondoc.Value{
		v.Get("resultDetails"), data.Get("terminalCommandOutput"), data.Get("result"), data.Get("output"), v.Get("resultError"),
		v.Get("pastTenseMessage"),
	} {
		if shown.Exists() && shown.Kind() != jsondoc.Null {
			return core.RawValue(shown)
		}
	}
	return core.Raw{}
}

// denied reports whether a person did not let the call be made.
// Type 0 is declined, 5 is skipped.
func denied(v jsondoc.Value) bool {
	n, ok := v.Path("isConfirmed", "type").Int()
	return ok && (n == 0 || n == 5)
}

// succeeded reports whether a call did what it was to do.
func succeeded(v jsondoc.Value, told string) bool {
	switch {
	case v.Path("resultDetails", "isError").Bool(), v.Get("resultError").Kind() == jsondoc.String, v.Get("resultError").Kind() == jsondoc.Object:
		return false
	}
	for _, sign := range []string{"ERROR", "Error:", "Applying patch failed", "String replacement failed"} {
		if strings.HasPrefix(told, sign) {
			return false
		}
	}
	code, ok := v.Path("toolSpecificData", "terminalCommandState", "exitCode").Int()
	return !ok || code == 0
}

// resultText is the text of a result: plain texts, and the leaves of the trees in
// which the client composes prompts.
func resultText(result jsondoc.Value) string {
	var b strings.Builder
	for item := range result.Get("content").Elems() {
		value := item.Get("value")
		b.WriteString(value.Str())
		leaves(&b, value.Get("node"), 0)
	}
	return b.String()
}

// maxDepth bounds how deep a tree is followed.
const maxDepth = 64

// leaves adds the text of a tree, leaf by leaf.
func leaves(b *strings.Builder, node jsondoc.Value, depth int) {
	if n, ok := node.Get("type").Int(); ok && n == 2 {
		text := node.Get("text").Str()
		if node.Get("lineBreakBefore").Bool() && b.Len() > 0 && !strings.HasSuffix(b.String(), "\n") {
			b.WriteByte('\n')
		}
		b.WriteString(text)
		return
	}
	if depth == maxDepth {
		return
	}
	for child := range node.Get("children").Elems() {
		leaves(b, child, depth+1)
	}
}
