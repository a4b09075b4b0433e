package continuedev

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

// call is a call, with the state that it has reached.
type call struct {
	id, name string
	function jsondoc.Value
	state    jsondoc.Value // absent where it is not known
}

// callsOf lists the calls of a message.
func callsOf(item jsondoc.Value) []call {
	var calls []call
	states := item.Get("toolCallStates")
	for state := range states.Elems() {
		calls = append(calls, callOf(state.Get("toolCall"), state))
	}
	if state := item.Get("toolCallState"); state.Exists() { // before there could be several; source
		calls = append(calls, callOf(state.Get("toolCall"), state))
	}
	if len(calls) > 0 {
		return calls
	}
	for c := range item.Path("message", "toolCalls").Elems() {
		calls = append(calls, callOf(c, jsondoc.Value{}))
	}
	return calls
}

func callOf(c, state jsondoc.Value) call {
	return call{id: cmp.Or(c.Get("id").Str(), state.Get("toolCallId").Str()), name: c.Path("function", "name").Str(), function: c.Get("function"), state: state}
}

// call passes on what was called.
func (p *parser) call(c *call) {
	args := c.function.Get("arguments")
	if v := stream.Nested(&p.args, args); v.Exists() {
		args = v
	}
	p.Send(stream.Head{ID: "call:" + c.id}, &core.ToolCall{CallID: c.id, Name: c.name, Args: core.RawValue(args)})
}

// result passes on what became of a call, if that is decided. A call that was made
// ready and never begun was refused, if the conversation went on: 1.5.11 puts what
// it told the model of that into a message of its own (recorded).
func (p *parser) result(c *call) {
	status := c.state.Get("status")
	ok := status.Is("done")
	p.ready[c.id] = status.Is("generated")
	passed := p.ready[c.id] && p.left > 0 && !p.told[c.id]
	if !ok && !passed && !status.Is("errored") && !status.Is("canceled") {
		return
	}
	p.answered[c.id] = true
	body := &core.ToolResult{CallID: c.id, OK: ok, Output: core.RawValue(c.state.Get("output"))}
	told := output(c.state.Get("output"))
	args := stream.Nested(&p.args, c.function.Get("arguments"))
	if c.name == "AskQuestion" && ok {
		body.Choices = choices(args, told)
	}
	p.Send(stream.Head{ID: "result:" + c.id}, body)
	if !ok {
		return
	}
	for _, d := range p.edits(c, args, told) {
		p.Edit(stream.Head{ID: "edit:" + c.id}, c.id, c.name, d)
	}
}

// toolMessage is a result that stands as a message of its own.
func (p *parser) toolMessage(_ stream.Head, item jsondoc.Value) {
	m := item.Get("message")
	p.turn = p.messageID(m)
	id := m.Get("toolCallId").Str()
	if p.answered[id] {
		p.Keep(stream.Head{ID: p.turn}, "message/tool", m, true)
		return
	}
	p.Send(stream.Head{ID: "result:" + id}, &core.ToolResult{CallID: id, OK: !p.ready[id], Output: core.RawValue(m.Get("content"))})
}

// output is the text that a call gave.
func output(v jsondoc.Value) string {
	var parts []string
	for item := range v.Elems() {
		parts = append(parts, item.Get("content").Str())
	}
	return strings.Join(parts, "\n")
}

// choices reads what a person chose, of the command line tool's question.
func choices(args jsondoc.Value, told string) []core.Choice {
	c := core.Choice{Question: args.Get("question").Str()}
	_, quoted, ok := strings.Cut(told, `: "`)
	answer, ended := strings.CutSuffix(quoted, `"`)
	if !ok || !ended {
		return nil
	}
	chosen := false
	for o := range args.Get("options").Elems() {
		is := o.Is(answer) && strings.HasPrefix(told, "User selected option "+strconv.Itoa(len(c.Options)+1)+":")
		chosen = chosen || is
		c.Options = append(c.Options, core.Option{Text: o.Str(), Chosen: is})
	}
	if !chosen {
		c.Answer = answer
	}
	return []core.Choice{c}
}

// edits is what a call did to files. The tool shows the difference that its edits
// made; the editors keep the texts before and after.
func (p *parser) edits(c *call, args jsondoc.Value, told string) []core.Diff {
	processed := c.state.Get("processedArgs")
	switch c.name {
	case "Read":
		if _, body, ok := strings.Cut(told, ":\n"); ok && strings.HasPrefix(told, "Content of ") {
			p.files.Set(p.path(args, "filepath"), body)
		}
	case "read_file":
		p.files.Set(p.path(args, "filepath"), told)
	case "Bash", "run_terminal_command":
		p.files.Ran(args.Get("command").Str())
	case "Edit", "MultiEdit":
		return p.shown(p.path(args, "file_path"), asked.Pairs(args), told)
	case "Write":
		return p.written(p.path(args, "filepath"), args.Get("content").Str(), told)
	case "single_find_and_replace", "multi_edit":
		return p.replaced(args, processed)
	case "create_new_file":
		file := p.path(args, "filepath")
		return []core.Diff{p.files.Create(file, args.Get("contents").Str())} // it refuses a file that is there; source
	case "create_rule_block":
		return nil // where it writes the rule it does not say
	}
	return nil
}

// path is the absolute path that a call names.
func (p *parser) path(args jsondoc.Value, name string) string {
	file := strings.TrimPrefix(args.Get(name).Str(), "./")
	if strings.HasPrefix(file, "file://") {
		file = folder(file)
	}
	return stream.Resolve(p.cwd, file)
}

// shown is the difference in the result of an edit.
func (p *parser) shown(file string, all []edit.Pair, told string) []core.Diff {
	d, err := difference(file, told)
	if err != nil {
		return []core.Diff{p.files.ReplaceAll(file, all)}
	}
	if len(all) == 1 {
		d.Old, d.New = &all[0].Before, &all[0].After
	}
	return []core.Diff{p.files.Follow(d)}
}

// difference reads the unified diff that stands at the end of a result.
func difference(file, told string) (core.Diff, error) {
	_, unified, _ := strings.Cut(told, "\nDiff:\n")
	if i := strings.Index(unified, "\n--- "); i >= 0 {
		unified = unified[i+1:]
	}
	return edit.FromUnified(file, unified)
}

// written is what writing a whole file did.
func (p *parser) written(file, content, told string) []core.Diff {
	d, err := difference(file, told)
	switch {
	case strings.HasPrefix(told, "Successfully created file"):
		if before, ok := p.files.Sure(file); ok && before == "" { // it says so of an empty file, too
			return []core.Diff{p.files.Write(file, content)}
		}
		return []core.Diff{p.files.Create(file, content)}
	case err != nil:
		return []core.Diff{p.files.Write(file, content)}
	}
	d.New = &content
	p.files.Set(file, content)
	return []core.Diff{d}
}

// replaced is what an editor replaced: it keeps the texts before and after, where
// it had prepared the call.
func (p *parser) replaced(args, processed jsondoc.Value) []core.Diff {
	file := p.path(args, "filepath")
	if uri := processed.Get("fileUri"); uri.Exists() {
		file = folder(uri.Str())
	}
	before, after := processed.Get("editingFileContents"), processed.Get("newFileContents")
	if before.Kind() == jsondoc.String && after.Kind() == jsondoc.String {
		return []core.Diff{p.files.Changed(file, before.Str(), after.Str())}
	}
	return []core.Diff{p.files.ReplaceAll(file, asked.Pairs(args))}
}

// goOn is what the tool says in a person's place when it has made a summary in
// the middle of a turn.
const goOn = "continue"

// user reads what a person said. Files and other context stand beside it.
func (p *parser) user(_ stream.Head, item jsondoc.Value) {
	m := item.Get("message")
	said := typed(item)
	p.turn = p.humanID(m)
	h := stream.Head{ID: p.turn, Injected: p.compact && said == goOn}
	p.compact = false
	turn := core.UserTurn{Text: core.Plain(said)}
	if said != "" {
		turn.Parts = append(turn.Parts, core.Part{Kind: core.TextPart, Text: turn.Text})
	}
	for part := range m.Get("content").Elems() {
		if url := part.Path("imageUrl", "url"); url.Exists() {
			turn.Parts = append(turn.Parts, core.Part{Kind: core.ImagePart, MediaType: cmp.Or(stream.DataType(url.Str()), "image")})
		}
	}
	for context := range item.Get("contextItems").Elems() {
		turn.Parts = append(turn.Parts, stream.Other(context))
	}
	if len(turn.Parts) == 0 { // still being put together
		h.Injected = true
	}
	p.Send(h, &turn)
}

// typed is what was typed into the editor's box, as far as that is there, and else
// what the model was sent.
func typed(item jsondoc.Value) string {
	box := item.Get("editorState")
	if box.Get("content").Kind() != jsondoc.Array {
		return text(item.Path("message", "content")).String()
	}
	var lines []string
	for block := range box.Get("content").Elems() {
		switch kind := block.Get("type"); {
		case kind.Is("paragraph"):
			if line := paragraph(block); line != "" {
				lines = append(lines, line)
			}
		case kind.Is("prompt-block"):
			lines = append(lines, "/"+block.Path("attrs", "item", "name").Str())
		}
	}
	return strings.Join(lines, "\n")
}

// paragraph is a line as it was in the box.
func paragraph(block jsondoc.Value) string {
	var b strings.Builder
	for piece := range block.Get("content").Elems() {
		switch kind := piece.Get("type"); {
		case kind.Is("text"):
			b.WriteString(piece.Get("text").Str())
		case kind.Is("mention"):
			name := piece.Path("attrs", "renderInlineAs")
			if name.Kind() != jsondoc.String {
				name = piece.Path("attrs", "label")
			}
			b.WriteString(name.Str())
		case kind.Is("hardBreak"):
			b.WriteByte('\n')
		}
	}
	return b.String()
}
