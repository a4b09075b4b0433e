package hermes

import (
	"cmp"
	"slices"
	"strings"

	"github.com/memscribe/memscribe/adapters/internal/asked"
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

// parser reads the records of one session: its own row, its messages by
// number, and its end. The fields last for the session.
type parser struct {
	stream.Base

	model  string
	begun  bool   // a log has a session_start
	said   uint64 // seq of the latest event that no compaction put there
	calls  asked.Calls
	sent   []sent
	copies copies
	undone *stream.Mark // what the conversation will go back to
	files  edit.Files

	// Of the message that is read.
	words                 core.Text
	parts                 []core.Part
	content, args, result jsondoc.Doc
}

// sent is a session that a call has sent, and what it was told to do.
type sent struct{ id, task string }

// Parse implements [core.Parser].
func (p *parser) Parse(rec core.Record, send func(*core.Event)) {
	root, ok := p.Begin(rec, send)
	if !ok {
		return
	}
	if table := root.Get("table"); p.Kinds.Of("", table).Known {
		stream.Dispatch(p, &p.Base, "", table, stream.Head{ID: root.Get("key").Str()}, root)
		return
	}
	if p.file(root); !p.Emitted {
		p.Unknown(stream.Head{}, root.Get("role").Str())
	}
}

// Kinds returns what each kind of row and of message becomes.
func (Adapter) Kinds() []stream.Kind {
	return []stream.Kind{
		{
			Names: tableSession, Known: "rec", Read: func(p *parser, h stream.Head, v jsondoc.Value) { p.opened(h.ID, v) },
			Becomes: "`session_start`",
		},
		{Names: tableMessage, Known: "rec", Becomes: "by its role", Read: func(p *parser, h stream.Head, v jsondoc.Value) {
			p.message(v, stream.Head{ID: p.idOf(h.ID), Time: stream.Seconds(v.Get("timestamp"))})
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
	return p.Own() + ":" + key
}

// opened reads the session itself.
func (p *parser) opened(key string, v jsondoc.Value) {
	p.Session = key
	if parent := v.Get("parent_session_id").Str(); parent != "" && v.Get("delegated").Is(parent) {
		p.Session, p.Thread = parent, key
		p.copies.over = true
	}
	for c := range v.Get("children").Elems() {
		p.sent = append(p.sent, sent{c.Get("id").Str(), c.Get("task").Str()})
	}
	told, _, _ := strings.Cut(v.Get("told_cwd").Str(), "\n")
	cwd := cmp.Or(v.Get("cwd").Str(), told) // the first versions say it to the model alone
	git := core.Git{Branch: v.Get("git_branch").Str()}
	if cwd != "" {
		p.Project = &core.Project{Cwd: cwd, RepoRoot: v.Get("git_repo_root").Str(), Git: git}
	}
	p.model = v.Get("model").Str()
	p.Send(stream.Head{ID: key, Time: stream.Seconds(v.Get("started_at"))}, &core.SessionStart{Cwd: cwd, Git: git, Model: p.model})
}

// ended reads how the session ended, if it has.
func (p *parser) ended(key string, v jsondoc.Value) {
	p.goBack(key)
	h := stream.Head{ID: key + ":end", Time: stream.Seconds(v.Get("ended_at"))}
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
	p.Rewind(stream.Head{ID: "undo:" + key}, *p.undone)
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
		here := p.Here()
		p.undone = &here
	case undone != 1:
		p.goBack(h.ID)
	}
	p.words, p.parts = text, parts
	stream.Dispatch(p, &p.Base, tableMessage, v.Get("role"), h, v)
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
	p.Compact(h, text, p.said)
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
	var said stream.Prompt
	for part := range list.Elems() {
		switch kind := part.Get("type"); {
		case kind.Is("text") || kind.Is("input_text"):
			said.Say(part.Get("text"))
		case kind.Is("image_url") || kind.Is("input_image") || kind.Is("image"):
			said.Picture(stream.DataType(cmp.Or(part.Get("image_url").Str(), part.Path("image_url", "url").Str())))
		default:
			said.Keep(part)
		}
	}
	return said.All("\n\n")
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
		id, name := c.Get("id").Str(), f.Get("name").Str()
		p.calls.Put(id, name, args)
		if in := stream.Nested(&p.args, args); in.Exists() {
			args = in
		}
		p.Send(h, &core.ToolCall{CallID: id, Name: name, Args: core.RawValue(args)})
	}
}

// answeredCall reads the result of a call, and the edits that it made.
func (p *parser) answeredCall(h stream.Head, v jsondoc.Value) {
	id := v.Get("tool_call_id").Str()
	name, args := p.calls.Take(id)
	name = cmp.Or(name, v.Get("tool_name").Str())
	out, behind := p.answer(v.Get("content"))
	body := &core.ToolResult{CallID: id, OK: succeeded(name, out, behind), Output: core.RawValue(v.Get("content"))}
	if name == "delegate_task" {
		if all := p.started(args); len(all) > 0 {
			body.Spawned, body.AlsoSpawned = all[0], all[1:]
		}
	}
	p.Send(h, body)
	if body.OK && args.Exists() {
		for _, d := range p.edits(name, args, out) {
			p.Edit(h, id, name, d)
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
		p.Session = cmp.Or(v.Get("session_id").Str(), p.Session)
		p.model = v.Get("model").Str()
		p.Start(stream.Head{ID: p.Session, Time: core.ParseTime(v.Get("session_start").Str())}, core.SessionStart{Cwd: v.Get("cwd").Str(), Model: p.model})
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
