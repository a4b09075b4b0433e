package kimi

import (
	"strconv"
	"strings"

	"github.com/memscribe/memscribe/adapters/internal/asked"
	"github.com/memscribe/memscribe/adapters/internal/edit"
	"github.com/memscribe/memscribe/adapters/internal/stream"
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/jsondoc"
)

// isLegacy reports whether a record is one of the Kimi CLI: a message in an
// envelope, under the time at which it was sent (read in source, protocol 1.10).
func isLegacy(v jsondoc.Value) bool {
	return v.Get("timestamp").Exists() && v.Path("message", "payload").Kind() == jsondoc.Object && v.Path("message", "type").Kind() == jsondoc.String
}

// legacy reads a record of the Kimi CLI.
// An approval names its request, the request the call: a call by the name of "?" and
// the request's id holds that until the answer comes.
func (p *parser) legacy(v jsondoc.Value) {
	h := stream.Head{Time: stream.Seconds(v.Get("timestamp"))}
	stream.Dispatch(p, &p.Base, "", v.Path("message", "type"), h, v.Path("message", "payload"))
}

// legacyPrompt reads what a person said.
func (p *parser) legacyPrompt(h stream.Head, m jsondoc.Value) {
	text, parts := texts(m.Get("user_input"))
	h.Injected = p.Thread != "" || strings.HasPrefix(text.String(), reminder)
	p.Send(h, &core.UserTurn{Text: text, Parts: parts})
}

// legacyStep begins an answer of the model, whose calls run at once.
func (p *parser) legacyStep(_ stream.Head, _ jsondoc.Value) {
	p.steps++
	p.files.AtOnce(strconv.Itoa(p.steps))
}

// legacySent notes the thread that a call has sent.
func (p *parser) legacySent(h stream.Head, m jsondoc.Value) {
	p.note(m.Get("parent_tool_call_id").Str(), func(c *call) { c.spawned = m.Get("agent_id").Str() })
	p.Known(h, "SubagentEvent")
}

// legacyArgs reads a piece of the arguments of a call. More than an edit holds is not
// read as one.
func (p *parser) legacyArgs(_ stream.Head, m jsondoc.Value) {
	p.note(p.step, func(c *call) {
		if len(c.args) < maxArgs {
			c.args = append(c.args, m.Get("arguments_part").Str()...)
		}
	})
}

// legacyCost reads what a response cost.
func (p *parser) legacyCost(h stream.Head, m jsondoc.Value) {
	if used := usage(m.Get("token_usage")); used != nil {
		p.Send(h, &core.AssistantTurn{Model: p.model, MessageID: m.Get("message_id").Str(), Usage: used})
	}
}

// legacyCompacted emits a compaction. Old versions keep no summary of it.
func (p *parser) legacyCompacted(h stream.Head, _ jsondoc.Value) { p.Send(h, &core.Compaction{}) }

// approval notes which call a person is asked about.
func (p *parser) approval(_ stream.Head, m jsondoc.Value) {
	p.note("?"+m.Get("id").Str(), func(c *call) { c.name = m.Get("tool_call_id").Str() })
}

// legacyCall reads a call, whose arguments are a text.
func (p *parser) legacyCall(h stream.Head, m jsondoc.Value) {
	id, f := m.Get("id").Str(), m.Get("function")
	args := f.Get("arguments")
	p.step = id
	p.note(id, func(c *call) { c.name, c.args = f.Get("name").Str(), []byte(args.Str()) })
	p.Send(h, &core.ToolCall{CallID: id, Name: f.Get("name").Str(), Args: core.RawValue(args)})
}

// approved notes what a person said to a call.
func (p *parser) approved(_ stream.Head, m jsondoc.Value) {
	asked := "?" + m.Get("request_id").Str()
	to := p.calls.Take(asked).name
	v := core.Approved
	if m.Get("response").Is("reject") {
		v = core.Rejected
	}
	if to != "" {
		p.note(to, func(c *call) { c.verdict = v })
	}
}

// legacyResult reads the result of a call, and the edit that it made.
func (p *parser) legacyResult(h stream.Head, m jsondoc.Value) {
	p.answered(h, m.Get("tool_call_id").Str(), m.Get("return_value"))
}

// reminder begins what the client says to the model in a person's place: that what ran in the
// background has ended.
const reminder = "<system-reminder>"

// legacyRead takes in what a file holds, if it was shown whole: a number and a tab before each
// line, as the file has it. The client reads every line as one that ends with a line feed.
func (p *parser) legacyRead(file string, result jsondoc.Value) {
	said := result.Get("message").Str()
	if strings.HasPrefix(said, "No lines read from file. Total lines in file: 0.") {
		p.files.Set(file, "")
		return
	}
	if !strings.Contains(said, " starting from line 1.") || !strings.Contains(said, " End of file reached.") || strings.Contains(said, " were truncated.") {
		return
	}
	if text, ok := edit.Unnumbered(result.Get("output").Str(), "\t"); ok {
		p.files.Set(file, text)
	}
}

// legacyEdited is the diff of replacements, or of a whole write. Calls of one answer run at once:
// what is known of a file is what the client shows, if it shows something else.
func (p *parser) legacyEdited(file string, content *string, args, result jsondoc.Value) core.Diff {
	t := edit.Facts{Path: file, Content: content, Strings: true}
	shown, ok := legacyShown(file, result)
	if ok {
		t.Shown = func() (core.Diff, bool) { return shown, true }
		t.Agrees = func(before, after string, _ int) bool {
			made, err := edit.Apply(before, shown.Unified)
			return err == nil && strings.TrimSuffix(made, "\n") == strings.TrimSuffix(after, "\n")
		}
	}
	if content == nil {
		t.Pairs = asked.Pairs(args)
	}
	d, _ := p.files.Of(t)
	return d
}

// legacyShown is the diff that the client shows: of each part that changed the lines before
// and after, with their numbers in newer versions. Of a file that was empty it shows the same
// as of one that was not there.
func legacyShown(file string, result jsondoc.Value) (d core.Diff, ok bool) {
	var all strings.Builder
	for part := range result.Get("display").Elems() {
		start, _ := part.Get("old_start").Int()
		before := part.Get("old_text").Str()
		if start == 0 || before == "" || part.Get("is_summary").Bool() {
			return d, false
		}
		d = edit.FromTexts(file, before+"\n", part.Get("new_text").Str()+"\n")
		_, hunks, _ := strings.Cut(edit.Shifted(d, int(start)-1).Unified, "\n@@ ")
		all.WriteString("@@ " + hunks)
	}
	d, err := edit.FromUnified(file, all.String())
	return d, err == nil && all.Len() > 0
}

// maxArgs bounds the arguments of a call that comes in parts.
const maxArgs = 16 << 20
