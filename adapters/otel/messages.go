package otel

import (
	"cmp"
	"strconv"

	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/jsondoc"
)

// maxTalks bounds how many conversations are remembered at a time.
const maxTalks = 512

// talk is what was told of a conversation. A request carries the whole history
// again: of each message, only as many are new as it has that were not told yet.
type talk struct {
	told    map[string]int // by message
	request string         // the one whose messages are being counted
	counted map[string]int
}

// isNew reports whether a message of a request is told for the first time, and how
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
	case "chat", "generate_content", "text_completion":
		p.inference(r.id)
	case "execute_tool":
		p.toolSpan()
	default:
		p.aside("span", true)
	}
}

// inference reads the messages of one request to a model and its answer.
func (p *parser) inference(request string) {
	r := &p.rec
	p.talk().counted = nil // a span is whole; one that comes again is a retry
	told := p.messages(request, r.attrs.get("gen_ai.input.messages"), false)
	told = p.messages(request, r.attrs.get("gen_ai.output.messages"), true) || told
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

// messages tells those of a list that were not told yet. It reports whether it
// told any.
func (p *parser) messages(request string, v value, output bool) bool {
	list := p.structured(v)
	if list.Kind() == jsondoc.Object {
		return p.message(request, list, output)
	}
	// What a message holds is read with the same scratch: it is parsed anew.
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
		told = p.message(request, doc.Root(), output) || told
	}
	return told
}

// message tells a message: {role, parts:[…]} or, in older forms, {role, content}.
func (p *parser) message(request string, m jsondoc.Value, output bool) bool {
	role := m.Get("role").Str()
	if role == "" && output {
		role = "assistant"
	}
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
		if part.Get("type").Is("tool_call") {
			p.send(&core.ToolCall{CallID: part.Get("id").Str(), Name: part.Get("name").Str(), Args: core.RawValue(part.Get("arguments"))})
		}
	}
	for c := range m.Get("tool_calls").Elems() {
		f := c.Get("function")
		p.send(&core.ToolCall{CallID: c.Get("id").Str(), Name: f.Get("name").Str(), Args: core.RawValue(f.Get("arguments"))})
	}
}

func (p *parser) usageOf() *core.Usage {
	a := p.rec.attrs
	u := core.Usage{
		Input:         a.first("gen_ai.usage.input_tokens", "gen_ai.usage.prompt_tokens").number(),
		Output:        a.first("gen_ai.usage.output_tokens", "gen_ai.usage.completion_tokens").number(),
		CacheRead:     a.first("gen_ai.usage.cache_read.input_tokens", "gen_ai.usage.cache_read_input_tokens", "gen_ai.usage.cached_tokens").number(),
		CacheCreation: a.first("gen_ai.usage.cache_creation.input_tokens", "gen_ai.usage.cache_creation_input_tokens").number(),
	}
	if u == (core.Usage{}) {
		return nil
	}
	return &u
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
		if !part.Get("type").Is("tool_call_response") {
			continue
		}
		out := part.Get("response")
		if !out.Exists() {
			out = part.Get("content") // Copilot Chat (source)
		}
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
		case "tool_call":
			all = append(all, core.Part{Kind: core.ToolUsePart, CallID: part.Get("id").Str(), Name: part.Get("name").Str()})
		case "tool_call_response":
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
		told := p.messages(request, r.attrs.get("gen_ai.input.messages"), false)
		if told = p.messages(request, r.attrs.get("gen_ai.output.messages"), true) || told; !told {
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
	if inner := body.Get("message"); r.name == "gen_ai.choice" && inner.Kind() == jsondoc.Object {
		body = inner
	}
	m := withRole(body.AppendCompact(nil), role)
	var doc jsondoc.Doc
	if _, err := doc.Parse(m); err != nil || !p.message(request, doc.Root(), r.name == "gen_ai.choice") {
		p.aside(r.name, true)
	}
}

// withRole gives the role to a message that leaves it to the event's name.
func withRole(m []byte, role string) []byte {
	if len(m) < 2 || m[0] != '{' {
		return nil
	}
	head := []byte(`{"role":"` + role + `"`)
	if m[1] != '}' {
		head = append(head, ',')
	}
	return append(head, m[1:]...)
}
