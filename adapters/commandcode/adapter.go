// Package commandcode reads the sessions of Command Code.
//
// A session is a log of messages whose content is in the parts of the AI SDK. It is
// rewritten whole at each turn, and every message gets another id and often another
// time; its place in the log is what remains.
//
// docs/adapters/command_code.md says what is known of the format, and how.
//
//	{"id":"…","timestamp":"…","sessionId":"…","parentId":"…","role":"user",
//	 "content":"Set x to 2, we decided.","gitBranch":"master",…}
package commandcode

import (
	"path"
	"strconv"
	"strings"

	"github.com/memscribe/memscribe/adapters/internal/asked"
	"github.com/memscribe/memscribe/adapters/internal/edit"
	"github.com/memscribe/memscribe/adapters/internal/mcpedits"
	"github.com/memscribe/memscribe/adapters/internal/stream"
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/jsondoc"
)

// Adapter knows Command Code.
type Adapter struct{}

// Tool names the tool.
func (Adapter) Tool() core.Tool { return core.CommandCode }

// Places are the folder of the sessions: in it one for each folder of work.
func (Adapter) Places() []core.Place {
	return []core.Place{{Roots: []core.Root{{Path: ".commandcode"}}, Patterns: []string{"projects/*/*.jsonl"}}}
}

// NewParser returns a parser for one session.
func (Adapter) NewParser(info core.StreamInfo) core.Parser {
	p := &parser{}
	p.Init(Adapter{}.Kinds(), info.Path)
	return mcpedits.Edits(p, &p.Files)
}

// Detect judges by the first line. Beside a session lie logs of its prompts and of its checkpoints.
func (Adapter) Detect(s core.Sample) core.Fit {
	v := stream.FirstLine(s)
	id, isLog := strings.CutSuffix(path.Base(s.Path), ".jsonl")
	return stream.Fit(v.Get("role").Exists() && v.Get("sessionId").Exists() && v.Get("parentId").Exists() && v.Path("metadata", "version").Exists(),
		isLog && !strings.Contains(id, ".") && strings.Contains(s.Path, "/.commandcode/projects/"))
}

// parser reads the log of one session. Its fields last for the log.
type parser struct {
	asked.Talk

	records int
}

// Kinds returns what each kind of message becomes.
func (Adapter) Kinds() []stream.Kind {
	return []stream.Kind{
		{
			Names: "user", Known: "src", Becomes: "`user_turn`; injected where the client typed it (`isMeta`, `isAutomated`)",
			Read: func(p *parser, h stream.Head, content jsondoc.Value) { p.content(h, true, content) },
		},
		{
			Names: "assistant", Known: "src", Becomes: "`assistant_turn`, `tool_call`",
			Read: func(p *parser, h stream.Head, content jsondoc.Value) { p.content(h, false, content) },
		},
		{
			Names: "tool", Known: "src", Becomes: "`tool_result`: a text that begins with `ERROR: ` is a failure",
			Read: func(p *parser, h stream.Head, content jsondoc.Value) { p.content(h, false, content) },
		},
	}
}

// Parse implements [core.Parser].
func (p *parser) Parse(rec core.Record, send func(*core.Event)) {
	v, ok := p.Begin(rec, send)
	if !ok {
		return
	}
	role, meta := v.Get("role"), v.Get("metadata")
	h := stream.Head{Time: core.ParseTime(v.Get("timestamp").Str())}
	if p.records == 0 && role.Exists() {
		if id := v.Get("sessionId").Str(); id != "" {
			p.Session = id
		}
		start := core.SessionStart{}
		if branch := v.Get("gitBranch").Str(); branch != "-" {
			start.Git.Branch = branch
		}
		p.Open(h, meta.Get("cwd").Str(), start)
	}
	p.records++
	h.ID = p.Session + "/" + strconv.Itoa(p.records)
	h.Injected = meta.Get("isMeta").Bool() || meta.Get("isAutomated").Bool()
	stream.Dispatch(p, &p.Base, "", role, h, v.Get("content"))
}

// content reads the content of a message: a text, or a list of parts.
func (p *parser) content(h stream.Head, person bool, content jsondoc.Value) {
	switch {
	case content.Kind() != jsondoc.String:
		for part := range content.Elems() {
			p.part(h, person, part)
		}
	case person:
		p.Said(h, core.Token(content))
	default:
		p.Says(h, "", core.Token(content))
	}
}

// part reads a part of a message.
func (p *parser) part(h stream.Head, person bool, v jsondoc.Value) {
	id := v.Get("toolCallId").Str()
	switch kind := v.Get("type"); {
	case kind.Is("text") && person:
		p.Said(h, core.Token(v.Get("text")))
	case kind.Is("text"):
		p.Says(h, "", core.Token(v.Get("text")))
	case person:
		p.Send(h, &core.UserTurn{Parts: []core.Part{stream.Other(v)}})
	case kind.Is("reasoning"):
		p.Thinks(h, "", core.Token(v.Get("text")))
	case kind.Is("tool-call"):
		p.Call(h, id, v.Get("toolName").Str(), v.Get("input"))
	case kind.Is("tool-result"):
		p.result(h, id, v.Get("output"))
	default:
		p.Shows(h, "", v)
	}
}

// result reads what a call came to: a text that says so.
func (p *parser) result(h stream.Head, id string, out jsondoc.Value) {
	said := out.Get("value").Str()
	ok := !strings.HasPrefix(said, "ERROR: ") && !strings.HasPrefix(out.Get("type").Str(), "error-")
	name, args := p.Result(h, id, ok, core.RawValue(out.Get("value")), nil)
	first, rest, more := strings.Cut(said, "\n")
	switch {
	case name == "read_file" && args.Len() == 1 && strings.HasPrefix(first, "Read 1/1 file, "+strconv.Itoa(strings.Count(rest, "\n")+1)+" line"):
		p.Files.Set(p.Resolve(args.Get("absolutePath").Str()), rest)
	case name == "write_file" && strings.HasPrefix(said, "File written: "):
		p.Asked(h, id, name, args)
	case name == "edit_file" && strings.HasPrefix(said, "Edited "):
		after, shown := strings.CutPrefix(rest, "\n")
		p.replaced(h, id, args, after, more && shown)
	}
}

// replaced tells of a replacement. Of a short file the result shows all that it holds
// then, from which follows what it held before.
func (p *parser) replaced(h stream.Head, id string, args jsondoc.Value, after string, shown bool) {
	file, old, text := p.Resolve(asked.Path(args)), args.Get("oldValue").Str(), args.Get("newValue").Str()
	if _, known := p.Files.Sure(file); !known && shown && text != "" && strings.Count(after, text) == 1 {
		d := edit.FromTexts(file, strings.Replace(after, text, old, 1), after)
		d.Old, d.New = &old, &text
		p.Files.Set(file, after)
		p.Edit(h, id, "edit_file", d)
		return
	}
	p.Asked(h, id, "edit_file", args)
}
