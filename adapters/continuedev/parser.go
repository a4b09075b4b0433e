package continuedev

import (
	"cmp"
	"net/url"
	"strconv"
	"strings"

	"github.com/memscribe/memscribe/adapters/internal/edit"
	"github.com/memscribe/memscribe/adapters/internal/mcpedits"
	"github.com/memscribe/memscribe/adapters/internal/stream"
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/jsondoc"
)

// parser reads one document.
type parser struct {
	stream.Base

	// For the whole document.
	cwd      string
	line     string // names the person's turns so far: a fork has the same
	files    edit.Files
	answered map[string]bool // calls whose result stands with them
	told     map[string]bool // calls whose result is a message of its own
	ready    map[string]bool // calls that were made ready and never begun

	// From one message to the next.
	turn    string // id of the latest message
	since   int    // messages since the latest turn of a person
	left    int    // messages behind the current one
	compact bool   // a summary was written since a person last said something

	args jsondoc.Doc // of a call, while it is read
}

// NewParser returns a parser for one session.
func (Adapter) NewParser(core.StreamInfo) core.Parser {
	p := &parser{Base: stream.Base{Kinds: stream.NewTable(Adapter{}.Kinds())}, answered: map[string]bool{}, told: map[string]bool{}, ready: map[string]bool{}}
	return mcpedits.Edits(p, &p.files)
}

// Parse implements [core.Parser].
func (p *parser) Parse(rec core.Record, put func(*core.Event)) {
	root, ok := p.Begin(rec, put)
	if !ok {
		return
	}
	if root.Get("history").Kind() != jsondoc.Array {
		p.Unknown(stream.Head{}, "document")
		return
	}
	p.start(root)
	p.left = 0
	for item := range root.Get("history").Elems() {
		p.left++
		if m := item.Get("message"); m.Get("role").Is("tool") {
			p.told[m.Get("toolCallId").Str()] = true
		}
	}
	for item := range root.Get("history").Elems() {
		p.left--
		p.item(item)
	}
	for name, v := range root.Fields() {
		switch string(name.Body()) {
		case "sessionId", "title", "workspaceDirectory", "history", "mode", "chatModelTitle", "usage":
		default:
			p.Keep(stream.Head{}, "session/"+string(name.Body()), v, false)
		}
	}
}

// start opens the session.
func (p *parser) start(root jsondoc.Value) {
	p.Session = root.Get("sessionId").Str()
	p.cwd = folder(root.Get("workspaceDirectory").Str())
	p.line = p.cwd
	// Ids of calls are those of the model's backend; some backends count. A fork
	// begins with the messages of the session that it is made of.
	for item := range root.Get("history").Elems() {
		p.Scope = core.ContentID([]byte(p.cwd + "\x00" + string(item.Path("message", "content").Raw())))
		break
	}
	p.Start(stream.Head{ID: p.Session}, core.SessionStart{Cwd: p.cwd, Model: root.Get("chatModelTitle").Str()})
}

// folder is the path that a folder is named by, which editors write as a URI.
func folder(s string) string {
	u, err := url.Parse(s)
	if err != nil || u.Scheme != "file" {
		return s
	}
	if len(u.Path) > 2 && u.Path[0] == '/' && u.Path[2] == ':' { // /c:/work
		return u.Path[1:]
	}
	return u.Path
}

// item reads a message and what belongs to it.
func (p *parser) item(item jsondoc.Value) {
	if k := stream.Read(p, &p.Kinds, "message", item.Path("message", "role"), stream.Head{}, item); !k.Known {
		p.Keep(stream.Head{}, k.Name, item, false)
		return
	}
	p.others(item)
	if v := item.Get("conversationSummary"); v.Kind() == jsondoc.String {
		p.summary(v)
	}
}

// Kinds returns what each kind of message becomes.
func (Adapter) Kinds() []stream.Kind {
	return []stream.Kind{
		{
			In: "message", Names: "user", Known: "rec", Read: (*parser).user,
			Becomes: "`user_turn` with what was typed; other context as parts. Injected if it is the tool's own `continue` behind a summary, or has nothing yet",
		},
		{
			In: "message", Names: "assistant", Known: "rec", Read: (*parser).answer,
			Becomes: "`assistant_turn` with `reasoning` and the usage; of each call `tool_call`, and by its state `tool_result` and edits",
		},
		{In: "message", Names: "thinking", Known: "src", Becomes: "`assistant_turn` with a thought", Read: (*parser).thought},
		{
			In: "message", Names: "tool", Known: "rec", Read: (*parser).toolMessage,
			Becomes: "`tool_result`, where no state of the call holds it; a failure, if the call was made ready and never begun (recorded 1.5.11)",
		},
		{In: "message", Names: "system", Known: "src", Becomes: "injected `user_turn`", Read: func(p *parser, _ stream.Head, item jsondoc.Value) {
			m := item.Get("message")
			p.turn = p.messageID(m)
			p.Said(stream.Head{ID: p.turn, Injected: true}, text(m.Get("content")))
		}},
	}
}

// thought reads a thought that stands as a message of its own.
func (p *parser) thought(_ stream.Head, item jsondoc.Value) {
	m := item.Get("message")
	p.turn = p.messageID(m)
	thought := text(m.Get("content"))
	p.Send(stream.Head{ID: p.turn}, &core.AssistantTurn{
		Thinking: thought, MessageID: p.turn, Parts: []core.Part{{Kind: core.ThinkingPart, Text: thought}},
	})
}

// others passes on members of a message without a description.
func (p *parser) others(item jsondoc.Value) {
	for name, v := range item.Fields() {
		switch string(name.Body()) {
		case "message", "contextItems", "editorState", "modifiers", "promptLogs", "toolCallStates", "toolCallState", "reasoning", "conversationSummary",
			"isGatheringContext", "appliedRules":
		default:
			p.Keep(stream.Head{}, "history/"+string(name.Body()), v, false)
		}
	}
}

// summary reads that what came before was replaced for the model.
func (p *parser) summary(v jsondoc.Value) {
	p.compact = true
	body := &core.Compaction{Summary: core.Token(v)}
	if p.Last > 1 {
		body.Start, body.End = 1, p.Last
	}
	p.Send(stream.Head{ID: p.turn + "/summary"}, body)
}

// messageID names a message: by its own id, or after where it stands behind what
// a person said last.
func (p *parser) messageID(m jsondoc.Value) string {
	p.since++
	return cmp.Or(m.Get("id").Str(), p.line+"/"+strconv.Itoa(p.since))
}

// humanID names what a person said: by its own id, or after all that was said in
// the session so far.
func (p *parser) humanID(m jsondoc.Value) string {
	p.line, p.since = core.ContentID([]byte(p.line+"\x00"+string(m.Get("content").Raw()))), 0
	return cmp.Or(m.Get("id").Str(), p.line)
}

// answer reads what the model said and called.
func (p *parser) answer(_ stream.Head, item jsondoc.Value) {
	m := item.Get("message")
	p.turn = p.messageID(m)
	if s := item.Get("conversationSummary"); s.Exists() && s.Str() == m.Get("content").Str() {
		return // the summary is the message
	}
	turn := core.AssistantTurn{Text: text(m.Get("content")), MessageID: p.turn, Model: m.Path("usage", "model").Str(), Usage: usage(m.Get("usage"))}
	if thought := item.Path("reasoning", "text"); thought.Str() != "" {
		turn.Thinking = core.Token(thought)
		turn.Parts = append(turn.Parts, core.Part{Kind: core.ThinkingPart, Text: turn.Thinking})
	}
	if !turn.Text.IsEmpty() {
		turn.Parts = append(turn.Parts, core.Part{Kind: core.TextPart, Text: turn.Text})
	}
	calls := callsOf(item)
	for _, c := range calls {
		turn.Parts = append(turn.Parts, core.Part{Kind: core.ToolUsePart, CallID: c.id, Name: c.name})
	}
	p.Send(stream.Head{ID: p.turn}, &turn)
	p.Parent = p.turn
	for i := range calls {
		p.call(&calls[i])
	}
	p.files.AtOnce(p.turn)
	for i := range calls {
		p.result(&calls[i])
	}
	p.Parent = ""
}

// text is the text of a message: a string, or a list of parts.
func text(v jsondoc.Value) core.Text {
	if v.Kind() == jsondoc.String {
		return core.Token(v)
	}
	var parts []string
	for part := range v.Elems() {
		if t := part.Get("text"); t.Kind() == jsondoc.String {
			parts = append(parts, t.Str())
		}
	}
	return core.Plain(strings.Join(parts, "\n"))
}

// usage reads the tokens of an answer in both forms: the command line tool's and the editors'.
func usage(v jsondoc.Value) *core.Usage {
	tool := stream.Tokens(v, "prompt_tokens", "completion_tokens", "prompt_tokens_details.cached_tokens", "prompt_tokens_details.cache_write_tokens", "")
	editors := stream.Tokens(v, "promptTokens", "completionTokens", "promptTokensDetails.cachedTokens", "promptTokensDetails.cacheWriteTokens", "")
	return stream.Nonzero(cmp.Or(tool, editors))
}
