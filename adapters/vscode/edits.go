package vscode

import (
	"slices"
	"strings"

	"github.com/memscribe/memscribe/adapters/internal/edit"
	"github.com/memscribe/memscribe/adapters/internal/stream"
	"github.com/memscribe/memscribe/adapters/vscode/changed"
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/jsondoc"
)

// effects takes in what a successful call showed of files, or did to them, as far
// as its arguments say.
// A tool that is not named there changes no file as far as is known; the part that says
// what was edited may still tell.
func (p *parser) effects(c *call, h stream.Head, told string) {
	args := jsondoc.Value{}
	if n, err := p.args.Parse([]byte(c.args)); err == nil && n > 0 {
		args = p.args.Root()
	}
	file := args.Get("filePath").Str()
	var diffs []core.Diff
	switch c.name {
	case "read_file":
		p.wasRead(args, file, told)
	case "run_in_terminal":
		p.files.Ran(args.Get("command").Str())
	case "replace_string_in_file":
		diffs = p.replaced(diffs, args)
	case "multi_replace_string_in_file":
		diffs = p.replacedSeveral(args.Get("replacements"), told)
	case "create_file":
		if file != "" && args.Get("content").Kind() == jsondoc.String {
			p.opened(file)
			diffs = append(diffs, p.files.Create(file, asCreated(file, args.Get("content").Str()))) // it refuses a file with content; source
		}
	case "apply_patch":
		diffs = p.patched(diffs, c, args.Get("input").Str())
	default:
		return
	}
	if len(diffs) > 0 && !isEdited(told) && told != "" {
		return // a result in other words: what it means is not known
	}
	p.tell(c, h, diffs)
}

// isEdited reports whether a result says that files were changed.
func isEdited(told string) bool {
	for _, sign := range []string{"successfully edited", "successfully created", "File created", "was edited successfully"} {
		if strings.Contains(told, sign) {
			return true
		}
	}
	return false
}

// tell passes on the edits of a call.
func (p *parser) tell(c *call, h stream.Head, diffs []core.Diff) {
	for i := range diffs {
		d := diffs[i]
		if d.Path == "" || d.Added+d.Removed == 0 && d.Change == core.Modify {
			continue
		}
		if c.diffed == nil {
			c.diffed = map[string]bool{}
		}
		c.diffed[d.Path] = true
		id := "edit:" + c.id
		if h.CopyOf != "" {
			h.CopyOf = id
		}
		if h.CopyOf == "" || h.Scope != "" {
			h.ID = id
		}
		p.send(h, &core.FileEdit{CallID: c.id, Tool: c.name, Diff: d})
	}
}

// replaced adds the diff of one replacement. An empty string to replace stands for all
// of the file.
func (p *parser) replaced(diffs []core.Diff, args jsondoc.Value) []core.Diff {
	before, after := args.Get("oldString"), args.Get("newString")
	file := args.Get("filePath").Str()
	switch {
	case file == "" || before.Kind() != jsondoc.String || after.Kind() != jsondoc.String:
		return diffs
	case before.Str() == "":
		p.opened(file)
		return append(diffs, p.files.Write(file, after.Str()))
	}
	p.opened(file)
	text, _ := p.files.Text(file)
	old, new := asIn(text, before.Str(), after.Str())
	return append(diffs, p.files.Replace(file, old, new, false))
}

// replacedSeveral makes one diff for each file of a call that replaces in several
// places.
func (p *parser) replacedSeveral(replacements jsondoc.Value, told string) (diffs []core.Diff) {
	var files []string
	pairs := map[string][]edit.Pair{}
	for r := range replacements.Elems() {
		file, before, after := r.Get("filePath").Str(), r.Get("oldString"), r.Get("newString")
		switch {
		case file == "" || told != "" && !strings.Contains(told, file) || before.Kind() != jsondoc.String || after.Kind() != jsondoc.String:
			continue
		case pairs[file] == nil:
			p.opened(file)
			files = append(files, file)
		}
		text, _ := p.files.Text(file)
		old, now := asIn(text, before.Str(), after.Str())
		pairs[file] = append(pairs[file], edit.Pair{Before: old, After: now})
	}
	for _, file := range files {
		diffs = append(diffs, p.files.ReplaceAll(file, pairs[file]))
	}
	return diffs
}

// patched makes the diffs of a patch. The client puts no line end behind the last line of a
// new file, and where a file is to move it writes the new one and leaves the old one
// where it is: the part that says what it wrote tells of that.
func (p *parser) patched(diffs []core.Diff, c *call, patch string) []core.Diff {
	parts, err := edit.ParsePatch(patch)
	if err != nil {
		return diffs
	}
	for i := range parts {
		if parts[i].Change == core.Create {
			parts[i].Text = strings.TrimSuffix(parts[i].Text, "\n")
		}
	}
	for _, part := range edit.Merge(parts) {
		if part.Change == core.Rename && p.reply.writes(part.MoveTo) {
			c.creates = append(c.creates, part.MoveTo)
			continue
		}
		p.opened(part.Path)
		diffs = append(diffs, p.files.Patch(part))
	}
	return diffs
}

// wasRead notes the text of a file that was shown whole: between fences, where
// the line end before the second is none of the file's, when no range was asked for,
// the head says that it is all, or it ends before the last line that was asked for;
// or, since 2026, as it is, in the last case. A notebook is shown as its cells.
func (p *parser) wasRead(args jsondoc.Value, file, told string) {
	if file == "" {
		return
	}
	if end, ok := args.Get("endLine").Int(); ok && !strings.Contains(told, "```") {
		from, _ := args.Get("startLine").Int()
		if lines := int64(strings.Count(told, "\n")); from <= 1 && lines+1 < end && !strings.Contains(told, "truncated") && !strings.HasPrefix(told, "<VSCode.Cell") {
			p.files.Set(file, told)
		}
		return
	}
	head, text, ok := fenced(told)
	if !ok {
		return
	}
	end, bounded := args.Get("endLine").Int()
	fewer := bounded && int64(strings.Count(text, "\n"))+1 < end
	if from, _ := args.Get("startLine").Int(); args.Len() == 1 || isAll(head) || head == "" && from <= 1 && fewer {
		p.files.Set(file, text)
	}
}

// fenced is the text between fences, and what stands before it.
func fenced(told string) (head, text string, ok bool) {
	at := strings.Index(told, "```")
	if at < 0 {
		return "", "", false
	}
	head, rest := told[:at], told[at:]
	fence := rest[:len(rest)-len(strings.TrimLeft(rest, "`"))]
	_, rest, ok = strings.Cut(rest, "\n")
	text, closed := strings.CutSuffix("\n"+strings.TrimRight(rest, " "), "\n"+fence)
	return head, strings.TrimPrefix(text, "\n"), ok && closed
}

// isAll reports whether a head like "Lines 1 to 60 (60 lines total)" says that
// all lines follow.
func isAll(told string) bool {
	_, rest, _ := strings.Cut(told, "Lines 1 to ")
	shown, rest, ok := strings.Cut(rest, " (")
	total, _, end := strings.Cut(rest, " lines total)")
	return ok && end && shown == total
}

// edited takes in the part that says how a file was changed. It is needed where
// the call does not say so itself: when a sketch was merged in, or when a
// subagent made the call, whose arguments are not recorded.
// Without the text before, and of a file that was not created, there is nothing to
// diff.
func (p *parser) edited(y *reply, v jsondoc.Value) {
	file := filePath(v.Get("uri"))
	c := y.ownerOf(file)
	if c == nil || file == "" || c.diffed[file] || !v.Get("done").Bool() || v.Get("isExternalEdit").Bool() {
		return
	}
	created := p.opened(file) || slices.Contains(c.creates, file) || c.name == "copilot_createFile" || c.name == "create_file"
	before, known := p.files.Text(file)
	if !known && !created {
		return // only places are recorded, not what stood there
	}
	doc := changed.NewText(before)
	for batch := range v.Get("edits").Elems() {
		if !doc.Apply(batch) {
			p.files.Forget(file)
			return
		}
	}
	after := string(doc.Bytes)
	diff := edit.Created(file, after)
	if known {
		diff = edit.FromTexts(file, before, after)
	}
	p.files.Set(file, after)
	p.tell(c, y.ofCall("", c.thread), []core.Diff{diff})
}

// writes reports whether a part of the response says what was written to a file.
func (y *reply) writes(file string) bool {
	for part := range y.request.Get("response").Elems() {
		if part.Get("kind").Is("textEditGroup") && filePath(part.Get("uri")) == file {
			return true
		}
	}
	return false
}
