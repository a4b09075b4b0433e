package zed

import (
	"cmp"
	"strings"

	"github.com/memscribe/memscribe/adapters/internal/asked"
	"github.com/memscribe/memscribe/adapters/internal/edit"
	"github.com/memscribe/memscribe/adapters/internal/stream"
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/jsondoc"
)

// edits are what a call that succeeded changed. What the editor changed on behalf
// of a language server may be several files.
func (p *parser) edits(c call, out, shown jsondoc.Value) []core.Diff {
	var all []core.Diff
	for f := range out.Path("Edited", "diffs").Elems() {
		name, before, after := p.resolve(f.Get("path").Str()), f.Get("old_text").Str(), f.Get("new_text").Str()
		if d := edit.FromTexts(name, before, after); name != "" && d.Added+d.Removed > 0 {
			p.files.Set(name, after)
			all = append(all, d)
		}
	}
	if len(all) > 0 {
		return all
	}
	return []core.Diff{p.edit(c, out, shown)}
}

// edit is what a call that succeeded changed in one file (read in source). The tools that
// edit record the whole text of the file before and after; those of the first
// versions, the diff that they showed to the model, or nothing but what they were
// asked for.
func (p *parser) edit(c call, out, shown jsondoc.Value) core.Diff {
	switch c.kind() {
	case "edit_file", "write_file", "streaming_edit_file", "find_replace_file", "create_file":
		return p.edited(c, out, shown)
	case "delete_path":
		if name := p.resolve(c.input.Get("path").Str()); name != "" {
			return p.files.Delete(name)
		}
	case "move_path", "copy_path":
		return p.moved(c)
	case "terminal":
		p.files.Ran(c.input.Get("command").Str())
	case "rename", "rename_symbol", "code_action", "apply_code_action", "restore_file_from_disk":
		p.files.Doubt() // what these did to which files no one says
	}
	return core.Diff{}
}

// kind is the tool's name as it is written since April 2025.
func (c call) kind() string { return strings.ReplaceAll(c.name, "-", "_") }

// moved is the diff of a file that got another name, or a copy. Of a copy whose
// text is not known there is none; it may be of a folder.
func (p *parser) moved(c call) core.Diff {
	from, to := p.resolve(c.input.Get("source_path").Str()), p.resolve(c.input.Get("destination_path").Str())
	switch text, known := p.files.Text(from); {
	case from == "" || to == "":
	case c.kind() != "copy_path":
		p.files.Move(from, to)
		return edit.Renamed(core.Diff{Path: to, Change: core.Modify}, from)
	case known:
		p.files.Set(to, text)
		return edit.Created(to, text)
	default:
		p.files.Forget(to)
	}
	return core.Diff{}
}

// target is the file that a call edits.
func (p *parser) target(c call, out jsondoc.Value) string {
	return p.resolve(cmp.Or(stream.Some(out, "input_path", "original_path"), c.input.Get("path").Str()))
}

// edited is the diff of one file.
func (p *parser) edited(c call, out, shown jsondoc.Value) core.Diff {
	name := p.target(c, out)
	if name == "" {
		return core.Diff{}
	}
	t := edit.Facts{Path: name, Before: edit.Text(out.Get("old_text")), After: edit.Text(out.Get("new_text"))}
	recorded := t.Before != nil && t.After != nil
	if recorded && *t.Before == "" && c.writes() {
		t.Content, t.Created = t.After, true
	}
	unified := cmp.Or(out.Get("diff").Str(), edit.Fenced(said(shown)))
	t.Shown = func() (core.Diff, bool) {
		d, err := edit.FromUnified(name, unified)
		return d, err == nil && d.Added+d.Removed > 0
	}
	if recorded || unified != "" {
		d, _ := p.files.Of(t)
		return d
	}
	for _, d := range asked.Edits(&p.files, func(string) string { return name }, c.input) {
		return d // the tools that record no diff
	}
	return core.Diff{}
}

// writes reports whether a call may make a file.
func (c call) writes() bool {
	mode := c.input.Get("mode")
	return mode.Is("create") || mode.Is("write") || mode.Is("overwrite") || c.kind() == "write_file" || c.input.Get("create_or_overwrite").Bool()
}

// said is the text of a result, which is a string, a piece, or a list of pieces.
func said(content jsondoc.Value) string {
	switch content.Kind() {
	case jsondoc.String:
		return content.Str()
	case jsondoc.Array:
		var b strings.Builder
		for piece := range content.Elems() {
			b.WriteString(said(piece))
		}
		return b.String()
	default:
	}
	if text := content.Get("Text"); text.Exists() {
		return text.Str()
	}
	return content.Get("text").Str()
}
