package mcpedits

import (
	"path"
	"strings"

	"github.com/memscribe/memscribe/adapters/internal/edit"
	"github.com/memscribe/memscribe/adapters/internal/stream"
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/jsondoc"
)

// diffs are those of what a successful call changed; none, if it changed nothing,
// or if it was a call of something else.
func (e *editor) diffs(made *call, output core.Raw, p *core.Project) []core.Diff {
	if _, err := e.args.Parse(made.args); err != nil {
		return nil
	}
	a := answer{args: e.args.Root(), all: said(output, &e.answer), files: e.files}
	if p != nil {
		a.cwd = p.Cwd
	}
	var d core.Diff
	ok := false
	switch made.tool {
	case edits:
		d, ok = a.edited()
	case writes:
		d, ok = a.written()
	case blocks:
		d, ok = a.replaced()
	case moves:
		d, ok = e.moved(&a)
	case reads:
		a.read()
	case lists:
		e.folder(a.file(a.args.Get("path").Str()))
	case none:
	}
	if !ok {
		return nil
	}
	e.folder(path.Dir(strings.ReplaceAll(d.Path, `\`, "/")))
	return []core.Diff{d}
}

// answer is a call with its result.
type answer struct {
	args  jsondoc.Value
	all   []string // the texts of the result
	files Files
	cwd   string
}

// file is the path of a file that a call names. Servers are started where the client works.
func (a *answer) file(name string) string {
	if strings.HasPrefix(name, "~") {
		return name
	}
	return edit.Clean(stream.Resolve(a.cwd, name))
}

// edited is edit_file of the reference server. It names the file as it really is, without links.
func (a *answer) edited() (core.Diff, bool) {
	list := a.args.Get("edits")
	if a.args.Get("dryRun").Bool() || a.args.Get("dryRun").Is("true") || list.Len() == 0 {
		return core.Diff{}, false
	}
	var pairs []edit.Pair
	for e := range list.Elems() {
		before, after := e.Get("oldText"), e.Get("newText")
		if before.Kind() != jsondoc.String || after.Kind() != jsondoc.String {
			return core.Diff{}, false
		}
		pairs = append(pairs, edit.Pair{Before: before.Str(), After: after.Str()})
	}
	file, body, ok := fenced(a.all)
	if !ok || a.args.Get("path").Kind() != jsondoc.String {
		return core.Diff{}, false
	}
	d, ok := a.patched(a.file(file), body, pairs)
	if len(pairs) == 1 {
		d.Old, d.New = &pairs[0].Before, &pairs[0].After
	}
	return d, ok && d.Added+d.Removed > 0
}

// patched is the diff of an edit where the server has shown its own, whole or not.
func (a *answer) patched(file, body string, pairs []edit.Pair) (core.Diff, bool) {
	before, known := a.files.Text(file)
	a.files.Forget(file)
	if body == "" { // cut by the client
		return a.unshown(file, pairs)
	}
	if !strings.Contains(body, "\n@@ ") {
		return core.Diff{}, false
	}
	d, err := edit.FromUnified(file, body)
	if err != nil {
		return a.unshown(file, pairs)
	}
	if !known {
		return d, true
	}
	// The server rewrites all line ends, and its diff does not say so.
	after, err := edit.Apply(strings.ReplaceAll(before, "\r\n", "\n"), d.Unified)
	if err != nil {
		return d, true
	}
	a.files.Set(file, after)
	if strings.Contains(before, "\r\n") {
		d = edit.FromTexts(file, before, after)
		d.Old, d.New = nil, nil
	}
	return d, true
}

// unshown is the diff of an edit when no more is known than the strings.
func (a *answer) unshown(file string, pairs []edit.Pair) (core.Diff, bool) {
	if len(pairs) == 1 {
		return edit.Replaced(file, pairs[0].Before, pairs[0].After), true
	}
	return edit.ReplacedAll(file, pairs), true
}

// written is write_file. Whether the file was there before, no server says.
func (a *answer) written() (core.Diff, bool) {
	name, content := a.args.Get("path"), a.args.Get("content")
	if name.Kind() != jsondoc.String || content.Kind() != jsondoc.String {
		return core.Diff{}, false
	}
	file, text := a.file(name.Str()), content.Str()
	if begins(a.all, "Successfully appended to "+name.Str()) {
		return a.appended(file, text), text != ""
	}
	if !begins(a.all, "Successfully wrote to "+name.Str()) {
		return core.Diff{}, false
	}
	before, known := a.files.Sure(file)
	a.files.Set(file, text)
	if !known {
		return edit.Written(file, text), true
	}
	return edit.FromTexts(file, before, text), before != text
}

// appended is the diff of a text that was added at the end of a file; where the file is not known, of
// the text alone.
func (a *answer) appended(file, text string) core.Diff {
	before, known := a.files.Sure(file)
	if !known {
		return edit.Replaced(file, "", text)
	}
	a.files.Set(file, before+text)
	d := edit.FromTexts(file, before, before+text)
	d.Old, d.New = nil, &text
	return d
}

// replaced is edit_block of Desktop Commander. It shows the lines around what it
// has replaced; that nothing was replaced, it says in words and takes for no error.
func (a *answer) replaced() (core.Diff, bool) {
	name, old, now := a.args.Get("file_path"), a.args.Get("old_string"), a.args.Get("new_string")
	if name.Kind() != jsondoc.String || old.Kind() != jsondoc.String || now.Kind() != jsondoc.String || old.Is(now.Str()) {
		return core.Diff{}, false
	}
	file, before, after := a.file(name.Str()), old.Str(), now.Str()
	if !a.isReplaced() {
		return core.Diff{}, false
	}
	text, known := a.files.Text(file)
	if whole, ok := a.excerpt(); ok && after != "" && strings.Count(whole, after) == a.times() {
		text, known = strings.ReplaceAll(whole, after, before), true
	}
	a.files.Forget(file)
	d := edit.Replaced(file, before, after)
	if changed, ok := edit.Replace(text, before, after, a.times() > 1); ok && known && before != "" {
		d = edit.FromTexts(file, text, changed)
		a.files.Set(file, changed)
	}
	d.Old, d.New = &before, &after
	return d, true
}

// times is how often a string is to be replaced.
func (a *answer) times() int {
	if n, ok := a.args.Get("expected_replacements").Int(); ok && n > 0 && n < 1<<20 {
		return int(n)
	}
	return 1
}

// isReplaced reports whether an answer says that the replacements were made.
func (a *answer) isReplaced() bool {
	for _, text := range a.all {
		if strings.HasPrefix(text, "Successfully applied ") || strings.HasPrefix(text, "[Reading ") {
			return true
		}
	}
	return false
}

// excerpt is what edit_block shows of the file, if that is all of it.
func (a *answer) excerpt() (string, bool) {
	for _, text := range a.all {
		head, rest, ok := strings.Cut(text, "]\n\n")
		if ok && strings.HasPrefix(head, "[Reading ") && strings.Contains(head, " from start (") && strings.HasSuffix(head, ", 0 remaining)") {
			return rest, true
		}
	}
	return "", false
}

// moved is move_file. A folder that is moved is no edit of a file.
func (e *editor) moved(a *answer) (core.Diff, bool) {
	from, to := a.args.Get("source").Str(), a.args.Get("destination").Str()
	if from == "" || to == "" || !begins(a.all, "Successfully moved "+from+" to "+to) {
		return core.Diff{}, false
	}
	source, target := a.file(from), a.file(to)
	if _, isFolder := e.folders[source]; isFolder || source == target {
		return core.Diff{}, false
	}
	a.files.Move(source, target)
	d := edit.Renamed(edit.FromTexts(target, "", ""), source)
	d.Old, d.New = nil, nil
	return d, true
}

// folder notes that a path is one of a folder.
func (e *editor) folder(name string) {
	const most = 16 << 10
	if e.folders == nil || len(e.folders) >= most {
		e.folders = map[string]struct{}{}
	}
	e.folders[name] = struct{}{}
}

// read takes in what a whole read shows.
func (a *answer) read() {
	name := a.args.Get("path")
	if name.Kind() != jsondoc.String {
		return
	}
	for _, part := range [...]string{"head", "tail", "offset", "length", "offset_lines", "limit", "start_line", "end_line", "line_start"} {
		if v := a.args.Get(part); v.Exists() && v.Kind() != jsondoc.Null {
			return
		}
	}
	if text, ok := shown(a.all); ok && !strings.HasPrefix(text, "[Reading ") {
		a.files.Set(a.file(name.Str()), text)
	}
}
