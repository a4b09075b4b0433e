package zed

import (
	"github.com/memscribe/memscribe/adapters/internal/edit"
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/jsondoc"
)

// edit is what a call that succeeded changed (read in source). The tools that
// edit record the whole text of the file before and after.
func (p *parser) edit(c call, out jsondoc.Value) (core.Diff, bool) {
	switch c.name {
	case "edit_file", "write_file", "streaming_edit_file":
		return p.edited(c, out)
	case "delete_path":
		name := p.resolve(c.input.Get("path").Str())
		text, ok := p.files.Text(name)
		p.files.Forget(name)
		if ok {
			return edit.Deleted(name, text), true
		}
		return edit.DeletedUnseen(name), name != ""
	case "move_path":
		from, to := p.resolve(c.input.Get("source_path").Str()), p.resolve(c.input.Get("destination_path").Str())
		if from == "" || to == "" {
			return core.Diff{}, false
		}
		if text, ok := p.files.Text(from); ok {
			p.files.Set(to, text)
		}
		p.files.Forget(from)
		return edit.Renamed(core.Diff{Path: to, Change: core.Modify}, from), true
	case "terminal":
		p.files.Doubt()
	}
	return core.Diff{}, false
}

// edited is the diff of one file.
func (p *parser) edited(c call, out jsondoc.Value) (core.Diff, bool) {
	name := c.input.Get("path").Str()
	for _, key := range []string{"original_path", "input_path"} {
		if s := out.Get(key).Str(); s != "" {
			name = s
		}
	}
	name = p.resolve(name)
	before, after := out.Get("old_text"), out.Get("new_text")
	if name == "" {
		return core.Diff{}, false
	}
	if before.Kind() == jsondoc.String && after.Kind() == jsondoc.String {
		a, b := before.Str(), after.Str()
		p.files.Set(name, b)
		mode := c.input.Get("mode")
		if a == "" && (mode.Is("create") || mode.Is("write") || mode.Is("overwrite") || c.name == "write_file") {
			return edit.Created(name, b), true
		}
		d := edit.FromTexts(name, a, b)
		return d, d.Added+d.Removed > 0
	}
	if shown := out.Get("diff").Str(); shown != "" {
		d, err := edit.FromUnified(name, shown)
		if err != nil || d.Added+d.Removed == 0 {
			return core.Diff{}, false
		}
		return p.files.Apply(d), true
	}
	if text := c.input.Get("content"); text.Kind() == jsondoc.String {
		return p.files.Rewrite(name, text.Str()), true
	}
	return core.Diff{}, false
}
