package hooks

import (
	"cmp"
	"strings"

	"github.com/memscribe/memscribe/adapters/internal/edit"
	"github.com/memscribe/memscribe/adapters/internal/google"
	"github.com/memscribe/memscribe/adapters/internal/stream"
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/jsondoc"
)

// diffs works out what a successful call changed.
func (p *parser) diffs(c call, out jsondoc.Value) []core.Diff {
	switch p.tool {
	case core.ClaudeCode:
		return p.claudes(c, out)
	case core.Codex:
		return p.codexs(c)
	case core.Gemini, core.Qwen:
		d, ok := p.file.Of(google.Edit{
			Tool: c.name, Args: c.args, Display: out.Get("returnDisplay"), Told: out.Get("llmContent").Body(), Cwd: p.cwd,
			Qwen: p.tool == core.Qwen,
		})
		return only(d, ok)
	case core.Copilot:
		return p.copilots(c)
	default:
		return nil
	}
}

func only(d core.Diff, ok bool) []core.Diff {
	if !ok {
		return nil
	}
	return []core.Diff{d}
}

// claudes are the edits of Claude Code. Its response holds the text before
// (recorded from 1.0.128 on, but for Write there) or a patch.
func (p *parser) claudes(c call, out jsondoc.Value) []core.Diff {
	name := stream.Some(out, "filePath")
	if name == "" {
		return nil
	}
	before := out.Get("originalFile")
	if before.Kind() != jsondoc.String {
		before = out.Get("originalFileContents")
	}
	switch c.name {
	case "Write":
		after := out.Get("content")
		switch {
		case after.Kind() != jsondoc.String:
			return nil
		case out.Get("type").Is("create"):
			return []core.Diff{edit.Created(name, after.Str())}
		case before.Kind() == jsondoc.String:
			d := edit.FromTexts(name, before.Str(), after.Str())
			return only(d, d.Unified != "")
		}
	case "Edit", "MultiEdit":
		if before.Kind() == jsondoc.String {
			if after, ok := replaced(before.Str(), out); ok {
				d := edit.FromTexts(name, before.Str(), after)
				return only(d, d.Unified != "")
			}
		}
	}
	var hunks []edit.Hunk
	for v := range out.Get("structuredPatch").Elems() {
		hunks = append(hunks, edit.ReadHunk(v))
	}
	if len(hunks) == 0 {
		return nil
	}
	return []core.Diff{edit.FromHunks(name, hunks)}
}

// replaced does to a text what an answer says was done.
func replaced(text string, out jsondoc.Value) (string, bool) {
	if list := out.Get("edits"); list.Kind() == jsondoc.Array {
		for e := range list.Elems() {
			var ok bool
			if text, ok = edit.Replace(text, e.Get("old_string").Str(), e.Get("new_string").Str(), e.Get("replace_all").Bool()); !ok {
				return "", false
			}
		}
		return text, true
	}
	before := out.Get("oldString").Str()
	if before == "" && text == "" {
		return out.Get("newString").Str(), true
	}
	return edit.Replace(text, before, out.Get("newString").Str(), out.Get("replaceAll").Bool())
}

// codexs are the edits of Codex: the patch is the argument.
func (p *parser) codexs(c call) []core.Diff {
	if c.name != "apply_patch" {
		return nil
	}
	return edit.Asked(cmp.Or(c.args.Str(), c.args.Get("command").Str()), p.absolute)
}

// copilots are the edits of Copilot CLI (source; not recorded).
func (p *parser) copilots(c call) []core.Diff {
	args, name := c.args, p.absolute(stream.Some(c.args, "path"))
	if name == "" {
		return nil
	}
	switch c.name {
	case "create":
		return []core.Diff{edit.Created(name, args.Get("file_text").Str())}
	case "edit":
		return []core.Diff{edit.Replaced(name, args.Get("old_str").Str(), args.Get("new_str").Str())}
	}
	return nil
}

// edited tells the edits of a payload that names no call: a list of strings and
// what replaced them.
func (p *parser) edited() {
	v := p.root
	if info := v.Get("tool_info"); info.Exists() {
		v = info
	}
	name := p.absolute(stream.Some(v, "file_path"))
	if name == "" || v.Get("edits").Len() == 0 {
		return
	}
	id := "edit-" + p.ID[:16]
	tool := p.event
	p.send(&core.ToolCall{CallID: id, Name: tool, Args: core.RawValue(v)})
	p.send(&core.ToolResult{CallID: id, OK: true})
	if d, ok := pieces(name, v.Get("edits")); ok {
		p.send(&core.FileEdit{CallID: id, Tool: tool, Diff: d})
	}
}

// pieces is the diff of several replaced strings in one file, whose places are not
// known: their hunks follow each other from line 1 on.
func pieces(name string, list jsondoc.Value) (core.Diff, bool) {
	var hunks []edit.Hunk
	at := 1
	var before, after string
	for e := range list.Elems() {
		before, after = e.Get("old_string").Str(), e.Get("new_string").Str()
		h := edit.Hunk{OldStart: at, NewStart: at}
		for _, side := range []struct{ mark, text string }{{"-", before}, {"+", after}} {
			if side.text != "" {
				h.Lines = append(h.Lines, side.mark+strings.TrimSuffix(side.text, "\n"))
			}
		}
		if len(h.Lines) > 0 {
			hunks = append(hunks, h)
			at += strings.Count(before, "\n") + 1
		}
	}
	switch {
	case len(hunks) == 0:
		return core.Diff{}, false
	case list.Len() > 1:
		d := edit.FromHunks(name, hunks)
		d.Certainty = core.Told
		return d, true
	case before == "":
		return edit.Written(name, after), true
	}
	d := edit.Replaced(name, before, after)
	return d, d.Unified != ""
}
