package hermes

import (
	"slices"
	"strings"

	"github.com/memscribe/memscribe/adapters/internal/edit"
	"github.com/memscribe/memscribe/adapters/internal/stream"
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/jsondoc"
)

// edits lists what a call that succeeded changed.
func (p *parser) edits(name string, args, out jsondoc.Value) []core.Diff {
	switch name {
	case "read_file":
		p.shown(args, out)
	case "write_file":
		if file := p.place(args.Get("path").Str(), out); file != "" {
			return []core.Diff{p.files.Write(file, written(args.Get("content").Str(), out))}
		}
	case "patch":
		return p.patched(args, out)
	case "terminal":
		p.files.Ran(args.Get("command").Str())
	case "execute_code", "process":
		p.files.Doubt()
	}
	return nil
}

// place is the file that a call meant: the tool says which one it was.
func (p *parser) place(name string, out jsondoc.Value) string {
	if resolved := out.Get("resolved_path").Str(); resolved != "" {
		return resolved
	}
	return p.Resolve(name)
}

// bom begins some files. The client shows neither them nor diffs with it.
const bom = "\ufeff"

// shown learns the text of a file that was read whole: its lines with their
// numbers, and how many bytes it has, which tells what is not shown.
func (p *parser) shown(args, out jsondoc.Value) {
	first, begun := args.Get("offset").Int()
	size, sized := out.Get("file_size").Int()
	if begun && first > 1 || !sized || out.Get("truncated").Bool() {
		return
	}
	text, ok := edit.Unnumbered(out.Get("content").Str(), "|")
	if !ok {
		return
	}
	for _, as := range []string{text, text + "\n", bom + text, bom + text + "\n"} {
		if int64(len(as)) == size {
			p.files.Set(p.place(args.Get("path").Str(), out), as)
			return
		}
	}
}

// written is the text that a file was given. The client keeps how the file began and how its lines
// ended before, and says how many bytes it wrote. The first that has the number of bytes is it.
func written(content string, out jsondoc.Value) string {
	n, ok := out.Get("bytes_written").Int()
	plain := strings.ReplaceAll(content, "\r\n", "\n")
	ended := strings.ReplaceAll(plain, "\n", "\r\n")
	for _, as := range []string{content, ended, bom + content, bom + ended} {
		if ok && int64(len(as)) == n {
			return as
		}
	}
	return content
}

// patched lists the edits of a patch: a replacement in one file, or a patch in the V4A form.
func (p *parser) patched(args, out jsondoc.Value) []core.Diff {
	if out.Get("no_change").Bool() {
		return nil
	}
	if args.Get("mode").Is("patch") || !args.Get("path").Exists() {
		return p.changed(args.Get("patch").Str(), parts(out.Get("diff").Str()))
	}
	return p.replaced(args, out)
}

// replaced lists the edit of a replacement in one file: by the diff of the result if
// that is whole, else by the strings.
func (p *parser) replaced(args, out jsondoc.Value) []core.Diff {
	file := p.place(args.Get("path").Str(), out)
	if file == "" {
		return nil
	}
	before, after := args.Get("old_string").Str(), args.Get("new_string").Str()
	var d core.Diff
	if all := parts(out.Get("diff").Str()); len(all) == 1 && !all[0].broken && all[0].text != "" {
		d = p.applied(all[0], file)
	} else {
		d = p.files.Replace(file, before, after, args.Get("replace_all").Bool())
	}
	d.Old, d.New = &before, &after
	return []core.Diff{d}
}

// applied is the diff of a part that changes a file.
func (p *parser) applied(c part, file string) core.Diff {
	d, err := edit.FromUnified(file, c.text)
	if err != nil {
		p.files.Forget(file)
		return core.Diff{}
	}
	before, known := p.files.Text(file)
	if shown, hidden := strings.CutPrefix(before, bom); known && hidden {
		if after, err := edit.Apply(shown, d.Unified); err == nil {
			d = edit.FromTexts(file, before, bom+after)
			p.files.Set(file, bom+after)
			d.Old, d.New = nil, nil
			return d
		}
	}
	return p.files.Apply(d)
}

// changed lists what a V4A patch did: one change for each file.
func (p *parser) changed(patch string, all []part) []core.Diff {
	var diffs []core.Diff
	for len(all) > 0 {
		var of []part
		of, all = sameFile(all)
		d, ok := p.change(of)
		if !ok {
			d, ok = p.asAsked(patch, of)
		}
		if ok {
			diffs = append(diffs, d)
		}
	}
	return diffs
}

// sameFile takes the parts that change the first part's file, under each name
// that it has on the way.
func sameFile(all []part) (of, rest []part) {
	name := all[0].path
	of = append(of, all[0])
	for _, c := range all[1:] {
		switch {
		case c.change == core.Rename && c.from == name:
			name = c.path
			of = append(of, c)
		case c.change == core.Modify && c.path == name:
			of = append(of, c)
		default:
			rest = append(rest, c)
		}
	}
	return of, rest
}

// change makes one diff of all that happened to a file. It reports false if the parts do not say
// it. Several changes of a file are one edit only if the text before is known: line numbers of the
// later ones are those after the first.
func (p *parser) change(of []part) (core.Diff, bool) {
	first := of[0]
	file := p.Resolve(first.path)
	if first.broken {
		return core.Diff{}, false
	}
	switch {
	case first.change == core.Create && len(of) == 1:
		return p.files.Write(file, first.text), true
	case first.change == core.Delete && len(of) == 1:
		p.files.Forget(file)
		return edit.Deleted(file, first.text), true
	case first.change == core.Rename && len(of) == 1:
		return p.moved(core.Diff{Path: file}, p.Resolve(first.from)), true
	}
	now, changes := file, 0
	for _, c := range of {
		switch {
		case c.broken || c.change != core.Modify && c.change != core.Rename:
			return core.Diff{}, false
		case c.change == core.Rename:
			now = p.Resolve(c.path)
		default:
			changes++
		}
	}
	original, known := p.files.Text(file)
	if changes > 1 && !known {
		return core.Diff{}, false
	}
	d := core.Diff{Path: file, Change: core.Modify}
	for _, c := range of {
		if c.change == core.Modify {
			d = p.applied(c, file)
		}
	}
	if latest, ok := p.files.Text(file); ok && changes > 1 {
		d = edit.FromTexts(file, original, latest)
		d.Old, d.New = nil, nil
	}
	if now == file {
		return d, true
	}
	d.Path = now
	return p.moved(d, file), true
}

// moved is a change together with a move; what is known of the file moves along.
func (p *parser) moved(d core.Diff, from string) core.Diff {
	p.files.Move(from, d.Path)
	return edit.Renamed(d, from)
}

// asAsked is the diff of a file as the patch wants it, where its result does not
// say what became of it.
func (p *parser) asAsked(patch string, of []part) (core.Diff, bool) {
	wanted, err := edit.ParsePatch(standard(patch))
	if err != nil {
		return core.Diff{}, false
	}
	for _, w := range edit.Merge(wanted) {
		if w.Path != of[0].path {
			continue
		}
		w.Path = p.Resolve(w.Path)
		if w.MoveTo != "" {
			w.MoveTo = p.Resolve(w.MoveTo)
		}
		return p.files.Patch(w), true
	}
	return core.Diff{}, false
}

// answer is what a tool answered, which is JSON, and the text behind it: the client
// appends the notes of a folder that is worked in for the first time, warnings of
// calls that fail again and again, and what a person says meanwhile. What a server
// answered it puts between marks. Of an answer that is no JSON there is the text alone.
func (p *parser) answer(content jsondoc.Value) (out jsondoc.Value, behind string) {
	if content.Kind() != jsondoc.String {
		return stream.Nested(&p.result, content), ""
	}
	text := stream.Unmarked(content.Str())
	n, err := p.result.Parse([]byte(text))
	if err != nil || p.result.Root().Kind() != jsondoc.Object {
		return jsondoc.Value{}, text
	}
	return p.result.Root(), text[n:]
}

// What the client itself answers for a tool that did not come to its end.
const (
	failed   = "Error executing tool"
	canceled = "[Tool execution cancelled"
	skipped  = "[Tool execution skipped"
	laidDown = "<persisted-output>" // the answer was too long, and lies in a file
)

// succeeded reads the tool's own signals. The tools that edit files answer with
// JSON and nothing else.
func succeeded(name string, out jsondoc.Value, text string) bool {
	if !out.Exists() {
		isOf := func(mark string) bool { return strings.HasPrefix(text, mark) }
		edits := name == "write_file" || name == "patch"
		return !slices.ContainsFunc([]string{failed, canceled, skipped}, isOf) && (!edits || isOf(laidDown))
	}
	if e := out.Get("error"); e.Kind() == jsondoc.String && e.Str() != "" || e.Kind() == jsondoc.Object {
		return false
	}
	if s := out.Get("success"); s.Exists() && !s.Bool() {
		return false
	}
	code, ok := out.Get("exit_code").Int()
	return !ok || code == 0
}

// How the client puts down what a person said while a tool was at work, until it
// put a mark around it and since; and the notes of a folder, which are no person's.
const (
	guidance  = "\n\nUser guidance: "
	outOfBand = "\n\n[OUT-OF-BAND USER MESSAGE"
	bandEnds  = "\n[/OUT-OF-BAND USER MESSAGE]"
	notes     = "\n\n[Subdirectory context discovered: "
)

// steered are what a person said while a tool was at work: it stands last behind
// the tool's answer. Without the mark it cannot be told from what notes say.
func steered(behind string) []string {
	var all []string
	for {
		rest, ok := strings.CutSuffix(behind, bandEnds)
		i := strings.LastIndex(rest, outOfBand)
		if !ok || i < 0 {
			break
		}
		_, said, _ := strings.Cut(rest[i+len(outOfBand):], "]\n")
		all, behind = append(all, said), rest[:i]
	}
	slices.Reverse(all)
	if i := strings.Index(behind, guidance); i >= 0 && !strings.Contains(behind, notes) {
		all = append(strings.Split(behind[i+len(guidance):], guidance), all...)
	}
	return all
}
