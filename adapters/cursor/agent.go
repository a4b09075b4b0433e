package cursor

import (
	"cmp"
	"strconv"
	"strings"
	"time"

	"github.com/memscribe/memscribe/adapters/internal/stream"
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/jsondoc"
)

// meta reads what the agent's store says of itself.
func (p *parser) meta(key string, v jsondoc.Value) {
	if key != "" {
		p.Session = key
	}
	if of := stream.Some(v.Get("subagentInfo"), "rootParentAgentId", "parentAgentId"); of != "" {
		p.Session, p.Thread = of, key
	}
	p.model = modelName(v.Get("lastUsedModel"))
	p.Send(stream.Head{ID: cmp.Or(key, p.Session), Time: when(v.Get("createdAt"))}, &core.SessionStart{Model: p.model})
}

// blob reads a message of the agent's store. Its own id counts within a turn and
// names nothing: the hash does.
func (p *parser) blob(key string, v jsondoc.Value) {
	h := stream.Head{ID: key}
	cursor := v.Path("providerOptions", "cursor")
	if cursor.Get("isSummary").Bool() {
		text, _ := p.parts(v.Get("content"))
		p.Send(h, &core.Compaction{Summary: text, End: p.Last})
		return
	}
	switch role := v.Get("role").Str(); role {
	case "user":
		p.asked(h, v.Get("content"))
	case "assistant":
		p.answered(h, v, cmp.Or(modelName(cursor.Get("modelName")), p.model))
	case "tool":
		p.results(h, v)
	case "system":
		p.Known(h, "message/system")
	default:
		p.Unknown(h, "message/"+role)
	}
}

// parts reads content: a string, or a list.
// Calls and thoughts among them are left to those who read them.
func (p *parser) parts(v jsondoc.Value) (core.Text, []core.Part) {
	if v.Kind() == jsondoc.String {
		text := core.Token(v)
		return text, []core.Part{stream.Text(text)}
	}
	var said stream.Prompt
	for b := range v.Elems() {
		switch kind := b.Get("type"); {
		case kind.Is("text"):
			said.Say(b.Get("text"))
		case kind.Is("image"):
			said.Show(b.Get("mimeType"))
		case kind.Is("tool-call") || kind.Is("tool_use") || kind.Is("reasoning") || kind.Is("thinking"): // read elsewhere
		default:
			said.Keep(b)
		}
	}
	return said.All("\n\n")
}

// asked reads a person's message: their words are in a tag, among others with
// what the agent was told besides.
func (p *parser) asked(h stream.Head, content jsondoc.Value) {
	text, parts := p.parts(content)
	p.heard(h, text, parts)
}

// heard emits a person's message. Everything around the person's words is the agent's, and is
// emitted as injected, after them. A message without the tag is a person's unless all of it is a
// tag, or a subagent is asked.
func (p *parser) heard(h stream.Head, text core.Text, parts []core.Part) {
	s := text.String()
	if h.Time.IsZero() {
		h.Time = stamped(s)
	}
	p.locate(s)
	_, rest, ok := strings.Cut(s, "<user_query>")
	if !ok {
		t := strings.TrimSpace(s)
		h.Injected = p.Thread != "" || s == "" || strings.HasPrefix(t, "<") && strings.HasSuffix(t, ">")
		p.Send(h, &core.UserTurn{Text: text, Parts: parts})
		return
	}
	words, _, _ := strings.Cut(rest, "</user_query>")
	put := h
	h.Injected = p.Thread != ""
	p.Said(h, core.Plain(strings.Trim(words, "\n")))
	if strings.TrimSpace(strings.Replace(s, "<user_query>"+words+"</user_query>", "", 1)) != "" || len(parts) > 1 {
		put.Injected = true
		p.Send(put, &core.UserTurn{Text: text, Parts: parts})
	}
}

// locate reads where the agent works out of what it is given about its surroundings.
// The first that is said counts for the session.
func (p *parser) locate(s string) {
	_, told, found := strings.Cut(s, "<user_info>")
	_, dir, named := strings.Cut(told, "\nWorkspace Path: ")
	if dir, _, _ = strings.Cut(dir, "\n"); found && named && p.cwd == "" && dir != "" {
		p.cwd = strings.TrimSpace(dir)
		p.Project = &core.Project{Cwd: p.cwd}
	}
}

// stamped is the time that is in front of a person's words: "<timestamp>Sunday, Apr 26, 2026, 9:53
// PM (UTC-4)</timestamp>". A time that is written in another way is none.
func stamped(s string) core.Time {
	in, found := strings.CutPrefix(strings.TrimSpace(s), "<timestamp>")
	in, rest, closed := strings.Cut(in, "</timestamp>")
	day, zone, zoned := strings.Cut(strings.TrimSpace(in), " (UTC")
	if !found || !closed || !zoned || !strings.HasPrefix(strings.TrimSpace(rest), "<") {
		return core.Time{}
	}
	zone = strings.TrimSuffix(zone, ")")
	hours, minutes, _ := strings.Cut(zone, ":")
	h, err := strconv.Atoi(hours)
	at, wrong := time.Parse("Monday, Jan 2, 2006, 3:04 PM", day)
	if err != nil || wrong != nil {
		return core.Time{}
	}
	m, _ := strconv.Atoi(minutes)
	if h < 0 {
		m = -m
	}
	return core.Unix(at.Unix() - int64(h)*3600 - int64(m)*60)
}

// answered reads a message of the model, with its calls.
func (p *parser) answered(h stream.Head, v jsondoc.Value, model string) {
	text, parts := p.parts(v.Get("content"))
	var thoughts []string
	for b := range v.Get("content").Elems() {
		if kind := b.Get("type"); kind.Is("reasoning") || kind.Is("thinking") {
			if s := stream.Some(b, "text", "thinking"); s != "" {
				thoughts = append(thoughts, s)
			}
		}
		model = cmp.Or(modelName(b.Path("providerOptions", "cursor", "modelName")), model)
	}
	p.Send(h, &core.AssistantTurn{
		Text: text, Thinking: core.Plain(strings.Join(thoughts, "\n\n")), Model: model, MessageID: h.ID, Parts: parts,
	})
	for b := range v.Get("content").Elems() {
		if b.Get("type").Is("tool-call") {
			p.calling(h, b.Get("toolCallId").Str(), b.Get("toolName").Str(), b.Get("args"))
		}
	}
	for c := range v.Get("tool_calls").Elems() {
		p.calling(h, c.Get("id").Str(), c.Path("function", "name").Str(), c.Path("function", "arguments"))
	}
}

// calling emits a call, whose result another message has.
func (p *parser) calling(h stream.Head, id, name string, args jsondoc.Value) {
	p.calls.Put(id, name, args)
	if in := stream.Nested(&p.args, args); in.Exists() {
		args = in
	}
	p.Send(h, &core.ToolCall{CallID: id, Name: name, Args: core.RawValue(args)})
}

// results reads the results of calls.
func (p *parser) results(h stream.Head, v jsondoc.Value) {
	high := v.Path("providerOptions", "cursor", "highLevelToolCallResult")
	success := high.Path("output", "success")
	failed := success.Kind() == jsondoc.Bool && !success.Bool()
	bad := high.Get("isError").Bool() || says(high.Path("output", "failure")) || failed
	if id := v.Get("tool_call_id").Str(); id != "" {
		p.answeredCall(h, id, v.Get("content"), bad)
	}
	for b := range v.Get("content").Elems() {
		if b.Get("type").Is("tool-result") {
			p.answeredCall(h, b.Get("toolCallId").Str(), b.Get("result"), bad || b.Get("isError").Bool())
		}
	}
}

// answeredCall emits the result of a call, and the edits that it made. A result of a
// call that is not known is emitted too; what it edited is not known.
func (p *parser) answeredCall(h stream.Head, id string, out jsondoc.Value, bad bool) {
	c := call{id: id}
	c.name, c.args = p.calls.Take(id)
	bad = bad || strings.HasPrefix(out.Str(), "Error")
	p.Send(h, &core.ToolResult{CallID: id, OK: !bad, Output: core.RawValue(out)})
	if bad || c.name == "" {
		return
	}
	for _, d := range p.edits(&c) {
		p.Edit(h, id, c.name, d)
	}
}

// transcript reads a line of a transcript. There are no ids, times or results in
// it: a call counts as one that no one has answered, and gives no edit.
func (p *parser) transcript(v jsondoc.Value) {
	p.line++
	h := stream.Head{ID: p.Own() + "/" + strconv.Itoa(p.line)}
	content := v.Path("message", "content")
	switch role := v.Get("role"); {
	case role.Is("user"):
		p.asked(h, content)
	case role.Is("assistant"):
		text, parts := p.parts(content)
		p.Send(h, &core.AssistantTurn{Text: text, MessageID: h.ID, Parts: parts})
		n := 0
		for b := range content.Elems() {
			if !b.Get("type").Is("tool_use") {
				continue
			}
			n++
			id := cmp.Or(b.Get("id").Str(), h.ID+"/"+strconv.Itoa(n))
			p.Send(h, &core.ToolCall{CallID: id, Name: b.Get("name").Str(), Args: core.RawValue(b.Get("input"))})
		}
	case v.Get("type").Is("turn_ended") || v.Get("type").Is("error"):
		p.Known(h, v.Get("type").Str())
	default:
		p.Unknown(h, v.Get("type").Str())
	}
}
