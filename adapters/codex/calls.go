package codex

import (
	"bytes"
	"cmp"
	"strings"

	"github.com/memscribe/memscribe/adapters/codex/rollout"
	"github.com/memscribe/memscribe/adapters/codex/shell"
	"github.com/memscribe/memscribe/adapters/internal/pending"
	"github.com/memscribe/memscribe/adapters/internal/stream"
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/jsondoc"
)

// call is a tool call that may still be answered. What it holds of texts is released with the last
// answer; the rest stays for as long as [pending.Calls] keeps it, since events about it may follow.
type call struct {
	name  string
	patch patch      // what it patches, if it does
	read  shell.Read // what it reads, if it does
	quiet bool       // it changes no file

	code   bool     // the JavaScript of code mode, in which other calls are made
	input  string   // of code that applies a patch, or calls a server
	paths  []string // that the code has patched
	cell   string   // of code that continues running after its first answer
	closed bool     // it was answered and does not run any more

	questions string // to the person, as JSON
	spawned   string // thread that it started
	failed    bool   // an event says that it failed
	rejected  bool   // an event says that the person declined
	patched   bool   // events tell what it patched
}

// calls are the calls of a rollout, the answered ones among them: events about those may
// follow. What is kept is bounded by [pending.Calls].
type calls struct{ pending.Calls[string, call] }

// add remembers a call. One with the id of an earlier one takes its place: a rollout
// that was resumed may hold a call twice. A call without an id cannot be answered.
func (c *calls) add(id string, made *call) {
	if id != "" {
		c.Put(id, *made, len(made.patch.text)+len(made.input)+len(made.questions))
	}
}

// release drops what is needed only until a call is answered.
func (c *calls) release(id string) {
	if made := c.Get(id); made != nil {
		made.patch, made.read, made.questions, made.input, made.closed = patch{}, shell.Read{}, "", "", true
		c.Shrink(id)
	}
}

// called emits a call.
func (p *parser) called(it item, name string, args jsondoc.Value) {
	p.flush()
	callID := it.callID.Str()
	p.Call = core.ToolCall{CallID: callID, Name: name, Args: core.RawValue(args)}
	p.put(cmp.Or(it.id.Str(), callID), &p.Call)
}

// tool is the name of what is called: that of a server's tool with the server's,
// in one as other versions wrote it, whatever the server has called it.
func (it *item) tool() string {
	name, server := it.name.Str(), it.namespace.Str()
	if !strings.HasPrefix(server, "mcp__") || strings.HasPrefix(name, server) {
		return name
	}
	return strings.TrimSuffix(server, "__") + "__" + name
}

// functionCall reads a call whose arguments are a JSON document in a string.
func (p *parser) functionCall(it item) {
	name := it.tool()
	c := &call{name: name}
	switch name {
	case "shell", "exec_command", "shell_command", "container.exec", "local_shell", "unified_exec":
		p.command(c, p.arguments(it.arguments))
	case "apply_patch":
		args := p.arguments(it.arguments)
		c.patch = p.patchOf(args)
	case "request_user_input":
		c.questions = string(p.arguments(it.arguments).Get("questions").Raw())
	case "wait":
		c.cell = p.arguments(it.arguments).Get("cell_id").Str()
	case "update_plan", "view_image", "list_mcp_resources", "read_mcp_resource", "request_user_input_async":
		c.quiet = true
	}
	p.calls.add(it.callID.Str(), c)
	p.called(it, name, it.arguments)
}

// arguments decodes the arguments of a call into p.doc. Some writers leave them
// as an object (wild).
func (p *parser) arguments(v jsondoc.Value) jsondoc.Value {
	if v.Kind() != jsondoc.String {
		return v
	}
	return p.nested(v)
}

// nested parses the JSON document in a string. It is valid until the next one.
func (p *parser) nested(v jsondoc.Value) jsondoc.Value {
	p.text = v.AppendStr(p.text[:0])
	return stream.Parsed(&p.doc, p.text)
}

// customCall reads a call whose input is plain text: a patch, or in code mode a script.
func (p *parser) customCall(it item) {
	name := it.name.Str()
	c := &call{name: name}
	switch name {
	case "apply_patch":
		c.patch = patch{kind: directPatch, text: it.input.Str(), dir: p.dir("")}
	case "exec", "js", "code":
		c.code = true
		if shell.ContainsPatch(it.input) || bytes.Contains(it.input.Body(), []byte("mcp__")) {
			c.input = it.input.Str()
		}
	}
	p.calls.add(it.callID.Str(), c)
	p.called(it, name, it.input)
}

// localShell reads a call of the shell that the model brings along.
func (p *parser) localShell(it item) {
	c := &call{name: "local_shell"}
	if !it.callID.Exists() || it.callID.Kind() == jsondoc.Null {
		it.callID = it.id
	}
	p.command(c, it.action)
	p.calls.add(it.callID.Str(), c)
	p.called(it, c.name, it.action)
}

// callOutput reads the answer to a call. An answer to a call that is in no record counts all the
// same: a fork may begin between the two.
func (p *parser) callOutput(it item) {
	c := p.calls.Get(it.callID.Str())
	if c == nil {
		c = &call{} // its call is in no record
	}
	o := p.outcome(it.output)
	if it.status.Is("failed") || it.status.Is("incomplete") {
		o.OK = false
	}
	callID := it.callID.Str()
	p.Result = core.ToolResult{
		CallID: callID, OK: o.OK && !c.failed, Output: core.RawValue(it.output), Spawned: c.spawned,
	}
	if c.rejected || o.Rejected {
		p.Result.OK, p.Result.Verdict = false, core.Rejected
	}
	if p.Result.OK {
		p.answered(c, it.output)
	}
	id := it.id.Str()
	if id == "" && callID != "" {
		id = callID + "/result"
	}
	p.put(id, &p.Result)
	p.settle(callID, c, it.output, o)
}

// answered takes from the answer to a call what it tells: the thread that was
// started, or what the person chose.
func (p *parser) answered(c *call, output jsondoc.Value) {
	switch {
	case c.name == "spawn_agent" && c.spawned == "":
		p.Result.Spawned = p.nested(output).Get("agent_id").Str()
	case c.questions != "":
		p.Result.Choices = rollout.Choices(stream.Parsed(new(jsondoc.Doc), []byte(c.questions)), p.nested(output))
	}
}

// settle does what follows from an answer besides.
// Of an answer that says that the command continues to run, the call is kept.
func (p *parser) settle(callID string, c *call, output jsondoc.Value, o shell.Outcome) {
	if c.code {
		p.codeAnswered(callID, c, output, o)
	}
	if c.name == "wait" && c.cell != "" && !o.Running {
		p.cellEnded(c.cell)
	}
	switch {
	case c.patch.kind != noPatch && !c.patched:
		p.patchAnswered(callID, c, output, o)
	case c.patch.kind == directPatch, c.patch.kind == scriptPatch && shell.OnlyPatches(c.patch.text):
		// Events told it all.
	case c.code && p.pages:
		// So they did of what the script ran.
	default:
		p.follow(c, output, o)
	}
	if !o.Running {
		p.calls.release(callID)
	}
}

const (
	// how many bytes of an answer are looked at: the tool's own words stand at one end
	frontLen = 600
	tailLen  = 300
)

// outcome judges the answer to a call: a string, a list of parts, or an object with
// "content" and "success" (wild). Where nothing is said of failure, it is taken for a
// success that was not stated: such an answer is no proof that a patch was applied.
func (p *parser) outcome(v jsondoc.Value) shell.Outcome {
	switch v.Kind() {
	case jsondoc.Array:
		return p.outcomeOfParts(v)
	case jsondoc.Object:
		if s := v.Get("success"); s.Kind() == jsondoc.Bool {
			return shell.Outcome{OK: s.Bool(), Stated: s.Bool()}
		}
		if code, ok := v.Path("metadata", "exit_code").Int(); ok {
			return shell.Outcome{OK: code == 0, Stated: code == 0}
		}
		return p.outcomeOf(v.Get("content").Body())
	case jsondoc.String:
		return p.outcomeOf(v.Body())
	default:
		return shell.Outcome{OK: true}
	}
}

// outcomeOfParts judges an answer by its first text. In code mode that says how
// the script ended, and the texts after it what the script printed: the answer
// to what it called, where models do no more than that (0.169, recorded).
func (p *parser) outcomeOfParts(v jsondoc.Value) shell.Outcome {
	o, first := shell.Outcome{OK: true}, true
	for part := range v.Elems() {
		t := part.Get("text")
		if t.Kind() != jsondoc.String {
			continue
		}
		if first {
			o, first = p.outcomeOf(t.Body()), false
			continue
		}
		if p.printsFailure(t) {
			o.OK, o.Stated = false, false
		}
	}
	return o
}

// printsFailure reports whether what a script printed is the answer to a command that
// failed, or that of a server to a call that did (0.169, recorded).
func (p *parser) printsFailure(t jsondoc.Value) bool {
	head := p.head(t)
	if strings.HasPrefix(head, `{"chunk_id":`) {
		code, ok := p.nested(t).Get("exit_code").Int()
		return ok && code != 0
	}
	return strings.HasPrefix(head, `{"content":[`) && p.nested(t).Get("isError").Bool()
}

// outcomeOf judges the beginning of an answer, and the end of one that is a
// JSON document with metadata.
func (p *parser) outcomeOf(body []byte) shell.Outcome {
	body = shell.BehindCommand(body, `\n`)
	p.buf = jsondoc.Unquote(p.buf[:0], body[:min(len(body), frontLen)])
	front := p.buf
	if bytes.HasPrefix(front, []byte("{")) {
		p.buf = jsondoc.Unquote(p.buf, body[max(len(body)-tailLen, 0):])
		return shell.OutcomeOfJSON(p.buf)
	}
	if code, ok := shell.ExitCode(front); ok {
		return shell.Outcome{OK: code == "0", Stated: code == "0"}
	}
	if bytes.HasPrefix(shell.BehindFrames(front), []byte(`{"output":`)) {
		p.buf = jsondoc.Unquote(p.buf, body[max(len(body)-tailLen, 0):])
		return shell.OutcomeOfJSON(p.buf)
	}
	switch {
	case bytes.HasPrefix(front, []byte(`[{"type":"text","text":"tool call error: `)): // a server that is gone (0.114, recorded)
		return shell.Outcome{}
	case bytes.Contains(front, []byte("Process running with session ID")),
		bytes.HasPrefix(front, []byte("Script running")):
		return shell.Outcome{OK: true, Running: true}
	case bytes.HasPrefix(front, []byte("Script completed")), bytes.HasPrefix(front, []byte("Success. ")):
		return shell.Outcome{OK: true, Stated: true}
	}
	return shell.Outcome{OK: !shell.IsFailure(front), Rejected: shell.IsRejection(front)}
}
