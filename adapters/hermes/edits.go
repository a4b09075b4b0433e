package hermes

import (
	"strings"

	"github.com/memscribe/memscribe/adapters/internal/edit"
	"github.com/memscribe/memscribe/adapters/internal/emit"
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/jsondoc"
)

// edits lists what a call that succeeded changed (read in source).
func (p *parser) edits(name string, args, out jsondoc.Value) []core.Diff {
	switch name {
	case "write_file":
		file := p.place(args.Get("path").Str(), out)
		if file == "" {
			return nil
		}
		return []core.Diff{p.files.Rewrite(file, args.Get("content").Str())}
	case "patch":
		return p.patched(args, out)
	case "terminal", "execute_code":
		p.files.Doubt()
	}
	return nil
}

// place is the file that a call meant: the tool says which one it was.
func (p *parser) place(name string, out jsondoc.Value) string {
	if resolved := out.Get("resolved_path").Str(); resolved != "" {
		return resolved
	}
	return emit.Resolve(p.cwd, name)
}

// patched lists the edits of a patch: a replacement in one file, or a patch in
// the V4A form.
func (p *parser) patched(args, out jsondoc.Value) []core.Diff {
	if out.Get("no_change").Bool() {
		return nil
	}
	text := args.Get("patch").Str()
	if text == "" {
		return p.replaced(args, out)
	}
	text = strings.ReplaceAll(text, "***Update File:", "*** Update File:")
	parts, err := edit.ParsePatch(text)
	if err != nil {
		return nil
	}
	var diffs []core.Diff
	for _, part := range edit.Merge(parts) {
		part.Path = emit.Resolve(p.cwd, part.Path)
		if part.MoveTo != "" {
			part.MoveTo = emit.Resolve(p.cwd, part.MoveTo)
		}
		diffs = append(diffs, p.files.Patch(part))
	}
	return diffs
}

func (p *parser) replaced(args, out jsondoc.Value) []core.Diff {
	file := p.place(args.Get("path").Str(), out)
	before, after := args.Get("old_string").Str(), args.Get("new_string").Str()
	if file == "" {
		return nil
	}
	d, err := edit.FromUnified(file, out.Get("diff").Str())
	if err != nil || d.Added+d.Removed == 0 {
		d = p.files.Replace(file, before, after, args.Get("replace_all").Bool())
	} else {
		d = p.files.Apply(d)
	}
	d.Old, d.New = &before, &after
	if d.Added+d.Removed == 0 {
		return nil
	}
	return []core.Diff{d}
}
