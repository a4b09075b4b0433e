package copilot

import (
	"bytes"
	"strconv"
	"strings"

	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/jsondoc"
)

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
		CallID: a.id, OK: a.ok, Output: core.RawValue(output), Spawned: p.agents[a.id], Verdict: a.call.verdict,
		Reason: core.Plain(a.call.reason),
	}
	delete(p.agents, a.id)
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
// stood in the text only (wild 1.0.34).
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

// maxOptions bounds the options of a question.
const maxOptions = 64

// choices reads what a person answered: "User selected: …" or "User responded:
// …" (wild 1.0.64).
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
	found := false
	for o := range a.args.Get("choices").Elems() {
		if len(c.Options) == maxOptions {
			break
		}
		option := core.Option{Text: o.Str(), Chosen: o.Is(chosen)}
		found = found || option.Chosen
		c.Options = append(c.Options, option)
	}
	if !found {
		c.Answer = chosen
	}
	return []core.Choice{c}
}
