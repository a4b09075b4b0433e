package kimi

import (
	"bytes"
	"cmp"
	"path"

	"github.com/memscribe/memscribe/adapters/internal/edit"
	"github.com/memscribe/memscribe/adapters/internal/pending"
	"github.com/memscribe/memscribe/adapters/internal/stream"
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/jsondoc"
)

// parser reads the log of one agent. Its fields are for the whole log; calls
// go with their results, and what is kept of them is bounded by [pending.Calls].
type parser struct {
	stream.Base

	file    string
	beside  state
	started bool
	model   string
	calls   pending.Calls[string, call]
	prompts []stream.Mark // what an undo can go back to
	files   edit.Files
	step    string // of the Kimi CLI: the call whose arguments come in pieces
	steps   int
	args    jsondoc.Doc // of a call, while its result is read
}

// call is what the result of a call will need of it.
type call struct {
	name    string
	args    []byte // an object
	spawned string
	verdict core.Verdict
}

// state is what stands beside the logs of a session: its folder, and of a fork the moment
// at which it was made. What is older was copied.
type state struct {
	cwd    string
	forked core.Time
}

func stateIn(v jsondoc.Value) (s state) {
	s.cwd = stream.Some(v, "workDir", "cwd")
	if v.Get("forkedFrom").Str() != "" {
		s.forked = moment(v.Get("createdAt"))
	}
	return s
}

// isState reports whether a document is such a file.
func isState(file string, v jsondoc.Value) bool {
	return path.Base(file) == stateFile && v.Get("agents").Kind() == jsondoc.Object && stream.Some(v, "workDir", "cwd") != ""
}

// Renew implements [core.Refresher]: what else changes in that file, as it does at each turn,
// does not matter.
func (p *parser) Renew(changed map[string][]byte, _ []string) bool {
	text, ok := changed[stateOf]
	return ok && stateIn(stream.Parsed(new(jsondoc.Doc), text)) == p.beside
}

// moment reads a time: milliseconds, or a text in the first versions of state.json.
func moment(v jsondoc.Value) core.Time {
	if v.Kind() == jsondoc.Number {
		return stream.Millis(v)
	}
	return core.ParseTime(v.Str())
}

// Parse implements [core.Parser].
func (p *parser) Parse(rec core.Record, send func(*core.Event)) {
	v, ok := p.Begin(rec, send)
	if !ok {
		return
	}
	switch {
	case isLegacy(v):
		p.legacy(v)
		return
	case isState(p.file, v):
		p.Known(stream.Head{}, stateFile)
		return
	}
	p.Scope = ""
	stream.Dispatch(p, &p.Base, "", v.Get("type"), stream.Head{Time: moment(v.Get("time"))}, v)
}

// sent notes the thread that a call has sent.
func (p *parser) sent(_ stream.Head, v jsondoc.Value) {
	p.note(v.Get("parentToolCallId").Str(), func(c *call) { c.spawned = v.Get("subagentId").Str() })
}

// judged notes what a person said to a call.
func (p *parser) judged(_ stream.Head, v jsondoc.Value) {
	p.note(v.Get("toolCallId").Str(), func(c *call) { c.verdict = verdict(v.Path("result", "decision").Str()) })
}

// copied marks what a fork has of the session that it comes from.
func (p *parser) copied(h stream.Head) stream.Head {
	if forked := p.beside.forked; !forked.IsZero() && !h.Time.IsZero() && h.Time.Compare(forked) < 0 {
		h.CopyOf = h.ID
	}
	return h
}

// note changes what is remembered of a call.
func (p *parser) note(id string, change func(*call)) {
	c := p.calls.Take(id)
	change(&c)
	p.calls.Put(id, c, len(id)+len(c.name)+len(c.args)+len(c.spawned))
}

// verdict is what a person said to a call; rules that decide without one say nothing.
func verdict(decision string) core.Verdict {
	switch decision {
	case "approved":
		return core.Approved
	case "rejected", "denied":
		return core.Rejected
	}
	return core.NoVerdict
}

// opened begins the session.
func (p *parser) opened(_ stream.Head, v jsondoc.Value) {
	h := stream.Head{ID: p.Session + "/" + p.Thread, Time: moment(v.Get("created_at"))}
	if p.started {
		return
	}
	p.started = true
	p.Start(h, core.SessionStart{ToolVersion: v.Get("app_version").Str()})
}

// bound reads with which model the agent works, and where, unless that is known.
func (p *parser) bound(_ stream.Head, v jsondoc.Value) {
	if dir := v.Path("environmentDisclosure", "cwd").Str(); dir != "" && p.Project == nil {
		p.Project = &core.Project{Cwd: dir}
	}
	if alias := v.Get("modelAlias").Str(); alias != "" && p.model == "" {
		p.model = alias
	}
}

// message reads what a person said, or what was put into their mouth.
func (p *parser) message(h stream.Head, m jsondoc.Value) {
	h.ID = m.Get("id").Str()
	h = p.copied(h)
	if role := m.Get("role"); !role.Is("user") {
		p.Unknown(h, "context.append_message/"+role.Str())
		return
	}
	origin := m.Get("origin")
	kind := origin.Get("kind")
	typed := !origin.Exists() || kind.Is("user")
	h.Injected = !typed || p.Thread != ""
	if typed || origin.Get("trigger").Is("user-slash") {
		p.prompts = append(p.prompts, p.Here())
	}
	text, parts := texts(m.Get("content"))
	p.Send(h, &core.UserTurn{Text: text, Parts: parts})
}

// texts reads content: a string, or a list of parts.
func texts(v jsondoc.Value) (core.Text, []core.Part) {
	if v.Kind() == jsondoc.String {
		return core.Token(v), []core.Part{stream.Text(core.Token(v))}
	}
	var said stream.Prompt
	for part := range v.Elems() {
		switch kind := part.Get("type"); {
		case kind.Is("text"):
			said.Say(part.Get("text"))
		case kind.Is("image_url"), kind.Is("image"):
			said.Picture("")
		default:
			said.Keep(part)
		}
	}
	return said.All("\n")
}

// loop reads a piece of what the model did.
func (p *parser) loop(h stream.Head, v jsondoc.Value) {
	h.ID = v.Get("uuid").Str()
	switch kind := v.Get("type"); {
	case kind.Is("step.begin"), kind.Is("llm.request"):
		h.ID = ""
		p.Known(h, kind.Str())
	case kind.Is("content.part"):
		p.said(p.copied(h), v.Get("part"), v.Get("stepUuid").Str())
	case kind.Is("step.end"):
		h.ID = v.Get("uuid").Str() + "/end"
		p.ended(p.copied(h), v)
	case kind.Is("tool.call"):
		p.called(p.copied(h), v)
	case kind.Is("tool.result"):
		p.Scope = v.Get("parentUuid").Str()
		h.ID = p.Scope + "/result"
		p.answered(p.copied(h), v.Get("toolCallId").Str(), v.Get("result"))
	default:
		p.Unknown(h, "context.append_loop_event/"+kind.Str())
	}
}

// said reads words or thoughts of the model.
func (p *parser) said(h stream.Head, part jsondoc.Value, step string) {
	turn := &core.AssistantTurn{Model: p.model, MessageID: step}
	switch kind := part.Get("type"); {
	case kind.Is("text"):
		turn.Text = core.Token(part.Get("text"))
		turn.Parts = []core.Part{stream.Text(turn.Text)}
	case kind.Is("think"):
		turn.Thinking = core.Token(part.Get("think"))
	default:
		turn.Parts = []core.Part{stream.Other(part)}
	}
	p.Send(h, turn)
}

// ended reads what a response cost.
func (p *parser) ended(h stream.Head, v jsondoc.Value) {
	used := usage(v.Get("usage"))
	if used == nil {
		p.Known(h, "step.end")
		return
	}
	p.Send(h, &core.AssistantTurn{Model: p.model, MessageID: v.Get("uuid").Str(), Usage: used})
}

// usage reads the tokens of a response, in the names of either version.
func usage(v jsondoc.Value) *core.Usage {
	if v.Kind() != jsondoc.Object {
		return nil
	}
	u := cmp.Or(stream.Tokens(v, "inputOther", "", "inputCacheRead", "inputCacheCreation", ""), stream.Tokens(v, "input_other", "", "input_cache_read", "input_cache_creation", ""))
	u.Output, _ = v.Get("output").Int()
	return &u
}

// called reads a call.
func (p *parser) called(h stream.Head, v jsondoc.Value) {
	id, name, args := v.Get("toolCallId").Str(), v.Get("name").Str(), v.Get("args")
	p.Scope = h.ID // ids of calls may be counters, and a fork has them too
	p.note(id, func(c *call) { c.name, c.args = name, bytes.Clone(args.Raw()) })
	p.Send(h, &core.ToolCall{CallID: id, Name: name, Args: core.RawValue(args)})
}

// compacted reads a summary, which stands for all that was said so far.
func (p *parser) compacted(h stream.Head, v jsondoc.Value) {
	h.ID = "compaction:" + p.LastID
	summary := v.Get("summary")
	if summary.Kind() != jsondoc.String {
		summary = v.Get("contextSummary")
	}
	p.Compact(p.copied(h), core.Token(summary), p.Last)
}

// undo takes the latest prompts back, and what came after them.
func (p *parser) undo(h stream.Head, v jsondoc.Value) {
	n, _ := v.Get("count").Int()
	if n < 1 || n > int64(len(p.prompts)) || p.prompts[len(p.prompts)-int(n)].ID == "" {
		return
	}
	to := p.prompts[len(p.prompts)-int(n)]
	p.prompts = p.prompts[:len(p.prompts)-int(n)]
	h.ID = "undo:" + p.LastID
	p.Rewind(p.copied(h), to)
}
