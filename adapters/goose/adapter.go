// Package goose reads the sessions of goose.
//
// They lie in one database: a row for a session, a row for a message, whose content
// is a list of typed pieces. Until 1.20 each session was a file, a message a line.
//
// docs/adapters/goose.md says what is known of the format, and how.
//
// Rows, as the parser gets them:
//
//	{"table":"session","key":"s","working_dir":"/w","created_at":"2026-08-01 00:00:00"}
//	{"table":"message","key":"1","role":"user","content":[{"type":"text","text":"x"}],…}
package goose

import (
	"cmp"
	"strings"

	"github.com/memscribe/memscribe/adapters/internal/asked"
	"github.com/memscribe/memscribe/adapters/internal/mcpedits"
	"github.com/memscribe/memscribe/adapters/internal/stream"
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/jsondoc"
)

// Adapter knows goose.
type Adapter struct{}

// Tool names the tool.
func (Adapter) Tool() core.Tool { return core.Goose }

// Places are the databases. The files of older versions were taken into it when it
// was made, under other ids, so that they are read only if they are named.
func (Adapter) Places() []core.Place {
	return []core.Place{{
		Roots: []core.Root{
			{Env: "GOOSE_PATH_ROOT", Path: "data"},
			{OS: "windows", Env: "APPDATA", Path: "Block/goose/data"},
			{OS: "windows", Path: "AppData/Roaming/Block/goose/data"},
			{Env: "XDG_DATA_HOME", Path: "goose"},
			{Path: ".local/share/goose"},
		},
		Patterns: []string{"sessions/sessions.db"},
	}}
}

// NewParser returns a parser for one session.
func (Adapter) NewParser(info core.StreamInfo) core.Parser {
	p := &parser{begun: map[uint64]bool{}}
	p.Init(Adapter{}.Kinds(), info.Path)
	return mcpedits.Edits(p, &p.Files)
}

// Detect knows the files of older versions by their first line.
func (Adapter) Detect(s core.Sample) core.Fit {
	return stream.Fit(isHeader(stream.FirstLine(s)), false)
}

// isHeader reports whether a record is the first one of a file.
func isHeader(v jsondoc.Value) bool {
	return v.Get("working_dir").Kind() == jsondoc.String && v.Get("message_count").Exists() && !v.Get("type").Exists()
}

const (
	tableSession = "session"
	tableMessage = "message"
)

// Layout knows the database by its tables (read in source, schemas 1 to 15). Columns
// have come one by one.
func (Adapter) Layout(_ string, s core.Schema) (core.Layout, core.Fit) {
	if l, ok := s.Fits(
		core.Table{Name: "sessions", Columns: []string{"id", "working_dir", "extension_data", "created_at"}},
		core.Table{Name: "messages", Columns: []string{"id", "session_id", "role", "content_json", "created_timestamp"}},
	); !ok {
		return l, core.NoFit
	}
	session := "id, working_dir, created_at" + stream.Columns(s, "sessions", "", "name", "description", "session_type", "parent_session_id", "provider_name")
	message := "id, role, created_timestamp" + stream.Columns(s, "messages", "", "message_id")
	if s.Has("sessions", "model_config_json") {
		session += `, model_config_json AS "model_config:json"`
	}
	if s.Has("messages", "metadata_json") {
		message += `, metadata_json AS "metadata:json"`
	}
	return core.Layout{
		Conversations: `SELECT id FROM sessions ORDER BY created_at, id`,
		Stamp:         `SELECT '', count(*), max(id), total(octet_length(content_json)) FROM messages WHERE session_id = ?1`,
		Rows: []core.Rows{
			{Table: tableSession, Query: `SELECT ` + session + ` FROM sessions WHERE id = ?1`},
			{Table: tableMessage, Query: `SELECT ` + message + `, content_json AS "content:json" FROM messages WHERE session_id = ?1 ORDER BY id`},
		},
	}, core.NativeFit
}

// parser reads the records of one session. Its fields last for the file.
type parser struct {
	asked.Talk

	key   string          // of the session
	begun map[uint64]bool // hashes of the keys of sessions that have a session_start
	model string
}

// Parse implements [core.Parser].
func (p *parser) Parse(rec core.Record, send func(*core.Event)) {
	v, ok := p.Begin(rec, send)
	if !ok {
		return
	}
	h := stream.Head{ID: v.Get("id").Str(), Time: stream.Seconds(v.Get("created"))}
	switch table := v.Get("table"); {
	case p.Kinds.Of("", table).Known:
		stream.Dispatch(p, &p.Base, "", table, stream.Head{ID: v.Get("key").Str()}, v)
	case isHeader(v):
		p.opened(h, v)
	case v.Get("role").Exists() && v.Get("content").Kind() == jsondoc.Array:
		p.message(h, v)
	default:
		p.Unknown(stream.Head{}, v.Get("type").Str())
	}
}

// Kinds returns what each kind of row, and each kind of message, becomes.
func (Adapter) Kinds() []stream.Kind {
	return []stream.Kind{
		{
			Names: tableSession, Known: "src", Read: (*parser).opened,
			Becomes: "`session_start` with `working_dir`; with `parent_session_id` a thread of that session. So does the first line of a file",
		},
		{Names: tableMessage, Known: "src", Becomes: "by its role", Read: func(p *parser, h stream.Head, v jsondoc.Value) {
			id := cmp.Or(v.Get("message_id").Str(), p.key+":"+h.ID)
			p.message(stream.Head{ID: id, Time: stream.Seconds(v.Get("created_timestamp"))}, v)
		}},
		{
			In: tableMessage, Names: "user", Known: "src", Read: (*parser).heard,
			Becomes: "`user_turn`; injected if `userVisible` is false, as summaries of a compaction are, and in a thread; `tool_result`",
		},
		{In: tableMessage, Names: "assistant", Known: "src", Becomes: "`assistant_turn` for text and thinking, `tool_call`", Read: (*parser).answered},
	}
}

// opened begins the session, once. One that another one has begun is a thread of it.
func (p *parser) opened(h stream.Head, v jsondoc.Value) {
	key := h.ID
	if key != "" {
		p.key, p.Session = key, key
	}
	if parent := v.Get("parent_session_id").Str(); parent != "" {
		p.Session, p.Thread = parent, key
	}
	p.model = v.Path("model_config", "model_name").Str()
	at := strings.Replace(v.Get("created_at").Str(), " ", "T", 1) // of SQL, in UTC
	if at != "" && !strings.HasSuffix(at, "Z") && !strings.Contains(at, "+") {
		at += "Z"
	}
	hash := stream.Hash([]byte(p.key))
	if p.begun[hash] {
		p.Known(stream.Head{}, tableSession)
		return
	}
	p.begun[hash] = true
	p.Start(stream.Head{ID: "session:" + p.key, Time: core.ParseTime(at)}, core.SessionStart{Cwd: v.Get("working_dir").Str(), Model: p.model})
}

// message reads a message, piece by piece.
func (p *parser) message(h stream.Head, v jsondoc.Value) {
	if visible := v.Path("metadata", "userVisible"); visible.Exists() && !visible.Bool() {
		h.Injected = true
	}
	stream.Dispatch(p, &p.Base, tableMessage, v.Get("role"), h, v)
}

// heard reads what is in a person's place: their words, and results of calls.
func (p *parser) heard(h stream.Head, v jsondoc.Value) {
	var typed stream.Prompt
	for part := range v.Get("content").Elems() {
		switch kind := part.Get("type"); {
		case kind.Is("text"):
			typed.Say(part.Get("text"))
		case kind.Is("image"):
			typed.Show(part.Get("mimeType"))
		case kind.Is("toolResponse"):
			p.result(h, part)
		default:
			typed.Keep(part)
		}
	}
	h.Injected = h.Injected || p.Thread != "" || typed.Wordless()
	p.Prompted(h, &typed)
}

// answered reads what the model said and did.
func (p *parser) answered(h stream.Head, v jsondoc.Value) {
	for part := range v.Get("content").Elems() {
		switch kind := part.Get("type"); {
		case kind.Is("text"):
			p.Says(h, p.model, core.Token(part.Get("text")))
		case kind.Is("thinking"):
			p.Thinks(h, p.model, core.Token(part.Get("thinking")))
		case kind.Is("toolRequest"):
			p.called(h, part)
		case kind.Is("toolResponse"):
			p.result(h, part)
		default:
			p.Shows(h, p.model, part)
		}
	}
}

// called reads a call. One that could not be read by the client is kept as it is.
func (p *parser) called(h stream.Head, part jsondoc.Value) {
	id, made := part.Get("id").Str(), part.Path("toolCall", "value")
	if made.Kind() != jsondoc.Object {
		p.Shows(h, p.model, part)
		return
	}
	p.Call(h, id, made.Get("name").Str(), made.Get("arguments"))
}

// result reads the result of a call, and the edit that it made.
func (p *parser) result(h stream.Head, part jsondoc.Value) {
	id, out := part.Get("id").Str(), part.Get("toolResult")
	value := out.Get("value")
	shown := value
	if value.Kind() == jsondoc.Object { // since 1.12 with what the server's answer says besides
		shown = value.Get("content")
	}
	ok := out.Get("status").Is("success") && !value.Get("isError").Bool()
	if !out.Get("status").Is("success") {
		shown = out.Get("error")
	}
	name, args := p.Result(h, id, ok, core.RawValue(shown), func(name string) bool { return tool(name) != "shell" })
	if ok && edits(tool(name), args) {
		p.Asked(h, id, name, args)
	}
}

// tool is the name of a tool without that of its extension.
func tool(name string) string {
	return strings.TrimPrefix(name[strings.LastIndex(name, "__")+1:], "_")
}

// edits reports whether a call of the developer extension changes a file: by the
// command of text_editor, or since 1.20 by tools of their own (read in source).
func edits(tool string, args jsondoc.Value) bool {
	switch tool {
	case "text_editor":
		command := args.Get("command")
		return command.Is("write") || command.Is("str_replace")
	case "write", "edit":
		return true
	}
	return false
}
