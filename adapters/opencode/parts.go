package opencode

import (
	"strings"

	"github.com/memscribe/memscribe/adapters/internal/stream"
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/jsondoc"
)

// parted reads a part of the current message, or of one that is gone.
func (p *parser) parted(h stream.Head, row jsondoc.Value) {
	v := row.Get("data")
	if of := v.Get("messageID").Str(); of != "" && of != p.message.id {
		p.stray(of, v)
	}
	p.partOf(h.ID, v)
}

// partOf reads the document of a part.
func (p *parser) partOf(key string, v jsondoc.Value) {
	h := stream.Head{ID: key, Time: stream.Millis(v.Path("time", "start"))}
	if h.Time.IsZero() {
		h.Time = p.message.time
	}
	if p.message.part < len(p.message.copies) {
		h.CopyOf = p.message.copies[p.message.part]
	}
	p.message.part++
	p.read(tablePart, v.Get("type"), h, v)
}

// text reads a text: a person's or the model's, by the message in which it
// stands.
func (p *parser) text(h stream.Head, v jsondoc.Value) {
	text := core.Token(v.Get("text"))
	switch {
	case p.message.role == "assistant" && v.Path("metadata", "kilocode.lifecycle").Is("transient"):
		p.Known(h, "part/text") // what Kilo is at, which it deletes again (recorded 7.7.9)
	case p.message.role == "assistant" && p.message.summary:
		p.compacted(h, text)
	case p.message.role == "assistant":
		open := !p.message.isDone && v.Path("time", "start").Exists() && !v.Path("time", "end").Exists()
		p.Send(h, &core.AssistantTurn{Text: text, Model: p.message.model, MessageID: p.message.id, Unfinished: open, Parts: []core.Part{stream.Text(text)}})
	default:
		h.Injected = p.Thread != "" || v.Get("synthetic").Bool() || v.Get("ignored").Bool()
		p.prompt(h, text)
	}
}

// prompt emits what was asked: what a person typed or, if that was a command, the
// prompt that the client has for it, and what was typed behind its name.
func (p *parser) prompt(h stream.Head, text core.Text) {
	if h.Injected {
		p.Said(h, text)
		return
	}
	said, isCommand := commanded(text.String())
	if !isCommand {
		p.Said(h, typed(text))
		return
	}
	h.Injected = true
	p.Said(h, text)
	if said == "" {
		return
	}
	h.ID, h.Injected = h.ID+"#typed", false
	if h.CopyOf != "" {
		h.CopyOf += "#typed"
	}
	p.Said(h, core.Plain(said))
}

// typed is what a person typed of a prompt. The run command puts quotes around
// an argument with a space in it, and ends what it read from standard input with
// a line feed (recorded 0.5.29, 1.2.27, 1.18.33).
func typed(text core.Text) core.Text {
	s := text.String()
	t := strings.TrimSuffix(s, "\n")
	if inner, ok := unquoted(t); ok {
		t = inner
	}
	if t == s {
		return text
	}
	return core.Plain(t)
}

// unquoted takes off the quotes of a prompt that is all one argument.
func unquoted(s string) (string, bool) {
	if len(s) < 3 || s[0] != '"' || s[len(s)-1] != '"' {
		return "", false
	}
	inner := s[1 : len(s)-1]
	if !strings.Contains(inner, " ") {
		return "", false
	}
	bare := strings.ReplaceAll(inner, `\"`, "")
	if strings.HasSuffix(inner, `\`) || strings.Contains(bare, `"`) {
		return "", false
	}
	return strings.ReplaceAll(inner, `\"`, `"`), true
}

// compacted emits a compaction, once for a summary.
func (p *parser) compacted(h stream.Head, text core.Text) {
	if p.message.summed {
		p.Known(h, "part/summary")
		return
	}
	p.message.summed = true
	end := uint64(0)
	if n := len(p.marks); n > 0 && p.marks[n-1].known {
		end = p.marks[n-1].seq
	}
	p.Compact(h, text, end)
}

// attached reads what was put into a message besides text: a file, a mention of
// an agent, a task for one.
func (p *parser) attached(h stream.Head, v jsondoc.Value) {
	part := stream.Other(v)
	if mime := v.Get("mime").Str(); strings.HasPrefix(mime, "image/") {
		part = core.Part{Kind: core.ImagePart, MediaType: mime}
	}
	h.Injected = true
	if p.message.role == "assistant" {
		p.Send(h, &core.AssistantTurn{Model: p.message.model, MessageID: p.message.id, Parts: []core.Part{part}})
		return
	}
	p.Send(h, &core.UserTurn{Text: core.Token(v.Get("prompt")), Parts: []core.Part{part}})
}

// tool reads a call and, once there is one, its result.
func (p *parser) tool(h stream.Head, v jsondoc.Value) {
	state := v.Get("state")
	c := call{
		id: v.Get("callID").Str(), name: v.Get("tool").Str(), input: state.Get("input"), meta: state.Get("metadata"),
		output: state.Get("output"), failure: state.Get("error"), status: state.Get("status").Str(),
	}
	if at := stream.Millis(state.Path("time", "start")); !at.IsZero() {
		h.Time = at
	}
	p.Send(h, &core.ToolCall{CallID: c.id, Name: c.name, Args: core.RawValue(c.input)})
	if at := stream.Millis(state.Path("time", "end")); !at.IsZero() {
		h.Time = at
	}
	p.result(h, &c)
}

// call is a call of a tool, as far as it has come.
type call struct {
	id, name, status string
	input, meta      jsondoc.Value
	output, failure  jsondoc.Value
	exit             jsondoc.Value // of a command
}

// result emits the result of a call, and the edits that it made.
func (p *parser) result(h stream.Head, c *call) {
	body := &core.ToolResult{CallID: c.id, Output: core.RawValue(c.output)}
	switch c.status {
	case "completed":
		body.OK = c.succeeded()
	case "error":
		body.Output = core.RawValue(c.failure)
		body.Verdict, body.Reason = rejection(c.failure.Str())
	default:
		return // it has none yet, or never got one
	}
	if c.name == "task" || c.name == "subagent" {
		body.Spawned = stream.Some(c.meta, "sessionId", "sessionID")
	}
	if c.name == "question" && body.OK {
		body.Choices = choices(c.input, c.meta)
	}
	p.Send(h, body)
	if !body.OK {
		return
	}
	if c.name == "read" {
		p.shown(c)
	}
	for _, d := range p.edits(c) {
		p.Send(h, &core.FileEdit{CallID: c.id, Tool: c.name, Diff: d})
	}
}

// succeeded reports whether a call that came to its end did what it should. A
// command that failed has come to its end too (recorded).
func (c *call) succeeded() bool {
	for _, exit := range []jsondoc.Value{c.meta.Get("exit"), c.exit} {
		if exit.Exists() {
			code, ok := exit.Int()
			return ok && code == 0
		}
	}
	return c.name != "invalid"
}

// rejection finds a person's words in the error of a call that was refused. An
// error without words also comes where no one was asked (seen in the wild: runs
// without a terminal), so that it says nothing of a person.
func rejection(failure string) (core.Verdict, core.Text) {
	for _, before := range []string{
		"The user rejected permission to use this specific tool call with the following feedback: ",
		"The user rejected permission with feedback: ",
	} {
		if _, words, ok := strings.Cut(failure, before); ok {
			return core.Rejected, core.Plain(words)
		}
	}
	return core.NoVerdict, core.Text{}
}

// choices reads the questions that a person answered (read in source).
func choices(input, meta jsondoc.Value) []core.Choice {
	var answers []jsondoc.Value
	for a := range meta.Get("answers").Elems() {
		answers = append(answers, a)
	}
	var all []core.Choice
	i := 0
	for q := range input.Get("questions").Elems() {
		var given []string
		if i < len(answers) {
			for a := range answers[i].Elems() {
				given = append(given, a.Str())
			}
		}
		i++
		all = append(all, stream.Chosen(q, given, ", "))
	}
	return all
}

// template is a prompt that the client has for one of its own commands. A person
// types the command's name, and perhaps something more.
type template struct{ begins, before, after string }

// templates are those of the commands "init" and "review": how they begin, and
// what stands around what was typed. Nothing in a message says that it came
// of a command (recorded 1.18.33).
func templates() []template {
	return []template{
		{"Create or update `AGENTS.md` for this repository.", "\nUser-provided focus or constraints (honor these):\n", "\n## How to investigate"},          // recorded 1.18.33
		{"Please analyze this codebase and create an AGENTS.md file containing:", "\nIf there's already an AGENTS.md, improve it if it's located in ", ""}, // read in the programs of 1.2.4, 1.3.0
		{"You are a code reviewer. Your job is to review code changes and provide actionable feedback.", "\nInput: ", "\n"},                                // read in the program of 1.18.33
	}
}

// commanded is what a person typed behind the name of a command of the client's
// own; false says that a text is no prompt of one.
func commanded(text string) (typed string, ok bool) {
	for _, t := range templates() {
		if !strings.HasPrefix(text, t.begins) {
			continue
		}
		_, rest, found := strings.Cut(text, t.before)
		switch {
		case !found:
			return "", true
		case t.after == "": // the path of the folder ends the line
			_, rest, _ = strings.Cut(rest, "\n")
		default:
			rest, _, _ = strings.Cut(rest, t.after)
		}
		return strings.TrimSpace(rest), true
	}
	return "", false
}
