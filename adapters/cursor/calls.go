package cursor

import (
	"cmp"
	"path"
	"strings"

	"github.com/memscribe/memscribe/adapters/internal/stream"
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/jsondoc"
)

// call is a call of a tool, with what is known of its result. Where both are in one
// bubble it lives while that is read; its values point into the parser's documents.
type call struct {
	id, name     string
	args, params jsondoc.Value
	out          jsondoc.Value
}

// called reads a bubble that is a call with its result. A call that was accepted or declined by the
// person has that as its verdict, whatever became of it.
func (p *parser) called(h stream.Head, tool jsondoc.Value) {
	c := call{
		id: cmp.Or(tool.Get("toolCallId").Str(), h.ID), name: tool.Get("name").Str(),
		args: stream.Nested(&p.args, tool.Get("rawArgs")), params: stream.Nested(&p.params, tool.Get("params")),
		out: stream.Nested(&p.output, tool.Get("result")),
	}
	args := c.args
	if !args.Exists() {
		args = tool.Get("rawArgs")
	}
	if !args.Exists() {
		args = c.params
	}
	p.Send(h, &core.ToolCall{CallID: c.id, Name: c.name, Args: core.RawValue(args)})
	status := tool.Get("status")
	if status.Is("loading") || status.Is("generating") || !status.Exists() && !tool.Get("result").Exists() {
		return // it has no result yet, or never got one
	}
	body := &core.ToolResult{CallID: c.id, OK: !failed(tool, c.out), Output: core.RawValue(tool.Get("result"))}
	if tool.Get("userDecision").Is("rejected") || c.out.Get("rejected").Bool() {
		body.Verdict = core.Rejected
	} else if tool.Get("userDecision").Is("accepted") {
		body.Verdict = core.Approved
	}
	if c.name == "task" || c.name == "task_v2" {
		// Some builds do not say it.
		body.Spawned = cmp.Or(tool.Path("additionalData", "subagentComposerId").Str(), p.sent[c.id], "task-"+c.id)
	}
	p.Send(h, body)
	if !body.OK {
		return
	}
	for _, d := range p.edits(&c) {
		p.Edit(h, c.id, c.name, d)
	}
}

// failed reads the editor's signals; there are many.
func failed(tool, out jsondoc.Value) bool {
	status, more := tool.Get("status"), tool.Path("additionalData", "status")
	switch {
	case status.Is("error"), status.Is("cancelled"), tool.Get("userDecision").Is("rejected"):
		return true
	case more.Is("error"), more.Is("failed"), more.Is("rejected"):
		return true
	case out.Get("rejected").Bool(), out.Get("isError").Bool(), out.Get("applyFailed").Bool():
		return true
	case says(out.Get("failure")), says(out.Get("error")), says(tool.Get("error")):
		return true
	}
	for _, name := range []string{"exitCode", "exitCodeV2"} {
		if code, ok := out.Get(name).Int(); ok && code != 0 {
			return true
		}
	}
	return false
}

// says reports whether a value is there and says something.
func says(v jsondoc.Value) bool {
	return v.Kind() == jsondoc.String && v.Str() != "" || v.Kind() == jsondoc.Object && v.Len() > 0
}

// target is the file that a call is about.
func (p *parser) target(c *call) string {
	name := cmp.Or(
		stream.Some(c.args, "target_file", "file_path", "path", "targetFile"),
		stream.Some(c.params, "relativeWorkspacePath", "targetFile", "path", "filePath"), c.params.Path("uri", "fsPath").Str())
	return stream.Resolve(p.cwd, strings.TrimPrefix(name, "file://"))
}

// isTranscript reports whether a path is one of the transcripts that the editor and
// the agent both leave.
func isTranscript(file string) bool {
	return strings.Contains(file, "/projects/") && strings.Contains(file, "/agent-transcripts/")
}

// idOf is the conversation that a transcript belongs to: for a subagent it is its parent's.
func idOf(file string) string {
	if dir := path.Dir(file); path.Base(dir) == "subagents" {
		return path.Base(path.Dir(dir))
	}
	return strings.TrimSuffix(path.Base(file), path.Ext(file))
}

// tellers are the databases that tell what a transcript does, and more of it: the agent's of the
// same id, and the editor's, which has all conversations that were held on its machine. Of a
// transcript in text there may be one in JSON. They are only looked for.
func tellers(file string) []string {
	at := strings.LastIndex(file, "/projects/")
	up := strings.Repeat("../", strings.Count(file[at+1:], "/")) // to the agent's folder
	const editor = "Cursor/User/globalStorage/state.vscdb?"
	names := []string{
		up + "chats/*/" + idOf(file) + "/store.db?", up + "acp-sessions/" + idOf(file) + "/store.db?",
		up + "../.config/" + editor, up + "../Library/Application Support/" + editor, up + "../AppData/Roaming/" + editor,
	}
	if path.Ext(file) == ".txt" {
		names = append(names, strings.TrimSuffix(path.Base(file), ".txt")+".jsonl?")
	}
	return names
}

// Companions names what tells of the same conversation as a transcript.
func (Adapter) Companions(file string) (work string, files []string) {
	if !isTranscript(file) {
		return "", nil
	}
	return idOf(file), tellers(file)
}

// isTold reports whether something better than a transcript is there. Then all that
// it says is an echo (see [core.Event]).
func isTold(info core.StreamInfo) bool { return isTranscript(info.Path) && len(info.Sidecars) > 0 }
