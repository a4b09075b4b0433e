// Package crush reads the sessions of Crush.
//
// They lie in a database of each project: a row for a session, a row for a message with its parts.
// Sessions that a call has sent are rows of their own, named after the message and the call.
//
// docs/adapters/crush.md says what is known of the format, and how.
//
// Rows, as the parser gets them:
//
//	{"table":"session","key":"s","title":"t","created_at":1785542400}
//	{"table":"message","key":"m2","role":"assistant","parts":[{"type":"tool_call","data":{…}}]}
//	{"table":"message","key":"m3","role":"tool","parts":[{"type":"tool_result","data":{…}}]}
package crush

import (
	"strings"

	"github.com/memscribe/memscribe/adapters/internal/asked"
	"github.com/memscribe/memscribe/adapters/internal/edit"
	"github.com/memscribe/memscribe/adapters/internal/mcpedits"
	"github.com/memscribe/memscribe/adapters/internal/stream"
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/jsondoc"
)

// Adapter knows Crush.
type Adapter struct{}

// Tool names the tool.
func (Adapter) Tool() core.Tool { return core.Crush }

// Places are the database of the home folder, as a project. Those of other projects
// lie in the projects and are read where they are named.
func (Adapter) Places() []core.Place {
	return []core.Place{{Roots: []core.Root{{Path: ".crush"}}, Patterns: []string{"crush.db"}}}
}

// NewParser returns a parser for one session.
func (Adapter) NewParser(core.StreamInfo) core.Parser {
	p := &parser{sender: map[string]string{}}
	p.Init(Adapter{}.Kinds(), "")
	return mcpedits.Edits(p, &p.Files)
}

// Detect knows no file: all is in databases.
func (Adapter) Detect(core.Sample) core.Fit { return core.NoFit }

const (
	tableSession = "session"
	tableMessage = "message"
)

// Layout knows the database by its tables (read in source). Columns have come one
// by one. Sessions in which a title was thought out are none.
func (Adapter) Layout(_ string, s core.Schema) (core.Layout, core.Fit) {
	if l, ok := s.Fits(
		core.Table{Name: "sessions", Columns: []string{"id", "parent_session_id", "title", "message_count", "prompt_tokens", "completion_tokens"}},
		core.Table{Name: "messages", Columns: []string{"id", "session_id", "role", "parts", "model", "created_at", "finished_at"}},
		core.Table{Name: "files", Columns: []string{"session_id", "path", "content", "version"}},
	); !ok {
		return l, core.NoFit
	}
	columns := stream.Columns(s, "messages", "", "provider", "is_summary_message")
	return core.Layout{
		Conversations: `SELECT id FROM sessions WHERE id NOT LIKE 'title-%' ORDER BY created_at, id`,
		Stamp:         `SELECT '', count(*), max(updated_at), total(octet_length(parts)) FROM messages WHERE session_id = ?1`,
		Rows: []core.Rows{
			{Table: tableSession, Query: `SELECT id, parent_session_id, title, created_at FROM sessions WHERE id = ?1`},
			{Table: tableMessage, Query: `SELECT id, role, model, created_at` + columns + `, parts AS "parts:json" FROM messages WHERE session_id = ?1 ORDER BY created_at, rowid`},
		},
	}, core.NativeFit
}

// parser reads the rows of one session.
type parser struct {
	asked.Talk

	sender map[string]string // for the whole session: messages, by the calls in them that send a session
	about  jsondoc.Doc       // of a result, while it is read
}

// Parse implements [core.Parser].
func (p *parser) Parse(rec core.Record, send func(*core.Event)) {
	v, ok := p.Begin(rec, send)
	if !ok {
		return
	}
	stream.Dispatch(p, &p.Base, "", v.Get("table"), stream.Head{ID: v.Get("key").Str()}, v)
}

// Kinds returns what each kind of row and of message becomes.
func (Adapter) Kinds() []stream.Kind {
	return []stream.Kind{
		{
			Names: tableSession, Known: "src", Read: (*parser).opened,
			Becomes: "`session_start`; with `parent_session_id` it is a thread of that session. Those called `title-…` are left out",
		},
		{Names: tableMessage, Known: "src", Becomes: "by its role; with `is_summary_message` `compaction`", Read: (*parser).message},
		{In: tableMessage, Names: "user", Known: "src", Becomes: "`user_turn`; injected in a thread", Read: (*parser).heard},
		{In: tableMessage, Names: "assistant", Known: "src", Becomes: "`assistant_turn` for text and reasoning, `tool_call` for a call whose input is whole", Read: (*parser).answered},
		{In: tableMessage, Names: "tool", Known: "src", Becomes: "`tool_result`, and the edit", Read: func(p *parser, h stream.Head, v jsondoc.Value) {
			for part := range v.Get("parts").Elems() {
				p.result(h, part)
			}
		}},
		{In: tableMessage, Names: "system", Known: "src"},
	}
}

// opened begins the session. One that a call has sent is a thread of its sender's.
func (p *parser) opened(h stream.Head, v jsondoc.Value) {
	key := h.ID
	p.Session = key
	if parent := v.Get("parent_session_id").Str(); parent != "" {
		p.Session, p.Thread = parent, key
	}
	p.Send(stream.Head{ID: key, Time: stream.Seconds(v.Get("created_at"))}, &core.SessionStart{})
}

// message reads a message by its role.
func (p *parser) message(h stream.Head, v jsondoc.Value) {
	h.Time = stream.Seconds(v.Get("created_at"))
	if n, _ := v.Get("is_summary_message").Int(); n == 1 || v.Get("is_summary_message").Bool() {
		p.compacted(h, v)
		return
	}
	stream.Dispatch(p, &p.Base, tableMessage, v.Get("role"), h, v)
}

// compacted reads a summary, which stands for what was said before it.
func (p *parser) compacted(h stream.Head, v jsondoc.Value) {
	var words []string
	for part := range v.Get("parts").Elems() {
		if part.Get("type").Is("text") {
			words = append(words, part.Path("data", "text").Str())
		}
	}
	p.Compact(h, core.Plain(strings.Join(words, "\n")), p.Last)
}

// heard reads what a person said.
func (p *parser) heard(h stream.Head, v jsondoc.Value) {
	var typed stream.Prompt
	for part := range v.Get("parts").Elems() {
		data := part.Get("data")
		switch kind := part.Get("type"); {
		case kind.Is("text"):
			typed.Say(data.Get("text"))
		case kind.Is("binary"), kind.Is("image_url"):
			typed.Show(data.Get("MIMEType"))
		case kind.Is("finish"):
		case kind.Is("tool_result"):
			p.result(h, part)
		default: // a command that the person ran, too
			typed.Keep(part)
		}
	}
	h.Injected = p.Thread != "" || typed.Wordless()
	p.Prompted(h, &typed)
}

// answered reads what the model said and did.
func (p *parser) answered(h stream.Head, v jsondoc.Value) {
	model := v.Get("model").Str()
	for part := range v.Get("parts").Elems() {
		data := part.Get("data")
		switch kind := part.Get("type"); {
		case kind.Is("text"):
			p.Says(h, model, core.Token(data.Get("text")))
		case kind.Is("reasoning"):
			p.Thinks(h, model, core.Token(data.Get("thinking")))
		case kind.Is("tool_call"):
			p.called(h, data)
		case kind.Is("finish"):
		default:
			p.Shows(h, model, part)
		}
	}
}

// called reads a call. Until its input is whole it is none.
func (p *parser) called(h stream.Head, data jsondoc.Value) {
	id, name, input := data.Get("id").Str(), data.Get("name").Str(), data.Get("input")
	if finished := data.Get("finished"); finished.Exists() && !finished.Bool() {
		return
	}
	if name == "agent" || name == "agentic_fetch" {
		p.sender[id] = h.ID
	}
	p.Call(h, id, name, input)
}

// result reads the result of a call, and the edit that it made.
func (p *parser) result(h stream.Head, part jsondoc.Value) {
	if !part.Get("type").Is("tool_result") {
		return
	}
	data := part.Get("data")
	id := data.Get("tool_call_id").Str()
	name, args := p.Calls.Take(id)
	body := &core.ToolResult{CallID: id, OK: !data.Get("is_error").Bool(), Output: core.RawValue(data.Get("content"))}
	if from := p.sender[id]; from != "" {
		body.Spawned = from + "$$" + id
		delete(p.sender, id)
	}
	p.Send(h, body)
	if name == "bash" {
		p.Files.Ran(asked.Command(args))
	}
	if !body.OK {
		return
	}
	p.edited(h, id, name, args, stream.Nested(&p.about, data.Get("metadata")))
}

// edited emits what a call that succeeded changed: by the texts before and after, or the
// diff, that stand beside its result.
func (p *parser) edited(h stream.Head, id, name string, args, about jsondoc.Value) {
	file, before, after := asked.Path(args), about.Get("old_content"), about.Get("new_content")
	switch {
	case file == "":
	case name == "write":
		p.Edit(h, id, name, p.written(file, args.Get("content").Str(), about.Get("diff").Str()))
	case name != "edit" && name != "multiedit":
	case after.Kind() != jsondoc.String:
		p.Asked(h, id, name, args)
	case before.Kind() != jsondoc.String && args.Get("old_string").Str() == "":
		p.Edit(h, id, name, p.Files.Create(file, after.Str()))
	default:
		p.Edit(h, id, name, p.Files.Changed(file, before.Str(), after.Str()))
	}
}

// written is the diff of a file that was written whole: the client's own, if that has lines
// that were there before; else the file was empty, or not there.
func (p *parser) written(file, content, shown string) core.Diff {
	p.Files.Set(file, content)
	d, err := edit.FromUnified(file, shown)
	if err == nil && (d.Removed > 0 || d.Added > 0 && d.Added < strings.Count(content, "\n")) {
		return d
	}
	return edit.Written(file, content)
}
