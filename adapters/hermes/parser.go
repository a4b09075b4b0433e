package hermes

import (
	"slices"
	"strings"

	"github.com/memscribe/memscribe/adapters/internal/edit"
	"github.com/memscribe/memscribe/adapters/internal/stream"
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/jsondoc"
)

// What records are called.
const (
	tableSession = "session"
	tableMessage = "message"
	tableEnd     = "end"
)

// multimodal stands before content that is JSON.
const multimodal = "\x00json:"

// parser is the fold over the records of one session: its own row, its messages by
// number, and its end. The fields last for the session.
type parser struct {
	stream.Base

	cwd    string
	model  string
	begun  bool // a log has a session_start
	parent string
	from   uint64 // seq of the first event that the model can see
	said   uint64 // seq of the latest event that no compaction put there
	calls  map[string]call
	sent   []sent
	copies copies
	undone *mark // what the conversation will go back to
	files  edit.Files

	content, args, result jsondoc.Doc

	kinds stream.Table
	words core.Text // of the message that is read
	parts []core.Part
}

// sent is a session that a call has sent, and what it was told to do.
type sent struct{ id, task string }

// call is a call that has no result yet, by its id.
type call struct {
	name string
	args string
}

// mark is the event that a rewind goes back to.
type mark struct {
	id  string
	seq uint64
}

// Parse implements [core.Parser].
func (p *parser) Parse(rec core.Record, send func(*core.Event)) {
	if !p.Begin(rec, send) {
		return
	}
	root := rec.Doc.Root()
	if table := root.Get("table"); p.kinds.Of("", table).Known {
		stream.Dispatch(p, &p.Base, &p.kinds, "", table, stream.Head{ID: root.Get("key").Str()}, root)
		return
	}
	if p.file(root); !p.Emitted {
		p.Unknown(stream.Head{}, root.Get("role").Str())
	}
}

// Kinds returns what each kind of row and of message becomes.
func (Adapter) Kinds() []stream.Kind { return kinds() }

func kinds() []stream.Kind {
	return []stream.Kind{
		{
			Names: tableSession, Known: "rec", Read: func(p *parser, h stream.Head, v jsondoc.Value) { p.opened(h.ID, v) },
			Becomes: "`session_start`",
		},
		{Names: tableMessage, Known: "rec", Becomes: "by its role", Read: func(p *parser, h stream.Head, v jsondoc.Value) {
			p.message(v, stream.Head{ID: p.idOf(h.ID), Time: stream.Fraction(v.Get("timestamp"))})
		}},
		{
			In: tableMessage, Names: "user", Known: "rec", Read: (*parser).heard,
			Becomes: "`user_turn`; injected with `display_kind`, `observed` (src), or one of the tool's own beginnings",
		},
		{In: tableMessage, Names: "assistant", Known: "rec", Becomes: "`assistant_turn` with `reasoning`, and a `tool_call` per call", Read: (*parser).answered},
		{
			In: tableMessage, Names: "tool", Known: "rec", Read: (*parser).answeredCall,
			Becomes: "`tool_result`; for `write_file` and `patch`, and servers' tools that write files, edits",
		},
		{In: tableMessage, Names: "system session_meta", Known: "src"},
		{
			Names: tableEnd, Known: "rec", Read: func(p *parser, h stream.Head, v jsondoc.Value) { p.ended(h.ID, v) },
			Becomes: "last `session_end`, if it has ended: one prompt with `-q` never ends it",
		},
	}
}

// idOf names a message. One without a key has no name of its own.
func (p *parser) idOf(key string) string {
	if key == "" {
		return ""
	}
	return p.own() + ":" + key
}

// own is the tool's name of the session.
func (p *parser) own() string {
	if p.Thread != "" {
		return p.Thread
	}
	return p.Session
}

// opened reads the session itself.
func (p *parser) opened(key string, v jsondoc.Value) {
	p.Session = key
	p.parent = v.Get("parent_session_id").Str()
	if p.parent != "" && v.Get("delegated").Is(p.parent) {
		p.Session, p.Thread = p.parent, key
		p.copies.over = true
	}
	for c := range v.Get("children").Elems() {
		p.sent = append(p.sent, sent{c.Get("id").Str(), c.Get("task").Str()})
	}
	p.cwd, p.model = v.Get("cwd").Str(), v.Get("model").Str()
	if p.cwd == "" { // the first versions say it to the model alone
		p.cwd, _, _ = strings.Cut(v.Get("told_cwd").Str(), "\n")
	}
	git := core.Git{Branch: v.Get("git_branch").Str()}
	if p.cwd != "" {
		p.Project = &core.Project{Cwd: p.cwd, RepoRoot: v.Get("git_repo_root").Str(), Git: git}
	}
	p.Send(stream.Head{ID: key, Time: stream.Fraction(v.Get("started_at"))}, &core.SessionStart{Cwd: p.cwd, Git: git, Model: p.model})
}

// ended reads how the session ended, if it has.
func (p *parser) ended(key string, v jsondoc.Value) {
	p.goBack(key)
	h := stream.Head{ID: key + ":end", Time: stream.Fraction(v.Get("ended_at"))}
	if !v.Get("ended_at").Exists() {
		p.Known(h, "session/open")
		return
	}
	p.Send(h, &core.SessionEnd{Reason: v.Get("end_reason").Str()})
}

// goBack emits the rewind that was waiting.
func (p *parser) goBack(key string) {
	if p.undone == nil {
		return
	}
	p.Send(stream.Head{ID: "undo:" + key}, &core.Rewind{ToEvent: p.undone.id, ToSeq: p.undone.seq})
	p.undone = nil
}

// message reads one message.
func (p *parser) message(v jsondoc.Value, h stream.Head) {
	p.Scope = ""
	text, parts := p.texts(v.Get("content"))
	again := p.copies.again(v)
	if flag, _ := v.Get("_compressed_summary").Int(); flag == 1 || isSummary(text.String()) {
		p.compacted(h, text, again)
		return
	}
	if again {
		p.Known(h, "message/again") // a compaction carried it along
		return
	}
	if h.CopyOf = p.copies.of(v); h.CopyOf != "" {
		p.Scope, _, _ = strings.Cut(h.CopyOf, ":")
	}
	undone, _ := v.Get("undone").Int()
	switch {
	case undone == 1 && p.undone == nil && p.LastID != "":
		p.undone = &mark{p.LastID, p.Last}
	case undone != 1:
		p.goBack(h.ID)
	}
	p.words, p.parts = text, parts
	stream.Dispatch(p, &p.Base, &p.kinds, tableMessage, v.Get("role"), h, v)
	p.said = p.Last
}

// compacted reads a summary. What it replaces lies in this session, or in the one
// that the session follows.
func (p *parser) compacted(h stream.Head, text core.Text, again bool) {
	if again {
		p.Known(h, "message/again")
		return
	}
	p.goBack(h.ID)
	body := &core.Compaction{Summary: text}
	if p.said > p.from {
		body.Start, body.End = p.from, p.said
	}
	p.Send(h, body)
	p.from = p.Last
}

// texts reads content: a string, a list of parts, or a string that holds one.
func (p *parser) texts(v jsondoc.Value) (core.Text, []core.Part) {
	list := v
	if v.Kind() == jsondoc.String {
		inner, ok := strings.CutPrefix(v.Str(), multimodal)
		if !ok {
			text := core.Token(v)
			return text, []core.Part{stream.Text(text)}
		}
		if _, err := p.content.Parse([]byte(inner)); err != nil {
			return core.Plain(inner), []core.Part{{Kind: core.TextPart, Text: core.Plain(inner)}}
		}
		list = p.content.Root()
	}
	var (
		all   []string
		parts []core.Part
	)
	for part := range list.Elems() {
		switch kind := part.Get("type"); {
		case kind.Is("text") || kind.Is("input_text"):
			text := core.Token(part.Get("text"))
			all = append(all, text.String())
			parts = append(parts, stream.Text(text))
		case kind.Is("image_url") || kind.Is("input_image") || kind.Is("image"):
			parts = append(parts, core.Part{Kind: core.ImagePart, MediaType: mediaType(part)})
		default:
			parts = append(parts, stream.Other(part))
		}
	}
	return core.Plain(strings.Join(all, "\n\n")), parts
}

// mediaType is that of an image in a data URL.
func mediaType(part jsondoc.Value) string {
	url := part.Get("image_url").Str()
	if url == "" {
		url = part.Path("image_url", "url").Str()
	}
	kind, _, ok := strings.Cut(strings.TrimPrefix(url, "data:"), ";")
	if !ok || !strings.HasPrefix(url, "data:") {
		return ""
	}
	return kind
}

// heard reads a user's message: a person's, or what the tool put there.
func (p *parser) heard(h stream.Head, v jsondoc.Value) {
	text, parts := p.words, p.parts
	observed, _ := v.Get("observed").Int()
	h.Injected = p.Thread != "" || v.Get("display_kind").Exists() || observed == 1
	if rest, ok := typed(text.String()); ok && !h.Injected {
		if rest != "" {
			p.Said(h, core.Plain(rest))
		}
		h.Injected = true
	}
	p.Send(h, &core.UserTurn{Text: text, Parts: parts})
}

// answered reads a message of the model, with its calls.
func (p *parser) answered(h stream.Head, v jsondoc.Value) {
	text, parts := p.words, p.parts
	if text.IsEmpty() {
		parts = nil
	}
	p.Send(h, &core.AssistantTurn{Text: text, Thinking: core.Token(v.Get("reasoning")), Model: p.model, Parts: parts})
	for c := range v.Get("tool_calls").Elems() {
		f := c.Get("function")
		if !f.Exists() {
			f = c
		}
		args := f.Get("arguments")
		if !args.Exists() {
			args = f.Get("input")
		}
		made := call{name: f.Get("name").Str(), args: args.Str()}
		if args.Kind() != jsondoc.String {
			made.args = string(args.Raw())
		}
		id := c.Get("id").Str()
		if p.calls == nil {
			p.calls = map[string]call{}
		}
		p.calls[id] = made
		raw := core.RawString(made.args)
		if in := stream.Nested(&p.args, args); in.Exists() {
			raw = core.RawValue(in)
		}
		p.Send(h, &core.ToolCall{CallID: id, Name: made.name, Args: raw})
	}
}

// answeredCall reads the result of a call, and the edits that it made.
func (p *parser) answeredCall(h stream.Head, v jsondoc.Value) {
	id := v.Get("tool_call_id").Str()
	made := p.calls[id]
	delete(p.calls, id)
	if made.name == "" {
		made.name = v.Get("tool_name").Str()
	}
	out, behind := p.answer(v.Get("content"))
	var args jsondoc.Value
	if _, err := p.args.Parse([]byte(made.args)); err == nil {
		args = p.args.Root()
	}
	body := &core.ToolResult{CallID: id, OK: succeeded(made.name, out, behind), Output: core.RawValue(v.Get("content"))}
	if made.name == "delegate_task" {
		if all := p.started(args); len(all) > 0 {
			body.Spawned, body.AlsoSpawned = all[0], all[1:]
		}
	}
	p.Send(h, body)
	if body.OK && args.Exists() {
		for _, d := range p.edits(made.name, args, out) {
			p.Edit(h, id, made.name, d)
		}
	}
	if !out.Exists() {
		return
	}
	for _, said := range steered(behind) {
		p.Said(stream.Head{ID: h.ID, CopyOf: h.CopyOf, Time: h.Time, Injected: p.Thread != ""}, core.Plain(said))
	}
}

// started are the sessions that a call has sent: for each of its tasks one that was
// told it, and that no call before has sent.
func (p *parser) started(args jsondoc.Value) []string {
	tasks := []string{args.Get("goal").Str()}
	for t := range args.Get("tasks").Elems() {
		tasks = append(tasks, t.Get("goal").Str())
	}
	var all []string
	for _, task := range tasks {
		i := slices.IndexFunc(p.sent, func(s sent) bool { return task != "" && s.task == task })
		if i >= 0 {
			all = append(all, p.sent[i].id)
			p.sent = slices.Delete(p.sent, i, i+1)
		}
	}
	return all
}

// file reads a record of the files that older versions wrote.
func (p *parser) file(v jsondoc.Value) {
	at := core.ParseTime(v.Get("timestamp").Str())
	switch {
	case v.Get("messages").Kind() == jsondoc.Array:
		if id := v.Get("session_id").Str(); id != "" {
			p.Session = id
		}
		p.model, p.cwd = v.Get("model").Str(), v.Get("cwd").Str()
		if p.cwd != "" {
			p.Project = &core.Project{Cwd: p.cwd}
		}
		p.Send(stream.Head{ID: p.Session, Time: core.ParseTime(v.Get("session_start").Str())}, &core.SessionStart{Cwd: p.cwd, Model: p.model})
		for m := range v.Get("messages").Elems() {
			p.message(m, stream.Head{Time: core.ParseTime(m.Get("timestamp").Str())})
		}
	case v.Get("role").Is("session_meta"):
		p.model = v.Get("model").Str()
		if p.begun {
			p.Known(stream.Head{Time: at}, tableMessage+"/session_meta")
			return
		}
		p.begun = true
		p.Send(stream.Head{ID: p.Session, Time: at}, &core.SessionStart{Model: p.model})
	case v.Get("role").Kind() == jsondoc.String:
		p.message(v, stream.Head{Time: at})
	}
}
