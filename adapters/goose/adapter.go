// Package goose reads the sessions of goose.
//
// They lie in one database: a row for a session, a row for a message, whose content
// is a list of typed pieces. Until 1.20 each session was a file, a message a line.
//
// docs/adapters/goose.md says what is known of the format, and how.
package goose

import (
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
	p := &parser{}
	p.Session = stream.Stem(info.Path)
	return mcpedits.Edits(p, &p.Files)
}

// Detect knows the files of older versions by their first line.
func (Adapter) Detect(s core.Sample) core.Fit {
	if !isHeader(stream.FirstLine(s)) {
		return core.NoFit
	}
	return core.NativeFit
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
	if !s.Has("sessions", "id", "working_dir", "extension_data", "created_at") || !s.Has("messages", "id", "session_id", "role", "content_json", "created_timestamp") {
		return core.Layout{}, core.NoFit
	}
	session, message := "id, working_dir, created_at", "id, role, created_timestamp"
	for _, c := range []string{"name", "description", "session_type", "parent_session_id", "provider_name"} {
		if s.Has("sessions", c) {
			session += ", " + c
		}
	}
	if s.Has("sessions", "model_config_json") {
		session += `, model_config_json AS "model_config:json"`
	}
	if s.Has("messages", "message_id") {
		message += ", message_id"
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

// parser is the fold over the records of one session.
type parser struct {
	asked.Talk

	key   string          // of the session
	begun map[uint64]bool // hashes of the keys of sessions that have a session_start
	model string
}

// Parse implements [core.Parser].
func (p *parser) Parse(rec core.Record, send func(*core.Event)) {
	if !p.Begin(rec, send) {
		return
	}
	v := rec.Doc.Root()
	switch table, key := core.Row(v); { // what becomes of each kind of record
	case table == tableSession:
		p.opened(key, v)
	case table == tableMessage:
		id := v.Get("message_id").Str()
		if id == "" {
			id = p.key + ":" + key
		}
		p.message(stream.Head{ID: id, Time: stream.Seconds(v.Get("created_timestamp"))}, v)
	case isHeader(v):
		p.opened(v.Get("id").Str(), v)
	case v.Get("role").Exists() && v.Get("content").Kind() == jsondoc.Array:
		p.message(stream.Head{ID: v.Get("id").Str(), Time: stream.Seconds(v.Get("created"))}, v)
	default:
		p.Unknown(stream.Head{}, v.Get("type").Str())
	}
}

// opened begins the session, once. One that another one has begun is a thread of it.
func (p *parser) opened(key string, v jsondoc.Value) {
	if key != "" {
		p.key, p.Session = key, key
	}
	if parent := v.Get("parent_session_id").Str(); parent != "" {
		p.Session, p.Thread = parent, key
	}
	p.model = v.Path("model_config", "model_name").Str()
	start := &core.SessionStart{Cwd: v.Get("working_dir").Str(), Model: p.model}
	if start.Cwd != "" {
		p.Project = &core.Project{Cwd: start.Cwd}
	}
	at := strings.Replace(v.Get("created_at").Str(), " ", "T", 1) // of SQL, in UTC
	if at != "" && !strings.HasSuffix(at, "Z") && !strings.Contains(at, "+") {
		at += "Z"
	}
	hash := stream.Hash([]byte(p.key))
	if p.begun[hash] {
		p.Known(stream.Head{}, tableSession)
		return
	}
	if p.begun == nil {
		p.begun = map[uint64]bool{}
	}
	p.begun[hash] = true
	p.Send(stream.Head{ID: "session:" + p.key, Time: core.ParseTime(at)}, start)
}

// message reads a message, piece by piece.
func (p *parser) message(h stream.Head, v jsondoc.Value) {
	role := v.Get("role")
	if visible := v.Path("metadata", "userVisible"); visible.Exists() && !visible.Bool() {
		h.Injected = true
	}
	switch {
	case role.Is("user"):
		p.heard(h, v.Get("content"))
	case role.Is("assistant"):
		p.answered(h, v.Get("content"))
	default:
		p.Unknown(h, "message/"+role.Str())
	}
	if !p.Emitted {
		p.Known(h, "message/empty")
	}
}

// heard reads what stands in a person's place: their words, and results of calls.
func (p *parser) heard(h stream.Head, content jsondoc.Value) {
	var typed stream.Prompt
	for part := range content.Elems() {
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
func (p *parser) answered(h stream.Head, content jsondoc.Value) {
	for part := range content.Elems() {
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
	name, args := made.Get("name").Str(), made.Get("arguments")
	p.Call(h, id, name, args)
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
