package goose

import (
	"strings"

	"github.com/memscribe/memscribe/adapters/internal/asked"
	"github.com/memscribe/memscribe/adapters/internal/edit"
	"github.com/memscribe/memscribe/adapters/internal/stream"
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/jsondoc"
)

// parser is the fold over the records of one session.
type parser struct {
	stream.Base

	key   string // of the session
	model string
	calls asked.Calls
	files edit.Files
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
		p.message(stream.Head{ID: id, Time: seconds(v.Get("created_timestamp"))}, v)
	case isHeader(v):
		p.opened(v.Get("id").Str(), v)
	case v.Get("role").Exists() && v.Get("content").Kind() == jsondoc.Array:
		p.message(stream.Head{ID: v.Get("id").Str(), Time: seconds(v.Get("created"))}, v)
	default:
		p.Unknown(stream.Head{}, v.Get("type").Str())
	}
}

// seconds reads a moment: a count of seconds.
func seconds(v jsondoc.Value) core.Time {
	n, ok := v.Int()
	if !ok || n <= 0 || n > 253402300799000 {
		return core.Time{}
	}
	if n < 1e11 {
		n *= 1000
	}
	return core.UnixMilli(n)
}

// opened begins the session. One that another one has begun is a thread of it.
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
	turn := &core.UserTurn{}
	var words []string
	for part := range content.Elems() {
		switch kind := part.Get("type"); {
		case kind.Is("text"):
			words = append(words, part.Get("text").Str())
			turn.Parts = append(turn.Parts, core.Part{Kind: core.TextPart, Text: core.Token(part.Get("text"))})
		case kind.Is("image"):
			turn.Parts = append(turn.Parts, core.Part{Kind: core.ImagePart, MediaType: part.Get("mimeType").Str()})
		case kind.Is("toolResponse"):
			p.result(h, part)
		default:
			turn.Parts = append(turn.Parts, stream.Other(part))
		}
	}
	if len(turn.Parts) == 0 {
		return
	}
	h.Injected = h.Injected || p.Thread != "" || len(words) == 0
	turn.Text = core.Plain(strings.Join(words, "\n"))
	p.Send(h, turn)
}

// answered reads what the model said and did.
func (p *parser) answered(h stream.Head, content jsondoc.Value) {
	for part := range content.Elems() {
		turn := &core.AssistantTurn{Model: p.model, MessageID: h.ID}
		switch kind := part.Get("type"); {
		case kind.Is("text"):
			turn.Text = core.Token(part.Get("text"))
			turn.Parts = []core.Part{{Kind: core.TextPart, Text: turn.Text}}
		case kind.Is("thinking"):
			turn.Thinking = core.Token(part.Get("thinking"))
		case kind.Is("toolRequest"):
			p.called(h, part)
			continue
		case kind.Is("toolResponse"):
			p.result(h, part)
			continue
		default:
			turn.Parts = []core.Part{stream.Other(part)}
		}
		p.Send(h, turn)
	}
}

// called reads a call. One that could not be read by the client is kept as it is.
func (p *parser) called(h stream.Head, part jsondoc.Value) {
	id, made := part.Get("id").Str(), part.Path("toolCall", "value")
	if made.Kind() != jsondoc.Object {
		p.Send(h, &core.AssistantTurn{Model: p.model, MessageID: h.ID, Parts: []core.Part{stream.Other(part)}})
		return
	}
	name, args := made.Get("name").Str(), made.Get("arguments")
	p.calls.Put(id, name, args)
	p.Send(h, &core.ToolCall{CallID: id, Name: name, Args: core.RawValue(args)})
}

// result reads the result of a call, and the edit that it made.
func (p *parser) result(h stream.Head, part jsondoc.Value) {
	id, out := part.Get("id").Str(), part.Get("toolResult")
	name, args := p.calls.Take(id)
	value := out.Get("value")
	shown := value
	if value.Kind() == jsondoc.Object { // since 1.12 with what the server's answer says besides
		shown = value.Get("content")
	}
	ok := out.Get("status").Is("success") && !value.Get("isError").Bool()
	if !out.Get("status").Is("success") {
		shown = out.Get("error")
	}
	p.Send(h, &core.ToolResult{CallID: id, OK: ok, Output: core.RawValue(shown)})
	tool := name[strings.LastIndex(name, "__")+1:]
	tool = strings.TrimPrefix(tool, "_")
	if tool == "shell" {
		p.files.Ran(asked.Command(args))
	}
	if !ok || !edits(tool, args) {
		return
	}
	for _, d := range asked.Edits(&p.files, p.resolve, args) {
		p.Edit(h, id, name, d)
	}
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

// resolve makes a path absolute.
func (p *parser) resolve(name string) string {
	if p.Project == nil {
		return name
	}
	return stream.Resolve(p.Project.Cwd, name)
}
