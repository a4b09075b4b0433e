package cursor

import (
	"cmp"
	"strconv"
	"strings"

	"github.com/memscribe/memscribe/adapters/internal/asked"
	"github.com/memscribe/memscribe/adapters/internal/edit"
	"github.com/memscribe/memscribe/adapters/internal/stream"
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/jsondoc"
)

// parser reads the records of one conversation.
type parser struct {
	stream.Base

	// For the whole conversation.
	cwd      string
	model    string
	line     int               // of a transcript
	created  map[string]string // moments of bubbles, as the header has them
	notTyped map[string]bool   // bubbles that the editor wrote in a person's name, as the header has them
	sent     map[string]string // conversations of subagents, by the calls that sent them
	content  map[string]string // texts of files, by their keys
	calls    asked.Calls       // without a result
	files    edit.Files
	inline   map[string][]byte // bubbles that a header holds, by their ids
	tools    map[string][]byte // calls of bubbles that do not hold them, by the bubbles' ids

	// Of the call or bubble that is read.
	args, params, output jsondoc.Doc
	kept, ran            jsondoc.Doc
}

// Parse implements [core.Parser].
func (p *parser) Parse(rec core.Record, send func(*core.Event)) {
	if rec.Doc == nil && p.ReadsText(rec.Bytes) {
		p.BeginText(rec, send)
		if p.text(stream.PlainText(rec.Bytes)); !p.Emitted {
			p.Unknown(stream.Head{}, "text")
		}
		return
	}
	v, ok := p.Begin(rec, send)
	if !ok {
		return
	}
	table, key := v.Get("table"), v.Get("key").Str()
	if p.Kinds.Of("", table).Known {
		stream.Dispatch(p, &p.Base, "", table, stream.Head{ID: key}, v)
		return
	}
	if p.transcript(v); !p.Emitted {
		p.Unknown(stream.Head{}, v.Get("type").Str())
	}
}

// Kinds returns what each kind of row becomes.
func (Adapter) Kinds() []stream.Kind {
	return []stream.Kind{
		{
			Names: tableComposer, Known: "hear", Read: (*parser).composed,
			Becomes: "`composerData:<id>`: `session_start`; with no headers, the bubbles of its `conversation` or `tabs`; with headers, what no row has of " +
				"those and of `conversationMap`. `capabilities[].data.bubbleDataMap` has the calls of bubbles that have none",
		},
		{
			Names: tableBubble, Known: "hear", Read: func(p *parser, h stream.Head, v jsondoc.Value) { p.bubble(h.ID, v.Get("data")) },
			Becomes: "`bubbleId:<id>:<bubble>`, type 1: `user_turn` · type 2: `assistant_turn`, or with `toolFormerData` `tool_call`, `tool_result` and edits",
		},
		{
			Names: tableContent, Known: "hear", Read: func(p *parser, h stream.Head, v jsondoc.Value) { p.keep(h.ID, v) },
			Becomes: "`composer.content.<hash>`: bookkeeping; the text of a file for `edit_file_v2`",
		},
		{
			Names: tableTab, Known: "hear", Read: func(p *parser, h stream.Head, v jsondoc.Value) { p.tab(h.ID, v.Get("data")) },
			Becomes: "`…aichat.view.aichat.chatdata`, `…chat.view.chat.chatdata`: a session for each tab",
		},
		{Names: tableMeta, Known: "hear", Becomes: "of `store.db`: `session_start`", Read: func(p *parser, h stream.Head, v jsondoc.Value) { p.meta(h.ID, v.Get("data")) }},
		{
			Names: tableBlob, Known: "hear, wild", Read: func(p *parser, h stream.Head, v jsondoc.Value) { p.blob(h.ID, v.Get("data")) },
			Becomes: "message of `store.db`: by its role; `<user_query>` is what was typed, the rest injected",
		},
	}
}

// composed reads the row of a conversation, with those of the agents that it has sent.
func (p *parser) composed(h stream.Head, v jsondoc.Value) {
	p.sent = map[string]string{}
	for c := range v.Get("children").Elems() {
		p.sent[c.Get("call").Str()] = c.Get("id").Str()
	}
	p.composer(h.ID, v.Get("parent").Str(), v.Get("data"), v.Get("place"))
}

// keep notes a text of a file that calls refer to.
func (p *parser) keep(key string, v jsondoc.Value) {
	if p.content == nil {
		p.content = map[string]string{}
	}
	p.content[strings.TrimPrefix(key, "composer.content.")] = v.Get("text").Str()
	p.Known(stream.Head{ID: key}, "content")
}

// composer reads the header of a conversation.
func (p *parser) composer(key, parent string, v, place jsondoc.Value) {
	p.Session = key
	info := v.Get("subagentInfo")
	if !info.Exists() {
		info = place.Get("subagentInfo")
	}
	if of := stream.Some(info, "rootParentConversationId", "parentComposerId"); of != "" && !v.Get("isBestOfNSubcomposer").Bool() {
		parent = of
	}
	if parent != "" {
		p.Session, p.Thread = parent, key
	}
	for _, where := range []jsondoc.Value{v.Path("workspaceIdentifier", "uri"), place.Path("workspaceIdentifier", "uri"), place.Path("workspace", "uri")} {
		p.cwd = cmp.Or(p.cwd, stream.Some(where, "fsPath", "path"))
	}
	branch := cmp.Or(v.Get("createdOnBranch").Str(), v.Path("createdOnBranch", "branchName").Str())
	p.model = modelName(v.Path("modelConfig", "modelName"))
	p.Start(stream.Head{ID: key, Time: when(v.Get("createdAt"))}, core.SessionStart{Cwd: p.cwd, Git: core.Git{Branch: branch}, Model: p.model})
	p.created, p.notTyped = map[string]string{}, map[string]bool{}
	for h := range v.Get("fullConversationHeadersOnly").Elems() {
		if at := h.Get("createdAt").Str(); at != "" {
			p.created[h.Get("bubbleId").Str()] = at
		}
		if h.Path("grouping", "isSimulatedMsg").Bool() {
			p.notTyped[h.Get("bubbleId").Str()] = true
		}
	}
	p.before(v)
}

// modelName is the name of a model; the editor's own choice is none.
func modelName(v jsondoc.Value) string {
	name := v.Str()
	if i := strings.LastIndexByte(name, ','); i >= 0 {
		name = name[i+1:]
	}
	if name == "default" {
		return ""
	}
	return name
}

// when reads a moment, which is text or a count. Counts that are none since 2000
// are since the window was opened.
func when(v jsondoc.Value) core.Time {
	if v.Kind() == jsondoc.String {
		return core.ParseTime(v.Str())
	}
	f, ok := v.Float()
	switch {
	case !ok || f < 946684800:
		return core.Time{}
	case f < 1e11:
		return core.Unix(int64(f))
	case f < 946684800000:
		return core.Time{}
	}
	return core.UnixMilli(int64(f))
}

// bubble reads one message, or one call with its result. A conversation that is
// duplicated keeps the ids of its bubbles, so that calls are named after these.
func (p *parser) bubble(key string, v jsondoc.Value) {
	h := stream.Head{ID: cmp.Or(key, v.Get("bubbleId").Str()), Time: p.moment(key, v)}
	p.Scope = h.ID
	if kept, ok := p.inline[h.ID]; ok && !v.Exists() {
		if _, err := p.kept.Parse(kept); err == nil {
			v = p.kept.Root()
		}
	}
	if !v.Exists() || v.Is("") {
		p.Known(h, "bubble/missing") // not written yet, or no more
		return
	}
	cwd := v.Get("workspaceProjectDir").Str()
	for uri := range v.Get("workspaceUris").Elems() {
		if path, found := strings.CutPrefix(uri.Str(), "file://"); found && cwd == "" {
			cwd = path
		}
	}
	if cwd != "" && p.cwd == "" {
		p.cwd = cwd
		p.Project = &core.Project{Cwd: cwd}
	}
	model := cmp.Or(modelName(v.Path("modelInfo", "modelName")), p.model)
	tool, text := v.Get("toolFormerData"), said(v)
	if !tool.Exists() {
		tool = p.done(h.ID)
	}
	switch {
	case tool.Get("name").Exists():
		p.called(h, tool)
	case isKind(v.Get("type"), "1"):
		p.typed(h, v, text)
	case isKind(v.Get("type"), "2"):
		turn := &core.AssistantTurn{Text: text, Model: model, MessageID: h.ID, Usage: usage(v.Get("tokenCount"))}
		turn.Thinking = core.Token(v.Path("thinking", "text"))
		if thought := v.Get("thinking"); thought.Kind() == jsondoc.String {
			turn.Thinking = core.Token(thought)
		}
		if !text.IsEmpty() {
			turn.Parts = []core.Part{stream.Text(text)}
		}
		if failure := v.Get("errorDetails"); failure.Exists() {
			turn.Parts = append(turn.Parts, stream.Other(failure))
		}
		p.Send(h, turn)
	default:
		p.Unknown(h, "bubble/"+string(v.Get("type").Raw()))
	}
}

func isKind(v jsondoc.Value, kind string) bool { return v.Is(kind) || string(v.Raw()) == kind }

// moment is that of a bubble, by the best record of it.
func (p *parser) moment(key string, v jsondoc.Value) core.Time {
	if at := when(v.Get("createdAt")); !at.IsZero() {
		return at
	}
	if at := core.ParseTime(p.created[key]); !at.IsZero() {
		return at
	}
	for _, name := range []string{"clientStartTime", "clientRpcSendTime", "clientSettleTime", "clientEndTime"} {
		if at := when(v.Path("timingInfo", name)); !at.IsZero() {
			return at
		}
	}
	return core.Time{}
}

// said is the text of a bubble: plain or, of a person's, in the editor's own form.
func said(v jsondoc.Value) core.Text {
	for _, name := range []string{"text", "rawText"} {
		if t := core.Token(v.Get(name)); !t.IsEmpty() {
			return t
		}
	}
	for _, name := range []string{"richText", "initText"} {
		var doc jsondoc.Doc
		if root := stream.Nested(&doc, v.Get(name)).Get("root"); root.Exists() {
			return core.Plain(strings.TrimSuffix(rich(root, 0), "\n"))
		}
	}
	return core.Text{}
}

// rich is the text in a tree of paragraphs.
func rich(v jsondoc.Value, depth int) string {
	if t := v.Get("text"); t.Kind() == jsondoc.String {
		return t.Str()
	}
	var b strings.Builder
	for child := range v.Get("children").Elems() {
		if depth < 32 {
			b.WriteString(rich(child, depth+1))
		}
		if child.Get("type").Is("paragraph") || child.Get("type").Is("linebreak") {
			b.WriteString("\n")
		}
	}
	return b.String()
}

// usage reads the tokens of a bubble; the editor writes zeros where it does not know.
func usage(v jsondoc.Value) *core.Usage {
	return stream.Nonzero(stream.Tokens(v, "inputTokens", "outputTokens", "", "", ""))
}

// typed emits a person's turn. A summary of what was said before is none.
func (p *parser) typed(h stream.Head, v jsondoc.Value, text core.Text) {
	if summary := v.Path("conversationSummary", "summary"); summary.Exists() {
		p.Send(stream.Head{ID: h.ID + "/summary", Time: h.Time}, &core.Compaction{Summary: core.Token(summary), End: p.Last})
	}
	h.Injected = p.Thread != "" || p.notTyped[h.ID]
	for _, mark := range []string{"isNudge", "isSimulatedMsg", "isDisplayOnly"} {
		h.Injected = h.Injected || v.Get(mark).Bool()
	}
	var images []core.Part
	for range v.Get("images").Elems() {
		images = append(images, core.Part{Kind: core.ImagePart})
	}
	p.Said(h, text, images...)
}

// tab reads a conversation from before composers.
func (p *parser) tab(key string, v jsondoc.Value) {
	p.Session = key
	p.Send(stream.Head{ID: key, Time: when(v.Get("lastSendTime"))}, &core.SessionStart{})
	n := 0
	for b := range v.Get("bubbles").Elems() {
		n++
		h := stream.Head{ID: cmp.Or(b.Get("id").Str(), key+"/"+strconv.Itoa(n))}
		text := said(b)
		switch kind := b.Get("type"); {
		case kind.Is("user"):
			p.Said(h, text)
		case kind.Is("ai"):
			p.Send(h, &core.AssistantTurn{Text: text, Model: modelName(b.Get("modelType")), Parts: []core.Part{stream.Text(text)}})
		default:
			p.Keep(h, "tab/"+kind.Str(), b, false)
		}
	}
}
