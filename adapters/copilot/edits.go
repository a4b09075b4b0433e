package copilot

import (
	"strings"

	"github.com/memscribe/memscribe/adapters/internal/edit"
	"github.com/memscribe/memscribe/adapters/internal/stream"
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/jsondoc"
)

// edits reports whether a tool changes files. The last row is the editor extension's.
func edits(name string) bool {
	switch name {
	case "create", "edit", // recorded 1.0.102
		"str_replace_editor", "apply_patch", // wild 0.0.340; wild 1.0.45 to 1.0.77
		"str_replace", "insert", "git_apply_patch", // read in the editor extension's source
		"create_file", "replace_string_in_file", "insert_edit_into_file":
		return true
	}
	return false
}

// viewed notes what a file holds. The screen shows it as a diff that changes nothing, with a line
// for what follows the last line end. The model sees the text itself, with its carriage returns:
// since 1.0.102 at the latest as it is, before with numbers (recorded 1.0.57).
func (p *parser) viewed(a *answer) {
	if a.args.Get("view_range").Exists() {
		return
	}
	name := p.resolve(a.args.Get("path").Str())
	text, ok := shown(a.detail.Str())
	if !ok || name == "" {
		return
	}
	told := a.told.Str()
	plain, _ := edit.Unnumbered(told, ". ")
	for _, exact := range []string{told, plain} {
		if edit.LF(exact) == text {
			text = exact
			break
		}
	}
	p.files.Set(name, text)
}

// edited emits the edits of a call that succeeded.
func (p *parser) edited(a *answer) {
	if patch := patchText(a.args); patch != "" {
		p.patched(a, patch)
		return
	}
	if command := a.args.Get("command"); command.Is("view") || command.Is("undo_edit") && !a.detail.Exists() {
		if command.Is("view") {
			p.viewed(a)
		}
		return
	}
	name := stream.Str(a.args, "path", "filePath", "file_path")
	if name == "" {
		p.sections(a)
		return
	}
	p.one(a, p.resolve(name))
}

// one emits the edit of a single file: one that was written whole, or one string of
// which was replaced.
func (p *parser) one(a *answer, name string) {
	section, overwrites := "", false
	if s := splitDiff(a.detail.Str()); len(s) > 0 {
		section, overwrites = s[0].body, !s[0].created
	}
	if text, ok := stream.First(a.args, "file_text", "content"); ok {
		p.written(a, name, text, overwrites && section != "")
		return
	}
	r := readReplacement(a.args)
	d, ok := p.change(name, section, r)
	if !ok {
		return
	}
	if r.given {
		d.Old, d.New = &r.before, &r.after
	}
	p.emitEdit(a, d)
}

// replacement replaces a string of a file, if the call gave one.
type replacement struct {
	before, after string
	given         bool
}

// in makes the replacement in a text, and reports whether it was found. Where all its lines end
// with a carriage return too, and what is to be replaced has none, the strings take the ends of the
// file (recorded 1.0.66, 1.0.102); so they do where they are found only then (unverified).
func (r *replacement) in(text string) (string, bool) {
	now, ok := edit.Replace(text, r.before, r.after, false)
	ends := strings.Count(text, "\r\n")
	if ends == 0 || strings.Contains(r.before, "\r") || ok && ends < strings.Count(text, "\n") {
		return now, ok
	}
	return edit.Replace(text, edit.CRLF(r.before), edit.CRLF(r.after), false)
}

func readReplacement(args jsondoc.Value) replacement {
	before, has := stream.First(args, "old_str", "oldString")
	after, given := stream.First(args, "new_str", "newString")
	return replacement{before: before, after: after, given: has && given}
}

// written emits the edit of a file that was written whole: a new one, unless the client's diff has
// lines of an old one. In that case the client's diff is the only witness of what was there before.
// It is emitted as it is, unless the file was seen.
func (p *parser) written(a *answer, name, text string, overwrites bool) {
	if !overwrites {
		p.emitEdit(a, p.files.Create(name, text))
		return
	}
	d, err := repaired(name, splitDiff(a.detail.Str())[0].body)
	p.opened(name, d, func(before string) bool { return err == nil && stands(before, d.Unified) })
	if before, ok := p.files.Text(name); ok && err == nil && stands(before, d.Unified) {
		p.files.Set(name, before) // the client's diff fits what was seen
	}
	if _, ok := p.files.Sure(name); ok {
		p.emitEdit(a, p.files.Write(name, text))
		return
	}
	if err == nil && d.Added+d.Removed > 0 {
		d.New = &text
		p.files.Set(name, text)
		p.emitEdit(a, d)
	}
}

// change is the diff of an edit: between the texts, where the text before is
// known and agrees with the client's own diff; else that diff; else the strings.
func (p *parser) change(name, section string, r replacement) (core.Diff, bool) {
	recorded, err := repaired(name, section)
	p.opened(name, recorded, func(before string) bool {
		if section == "" {
			return r.given && strings.Contains(before, r.before)
		}
		return err == nil && stands(before, recorded.Unified)
	})
	if section == "" || err != nil {
		p.files.Doubt()
		if !r.given || r.before == r.after {
			return core.Diff{}, false
		}
		return p.files.Replace(name, r.before, r.after, false), true
	}
	known, ok := p.files.Text(name)
	if ok && r.given && stands(known, recorded.Unified) {
		if now, ok := r.in(known); ok && now != known {
			return p.files.Changed(name, known, now), true
		}
	}
	return p.files.Apply(recorded), recorded.Added+recorded.Removed > 0
}

// stands reports whether a diff applies to a text. The client's diffs know
// nothing of a last line without an end, nor of carriage returns.
func stands(text, unified string) bool {
	if !strings.Contains(unified, "\r\n") {
		text = edit.LF(text)
	}
	if _, err := edit.Apply(text, unified); err == nil {
		return true
	}
	_, err := edit.Apply(text+"\n", unified)
	return err == nil
}

// patched emits the edits of a patch in the V4A form.
func (p *parser) patched(a *answer, text string) {
	parts, err := edit.ParsePatch(text)
	if err != nil {
		p.sections(a)
		return
	}
	recorded := splitDiff(a.detail.Str())
	for _, part := range edit.Merge(parts) {
		name := part.Path
		part.Path, part.MoveTo = p.resolve(part.Path), p.resolve(part.MoveTo)
		if part.Change == core.Modify && p.recorded(a, recorded, name, part.Path) {
			continue
		}
		p.opened(part.Path, core.Diff{}, func(before string) bool {
			_, err := part.DiffOf(before)
			return err == nil && part.Change != core.Create
		})
		p.emitEdit(a, p.files.Patch(part))
	}
}

// recorded emits the client's own diff of a file, if it made one.
// Paths of the diff have no leading slash, those of the patch may begin with "./".
func (p *parser) recorded(a *answer, sections []section, name, full string) bool {
	for _, s := range sections {
		if s.path != strings.TrimPrefix(full, "/") && s.path != strings.TrimPrefix(name, "./") {
			continue
		}
		d, err := repaired(full, s.body)
		if err != nil || d.Added+d.Removed == 0 {
			return false
		}
		p.opened(full, d, func(before string) bool { return stands(before, d.Unified) })
		p.emitEdit(a, p.files.Apply(d))
		return true
	}
	return false
}

// sections emits the edits of a call that nothing but the client's diff tells
// of, with the paths of fileEdits, or else those of the diff.
func (p *parser) sections(a *answer) {
	var full []string
	for f := range a.files.Elems() {
		full = append(full, f.Get("path").Str())
	}
	for i, s := range splitDiff(a.detail.Str()) {
		name := "/" + s.path
		if i < len(full) && full[i] != "" {
			name = full[i]
		}
		d, err := repaired(name, s.body)
		if err != nil || d.Added+d.Removed == 0 {
			continue
		}
		if s.created {
			d = asCreated(name, d)
		}
		p.emitEdit(a, p.files.Apply(d))
	}
}

// emitEdit emits an edit, unless nothing is known of what changed.
func (p *parser) emitEdit(a *answer, d core.Diff) {
	if d.Path == "" || d.Unified == "" {
		return
	}
	p.Change = core.FileEdit{CallID: a.id, Tool: a.call.name, Diff: d}
	p.send(&p.Change, false)
}

// patchText is the patch of a call, which stands alone or in an argument.
func patchText(args jsondoc.Value) string {
	v := args
	for _, name := range []string{"input", "patch", "patchText"} {
		if arg := args.Get(name); arg.Kind() == jsondoc.String {
			v = arg
		}
	}
	if text := v.Str(); strings.Contains(text, "*** Begin Patch") {
		return text
	}
	return ""
}

// resolve makes a path absolute, as it is on the machine of the session.
func (p *parser) resolve(name string) string { return p.Resolve(strings.TrimPrefix(name, `.\`)) }
