package codex

import (
	"slices"
	"strings"

	"github.com/memscribe/memscribe/adapters/codex/rollout"
	"github.com/memscribe/memscribe/adapters/internal/stream"
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/jsondoc"
)

// item is a response_item, as far as it matters. Which fields it has depends on its
// type. It points into the record's bytes, or into the parser's document.
type item struct {
	kind, id, role, content, callID jsondoc.Value
	name, arguments, input, output  jsondoc.Value
	summary, action, status, prompt jsondoc.Value
	tools, extra, namespace         jsondoc.Value

	members stream.Members
}

// read collects the members of an item.
func (it *item) read(v jsondoc.Value) {
	if it.members == nil {
		it.members = stream.NewMembers(
			stream.At("type", &it.kind), stream.At("id", &it.id), stream.At("status", &it.status), stream.At("role", &it.role),
			stream.At("summary", &it.summary), stream.At("content", &it.content), stream.At("name", &it.name), stream.At("namespace", &it.namespace),
			stream.At("arguments", &it.arguments), stream.At("call_id", &it.callID), stream.At("input", &it.input), stream.At("output", &it.output),
			stream.At("action", &it.action), stream.At("revised_prompt", &it.prompt), stream.At("tools", &it.tools),
			stream.At("internal_chat_message_metadata_passthrough", &it.extra),
		)
	}
	*it = item{members: it.members}
	it.members.Read(v)
}

// responseItem reads an item of an envelope.
func (p *parser) responseItem(v jsondoc.Value) {
	if p.prompts.answeredAtOnce(v, p.ms) {
		p.lineage.Nameless()
	}
	if p.inherited() {
		p.note("response_item", true)
		return
	}
	p.item(v)
}

// item reads a Responses item: what the model was told, said and called.
func (p *parser) item(v jsondoc.Value) {
	p.it.read(v)
	p.read("response_item", p.it.kind, v)
}

func (p *parser) toolSearch(jsondoc.Value) {
	p.calls.add(p.it.callID.Str(), &call{name: "tool_search", quiet: true})
	p.called(p.it, "tool_search", p.it.arguments)
}

func (p *parser) webSearch(jsondoc.Value) {
	p.flush()
	id := p.it.id.Str()
	p.Call = core.ToolCall{CallID: id, Name: "web_search", Args: core.RawValue(p.it.action)}
	p.put(id, &p.Call)
}

// agentsTalk reads what an agent says to another one.
func (p *parser) agentsTalk(jsondoc.Value) {
	text, _ := p.content(p.it.content)
	p.User = core.UserTurn{Text: text, Parts: p.pieces(text)}
	p.inject(p.it.id.Str(), &p.User)
}

// message reads a message. The roles are those of the model's conversation:
// "user" and "developer" are mostly the tool's own words.
func (p *parser) message(it item, meta jsondoc.Value) {
	switch string(it.role.Body()) {
	case "user":
		p.userItem(it.id.Str(), it.content, it.extra.Get("content_item_kinds"))
	case "assistant":
		p.flush()
		// The summary that a compaction asked for is the model's, but no part
		// of the conversation (0.169, recorded).
		p.says(it.id, it.content, telling{rollout.AsItem, "response_item/message"}, meta.Get("compaction_output").Bool())
	case "developer", "system":
		text, _ := p.content(it.content)
		p.User = core.UserTurn{Text: text, Parts: p.pieces(text)}
		p.inject(it.id.Str(), &p.User)
	default:
		p.note("response_item/message", false)
	}
}

// content reads the parts of a message into p.Parts and returns their text and
// the first string of it. A message that is one text only leaves no parts.
func (p *parser) content(v jsondoc.Value) (text core.Text, first jsondoc.Value) {
	p.Parts = p.Parts[:0]
	if v.Kind() == jsondoc.String {
		return core.Token(v), v
	}
	texts := 0
	for part := range v.Elems() {
		if part.Kind() == jsondoc.String { // of a Reasoning item
			texts++
			first = part
			p.Parts = append(p.Parts, core.Part{Kind: core.TextPart, Text: core.Token(part)})
			continue
		}
		switch kind := part.Get("type"); string(kind.Body()) {
		case "input_text", "output_text", "text", "Text", "summary_text", "reasoning_text":
			t := part.Get("text")
			if texts == 0 {
				first = t
			}
			texts++
			p.Parts = append(p.Parts, core.Part{Kind: core.TextPart, Text: core.Token(t)})
		case "input_image", "image", "local_image":
			p.Parts = append(p.Parts, core.Part{Kind: core.ImagePart, MediaType: imageType(part)})
		default:
			p.Parts = append(p.Parts, core.Part{Kind: core.OtherPart, Raw: core.RawValue(part)})
		}
	}
	if texts == 1 && len(p.Parts) == 1 {
		p.Parts = p.Parts[:0]
	}
	if texts <= 1 {
		return core.Token(first), first
	}
	return core.Plain(joined(p.Parts)), first
}

func joined(parts []core.Part) string {
	var b []byte
	for _, part := range parts {
		if part.Kind != core.TextPart {
			continue
		}
		if len(b) > 0 {
			b = append(b, '\n')
		}
		b = part.Text.Append(b)
	}
	return string(b)
}

// imageType is the media type of a picture: as its data says, or as its name ends.
func imageType(part jsondoc.Value) string {
	for _, name := range [...]string{"image_url", "url", "path"} {
		v := part.Get(name)
		if v.Kind() == jsondoc.Object {
			v = v.Get("url")
		}
		if v.Kind() == jsondoc.String {
			return mediaType(v)
		}
	}
	return ""
}

func mediaType(v jsondoc.Value) string {
	head := string(v.Body()[:min(len(v.Body()), 64)])
	if rest, ok := strings.CutPrefix(head, "data:"); ok {
		kind, _, _ := strings.Cut(rest, ";")
		return kind
	}
	s := v.Str()
	switch strings.ToLower(s[strings.LastIndexByte(s, '.')+1:]) {
	case "png":
		return "image/png"
	case "jpg", "jpeg":
		return "image/jpeg"
	case "gif":
		return "image/gif"
	case "webp":
		return "image/webp"
	}
	return ""
}

// says emits what the model said, unless it was told already.
// Both forms of a text are compared by their hash: see [rollout.Voices].
func (p *parser) says(id, content jsondoc.Value, told telling, summary bool) {
	text, first := p.content(content)
	if p.toldBefore(text, told.side) {
		p.foretold = p.foretold || told.side == rollout.AsItem
		p.note(told.kind, true)
		return
	}
	// Where the user interface hears first, it hears all but summaries: 1,055 items
	// had an event before them, and the four that had none were summaries (0.110 to
	// 0.159, wild and recorded). One of them tells nothing of the next: another version
	// may go on with the thread and write no events.
	if told.side == rollout.AsItem {
		summary, p.foretold = summary || p.foretold, false
	}
	p.Assistant = core.AssistantTurn{Text: text, Model: p.model, Parts: p.pieces(text)}
	p.emit(id.Str(), &p.Assistant, summary || first.Is(compactDone))
}

// compactDone is how versions up to 0.4x tell that they compacted (0.47,
// recorded): in the model's name, but the tool's words.
const compactDone = "Compact task completed"

// telling is the form in which something is recorded, and the kind of the record, as it
// is named where the record repeats what was told before.
type telling struct {
	side rollout.Side
	kind string
}

// toldBefore looks a text up, or each of its pieces: an item holds all of them
// at once, an event may hold one.
func (p *parser) toldBefore(text core.Text, told rollout.Side) bool {
	if len(p.Parts) == 0 {
		return p.heard(text, told)
	}
	before, pieces := true, false
	for _, part := range p.Parts {
		if part.Kind == core.TextPart {
			pieces = true
			before = p.heard(part.Text, told) && before
		}
	}
	return before && pieces
}

func (p *parser) heard(text core.Text, told rollout.Side) bool {
	p.buf = text.Append(p.buf[:0])
	return p.voices.Again(rollout.HashOf(p.buf), told)
}

// pieces is p.Parts with the text among them.
func (p *parser) pieces(text core.Text) []core.Part {
	isText := func(part core.Part) bool { return part.Kind == core.TextPart }
	if !text.IsEmpty() && !slices.ContainsFunc(p.Parts, isText) {
		p.Parts = slices.Insert(p.Parts, 0, stream.Text(text))
	}
	return p.Parts
}

// thinks emits what the model thought, unless it was told already. The thought
// itself is encrypted; what can be read is a summary.
func (p *parser) thinks(id, summary, content jsondoc.Value, told telling) {
	p.flush()
	text, _ := p.content(summary)
	if text.IsEmpty() {
		text, _ = p.content(content)
	}
	if text.IsEmpty() || p.toldBefore(text, told.side) {
		p.note(told.kind, true)
		return
	}
	p.Assistant = core.AssistantTurn{Thinking: text, Model: p.model}
	p.put(id.Str(), &p.Assistant)
}

// imageMade reads a picture that was made on the provider's side, which needs
// no answer. Its bytes stay where they are.
func (p *parser) imageMade(jsondoc.Value) {
	p.flush()
	it := &p.it
	id := it.id.Str()
	p.Call = core.ToolCall{CallID: id, Name: "image_generation", Args: core.RawValue(it.prompt)}
	p.put(id, &p.Call)
	p.Result = core.ToolResult{CallID: id, OK: !it.status.Is("failed"), Output: core.RawValue(it.status)}
	p.put(id, &p.Result)
}
