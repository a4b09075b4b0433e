package copilot

import (
	"bytes"
	"strconv"
	"strings"

	"github.com/memscribe/memscribe/adapters/internal/pending"
	"github.com/memscribe/memscribe/adapters/internal/stream"
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/jsondoc"
)

// calls remembers the calls that have no result yet.
type calls struct {
	pending.Calls[string, call]

	doc   jsondoc.Doc
	inner jsondoc.Doc // of an object in a string
}

// call is what the result of a call will need of it; the result takes it out.
type call struct {
	name    string
	input   []byte // of a tool that edits, shows or asks
	verdict core.Verdict
	reason  string
}

// open notes a call, or what it was really run with. The input is copied, and only of
// the tools whose result needs it. What is held is bounded by [pending.Calls].
func (c *calls) open(id, name string, input jsondoc.Value) {
	if id == "" {
		return
	}
	made := c.Take(id)
	if name != "" {
		made.name = name
	}
	if keepsInput(made.name) && input.Exists() {
		made.input = append(made.input[:0], input.Raw()...)
	}
	c.Put(id, made, len(made.input))
}

// args is what a call was made with. Some versions write the object as a string of JSON
// (wild 1.0.45), and patches are plain text: then it is the string. It is valid until
// the next call of args.
func (c *calls) args(made *call) jsondoc.Value {
	v := stream.Parsed(&c.doc, made.input)
	if inner := stream.Nested(&c.inner, v); inner.Kind() == jsondoc.Object {
		return inner
	}
	return v
}

// keepsInput reports whether a result means nothing without the call's input.
func keepsInput(name string) bool { return edits(name) || name == "view" || name == "ask_user" }

// request emits a call that a response asked for.
func (p *parser) request(id, name string, args jsondoc.Value) {
	p.calls.open(id, name, args)
	p.Call = core.ToolCall{CallID: id, Name: name, Args: core.RawValue(args)}
	p.send(&p.Call, false)
}

// callStart reads the start of a call, which is a call of its own if no message asked for it: one
// that the person made, or one whose message was redacted. Hooks may have changed its arguments.
func (p *parser) callStart(data jsondoc.Value) {
	id, name := data.Get("toolCallId").Str(), p.Names.Of(data.Get("toolName"))
	if p.calls.Get(id) == nil {
		p.request(id, name, data.Get("arguments"))
		return
	}
	p.calls.open(id, name, data.Get("arguments"))
}

// agentStarted notes the thread of the subagent that a call started. It has the
// id of the call (reported by another reader), unless the event says otherwise.
func (p *parser) agentStarted(data jsondoc.Value) {
	call := data.Get("toolCallId").Str()
	if call == "" {
		return
	}
	thread := call
	if agent := p.rec.agent; len(agent.Body()) > 0 {
		thread = agent.Str()
	}
	p.agents.Put(call, thread, len(thread))
}

// asked notes which call a request for approval is about.
func (p *parser) asked(data jsondoc.Value) {
	if call := data.Path("permissionRequest", "toolCallId").Str(); call != "" && !data.Get("resolvedByHook").Bool() {
		p.requests.Put(data.Get("requestId").Str(), call, len(call))
	}
}

// answered notes what a person decided about a call. Rules, hooks and policies
// decide too, and are no persons.
func (p *parser) answered(data jsondoc.Value) {
	made := p.calls.Get(p.requests.Take(data.Get("requestId").Str()))
	if made == nil {
		return
	}
	result := data.Get("result")
	switch kind := result.Get("kind"); {
	case result.Get("managedApprovalHandled").Bool():
	case kind.Is("approved"), kind.Is("approved-for-session"), kind.Is("approved-for-location"):
		made.verdict = core.Approved
	case kind.Is("denied-interactively-by-user"):
		made.verdict, made.reason = core.Rejected, result.Get("feedback").Str()
	}
}

// answer is the result of a call while it is being read.
type answer struct {
	id     string
	call   call
	args   jsondoc.Value // of the call
	detail jsondoc.Value // the result as the screen shows it: for edits, a diff
	told   jsondoc.Value // the result as the model gets it
	files  jsondoc.Value // fileEdits, since 1.0.102 at the latest
	ok     bool
}

// callComplete reads the result of a call, and the edit that it made.
func (p *parser) callComplete(data jsondoc.Value) {
	a := answer{id: data.Get("toolCallId").Str(), files: data.Get("fileEdits")}
	result := data.Get("result")
	a.told, a.detail = result.Get("content"), result.Get("detailedContent")
	a.ok = succeeded(data, result) && exitCode(data, result, a.told) == 0
	a.call = p.calls.Take(a.id)
	a.args = p.calls.args(&a.call)
	output := result
	if !output.Exists() {
		output = data.Get("error")
	}
	p.answer(&a, output)
}

// answer emits a result and what followed from it.
func (p *parser) answer(a *answer, output jsondoc.Value) {
	p.Result = core.ToolResult{
		CallID: a.id, OK: a.ok, Output: core.RawValue(output), Spawned: p.agents.Take(a.id), Verdict: a.call.verdict,
		Reason: core.Plain(a.call.reason),
	}
	if a.ok && a.call.name == "ask_user" {
		p.Result.Choices = choices(a)
	}
	p.send(&p.Result, false)
	switch {
	case !a.ok:
		if isShell(a.call.name) {
			p.files.Doubt()
		}
	case a.call.name == "view":
		p.viewed(a)
	case isShell(a.call.name):
		p.files.Doubt()
	case edits(a.call.name), a.files.Kind() == jsondoc.Array:
		p.edited(a)
	}
}

// succeeded reports whether a call did what it should. Logs of 1.0.45 have no
// success, but a kind of result (wild, one fixture).
func succeeded(data, result jsondoc.Value) bool {
	if success := data.Get("success"); success.Exists() {
		return success.Bool()
	}
	return result.Get("result_type").Is("success") || result.Get("resultType").Is("success")
}

// exitCode is that of a shell command: a command that failed is a call that was
// done (recorded 1.0.102: success, shellExecution.exitCode 1). Before, the code
// was in the text only (wild 1.0.34).
func exitCode(data, result, told jsondoc.Value) int64 {
	if code, ok := data.Path("shellExecution", "exitCode").Int(); ok {
		return code
	}
	for part := range result.Get("contents").Elems() {
		if code, ok := part.Get("exitCode").Int(); ok {
			return code
		}
	}
	return codeInText(told.Body())
}

// codeInText reads the code out of the line that ends a shell's output: "<exited
// with exit code 1>", "<shellId: 0 completed with exit code 1>".
func codeInText(text []byte) int64 {
	const mark = "with exit code "
	end, ok := bytes.CutSuffix(text, []byte(">"))
	if !ok {
		if end, ok = bytes.CutSuffix(text, []byte(`\u003e`)); !ok {
			return 0
		}
	}
	at := bytes.LastIndex(end, []byte(mark))
	if at < 0 || len(end)-at > len(mark)+6 {
		return 0
	}
	code, err := strconv.ParseInt(string(end[at+len(mark):]), 10, 64)
	if err != nil {
		return 0
	}
	return code
}

func isShell(name string) bool {
	switch name {
	case "bash", "powershell", "shell", "write_bash", "read_bash", "write_powershell", "read_powershell", "run_in_terminal":
		return true
	}
	return false
}

// choices reads what a person answered: "User selected: …" or "User responded: …" (wild 1.0.64).
func choices(a *answer) []core.Choice {
	question := a.args.Get("question")
	text := a.told.Str()
	chosen, selected := strings.CutPrefix(text, "User selected: ")
	if !selected {
		var responded bool
		if chosen, responded = strings.CutPrefix(text, "User responded: "); !responded {
			return nil
		}
	}
	if question.Kind() != jsondoc.String {
		return nil
	}
	c := core.Choice{Question: question.Str()}
	c.Options, c.Answer = stream.Options(a.args.Get("choices"), chosen)
	return []core.Choice{c}
}
