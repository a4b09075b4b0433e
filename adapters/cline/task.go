package cline

import (
	"path"
	"strconv"
	"strings"

	"github.com/memscribe/memscribe/adapters/internal/stream"
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/jsondoc"
)

// task reads a task: its name, which is the moment at which it began, is that of its folder.
func (p *parser) task(root jsondoc.Value) {
	p.isTask, p.Session = true, path.Base(path.Dir(p.info.Path))
	began := core.Time{}
	if ms, err := strconv.ParseInt(p.Session, 10, 64); err == nil {
		began = core.UnixMilli(ms)
	} else {
		p.Session = core.ContentID(firstOf(root).Raw())
	}
	var answers []int
	n := 0
	for m := range root.Elems() {
		if m.Get("role").Is("assistant") {
			answers = append(answers, n)
		}
		n++
		if p.cwd == "" {
			p.surroundings(m)
		}
		if p.model == "" && m.Get("role").Is("assistant") {
			p.model = modelOf(m)
		}
	}
	p.shown = readShown(p.info.Sidecars[shownFile], answers)
	p.start(began)
	n = 0
	for m := range root.Elems() {
		p.cost = p.shown.costs[n]
		n++
		p.message(stream.Head{Time: stream.Millis(m.Get("ts"))}, m)
	}
}

// firstOf is the first value of a list.
func firstOf(list jsondoc.Value) jsondoc.Value {
	for v := range list.Elems() {
		return v
	}
	return jsondoc.Value{}
}

// surroundings looks for what the client tells the model of where it works.
func (p *parser) surroundings(m jsondoc.Value) {
	for b := range blocks(m) {
		text := b.Get("text").Str()
		if !strings.HasPrefix(text, "<environment_details>") {
			continue
		}
		for _, title := range []string{"# Current Working Directory (", "# Current Workspace Directory ("} {
			if _, rest, ok := strings.Cut(text, title); ok {
				p.cwd, _, _ = strings.Cut(rest, ") Files")
			}
		}
		if _, rest, ok := strings.Cut(text, `"latestGitCommitHash": "`); ok {
			p.git.SHA, _, _ = strings.Cut(rest, `"`)
		}
	}
}

// said reads an answer: words, thoughts, and calls written as XML. Newer versions have blocks for
// calls here too. Its calls are named after the message: "<id>/1", "<id>/2".
func (p *parser) said(h stream.Head, m jsondoc.Value) {
	if !p.isTask || hasBlock(m, "tool_use") {
		p.answer(h, m)
		return
	}
	text := m.Get("content").Str()
	for b := range blocks(m) {
		text += b.Get("text").Str()
	}
	turn := core.AssistantTurn{Model: modelOf(m), MessageID: h.ID, Usage: p.usage(m)}
	thought, ok := inside(text, "thinking")
	if ok {
		_, rest, _ := strings.Cut(text, "</thinking>")
		before, _, _ := strings.Cut(text, "<thinking>")
		text = before + rest
		turn.Parts = append(turn.Parts, core.Part{Kind: core.ThinkingPart, Text: core.Plain(thought)})
	}
	words, called := parseCalls(text)
	words = strings.TrimSpace(words)
	turn.Text, turn.Thinking = core.Plain(words), core.Plain(thought)
	if words != "" {
		turn.Parts = append(turn.Parts, core.Part{Kind: core.TextPart, Text: turn.Text})
	}
	p.calls = p.calls[:0]
	for i := range called {
		called[i].id = h.ID + "/" + strconv.Itoa(i+1)
		turn.Parts = append(turn.Parts, core.Part{Kind: core.ToolUsePart, CallID: called[i].id, Name: called[i].name})
	}
	p.Send(h, &turn)
	for _, c := range called {
		p.calls = append(p.calls, c)
		args := core.Raw{}
		if _, err := p.args.Parse(c.args); err == nil {
			args = core.RawValue(p.args.Root())
		}
		p.Send(stream.Head{ID: "call:" + c.id, Parent: h.ID, Time: h.Time}, &core.ToolCall{CallID: c.id, Name: c.name, Args: args})
	}
}

// hasBlock reports whether a message has a block of a kind.
func hasBlock(m jsondoc.Value, kind string) bool {
	for b := range blocks(m) {
		if b.Get("type").Is(kind) {
			return true
		}
	}
	return false
}

// heard reads what the client sends for the user: results begin with the call
// that they answer, "[read_file for 'x'] Result:".
func (p *parser) heard(h stream.Head, m jsondoc.Value) {
	if !p.isTask || hasBlock(m, "tool_result") {
		p.userBlocks(m, h)
		return
	}
	n := 0
	for b := range blocks(m) {
		n++
		at := h
		if n > 1 {
			at.ID = h.ID + "/" + strconv.Itoa(n)
		}
		text := b.Get("text").Str()
		name, result, ok := resultOf(text)
		switch {
		case b.Get("type").Is("image"):
			p.Send(at, &core.UserTurn{Parts: []core.Part{{Kind: core.ImagePart, MediaType: imageType(b)}}})
		case ok && p.awaits(name):
			at.Parent = h.ID
			p.answered(name, result, at)
		default:
			p.typed(text, at)
		}
	}
	if text := m.Get("content"); text.Kind() == jsondoc.String {
		p.typed(text.Str(), h)
	}
}

// resultOf takes the head off a result.
// For "[read_file for 'x'] Result:\ntext" it is read_file and "text".
func resultOf(text string) (name, result string, ok bool) {
	first, rest, ok := strings.Cut(text, "] Result:")
	if !ok || !strings.HasPrefix(first, "[") || strings.HasPrefix(first, "[TASK") {
		return "", "", false
	}
	name, _, _ = strings.Cut(first[1:], " ")
	return name, strings.TrimPrefix(rest, "\n"), true
}

// awaits reports whether a call of this tool has no result yet.
func (p *parser) awaits(name string) bool {
	for _, c := range p.calls {
		if c.name == name {
			return true
		}
	}
	return false
}

// answered reads the result of a call.
func (p *parser) answered(name, told string, h stream.Head) {
	var c call
	for _, open := range p.calls {
		if open.name == name {
			c = p.take(open.id)
			break
		}
	}
	body := core.ToolResult{CallID: c.id, OK: succeeded(told), Output: core.RawString(told)}
	if strings.HasPrefix(told, "The user denied this operation") {
		body.Verdict = core.Rejected
	}
	h.ID = "result:" + c.id
	p.Send(h, &body)
	if words, ok := inside(told, "feedback"); ok { // what a person said with it
		at := h.Time
		if when := p.saidAt(words); !when.IsZero() {
			at = when
		}
		p.Said(stream.Head{ID: "said:" + c.id, Parent: h.Parent, Time: at}, core.Plain(words))
	}
	if _, err := p.args.Parse(c.args); err == nil && body.OK {
		h.ID = "edit:" + c.id
		p.effects(c, p.args.Root(), told, h)
	}
}

// succeeded reports whether a result says that the call did what it was to do.
// What it says otherwise is read in source, but for exit codes.
func succeeded(told string) bool {
	for _, sign := range []string{
		"The user denied this operation", "The tool execution failed with the following error", "Missing value for required parameter",
		"This tool cannot be used in PLAN MODE", "Error", "Tool [",
	} {
		if strings.HasPrefix(told, sign) {
			return false
		}
	}
	first, _, _ := strings.Cut(told, "\n")
	_, code, ok := strings.Cut(first, "(exit code ")
	if !ok && strings.HasPrefix(first, "Command ") { // recorded 2.14.0
		_, code, ok = strings.Cut(first, " with exit code ")
	}
	if !ok {
		_, code, ok = strings.Cut(first, "exit code: ")
	}
	blocked := strings.HasPrefix(told, "Access to ") && strings.Contains(told, "blocked by the .clineignore")
	return !blocked && (!ok || strings.HasPrefix(code, "0"))
}

// effects takes in what a call showed of files, or did to them.
func (p *parser) effects(c call, args jsondoc.Value, told string, h stream.Head) {
	file := stream.Resolve(p.cwd, args.Get("path").Str())
	switch c.name {
	case "read_file":
		if text, whole := numbered(told); whole {
			p.files.Set(file, text)
		}
	case "execute_command":
		p.files.Ran(args.Get("command").Str())
	case "write_to_file", "replace_in_file", "apply_diff", "search_and_replace", "insert_content", "new_rule":
		final, saved := finalContent(told)
		switch {
		case !saved && !strings.Contains(told, "successfully saved") && !strings.Contains(told, "successfully"):
		case c.name == "write_to_file" || c.name == "new_rule":
			p.edited(c, h, p.written(file, args.Get("content").Str(), final, saved))
		default:
			p.edited(c, h, p.changed(file, pairs(args), final, saved))
		}
	}
}

// finalContent is what a file holds after an edit, which most results show.
func finalContent(told string) (string, bool) {
	_, rest, ok := strings.Cut(told, "<final_file_content path=")
	_, rest, open := strings.Cut(rest, ">\n")
	end := strings.LastIndex(rest, "\n</final_file_content>")
	if !ok || !open || end < 0 {
		return "", false
	}
	return rest[:end], true
}
