// Package windsurf parses the transcripts that Windsurf's Cascade writes for its hooks. Its own
// store is encrypted; the adapter finds it and reports each file as unreadable.
//
//	{"type":"user_input","status":"done","user_input":{"user_response":"continue"}}
//	{"type":"code_action","status":"done","code_action":{"path":"/w/a","new_content":"1"}}
//
// docs/adapters/windsurf.md says what is known of the format, and how.
package windsurf

import (
	"path"
	"strconv"
	"strings"

	"github.com/memscribe/memscribe/adapters/internal/edit"
	"github.com/memscribe/memscribe/adapters/internal/mcpedits"
	"github.com/memscribe/memscribe/adapters/internal/stream"
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/jsondoc"
)

// Adapter knows Windsurf.
type Adapter struct{}

// Tool names the tool.
func (Adapter) Tool() core.Tool { return core.Windsurf }

// Places are the transcripts for hooks, the encrypted store, and the database in
// which the editor keeps the conversation that is open.
func (Adapter) Places() []core.Place {
	places := []core.Place{
		{Roots: []core.Root{{Path: ".windsurf"}}, Patterns: []string{"transcripts/*.jsonl"}},
		{Roots: []core.Root{{Path: ".codeium/windsurf"}}, Patterns: stores()},
		{Roots: []core.Root{{Path: ".codeium/windsurf-next"}}, Patterns: stores()},
	}
	for _, build := range []string{"Windsurf", "Windsurf - Next"} {
		user := build + "/User"
		places = append(places, core.Place{
			Roots: []core.Root{
				{OS: "darwin", Path: "Library/Application Support/" + user},
				{OS: "windows", Env: "APPDATA", Path: user},
				{OS: "windows", Path: "AppData/Roaming/" + user},
				{OS: "linux", Env: "XDG_CONFIG_HOME", Path: user},
				{Path: ".config/" + user},
			},
			Patterns: []string{"globalStorage/state.vscdb"},
		})
	}
	return places
}

// stores are where the encrypted conversations lie, below the folder of the editor.
func stores() []string { return []string{"cascade/*.pb", "cascade/implicit/*.pb"} }

// isStored reports whether a file lies in the encrypted store.
func isStored(file string) bool {
	dir := path.Dir(file)
	return path.Ext(file) == ".pb" && (path.Base(dir) == "cascade" || path.Base(path.Dir(dir)) == "cascade")
}

// Framing says that a file of the store is one piece.
func (Adapter) Framing(s core.Sample) core.Framing {
	if isStored(s.Path) || isExport(s.Head) {
		return core.Document
	}
	return core.Lines
}

// Detect judges by the steps: each has a type, a status, and a member that is
// called as the type is.
func (Adapter) Detect(s core.Sample) core.Fit {
	if isStored(s.Path) {
		return core.PathFit
	}
	if isExport(s.Head) {
		return core.NativeFit
	}
	looks := 0
	for _, v := range s.Records() {
		if looks++; isStep(v) {
			return core.NativeFit
		}
	}
	return stream.Fit(false, looks == 0 && strings.Contains(s.Path, "/.windsurf/transcripts/"))
}

const tableCached = "cached"

// Layout finds the conversations that the editor keeps in its database, one for each
// workspace, and their sizes. What they hold is not looked at: no one documents it,
// and data of the person's account lies beside.
func (Adapter) Layout(file string, s core.Schema) (core.Layout, core.Fit) {
	if !s.Has("ItemTable", "key", "value") || !strings.Contains(file, "/Windsurf/") && !strings.Contains(file, "/Windsurf - Next/") {
		return core.Layout{}, core.NoFit
	}
	const cached = `SELECT substr(m.key, 39) AS key, octet_length(m.value) AS size FROM ItemTable i,
		json_each(CASE WHEN json_valid(CAST(i.value AS TEXT)) THEN CAST(i.value AS TEXT) END) m
		WHERE i.key = 'codeium.windsurf' AND m.key LIKE 'windsurf.state.cachedActiveTrajectory:%'`
	return core.Layout{
		Unreadable:    stream.NotJSON("ItemTable", "key = 'codeium.windsurf'"),
		Conversations: `SELECT key FROM (` + cached + `) ORDER BY key`,
		Stamp:         `SELECT '', size FROM (` + cached + `) WHERE key = ?1`,
		Rows:          []core.Rows{{Table: tableCached, Query: `SELECT key, size FROM (` + cached + `) WHERE key = ?1`}},
	}, core.NativeFit
}

// isStep reports whether a value is a step of a conversation: it has a type, a state, and a member of
// the type's name.
func isStep(v jsondoc.Value) bool {
	kind := v.Get("type")
	return kind.Kind() == jsondoc.String && v.Get("status").Kind() == jsondoc.String && v.Get(kind.Str()).Kind() == jsondoc.Object
}

// parser reads the steps of a conversation.
type parser struct {
	stream.Base

	stored  bool
	started bool
	seen    map[string]int
	files   edit.Files
}

// NewParser returns a parser for one conversation. Its file has the name of the session.
func (Adapter) NewParser(info core.StreamInfo) core.Parser {
	p := &parser{stored: isStored(info.Path), seen: map[string]int{}}
	p.Init(Adapter{}.Kinds(), info.Path)
	return mcpedits.Edits(p, &p.files)
}

// Parse implements [core.Parser].
func (p *parser) Parse(rec core.Record, emit func(*core.Event)) {
	p.BeginText(rec, emit)
	if p.stored {
		raw := core.RawBytes(rec.Bytes)
		if rec.Doc != nil { // something else is in its place
			raw = core.RawValue(rec.Doc.Root())
		}
		p.send("", &core.Unknown{
			RawType: "encrypted", Raw: raw, Reason: "encrypted by Windsurf: only hooks and their transcripts can be read",
		})
		return
	}
	if rec.Doc == nil && isExport(rec.Bytes) {
		p.export(stream.PlainText(rec.Bytes))
		return
	}
	if _, ok := p.Begin(rec, emit); !ok {
		return
	}
	if table, key := core.Row(rec.Doc.Root()); table == tableCached {
		p.Session = key
		p.send(key, &core.Unknown{
			RawType: "undocumented", Raw: core.RawValue(rec.Doc.Root()),
			Reason: "kept by Windsurf in a form that is not documented: only hooks, their transcripts and exports can be read",
		})
		return
	}
	if !p.started {
		p.started = true
		p.send(p.Session, &core.SessionStart{})
	}
	p.step(rec)
}

// step reads one step. Of those that are documented the order is all that says
// when they were.
func (p *parser) step(rec core.Record) {
	v := rec.Doc.Root()
	id := core.ContentID(v.Raw())
	p.seen[id]++
	if n := p.seen[id]; n > 1 {
		id += "-" + strconv.Itoa(n)
	}
	stream.Dispatch(p, &p.Base, "", v.Get("type"), stream.Head{ID: id}, v)
}

// Kinds returns what each kind of step becomes.
func (Adapter) Kinds() []stream.Kind {
	return []stream.Kind{
		{Names: "user_input", Known: "doc", Becomes: "`user_turn`, of `user_response`", Read: func(p *parser, h stream.Head, v jsondoc.Value) {
			p.Said(h, core.Token(v.Path("user_input", "user_response")))
		}},
		{Names: "planner_response", Known: "doc", Becomes: "`assistant_turn`, of `response`", Read: func(p *parser, h stream.Head, v jsondoc.Value) {
			p.Says(h, "", core.Token(v.Path("planner_response", "response")))
		}},
		{
			Names: "code_action", Known: "doc; status `done` unv", Read: (*parser).acted,
			Becomes: "`tool_call`, `tool_result` by the step's status; `file_edit`, of `path` and `new_content`",
		},
	}
}

// acted reads an edit.
func (p *parser) acted(h stream.Head, v jsondoc.Value) {
	id, kind := h.ID, "code_action"
	body, done := v.Get(kind), v.Get("status").Is("done")
	p.send(id, &core.ToolCall{CallID: id, Name: kind, Args: core.RawValue(body)})
	p.send("result:"+id, &core.ToolResult{CallID: id, OK: done, Output: core.RawValue(v.Get("status"))})
	if done {
		p.wrote(id, kind, body.Get("path").Str(), body.Get("new_content").Str())
	}
}

// wrote passes on the edit of a file whose text before is known: a step has the
// text after it only.
func (p *parser) wrote(id, tool, file, after string) {
	before, known := p.files.Text(file)
	p.files.Set(file, after)
	if file == "" || !known || before == after {
		return
	}
	p.send("edit:"+id, &core.FileEdit{CallID: id, Tool: tool, Diff: edit.FromTexts(file, before, after)})
}

func (p *parser) send(id string, body core.Body) { p.Send(stream.Head{ID: id}, body) }
