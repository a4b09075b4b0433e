package opencode

import (
	"path"
	"strings"

	"github.com/memscribe/memscribe/adapters/internal/edit"
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/jsondoc"
)

// edits lists what a call that succeeded changed.
func (p *parser) edits(c *call) []core.Diff {
	switch c.name {
	case "edit": // recorded
		if d, ok := p.one(c.file(), c.input, c.meta); ok {
			return []core.Diff{d}
		}
	case "write": // recorded
		if d, ok := p.written(c); ok {
			return []core.Diff{d}
		}
	case "multiedit": // read in source
		if d, ok := p.several(c); ok {
			return []core.Diff{d}
		}
	case "patch", "apply_patch": // read in source
		return p.patched(c)
	case "bash", "shell":
		p.files.Ran(c.input.Get("command").Str())
	}
	return nil
}

// file is the path that a call names; the tools of the later layout call it
// otherwise.
func (c *call) file() jsondoc.Value {
	if v := c.input.Get("filePath"); v.Exists() {
		return v
	}
	return c.input.Get("path")
}

// resolve makes a path absolute.
func (p *parser) resolve(name string) string {
	if name == "" || p.cwd == "" || path.IsAbs(name) || isDrive(name) {
		return name
	}
	return path.Join(p.cwd, name)
}

// isDrive reports whether a path begins as absolute ones do on Windows.
func isDrive(name string) bool {
	return len(name) > 2 && name[1] == ':' && (name[2] == '\\' || name[2] == '/') || strings.HasPrefix(name, `\\`)
}

// one is the diff of an edit that replaces a string, by the best record of it
// that there is.
func (p *parser) one(file, input, meta jsondoc.Value) (core.Diff, bool) {
	name := p.resolve(file.Str())
	before, after := input.Get("oldString").Str(), input.Get("newString").Str()
	if name == "" {
		return core.Diff{}, false
	}
	r := replacement{before, after, input.Get("replaceAll").Bool()}
	d, ok := p.recorded(name, r, meta)
	if !ok && before == after {
		return core.Diff{}, false
	}
	if !ok {
		d = p.files.Replace(name, before, after, r.all)
	}
	if d.Added+d.Removed == 0 {
		return d, false
	}
	if before == "" && d.Change == core.Modify && isWhole(d.Unified) {
		d = edit.Created(name, after)
		p.files.Set(name, after)
	}
	d.Old, d.New = &before, &after
	if d.Change == core.Create {
		d.Old = nil
	}
	return d, true
}

// isWhole reports whether a diff begins a file.
func isWhole(unified string) bool { return strings.Contains(unified, "\n@@ -0,0 +") }

// replacement is what an edit asks for.
type replacement struct {
	before, after string
	all           bool
}

// in makes the replacement in a text. The client gives the strings the line ends
// of the file (read in source).
func (r replacement) in(text string) (string, bool) {
	if r.before == r.after {
		return "", false
	}
	if strings.Contains(text, "\r\n") {
		r.before, r.after = edit.CRLF(r.before), edit.CRLF(r.after)
	}
	return edit.Replace(text, r.before, r.after, r.all)
}

// recorded is the diff that the tool recorded: of the texts of the file before
// and after, or as it was shown, put right.
func (p *parser) recorded(name string, r replacement, meta jsondoc.Value) (core.Diff, bool) {
	file := meta.Get("filediff")
	if from, to := file.Get("before"), file.Get("after"); from.Kind() == jsondoc.String && to.Kind() == jsondoc.String {
		a, b := from.Str(), to.Str()
		return p.files.Changed(name, a, b), true
	}
	shown := meta.Get("diff").Str()
	if patch := file.Get("patch").Str(); shown == "" {
		shown = patch
	}
	for f := range meta.Get("files").Elems() { // of the later layout: one, with nothing taken off
		shown = f.Get("patch").Str()
	}
	known, isKnown := p.files.Text(name)
	if _, sure := p.files.Sure(name); sure || isKnown && shown != "" {
		if now, ok := r.in(known); ok && agrees(edit.FromTexts(name, known, now), shown) {
			return p.files.Changed(name, known, now), true
		}
	}
	if shown == "" {
		return core.Diff{}, false
	}
	d, err := edit.FromUnified(name, indented(shown, sources{known, r.before, r.after}))
	if err != nil {
		return core.Diff{}, false
	}
	return p.files.Apply(d), true
}

// agrees reports whether a diff that was worked out is the one that was shown,
// but for indentation.
func agrees(d core.Diff, shown string) bool {
	if shown == "" {
		return true
	}
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

// written is the diff of a file that was written whole.
func (p *parser) written(c *call) (core.Diff, bool) {
	name, text := p.resolve(c.file().Str()), c.input.Get("content").Str()
	if name == "" {
		return core.Diff{}, false
	}
	existed := c.meta.Get("exists")
	if !existed.Exists() {
		existed = c.meta.Get("existed") // of the later layout
	}
	if existed.Exists() && !existed.Bool() {
		return p.files.Create(name, text), true
	}
	file := c.meta.Get("filediff")
	if from := file.Get("before"); from.Kind() == jsondoc.String {
		p.files.Set(name, from.Str())
		d := p.files.Write(name, text)
		return d, d.Added+d.Removed > 0
	}
	if before, ok := p.files.Sure(name); ok && before == text {
		return core.Diff{}, false
	} else if ok {
		return p.files.Write(name, text), true
	}
	shown := c.meta.Get("diff").Str()
	if d, err := edit.FromUnified(name, indented(shown, sources{after: text})); shown != "" && err == nil && d.Added+d.Removed > 0 {
		p.files.Set(name, text)
		d.New = &text
		return d, true
	}
	return p.files.Write(name, text), true
}

// several is the diff of several replacements in one file, one after the other.
func (p *parser) several(c *call) (core.Diff, bool) {
	name := p.resolve(c.input.Get("filePath").Str())
	var results []jsondoc.Value
	for r := range c.meta.Get("results").Elems() {
		results = append(results, r)
	}
	if len(results) == 0 || name == "" {
		return core.Diff{}, false
	}
	first, last := results[0].Path("filediff", "before"), results[len(results)-1].Path("filediff", "after")
	if first.Kind() == jsondoc.String && last.Kind() == jsondoc.String {
		d := p.files.Changed(name, first.Str(), last.Str())
		return d, d.Added+d.Removed > 0
	}
	var pairs []edit.Pair
	for e := range c.input.Get("edits").Elems() {
		pairs = append(pairs, edit.Pair{Before: e.Get("oldString").Str(), After: e.Get("newString").Str(), All: e.Get("replaceAll").Bool()})
	}
	d := p.files.ReplaceAll(name, pairs)
	return d, d.Added+d.Removed > 0
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
	diffs, _ = p.files.Patches(text, p.resolve) // what is no patch changed nothing
	return diffs
}

// patchedFile is what the tool recorded of one file of a patch, whose text is
// patch.
func (p *parser) patchedFile(f jsondoc.Value, patch string) (core.Diff, bool) {
	name, kind := p.resolve(f.Get("filePath").Str()), f.Get("type").Str()
	if name == "" { // of the later layout
		name, kind = p.resolve(f.Get("file").Str()), kindOf(f.Get("status").Str())
	}
	before, after := f.Get("before"), f.Get("after")
	target := name
	if to := f.Get("movePath").Str(); to != "" {
		target = p.resolve(to)
	}
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
		shown := f.Get("patch").Str()
		if shown == "" {
			shown = f.Get("diff").Str()
		}
		known, _ := p.files.Text(name)
		var ok bool
		if d, ok = shownFile(target, kind, indented(shown, patchSources(known, patch))); !ok {
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
		return edit.Deleted(name, removed(d.Unified)), true
	}
	return d, d.Added+d.Removed > 0
}

// removed is the text that a diff takes away.
func removed(unified string) string {
	var b strings.Builder
	last := byte(0)
	for l := range strings.SplitSeq(unified, "\n") {
		switch {
		case strings.HasPrefix(l, "--- "):
		case strings.HasPrefix(l, "-"):
			b.WriteString(l[1:] + "\n")
		case strings.HasPrefix(l, `\ No newline`) && last == '-':
			return strings.TrimSuffix(b.String(), "\n")
		}
		if l != "" {
			last = l[0]
		}
	}
	return b.String()
}
