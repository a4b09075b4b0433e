// Package agenttrace parses Agent Trace records, an open format in which the hooks of
// several agents note which lines of a file an agent wrote.
//
// A record names a file, its lines and the conversation, but holds neither what was said
// nor what the lines are:
//
//	{"version":"0.1.0","id":"4448…","timestamp":"2026-07-20T11:38:35Z","tool":{"name":"cursor"},
//	 "files":[{"path":"src/a.ts","conversations":[{"contributor":{"type":"ai"},"ranges":[{"start_line":1,"end_line":9}]}]}]}
//
// Records are not followed but read when they are named, since the agents' own
// transcripts tell the same, and more.
//
// docs/adapters/agent_trace.md says what is known of the format, and how.
package agenttrace

import (
	"cmp"
	"path"
	"strconv"
	"strings"

	"github.com/memscribe/memscribe/adapters/internal/stream"
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/jsondoc"
)

// flat begins the name of the schema in records of one range each, with the call that wrote it.
const flat = "agent-trace/"

// Adapter knows the format, whichever agent the records are of.
type Adapter struct{}

// Tool names the format.
func (Adapter) Tool() core.Tool { return core.AgentTrace }

// Places are none: the agents have transcripts of their own.
func (Adapter) Places() []core.Place { return nil }

// NewParser returns a parser for one file of records. The folder that holds .agent-trace
// is the project.
func (Adapter) NewParser(info core.StreamInfo) core.Parser {
	p := &parser{begun: map[string]bool{}}
	if root, _, isInside := strings.Cut(info.Path, "/.agent-trace/"); isInside && path.IsAbs(root) {
		p.Project = &core.Project{Cwd: root}
	}
	return p
}

// Detect judges by the members of the first record.
func (Adapter) Detect(s core.Sample) core.Fit {
	v := stream.FirstLine(s)
	return stream.Fit(strings.HasPrefix(v.Get("schema").Str(), flat) && v.Get("file_path").Exists() ||
		v.Get("version").Exists() && v.Get("timestamp").Exists() && isTraced(v.Get("files")), false)
}

// isTraced reports whether a list of files has one with conversations.
func isTraced(files jsondoc.Value) bool {
	for file := range files.Elems() {
		return file.Get("path").Exists() && file.Get("conversations").Kind() == jsondoc.Array
	}
	return false
}

// parser reads the records of one file, which may be of many sessions.
type parser struct {
	stream.Base

	records int             // read so far
	begun   map[string]bool // the sessions that have a session_start, for as long as the file is read
}

// Parse implements [core.Parser].
func (p *parser) Parse(rec core.Record, send func(*core.Event)) {
	p.records++
	v, ok := p.Begin(rec, send)
	if !ok {
		return
	}
	switch {
	case strings.HasPrefix(v.Get("schema").Str(), flat):
		p.single(v)
	case v.Get("files").Kind() == jsondoc.Array:
		p.record(v)
	default:
		p.Unknown(stream.Head{}, "json")
		return
	}
	if !p.Emitted {
		p.Known(stream.Head{ID: v.Get("id").Str()}, "record")
	}
}

// single reads a flat record: one range that one call wrote.
func (p *parser) single(v jsondoc.Value) {
	p.Session = cmp.Or(v.Get("session_id").Str(), "agent-trace")
	h := stream.Head{Time: core.ParseTime(v.Get("timestamp").Str())}
	p.open(h, core.SessionStart{})
	h.ID = p.nameOf(v, "tool_use_id", h.Time)
	p.wrote(h, h.ID, v.Get("tool").Str(), v.Get("file_path").Str(), v)
}

// record reads a record of the specification. What a person wrote, or a hand that is not
// known, is no edit of an agent.
func (p *parser) record(v jsondoc.Value) {
	h := stream.Head{Time: core.ParseTime(v.Get("timestamp").Str())}
	id := p.nameOf(v, "id", h.Time)
	tool, n := v.Path("tool", "name").Str(), 0
	for file := range v.Get("files").Elems() {
		for talk := range file.Get("conversations").Elems() {
			n++
			by := talk.Get("contributor")
			if kind := by.Get("type"); !kind.Is("ai") && !kind.Is("mixed") {
				continue
			}
			p.Session = conversation(v, talk)
			p.open(h, core.SessionStart{Model: by.Get("model_id").Str(), ToolVersion: v.Path("tool", "version").Str(), Git: revision(v.Get("vcs"))})
			call := id + "/" + strconv.Itoa(n)
			h.ID = call
			name := file.Get("path").Str()
			if command := v.Path("metadata", "command"); command.Exists() && strings.HasPrefix(name, ".") && !strings.ContainsAny(name, `/\`) {
				p.Send(h, &core.ToolCall{CallID: call, Name: "shell", Args: core.RawValue(v.Get("metadata"))}) // in a file that does not exist
				continue
			}
			if !strings.Contains(name, "/") && !strings.Contains(name, ":") {
				name = strings.ReplaceAll(name, `\`, "/") // as hooks on Windows write it
			}
			p.wrote(h, call, tool, name, talk)
		}
	}
}

// nameOf names a record: by its id, or else after what it holds, and one without a time also
// after its place: two that are equal need not be the same.
func (p *parser) nameOf(v jsondoc.Value, member string, at core.Time) string {
	if id := v.Get(member).Str(); id != "" {
		return id
	}
	if at.IsZero() {
		return core.ContentID([]byte(strconv.Itoa(p.records) + "\x00" + string(v.Raw())))
	}
	return core.ContentID(v.Raw())
}

// conversation names the session: by the id that hooks add, else by what the address of
// the conversation ends in, else by the record.
func conversation(v, talk jsondoc.Value) string {
	if id := stream.Some(v.Get("metadata"), "conversation_id", "session_id"); id != "" {
		return id
	}
	address := strings.TrimRight(strings.ReplaceAll(talk.Get("url").Str(), `\`, "/"), "/")
	if id := strings.TrimSuffix(path.Base(address), ".jsonl"); address != "" {
		return id
	}
	return "agent-trace-" + core.ContentID([]byte(v.Get("id").Str()))
}

// revision is the commit on which the lines are numbered.
func revision(vcs jsondoc.Value) core.Git {
	if vcs.Get("type").Is("git") {
		return core.Git{SHA: vcs.Get("revision").Str()}
	}
	return core.Git{}
}

// open begins a session, once.
func (p *parser) open(h stream.Head, start core.SessionStart) {
	if p.begun[p.Session] {
		return
	}
	p.begun[p.Session] = true
	h.ID = p.Session + "/start"
	p.Start(h, start)
}

// wrote tells that a call wrote lines of a file. What they hold, and what stood there
// before, the record does not say.
func (p *parser) wrote(h stream.Head, call, tool, name string, said jsondoc.Value) {
	if name == "" {
		return
	}
	p.Send(h, &core.ToolCall{CallID: call, Name: tool, Args: core.RawValue(said)})
	change := core.Modify
	if strings.EqualFold(tool, "write") {
		change = core.Write
	}
	p.Send(stream.Head{Time: h.Time}, &core.FileEdit{CallID: call, Tool: tool, Diff: core.Diff{Path: p.Resolve(name), Change: change, Certainty: core.Told}})
}
