package otel

import (
	"cmp"
	"strconv"

	"github.com/memscribe/memscribe/adapters/internal/stream"
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/jsondoc"
)

// maxTalks bounds how many conversations are remembered at a time.
const maxTalks = 512

// talk is what was told of a conversation. A request carries the whole history again:
// of each message, only as many are new as it has that were not told yet. It counts
// digests, not texts.
type talk struct {
	told    map[string]int // by message
	request string         // the one whose messages are being counted
	counted map[string]int
}

// isNew reports whether a message of a request is reported for the first time, and how
// many like it there are by now.
func (t *talk) isNew(request, message string) (n int, ok bool) {
	if t.request != request || t.counted == nil {
		t.request, t.counted = request, map[string]int{}
	}
	t.counted[message]++
	n = t.counted[message]
	if n <= t.told[message] {
		return n, false
	}
	t.told[message] = n
	return n, true
}

// talk is the conversation of the record: that of its session and tool.
func (p *parser) talk() *talk {
	key := string(p.rec.tool) + "\x00" + p.rec.session
	t := p.talks[key]
	if t == nil {
		if len(p.talks) >= maxTalks {
			p.talks = map[string]*talk{}
		}
		t = &talk{told: map[string]int{}}
		p.talks[key] = t
	}
	return t
}

// span reads a span. Those of the agents with events of their own repeat the
// events.
func (p *parser) span() {
	r := &p.rec
	r.name, r.id = r.raw.Get("name").Str(), r.raw.Get("spanId").Str()
	if r.hasOwnEvents() {
		p.aside("span", true)
		return
	}
	switch r.attrs.get("gen_ai.operation.name").str() {
	case "chat", "generate_content", "text_completion", "invoke_agent", "invoke_workflow":
		p.inference(r.id)
	case "execute_tool":
		if r.isServer() { // a call of one's own tool: whoever made it tells it too
			p.aside("span", true)
			return
		}
		p.toolSpan()
	default:
		p.aside("span", true)
	}
}

// isServer reports whether a span is of the side that is asked.
func (r *record) isServer() bool {
	const server = 2
	kind := r.raw.Get("kind")
	n, ok := kind.Int()
	return ok && n == server || kind.Is("SPAN_KIND_SERVER")
}

// inference reads the messages of one request to a model and its answer.
func (p *parser) inference(request string) {
	r := &p.rec
	p.talk().counted = nil // a span is whole; one that comes again is a retry
	told := p.history(request)
	for ev := range r.raw.Get("events").Elems() { // conventions up to 1.27
		a := attributes{ev.Get("attributes")}
		switch ev.Get("name").Str() {
		case "gen_ai.content.prompt":
			told = p.messages(request, a.get("gen_ai.prompt"), false) || told
		case "gen_ai.content.completion":
			told = p.messages(request, a.get("gen_ai.completion"), true) || told
		}
	}
	if !told {
		p.aside("span", true)
	}
}

// history tells what the model was told and what it answered, of what was not told
// yet. The instructions stand apart from the messages.
func (p *parser) history(request string) bool {
	a := p.rec.attrs
	told := false
	if parts := p.structured(a.get("gen_ai.system_instructions")); parts.Kind() == jsondoc.Array && parts.Len() > 0 {
		var doc jsondoc.Doc
		m := append(parts.AppendCompact([]byte(`{"role":"system","parts":`)), '}')
		if _, err := doc.Parse(m); err == nil {
			told = p.message(request, doc.Root(), "system", false)
		}
	}
	told = p.messages(request, a.get("gen_ai.input.messages"), false) || told
	return p.messages(request, a.get("gen_ai.output.messages"), true) || told
}

// messages tells those of a list that were not told yet. It reports whether it
// told any.
func (p *parser) messages(request string, v value, output bool) bool {
	list := p.structured(v)
	if list.Kind() == jsondoc.Object {
		return p.message(request, list, roleOf(list, output), output)
	}
	// What a message holds is read with the same scratch: it is parsed again.
	var all [][]byte
	for m := range list.Elems() {
		all = append(all, m.AppendCompact(nil))
	}
	told := false
	var doc jsondoc.Doc
	for _, m := range all {
		if _, err := doc.Parse(m); err != nil {
			continue
		}
		told = p.message(request, doc.Root(), roleOf(doc.Root(), output), output) || told
	}
	return told
}

// roleOf is whose a message is.
func roleOf(m jsondoc.Value, output bool) string {
	if role := m.Get("role").Str(); role != "" || !output {
		return role
	}
	return "assistant"
}

// message tells a message: {role, parts:[…]} or, in older forms, {role, content}.
func (p *parser) message(request string, m jsondoc.Value, role string, output bool) bool {
	digest := []byte(role)
	parts := m.Get("parts")
	for _, v := range []jsondoc.Value{parts, m.Get("content"), m.Get("tool_calls"), m.Get("id")} {
		digest = v.AppendCompact(append(digest, 0))
	}
	key := core.ContentID(digest)
	n, ok := p.talk().isNew(request, key)
	if !ok {
		return false
	}
	p.rec.id = core.ContentID([]byte(p.rec.session + "\x00" + key + "\x00" + strconv.Itoa(n)))
	if p.compacted(parts) {
		return true
	}
	switch role {
	case "assistant", "model":
		p.answered(m, parts, output)
	case "system", "developer":
		p.turn(m, parts, true)
	case "tool":
		p.returned(m, parts)
	default:
		if !p.returnedParts(parts) {
			p.turn(m, parts, false)
		}
	}
	return true
}

// compacted tells that what was said before was put together: its summary is a part
// of a message, and no person's words. It reports whether there is nothing else in it.
func (p *parser) compacted(parts jsondoc.Value) bool {
	n := 0
	for part := range parts.Elems() {
		if part.Get("type").Is("compaction") {
			p.send(&core.Compaction{Summary: core.Token(part.Get("content"))})
			n++
		}
	}
	return n > 0 && n == parts.Len()
}

// turn tells what a person said, or what was put in their place.
func (p *parser) turn(m, parts jsondoc.Value, injected bool) {
	turn := &core.UserTurn{Parts: partsOf(m, parts)}
	turn.Text = joined(turn.Parts, core.TextPart)
	p.injected(turn, injected)
}

// answered tells what the model said and which tools it called.
func (p *parser) answered(m, parts jsondoc.Value, output bool) {
	r := &p.rec
	turn := &core.AssistantTurn{Parts: partsOf(m, parts), Model: r.attrs.first("gen_ai.response.model", "gen_ai.request.model").str()}
	turn.Text, turn.Thinking = joined(turn.Parts, core.TextPart), joined(turn.Parts, core.ThinkingPart)
	if output {
		turn.Usage = p.usageOf()
	}
	p.send(turn)
	for part := range parts.Elems() {
		switch part.Get("type").Str() {
		case "tool_call":
			p.send(&core.ToolCall{CallID: part.Get("id").Str(), Name: part.Get("name").Str(), Args: core.RawValue(part.Get("arguments"))})
		case "server_tool_call": // run by who serves the model, with its result behind it
			p.send(&core.ToolCall{CallID: part.Get("id").Str(), Name: part.Get("name").Str(), Args: core.RawValue(part.Get("server_tool_call"))})
		}
	}
	p.returnedParts(parts)
	for c := range m.Get("tool_calls").Elems() {
		f := c.Get("function")
		p.send(&core.ToolCall{CallID: c.Get("id").Str(), Name: f.Get("name").Str(), Args: core.RawValue(f.Get("arguments"))})
	}
}

// usageOf is what a response cost, nil if nothing is said of that.
func (p *parser) usageOf() *core.Usage {
	a := p.rec.attrs
	return stream.Nonzero(core.Usage{
		Input:         a.first("gen_ai.usage.input_tokens", "gen_ai.usage.prompt_tokens").number(),
		Output:        a.first("gen_ai.usage.output_tokens", "gen_ai.usage.completion_tokens").number(),
		CacheRead:     a.first("gen_ai.usage.cache_read.input_tokens", "gen_ai.usage.cache_read_input_tokens", "gen_ai.usage.cached_tokens").number(),
		CacheCreation: a.first("gen_ai.usage.cache_creation.input_tokens", "gen_ai.usage.cache_creation_input_tokens").number(),
	})
}

// returned tells the result in a tool's message.
func (p *parser) returned(m, parts jsondoc.Value) {
	if p.returnedParts(parts) {
		return
	}
	p.send(&core.ToolResult{CallID: m.Get("id").Str(), OK: true, Output: core.RawValue(m.Get("content"))})
}

// returnedParts tells the results among the parts of a message. It reports whether
// there were any.
func (p *parser) returnedParts(parts jsondoc.Value) bool {
	any := false
	for part := range parts.Elems() {
		kind := part.Get("type")
		if !kind.Is("tool_call_response") && !kind.Is("server_tool_call_response") {
			continue
		}
		// The schema's names, the one of the conventions' examples, Copilot Chat's (source).
		out := stream.Member(part, "response", "server_tool_call_response", "result", "content")
		p.send(&core.ToolResult{CallID: part.Get("id").Str(), OK: true, Output: core.RawValue(out)})
		any = true
	}
	return any
}

// partsOf are the parts of a message, or the one that its content is.
func partsOf(m, parts jsondoc.Value) []core.Part {
	var all []core.Part
	for part := range parts.Elems() {
		switch part.Get("type").Str() {
		case "text":
			all = append(all, core.Part{Kind: core.TextPart, Text: core.Token(part.Get("content"))})
		case "reasoning":
			all = append(all, core.Part{Kind: core.ThinkingPart, Text: core.Token(part.Get("content"))})
		case "tool_call", "server_tool_call":
			all = append(all, core.Part{Kind: core.ToolUsePart, CallID: part.Get("id").Str(), Name: part.Get("name").Str()})
		case "tool_call_response", "server_tool_call_response":
			all = append(all, core.Part{Kind: core.ToolResultPart, CallID: part.Get("id").Str()})
		case "blob", "file", "uri":
			all = append(all, core.Part{Kind: core.ImagePart, MediaType: part.Get("mime_type").Str()})
		default:
			all = append(all, core.Part{Kind: core.OtherPart, Raw: core.RawValue(part)})
		}
	}
	if len(all) > 0 {
		return all
	}
	switch c := m.Get("content"); c.Kind() {
	case jsondoc.String:
		return []core.Part{{Kind: core.TextPart, Text: core.Token(c)}}
	case jsondoc.Absent, jsondoc.Null:
		return nil
	default:
		return []core.Part{{Kind: core.OtherPart, Raw: core.RawValue(c)}}
	}
}

// joined is the text of the parts of a kind, one after the other.
func joined(parts []core.Part, kind core.PartKind) core.Text {
	var only []core.Text
	for i := range parts {
		if parts[i].Kind == kind && !parts[i].Text.IsEmpty() {
			only = append(only, parts[i].Text)
		}
	}
	switch len(only) {
	case 0:
		return core.Text{}
	case 1:
		return only[0]
	}
	var b []byte
	for i, t := range only {
		if i > 0 {
			b = append(b, '\n')
		}
		b = t.Append(b)
	}
	return core.Plain(string(b))
}

// toolSpan tells a call and its result.
func (p *parser) toolSpan() {
	r := &p.rec
	call := cmp.Or(r.attrs.first("gen_ai.tool.call.id", "gen_ai.tool.call_id").str(), "call-"+r.id)
	if _, ok := p.talk().isNew(r.id, "span "+call); !ok {
		p.aside("span", true)
		return
	}
	failed := r.attrs.get("error.type").v.Exists() || r.raw.Path("status", "code").Is("STATUS_CODE_ERROR")
	if code, ok := r.raw.Path("status", "code").Int(); ok && code == 2 {
		failed = true
	}
	p.send(&core.ToolCall{CallID: call, Name: r.attrs.get("gen_ai.tool.name").str(), Args: p.raw(r.attrs.get("gen_ai.tool.call.arguments"))})
	p.send(&core.ToolResult{CallID: call, OK: !failed, Output: p.raw(r.attrs.first("gen_ai.tool.call.result", "error.type"))})
}

// genAIEvent reads an event of the conventions: one for a whole request, or one
// for each message.
func (p *parser) genAIEvent() {
	r := &p.rec
	request := cmp.Or(r.raw.Get("spanId").Str(), r.attrs.get("gen_ai.response.id").str(), r.session)
	role := ""
	switch r.name {
	case "gen_ai.client.inference.operation.details":
		if !p.history(request) {
			p.aside(r.name, true)
		}
		return
	case "gen_ai.system.message":
		role = "system"
	case "gen_ai.user.message":
		role = "user"
	case "gen_ai.assistant.message", "gen_ai.choice":
		role = "assistant"
	case "gen_ai.tool.message":
		role = "tool"
	default:
		p.aside(cmp.Or(r.name, "log"), true)
		return
	}
	body := p.structured(value{r.raw.Get("body")})
	m := body.AppendCompact(nil)
	if inner := body.Get("message"); r.name == "gen_ai.choice" && inner.Kind() == jsondoc.Object {
		m = withCalls(inner, body.Get("tool_calls"))
	}
	var doc jsondoc.Doc
	if _, err := doc.Parse(m); err != nil || doc.Root().Kind() != jsondoc.Object || !p.message(request, doc.Root(), role, r.name == "gen_ai.choice") {
		p.aside(r.name, true)
	}
}

// withCalls is the message of a choice with its calls, which stand beside it or in
// it. Whose it is, the event's name says: in it stands what the author is called.
func withCalls(message, calls jsondoc.Value) []byte {
	m := message.AppendCompact(nil)
	if calls.Kind() != jsondoc.Array || message.Get("tool_calls").Exists() {
		return m
	}
	m = m[:len(m)-1]
	if message.Len() > 0 {
		m = append(m, ',')
	}
	return append(calls.AppendCompact(append(m, `"tool_calls":`...)), '}')
}
