package vscode

import (
	"bytes"
	"cmp"
	"path"
	"strings"

	"github.com/memscribe/memscribe/adapters/internal/pending"
	"github.com/memscribe/memscribe/adapters/internal/stream"
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/jsondoc"
)

// The extension keeps a transcript of its own beside the chat sessions, for the
// hooks that people run, in the form of Copilot's command line tool but with fewer
// kinds of entry:
//
//	{"type","data","id","timestamp","parentId"}
//
// It has the session's id and those of the model's calls, and neither the ids of
// requests nor what calls gave back. So the chat session is the better witness: where
// there is one, what the transcript tells are echoes (see [core.Event]). The editor
// saves a session up to a minute behind the transcript. Edits have the same names in
// both, turns have not: where sessions are kept but this one is not there yet, or not
// any more, all but the edits are echoes.

// transcript is what the parser keeps of such a transcript.
type transcript struct {
	told  witness // what else tells of the session
	calls pending.Calls[string, call]
	agent string // the call of a subagent that is at work
}

// witness is what there is of a session besides its transcript.
type witness uint8

const (
	noWitness  witness = iota
	neighbours         // other sessions: this one may come
	theSession
)

// The folders in which the extension keeps its transcripts.
const (
	extensionFolder   = "GitHub.copilot-chat"
	transcriptsFolder = "transcripts"
)

// isTranscript reports whether a path is one of the extension's transcripts.
func isTranscript(file string) bool {
	dir := path.Dir(file)
	return path.Base(dir) == transcriptsFolder && strings.EqualFold(path.Base(path.Dir(dir)), extensionFolder)
}

// tellers are the chat session that tells what a transcript does, and the folders in
// which it is kept. They are only looked for. The extension of a window that is opened
// while another has the workspace's folder, as that of an editor that was killed, writes
// to one beside it, whose name has a number behind; sessions stay in the first.
func tellers(file string) []string {
	session, _, _ := strings.Cut(path.Base(file), ".")
	folders := []string{"../../chatSessions"}
	workspace := path.Base(path.Dir(path.Dir(path.Dir(file))))
	if first := strings.TrimRight(workspace, "0123456789"); first != workspace && len(first) > 1 && strings.HasSuffix(first, "-") {
		folders = append(folders, "../../../"+strings.TrimSuffix(first, "-")+"/chatSessions")
	}
	var all []string
	for _, folder := range folders {
		all = append(all, folder+"/"+session+".jsonl?", folder+"/"+session+".json?")
	}
	for _, folder := range folders {
		all = append(all, folder+"?")
	}
	return all
}

// witnessOf is the best that is there.
func witnessOf(info core.StreamInfo) witness {
	for _, name := range tellers(info.Path) {
		if _, ok := info.Sidecars[strings.TrimSuffix(name, "?")]; !ok {
			continue
		}
		if strings.HasSuffix(name, "/chatSessions?") {
			return neighbours
		}
		return theSession
	}
	return noWitness
}

// isEcho reports whether the session tells what an event of a transcript does, or
// may do so.
func (t *transcript) isEcho(body core.Body) bool {
	if _, edits := body.(*core.FileEdit); edits {
		return t.told == theSession
	}
	return t.told > noWitness
}

// isEntry reports whether a record is an entry of such a transcript.
func isEntry(v jsondoc.Value) bool {
	return v.Get("type").Kind() == jsondoc.String && v.Get("data").Kind() == jsondoc.Object && v.Get("timestamp").Kind() == jsondoc.String
}

// entryFit judges by the first entry: it names the editor. The command line tool
// writes the same form, so the path of the other entries must say whose they
// are.
func entryFit(v jsondoc.Value, file string) core.Fit {
	switch data := v.Get("data"); {
	case !isEntry(v):
		return core.NoFit
	case v.Get("type").Is("session.start") && data.Get("vscodeVersion").Exists(), isTranscript(file):
		return core.NativeFit
	}
	return core.NoFit
}

// entry reads an entry.
func (p *parser) entry(v jsondoc.Value) {
	data, kind := v.Get("data"), v.Get("type")
	h := stream.Head{ID: v.Get("id").Str(), Time: core.ParseTime(v.Get("timestamp").Str()), Thread: p.transcript.agent}
	if k := stream.Read(p, &p.Kinds, "", kind, h, data); !p.Emitted {
		h.Thread = ""
		p.send(h, &core.Unknown{RawType: k.Name, Raw: core.RawValue(v), Bookkeeping: k.Known})
	}
}

// opens begins the session.
func (p *parser) opens(h stream.Head, data jsondoc.Value) {
	p.Session = cmp.Or(data.Get("sessionId").Str(), p.Session)
	p.workspace = cmp.Or(data.Path("context", "cwd").Str(), p.workspace)
	p.locate(jsondoc.Value{})
	body := core.SessionStart{ToolVersion: data.Get("copilotVersion").Str()}
	if p.Project != nil {
		body.Cwd = p.Project.Cwd
	}
	p.send(h, &body)
}

// typed passes on what was asked: by a person, or by the agent that a subagent works
// for.
func (p *parser) typed(h stream.Head, data jsondoc.Value) {
	text := core.Token(data.Get("content"))
	body := core.UserTurn{Text: text, Parts: []core.Part{stream.Text(text)}}
	for v := range data.Get("attachments").Elems() {
		body.Parts = append(body.Parts, attached(v))
	}
	h.Injected = h.Thread != ""
	p.send(h, &body)
}

// answered passes on what the model said, and the calls that it asked for.
func (p *parser) answered(h stream.Head, data jsondoc.Value) {
	body := core.AssistantTurn{
		Text: core.Token(data.Get("content")), Thinking: core.Token(data.Get("reasoningText")), MessageID: data.Get("messageId").Str(),
	}
	if !body.Thinking.IsEmpty() {
		body.Parts = append(body.Parts, core.Part{Kind: core.ThinkingPart, Text: body.Thinking})
	}
	if !body.Text.IsEmpty() {
		body.Parts = append(body.Parts, core.Part{Kind: core.TextPart, Text: body.Text})
	}
	p.send(h, &body)
	for v := range data.Get("toolRequests").Elems() {
		p.requested(h, bare(v.Get("toolCallId").Str()), v.Get("name").Str(), v.Get("arguments"))
	}
}

// requested passes on a call, unless that was done.
func (p *parser) requested(h stream.Head, id, name string, args jsondoc.Value) {
	if id == "" || p.transcript.calls.Get(id) != nil {
		return
	}
	c := call{id: id, full: id, name: name, args: args.Str()}
	if args.Kind() != jsondoc.String {
		c.args = string(args.Raw())
	}
	p.transcript.calls.Put(id, c, len(c.args))
	h.CopyOf = "call:" + id
	p.send(h, &core.ToolCall{CallID: id, Name: name, Args: p.arguments(&c, jsondoc.Value{})})
}

// starts notes that a call is made. One that no answer asked for is passed on.
func (p *parser) starts(h stream.Head, data jsondoc.Value) {
	id, name := bare(data.Get("toolCallId").Str()), data.Get("toolName").Str()
	p.requested(h, id, name, data.Get("arguments"))
	if strings.HasPrefix(strings.ToLower(name), "runsubagent") && p.transcript.agent == "" {
		p.transcript.agent = id
	}
}

// ends passes on the result of a call, and what it edited.
func (p *parser) ends(h stream.Head, data jsondoc.Value) {
	id := bare(data.Get("toolCallId").Str())
	c := p.transcript.calls.Take(id)
	body := core.ToolResult{CallID: id, OK: data.Get("success").Bool(), Output: core.RawValue(data.Path("result", "content"))}
	if id == p.transcript.agent {
		p.transcript.agent, h.Thread, body.Spawned = "", "", id
	}
	told := data.Path("result", "content").Str()
	body.OK = body.OK && succeeded(jsondoc.Value{}, told)
	h.CopyOf = "result:" + id
	p.send(h, &body)
	if c.id != "" && body.OK {
		p.effects(&c, h, told)
	}
}

// firstLine is the first line of a file that is not blank.
func firstLine(head []byte) []byte {
	line, _, _ := bytes.Cut(bytes.TrimLeft(head, " \t\r\n\x00\ufeff"), []byte("\n"))
	return line
}
