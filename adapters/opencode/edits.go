package opencode

import (
	"cmp"
	"strings"

	"github.com/memscribe/memscribe/adapters/internal/edit"
	"github.com/memscribe/memscribe/adapters/internal/stream"
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/jsondoc"
)

// edits lists what a call that succeeded changed.
func (p *parser) edits(c *call) []core.Diff {
	t := edit.Facts{Path: p.Resolve(c.file())}
	switch c.name {
	case "edit": // recorded
		p.swapped(c, &t)
	case "write": // recorded
		p.written(c, &t)
	case "multiedit": // read in source
		severally(c, &t)
	case "patch", "apply_patch": // read in source
		return p.patched(c)
	case "bash", "shell":
		p.files.Ran(c.input.Get("command").Str())
		return nil
	default:
		return nil
	}
	d, ok := p.files.Of(t)
	if !ok {
		return nil
	}
	if len(t.Pairs) == 1 && t.Pairs[0].Before == "" && d.Change == core.Modify && strings.Contains(d.Unified, "\n@@ -0,0 +") {
		d = p.files.Create(t.Path, t.Pairs[0].After)
	}
	return []core.Diff{d}
}

// file is the path that a call names; the tools of the later layout call it
// otherwise.
func (c *call) file() string { return stream.Str(c.input, "filePath", "path") }

// swapped adds the facts of an edit that replaces a string.
func (p *parser) swapped(c *call, t *edit.Facts) {
	pair := pairOf(c.input)
	file := c.meta.Get("filediff")
	t.Before, t.After = edit.Text(file.Get("before")), edit.Text(file.Get("after"))
	t.Strings, t.Pairs, t.Redo = true, []edit.Pair{pair}, func(text string, _ int) (string, bool) { return redo(text, pair) }
	shown := cmp.Or(c.meta.Get("diff").Str(), file.Get("patch").Str())
	for f := range c.meta.Get("files").Elems() { // of the later layout: one, with nothing taken off
		shown = f.Get("patch").Str()
	}
	if shown != "" {
		t.Shown = shownDiff(t.Path, indented(shown, pair.Before+"\n"+pair.After))
		t.Agrees = func(before, after string, _ int) bool { return agrees(edit.FromTexts(t.Path, before, after), shown) }
	}
}

// pairOf is the replacement that a call asks for.
func pairOf(v jsondoc.Value) edit.Pair {
	return edit.Pair{Before: v.Get("oldString").Str(), After: v.Get("newString").Str(), All: v.Get("replaceAll").Bool()}
}

// redo makes a replacement in a text. The client gives the strings the line ends of the
// file (read in source).
func redo(text string, p edit.Pair) (string, bool) {
	if p.Before == p.After {
		return "", false
	}
	if strings.Contains(text, "\r\n") {
		p.Before, p.After = edit.CRLF(p.Before), edit.CRLF(p.After)
	}
	return edit.Replace(text, p.Before, p.After, p.All)
}

// shownDiff is the diff that was shown of a file.
func shownDiff(name, shown string) func() (core.Diff, bool) {
	return func() (core.Diff, bool) {
		d, err := edit.FromUnified(name, shown)
		return d, err == nil && d.Added+d.Removed > 0
	}
}

// agrees reports whether a diff that was worked out is the one that was shown,
// but for indentation.
func agrees(d core.Diff, shown string) bool {
	as, err := edit.FromUnified(d.Path, shown)
	if err != nil || as.Added != d.Added || as.Removed != d.Removed {
		return false
	}
	a, b := strings.Split(d.Unified, "\n"), strings.Split(as.Unified, "\n")
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if bare(a[i]) != bare(b[i]) {
			return false
		}
	}
	return true
}

// bare is a line of a diff without its mark, its indentation and a carriage
// return, which the client leaves out.
func bare(line string) string {
	return strings.TrimSuffix(strings.TrimLeft(strings.TrimLeft(line, "+- "), " \t"), "\r")
}

// written adds the facts of a call that writes a file whole.
func (p *parser) written(c *call, t *edit.Facts) {
	text := c.input.Get("content").Str()
	existed := stream.Member(c.meta, "exists", "existed") // the second of the later layout
	t.Content, t.Created = &text, existed.Exists() && !existed.Bool()
	t.Before = edit.Text(c.meta.Path("filediff", "before"))
	if shown := c.meta.Get("diff").Str(); shown != "" {
		t.Shown = shownDiff(t.Path, indented(shown, text))
	}
}

// severally adds the facts of several replacements in one file, one after the other.
func severally(c *call, t *edit.Facts) {
	for r := range c.meta.Get("results").Elems() {
		if t.After = edit.Text(r.Path("filediff", "after")); len(t.Pairs) == 0 {
			t.Before = edit.Text(r.Path("filediff", "before"))
		}
		t.Pairs = append(t.Pairs, edit.Pair{})
	}
	if len(t.Pairs) == 0 {
		return
	}
	t.Pairs = nil
	for e := range c.input.Get("edits").Elems() {
		t.Pairs = append(t.Pairs, pairOf(e))
	}
}

// patched lists the edits of a patch in the V4A form: what the tool recorded of
// each file, else what the patch says.
func (p *parser) patched(c *call) []core.Diff {
	var diffs []core.Diff
	text := c.input.Get("patchText").Str()
	for f := range c.meta.Get("files").Elems() {
		if d, ok := p.patchedFile(f, text); ok {
			diffs = append(diffs, d)
		}
	}
	if len(diffs) > 0 {
		return diffs
	}
	diffs, _ = p.files.Patches(text, p.Resolve) // what is no patch changed nothing
	return diffs
}

// patchedFile is what the tool recorded of one file of a patch, whose text is
// patch.
func (p *parser) patchedFile(f jsondoc.Value, patch string) (core.Diff, bool) {
	name, kind := p.Resolve(f.Get("filePath").Str()), f.Get("type").Str()
	if name == "" { // of the later layout
		name, kind = p.Resolve(f.Get("file").Str()), kindOf(f.Get("status").Str())
	}
	before, after := f.Get("before"), f.Get("after")
	target := cmp.Or(p.Resolve(f.Get("movePath").Str()), name)
	var d core.Diff
	switch {
	case name == "":
		return d, false
	case kind == "delete" && before.Kind() == jsondoc.String:
		d = edit.Deleted(name, before.Str())
	case kind == "add" && after.Kind() == jsondoc.String: // over a file that is there, too (recorded 1.15.3)
		return p.files.Write(name, after.Str()), true
	case before.Kind() == jsondoc.String && after.Kind() == jsondoc.String:
		d = edit.FromTexts(target, before.Str(), after.Str())
	default:
		var ok bool
		if d, ok = shownFile(target, kind, indented(stream.Some(f, "patch", "diff"), changedLines(patch))); !ok {
			return d, false
		}
	}
	if target != name {
		d = edit.Renamed(d, name)
	}
	p.files.Forget(name)
	return p.files.Apply(d), true
}

// kindOf is what the older layout calls what became of a file.
func kindOf(status string) string {
	switch status {
	case "added":
		return "add"
	case "deleted":
		return "delete"
	}
	return "update"
}

// shownFile is the diff of a file that only the diff on the screen tells of.
func shownFile(name, kind, shown string) (core.Diff, bool) {
	d, err := edit.FromUnified(name, shown)
	if err != nil {
		return d, false
	}
	switch kind {
	case "add":
		text, err := edit.Apply("", d.Unified)
		return edit.Written(name, text), err == nil
	case "delete":
		return edit.Deleted(name, edit.Removed(d.Unified)), true
	}
	return d, d.Added+d.Removed > 0
}
