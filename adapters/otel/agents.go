package otel

import (
	"cmp"
	"strings"

	"github.com/memscribe/memscribe/adapters/internal/edit"
	"github.com/memscribe/memscribe/adapters/internal/google"
	"github.com/memscribe/memscribe/adapters/internal/stream"
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/jsondoc"
)

// maxUsage bounds how many responses may wait for their text.
const maxUsage = 256

// agentEvent reads an event of one of the coding agents that have their own. Anything
// that Codex's libraries log comes along, and its spans come as logs.
func (p *parser) agentEvent() {
	k := p.kinds.Named(p.rec.name)
	if read, ok := k.Read.(reader); ok {
		read(p)
		return
	}
	p.aside(k.Name, k.Known || p.rec.tool == core.Codex)
}

// version is the client's. Gemini CLI and older Qwen Code say that of their
// interpreter instead (recorded).
func (p *parser) version() string {
	v := p.rec.service.get("service.version").str()
	if strings.HasPrefix(v, "v") {
		return ""
	}
	return v
}

// prompted tells what a person typed, where the client was told to export it.
func (p *parser) prompted() {
	r := &p.rec
	v := r.attrs.get("prompt")
	switch s := v.str(); s {
	case "", "<REDACTED>", "[REDACTED]":
		p.aside(r.name, true)
		return
	}
	r.id = r.attrs.get("message.uuid").str()
	text := v.text()
	p.send(&core.UserTurn{Text: text, Parts: []core.Part{stream.Text(text)}})
}

// responded tells what the model said: Claude Code alone has an event for it
// (recorded, 2.1.329).
func (p *parser) responded() {
	r := &p.rec
	r.id = r.attrs.get("message.uuid").str()
	turn := &core.AssistantTurn{Text: r.attrs.get("response").text(), Model: r.attrs.get("model").str()}
	if turn.Text.IsEmpty() {
		p.aside(r.name, true)
		return
	}
	turn.Parts = []core.Part{{Kind: core.TextPart, Text: turn.Text}}
	if u, ok := p.usage[r.attrs.get("request_id").str()]; ok {
		turn.Usage = &u
	}
	p.send(turn)
}

// requested tells what a response of the model cost, and what it said if that is
// there too. Claude Code's text comes in an event of its own, for which the cost
// waits; Codex exports no text at all (recorded; its issue 22230).
func (p *parser) requested() {
	r := &p.rec
	usage := core.Usage{
		Input:         r.attrs.first("input_tokens", "input_token_count").number(),
		Output:        r.attrs.first("output_tokens", "output_token_count").number(),
		CacheRead:     r.attrs.first("cache_read_tokens", "cached_token_count", "cached_content_token_count").number(),
		CacheCreation: r.attrs.first("cache_creation_tokens", "cache_write_token_count").number(),
	}
	if usage == (core.Usage{}) {
		p.aside(r.name, true)
		return
	}
	if r.tool == core.ClaudeCode {
		if id := r.attrs.get("request_id").str(); id != "" {
			if len(p.usage) >= maxUsage {
				p.usage = map[string]core.Usage{}
			}
			p.usage[id] = usage
		}
		p.aside(r.name, true)
		return
	}
	turn := &core.AssistantTurn{Model: r.attrs.get("model").str(), Usage: &usage}
	if text := p.candidates(r.attrs.get("response_text")); text != "" {
		turn.Text = core.Plain(text)
		turn.Parts = []core.Part{{Kind: core.TextPart, Text: turn.Text}}
	}
	p.send(turn)
}

// candidates is the text of Google's API in a response, which comes in chunks.
func (p *parser) candidates(v value) string {
	var b strings.Builder
	for chunk := range p.structured(v).Elems() {
		for c := range chunk.Get("candidates").Elems() {
			for part := range c.Path("content", "parts").Elems() {
				if t := part.Get("text"); t.Kind() == jsondoc.String && !part.Get("thought").Bool() {
					b.WriteString(t.Str())
				}
			}
		}
	}
	return b.String()
}

// called tells a call and its result, which are one event, and the edit that
// follows from it.
// A call that failed, or whose arguments were cut off, gives no edit.
func (p *parser) called() {
	r := &p.rec
	name := p.toolName()
	call := cmp.Or(r.attrs.first("tool_use_id", "call_id").str(), "call-"+core.ContentID(r.raw.Raw())[:16])
	given := r.attrs.first("tool_input", "arguments", "function_args", "tool_parameters")
	ok := r.attrs.get("success").isTrue()
	p.send(&core.ToolCall{CallID: call, Name: name, Args: p.raw(given)})
	output := core.Raw{}
	if out := r.attrs.first("output", "error", "error.message"); out.v.Exists() {
		output = core.RawString(out.str())
	}
	p.send(&core.ToolResult{CallID: call, OK: ok, Output: output})
	if !ok {
		return
	}
	for _, d := range p.diffs(name, given) {
		p.send(&core.FileEdit{CallID: call, Tool: name, Diff: d})
	}
}

// toolName is the name of the tool that was called. Of one of a server Claude Code
// says no more than that, and the names beside (recorded, 2.1.330); its transcript
// joins them.
func (p *parser) toolName() string {
	r := &p.rec
	name := r.attrs.first("tool_name", "function_name").str()
	if r.tool != core.ClaudeCode || name != "mcp_tool" {
		return name
	}
	about := p.structured(r.attrs.get("tool_parameters"))
	server, tool := about.Get("mcp_server_name").Str(), about.Get("mcp_tool_name").Str()
	if server == "" || tool == "" {
		return name
	}
	return "mcp__" + server + "__" + tool
}

// diffs works out what a successful call changed, as far as its arguments say.
func (p *parser) diffs(name string, given value) []core.Diff {
	r := &p.rec
	var d core.Diff
	ok := false
	switch r.tool {
	case core.ClaudeCode:
		// Long values are cut off; the whole size is said beside them.
		if size := r.attrs.get("tool_input_size_bytes").number(); size != int64(len(given.str())) {
			return nil
		}
		d, ok = claudes(name, p.structured(given))
	case core.Codex:
		if name != "apply_patch" {
			return nil
		}
		return edit.Asked(p.patch(given), edit.Clean)
	case core.Gemini, core.Qwen:
		if p.files[r.session] == nil {
			p.files[r.session] = &google.Files{}
		}
		d, ok = p.files[r.session].Of(google.Edit{Tool: name, Args: p.structured(given), Qwen: r.tool == core.Qwen})
	default:
	}
	if !ok {
		return nil
	}
	return []core.Diff{d}
}

// claudes is the edit of a call of Claude Code. Whether a file that is written was
// there before, telemetry does not say.
func claudes(name string, args jsondoc.Value) (core.Diff, bool) {
	path := args.Get("file_path").Str()
	if path == "" {
		return core.Diff{}, false
	}
	switch name {
	case "Write":
		return edit.Written(path, args.Get("content").Str()), true
	case "Edit":
		before, after := args.Get("old_string").Str(), args.Get("new_string").Str()
		if before == "" {
			return edit.Created(path, after), true
		}
		d := edit.Replaced(path, before, after)
		return d, d.Unified != ""
	}
	return core.Diff{}, false
}

// patch is the text of a patch: bare, or the argument of a function.
func (p *parser) patch(given value) string {
	if args := p.structured(given); args.Kind() == jsondoc.Object {
		return args.Get("input").Str()
	}
	return given.str()
}
