package cline

import (
	"bytes"
	"cmp"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/memscribe/memscribe/adapters/internal/asked"
	"github.com/memscribe/memscribe/adapters/internal/edit"
	"github.com/memscribe/memscribe/adapters/internal/stream"
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/jsondoc"
)

// saved reads a session.
func (p *parser) saved(root jsondoc.Value) {
	stem := strings.TrimSuffix(path.Base(p.info.Path), messages)
	p.Session = cmp.Or(root.Get("sessionId").Str(), stem)
	if agent := root.Get("agent"); agent.Exists() && !agent.Is("lead") { // source
		var ok bool
		if p.Session, p.Thread, ok = strings.Cut(p.Session, "__"); !ok {
			p.Thread = stem
		}
	}
	p.manifest()
	p.version = cmp.Or(p.version, root.Path("origin", "version").Str())
	p.start(core.Time{})
	for name, v := range root.Fields() {
		switch string(name.Body()) {
		case "version", "updated_at", "agent", "sessionId", "origin", "taskType", "system_prompt", "messages":
		default:
			p.keep("session/"+string(name.Body()), v)
		}
	}
	for m := range root.Get("messages").Elems() {
		p.message(stream.Head{ID: m.Get("id").Str(), Time: stream.Millis(m.Get("ts"))}, m)
	}
}

// manifest reads what stands beside the session.
func (p *parser) manifest() {
	for _, name := range (Adapter{}).Sidecars(p.info.Path) {
		var doc jsondoc.Doc
		if _, err := doc.Parse(p.info.Sidecars[name]); err != nil {
			continue
		}
		m := doc.Root()
		p.cwd = m.Get("cwd").Str()
		p.model = m.Get("model").Str()
		p.git.Branch = m.Path("metadata", "git", "branch").Str()
		p.version = m.Path("metadata", "sessionHistoryOrigin", "version").Str()
		return
	}
}

// message reads a message by its role. Those of a task have no id.
func (p *parser) message(h stream.Head, m jsondoc.Value) {
	if h.ID == "" {
		h.ID = p.contentID(m)
	}
	if k := stream.Read(p, &p.Kinds, "message", m.Get("role"), h, m); !k.Known {
		p.keep(k.Name, m)
	}
}

// answer reads what the model said and called, in blocks.
// Calls are emitted behind the whole of what was said.
func (p *parser) answer(h stream.Head, m jsondoc.Value) {
	turn := core.AssistantTurn{Model: modelOf(m), MessageID: h.ID, Usage: p.usage(m)}
	var said, thought []string
	for b := range blocks(m) {
		switch kind := b.Get("type"); {
		case kind.Is("text"):
			said = append(said, b.Get("text").Str())
			turn.Parts = append(turn.Parts, core.Part{Kind: core.TextPart, Text: core.Token(b.Get("text"))})
		case kind.Is("thinking"):
			thought = append(thought, b.Get("thinking").Str())
			turn.Parts = append(turn.Parts, core.Part{Kind: core.ThinkingPart, Text: core.Token(b.Get("thinking"))})
		case kind.Is("tool_use"):
			turn.Parts = append(turn.Parts, core.Part{Kind: core.ToolUsePart, CallID: b.Get("id").Str(), Name: b.Get("name").Str()})
		default:
			turn.Parts = append(turn.Parts, stream.Other(b))
		}
	}
	turn.Text, turn.Thinking = core.Plain(strings.Join(said, "\n\n")), core.Plain(strings.Join(thought, "\n\n"))
	p.Send(h, &turn)
	p.calls = p.calls[:0]
	for b := range blocks(m) {
		if b.Get("type").Is("tool_use") {
			c := call{id: b.Get("id").Str(), name: b.Get("name").Str(), args: bytes.Clone(b.Get("input").Raw())}
			p.calls = append(p.calls, c)
			p.Send(stream.Head{ID: "call:" + c.id, Parent: h.ID, Time: h.Time}, &core.ToolCall{CallID: c.id, Name: c.name, Args: core.RawValue(b.Get("input"))})
		}
	}
}

// blocks lists the blocks of a message; one that is a mere text has one.
func blocks(m jsondoc.Value) func(yield func(jsondoc.Value) bool) {
	return m.Get("content").Elems()
}

// modelOf is the model of an answer, as newer or older versions write it.
func modelOf(m jsondoc.Value) string {
	return stream.Some(m.Get("modelInfo"), "id", "modelId")
}

// usage is what an answer cost: as it says itself, or as it was shown.
func (p *parser) usage(m jsondoc.Value) *core.Usage {
	if u := usage(m.Get("metrics")); u != nil {
		return u
	}
	return p.cost
}

// usage reads the tokens of both forms.
func usage(v jsondoc.Value) *core.Usage {
	u := stream.Tokens(v, "inputTokens", "outputTokens", "cacheReadTokens", "cacheWriteTokens", "")
	if t := v.Get("tokens"); t.Exists() {
		cacheCreation := u.CacheCreation
		u = stream.Tokens(t, "prompt", "completion", "cached", "", "")
		u.CacheCreation = cacheCreation
	}
	return stream.Nonzero(u)
}

// userBlocks reads a message of the user's role: what a person said, and results.
func (p *parser) userBlocks(m jsondoc.Value, h stream.Head) {
	n := 0
	for b := range blocks(m) {
		n++
		at := h
		if n > 1 {
			at.ID = h.ID + "/" + strconv.Itoa(n)
		}
		switch kind := b.Get("type"); {
		case kind.Is("tool_result"):
			at.Parent = h.ID
			p.result(b, at)
		case kind.Is("text"):
			p.typed(b.Get("text").Str(), at)
		case kind.Is("image"):
			p.Send(at, &core.UserTurn{Parts: []core.Part{{Kind: core.ImagePart, MediaType: imageType(b)}}})
		default:
			at.Injected = true
			p.Send(at, &core.UserTurn{Parts: []core.Part{stream.Other(b)}})
		}
	}
	if text := m.Get("content"); text.Kind() == jsondoc.String {
		p.typed(text.Str(), h)
	}
}

// imageType is the media type of a picture, "image" if it is not said.
func imageType(b jsondoc.Value) string {
	return cmp.Or(b.Path("source", "media_type").Str(), b.Get("mediaType").Str(), "image")
}

// typed passes on a text: a person's words are in a wrapper that says so.
// Another agent tells a subagent what to do: nothing it hears is a person's.
func (p *parser) typed(text string, h stream.Head) {
	said, ok := "", false
	if strings.HasPrefix(text, "<user_input") {
		_, rest, _ := strings.Cut(text, ">")
		said, ok = strings.CutSuffix(strings.TrimRight(rest, "\n"), "</user_input>")
	}
	for _, tag := range []string{"task", "user_message", "feedback"} {
		if !ok {
			said, ok = inside(text, tag)
		}
	}
	if p.Thread != "" {
		ok = false
	}
	if !ok {
		h.Injected, said = true, text
	} else if at := p.saidAt(said); !at.IsZero() {
		h.Time = at
	}
	p.Said(h, core.Plain(said))
}

// inside is the text in an element, without the line ends around it.
func inside(text, tag string) (string, bool) {
	_, rest, ok := strings.Cut(text, "<"+tag+">")
	end := strings.LastIndex(rest, "</"+tag+">")
	if !ok || end < 0 {
		return "", false
	}
	return strings.TrimSuffix(strings.TrimPrefix(rest[:end], "\n"), "\n"), true
}

// outcome is what a result says: {"query","result","error","success"}, in JSON, in a text or in a
// list. What is in a text is valid until the next call.
func (p *parser) outcome(v jsondoc.Value) (items []jsondoc.Value) {
	if v.Kind() == jsondoc.String {
		if n, err := p.told.Parse([]byte(v.Str())); err != nil || n == 0 {
			return nil
		}
		v = p.told.Root()
	}
	if v.Kind() == jsondoc.Object {
		return []jsondoc.Value{v}
	}
	for item := range v.Elems() {
		items = append(items, item)
	}
	return items
}

// result reads the result of a call.
func (p *parser) result(b jsondoc.Value, h stream.Head) {
	id := b.Get("tool_use_id").Str()
	c := p.take(id)
	c.id = id
	c.name = cmp.Or(c.name, b.Get("name").Str())
	items := p.outcome(b.Get("content"))
	ok := !b.Get("is_error").Bool()
	var told strings.Builder
	for _, item := range items {
		if s := item.Get("success"); s.Kind() == jsondoc.Bool && !s.Bool() {
			ok = false
		}
		told.WriteString(item.Get("result").Str())
	}
	h.ID = "result:" + id
	p.Send(h, &core.ToolResult{CallID: id, OK: ok, Output: core.RawValue(b.Get("content"))})
	if _, err := p.args.Parse(c.args); err != nil || !ok {
		return
	}
	h.ID = "edit:" + id
	switch args := p.args.Root(); c.name {
	case "read_files":
		for _, item := range items {
			if text, whole := numbered(item.Get("result").Str()); whole {
				p.files.SetOpen(item.Get("query").Str(), text)
			}
		}
	case "run_commands":
		p.files.Doubt()
	case "editor":
		p.edited(c, h, p.editor(args, told.String()))
	case "apply_patch":
		p.edited(c, h, asked.Edits(&p.files, p.Resolve, args)...)
	}
}

// editor is what the editor did: it made a file, or replaced a text in one. Its
// result shows the lines that changed, with their numbers.
// The hunks that the result shows are the best record where the file was not seen.
func (p *parser) editor(args jsondoc.Value, told string) core.Diff {
	file := p.Resolve(args.Get("path").Str())
	before, after := args.Get("old_text"), args.Get("new_text")
	if !before.Exists() && !args.Get("insert_line").Exists() {
		return p.files.Create(file, after.Str()) // it refuses a file that is there (recorded 3.0.57)
	}
	hunks := shownHunks(told, before.Str(), after.Str())
	text, known := p.files.Sure(file)
	known = known && before.Str() != "" && strings.Contains(text, before.Str())
	if len(hunks) == 0 || known && removes(hunks[0], text) {
		return p.files.Replace(file, before.Str(), after.Str(), false)
	}
	shown := edit.FromHunks(file, hunks)
	if known { // a read shows a carriage return alone as the end of a line; how the last one ends, nothing tells
		shown.Certainty = core.Told
		p.files.Forget(file)
	}
	return p.files.Follow(shown)
}

// removes reports whether the first line that a hunk takes away is in a text, where it says.
// The client leaves out a carriage return at its end.
func removes(h edit.Hunk, text string) bool {
	lines := strings.Split(text, "\n")
	gone, ok := strings.CutPrefix(h.Lines[0], "-")
	return !ok || h.OldStart <= len(lines) && strings.TrimSuffix(lines[max(h.OldStart, 1)-1], "\r") == strings.TrimSuffix(gone, "\r")
}

// shownHunks reads lines like "-12: text" and "+12: text".
func shownHunks(told, before, after string) []edit.Hunk {
	_, shown, ok := strings.Cut(told, "```diff\n")
	if end := strings.LastIndex(shown, "\n```"); ok && end >= 0 {
		shown = shown[:end]
	}
	var h edit.Hunk
	var added []string
	for line := range strings.SplitSeq(shown, "\n") {
		if len(line) < 2 || line[0] != '-' && line[0] != '+' {
			return nil
		}
		number, text, ok := strings.Cut(line[1:], ": ")
		n, err := strconv.Atoi(number)
		if !ok || err != nil {
			return nil
		}
		if len(h.Lines) == 0 {
			h.OldStart, h.NewStart = n, n
		}
		h.Lines = append(h.Lines, line[:1]+text)
		if line[0] == '+' {
			added = append(added, text)
		}
	}
	h.OldLines, h.NewLines = len(h.Lines)-len(added), len(added)
	if h.OldLines == 0 {
		h.OldStart-- // the line behind which they stand
	}
	if tail, ok := strings.CutPrefix(after, before); ok && h.OldLines == 0 {
		turn(&h, added, tail)
	}
	return []edit.Hunk{h}
}

// turn puts the lines of an insertion in the order in which they were written: of
// equal lines around it, the client takes the first one for the old one.
func turn(h *edit.Hunk, added []string, tail string) {
	_, rest, ok := strings.Cut(tail, "\n")
	want := strings.Split(rest, "\n")
	n := len(added)
	if !ok || n < 2 || len(want) != n || slices.Equal(added, want) || !slices.Equal(append([]string{added[n-1]}, added[:n-1]...), want) {
		return
	}
	h.OldStart, h.NewStart, h.Lines = h.OldStart-1, h.NewStart-1, nil
	for _, line := range want {
		h.Lines = append(h.Lines, "+"+line)
	}
}
