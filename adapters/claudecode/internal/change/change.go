package change

import (
	"bytes"
	"strings"

	"github.com/memscribe/memscribe/adapters/internal/edit"
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/jsondoc"
)

// Result is the result of a call that edits a file.
type Result struct {
	Tool string        // name of the call; "" if it is not known
	Data jsondoc.Value // the structured result; absent if there is none
	Args jsondoc.Value // what the call was made with; absent if not known
	Text []byte        // what the model was told, as written in JSON
}

// Of works out the diff of an edit that was applied, and names the tool. It
// reports false if there is none: nothing changed, or no one can tell what. What
// the file holds now is known from then on.
func (f *Files) Of(r Result) (d core.Diff, tool string, ok bool) {
	c := change{Result: r, files: f}
	if c.Tool == "" {
		c.Tool = c.shape()
	}
	switch c.Tool {
	case "Write":
		d, ok = c.written()
	case "NotebookEdit":
		d, ok = c.notebook()
	default:
		d, ok = c.replaced()
	}
	return d, c.Tool, ok
}

// change is an edit that is being worked out.
type change struct {
	Result
	files  *Files
	patch  []edit.Hunk // the structuredPatch, once read
	isRead bool
}

// shape names the tool by what its result looks like, where the call itself is
// not in the transcript.
func (c *change) shape() string {
	switch {
	case c.Data.Get("edits").Exists():
		return "MultiEdit"
	case c.Data.Get("content").Exists():
		return "Write"
	}
	return "Edit"
}

// either returns the string in the structured result, or else in the call.
func (c *change) either(inResult, inCall string) (string, bool) {
	v := c.Data.Get(inResult)
	if v.Kind() != jsondoc.String {
		v = c.Args.Get(inCall)
	}
	return v.Str(), v.Kind() == jsondoc.String
}

// original is the text before the edit, as the client recorded it.
func (c *change) original() (string, bool) {
	v := c.Data.Get("originalFile")
	if v.Kind() != jsondoc.String {
		v = c.Data.Get("originalFileContents") // of MultiEdit
	}
	return v.Str(), v.Kind() == jsondoc.String
}

// between is the diff of two whole texts.
func (c *change) between(path, before, after string) (core.Diff, bool) {
	c.files.Set(path, after)
	if before == after {
		return core.Diff{}, false
	}
	return c.files.differ.FromTexts(path, before, after), true
}

// written is the diff of a Write.
func (c *change) written() (core.Diff, bool) {
	path, ok := c.either("filePath", "file_path")
	after, hasText := c.either("content", "content")
	if !ok || !hasText {
		return core.Diff{}, false
	}
	kind := c.Data.Get("type")
	created := kind.Is("create") || !kind.Exists() && bytes.HasPrefix(c.Text, []byte("File created"))
	if created {
		// To the client a file without content is none; a read may have shown it.
		if before, ok := c.files.Text(path); ok && before == "" {
			return c.between(path, before, after)
		}
		c.files.Set(path, after)
		return edit.Created(path, after), true
	}
	if before, ok := c.original(); ok {
		return c.overwritten(path, before, after)
	}
	known, isKnown := c.files.Text(path)
	known = edit.LF(known)
	if c.showsEnds() {
		known = strings.ReplaceAll(known, "\n", "\r\n")
	}
	switch {
	case isKnown && agrees(c.hunks(), known, after):
		return c.overwritten(path, known, after)
	case len(c.hunks()) > 0:
		repair(c.hunks(), nil, &excerpt{text: after, start: 1}, after)
		d := edit.FromHunks(path, c.hunks())
		d.New = &after
		c.files.Set(path, after)
		return d, true
	}
	c.files.Set(path, after)
	return edit.Written(path, after), true
}

// swap is one replacement of an edit.
type swap struct {
	before, after string
	all           bool
}

// swaps are the replacements of an Edit or a MultiEdit.
func (c *change) swaps() []swap {
	edits := c.Data.Get("edits")
	if !edits.Exists() {
		edits = c.Args.Get("edits")
	}
	if edits.Kind() == jsondoc.Array {
		var list []swap
		for e := range edits.Elems() {
			list = append(list, swap{e.Get("old_string").Str(), e.Get("new_string").Str(), e.Get("replace_all").Bool()})
		}
		return list
	}
	before, ok := c.either("oldString", "old_string")
	after, ok2 := c.either("newString", "new_string")
	if !ok || !ok2 {
		return nil
	}
	return []swap{{before, after, c.Data.Get("replaceAll").Bool() || c.Args.Get("replace_all").Bool()}}
}

// replaced is the diff of an Edit or a MultiEdit.
func (c *change) replaced() (core.Diff, bool) {
	path, ok := c.either("filePath", "file_path")
	swaps := c.swaps()
	if !ok || len(swaps) == 0 {
		return core.Diff{}, false
	}
	before, recorded := c.original()
	if !recorded {
		before, ok = c.files.Text(path)
	}
	if recorded || ok {
		whole := c.files.ended(path, before)
		if !recorded {
			before = edit.LF(before)
		}
		if after, ok := c.redo(before, swaps); ok && (recorded || agrees(c.hunks(), before, after)) {
			if before == "" && swaps[0].before == "" {
				c.files.Set(path, after)
				return edit.Created(path, after), true
			}
			if whole != before {
				after = endedLike(whole, after)
			}
			d, changed := c.between(path, whole, after)
			named(&d, swaps)
			return d, changed
		}
	}
	if swaps[0].before == "" && len(swaps) == 1 && !recorded {
		c.files.Set(path, swaps[0].after)
		return edit.Created(path, swaps[0].after), true
	}
	d := c.inPart(path, swaps)
	named(&d, swaps)
	return d, true
}

// named has the diff say what the call said: the text to replace and the new one.
// The whole file before and after would be many times as much.
func named(d *core.Diff, swaps []swap) {
	d.Old, d.New = nil, nil
	if len(swaps) == 1 {
		d.Old, d.New = &swaps[0].before, &swaps[0].after
	}
}

// redo does the replacements again. If that cannot be done, or if a person
// changed the proposal before they accepted it, the patch says what was written.
func (c *change) redo(before string, swaps []swap) (string, bool) {
	after, ok := c.swapAll(before, swaps)
	requoted := requoted(swaps) && len(c.hunks()) > 0
	if ok && !requoted && (!c.Data.Get("userModified").Bool() || agrees(c.hunks(), before, after)) {
		return after, true
	}
	if len(c.hunks()) == 0 {
		return "", false
	}
	repair(c.hunks(), &excerpt{text: before, start: 1}, nil, strings.Join(afters(swaps), "\n"))
	after, err := edit.Apply(before, edit.FromHunks("f", c.hunks()).Unified)
	return after, err == nil
}

// requoted reports whether the client may have written other quotation marks than
// the call names: where a replaced text has curly ones, the straight ones of the new
// text become curly (recorded 2.1.176).
func requoted(swaps []swap) bool {
	for _, s := range swaps {
		if strings.ContainsAny(s.after, `"'`) && strings.ContainsAny(s.before, "“”‘’") {
			return true
		}
	}
	return false
}

// maxWork bounds how many bytes the replacements of one edit may go through.
const maxWork = 256 << 20

// swapAll does replacements one after the other.
func (c *change) swapAll(text string, swaps []swap) (string, bool) {
	work := 0
	for _, s := range swaps {
		if work += len(text); work > maxWork {
			return "", false
		}
		growth := unknownGrowth
		if s.after == "" && len(swaps) == 1 {
			growth = lineGrowth(c.hunks())
		}
		var ok bool
		if text, ok = s.apply(text, growth); !ok {
			return "", false
		}
	}
	return text, true
}

func afters(swaps []swap) []string {
	list := make([]string, len(swaps))
	for i, s := range swaps {
		list[i] = s.after
	}
	return list
}

// apply does one replacement as the client does it: without "all" the first
// place counts. Text that is removed without its line end takes the line end
// along, which shows in how many lines the file lost.
func (s swap) apply(text string, growth int) (string, bool) {
	if s.before == "" {
		return s.after, text == ""
	}
	before := s.before
	if s.after == "" && !strings.HasSuffix(before, "\n") && strings.Contains(text, before+"\n") {
		if plain := -strings.Count(before, "\n"); growth == unknownGrowth || growth != plain {
			before += "\n"
		}
	}
	if s.all {
		return edit.Replace(text, before, s.after, true)
	}
	at := strings.Index(text, before)
	if at < 0 {
		return "", false
	}
	return text[:at] + s.after + text[at+len(before):], true
}

// inPart is the diff of an edit of a file that is known in part at most.
func (c *change) inPart(path string, swaps []swap) core.Diff {
	part := c.files.excerpt(path)
	if part == nil || part.whole {
		part = c.snippet(path, swaps)
	}
	if part != nil {
		if after, ok := c.swapAll(part.text, swaps); ok {
			d := edit.Shifted(c.files.differ.FromTexts(path, part.text, after), part.start-1)
			growth := lineGrowth(c.hunks())
			if growth == unknownGrowth || growth == d.Added-d.Removed && part.fits(c.hunks()) {
				c.files.patched(path, after, part.start)
				return d
			}
		}
	}
	c.files.Forget(path)
	if len(c.hunks()) > 0 {
		var strs []string
		for _, s := range swaps {
			strs = append(strs, s.before, s.after)
		}
		return edit.FromHunks(path, trim(c.hunks(), part, strings.Join(strs, "\n")))
	}
	return c.files.differ.Replaced(path, swaps[0].before, swaps[0].after)
}

// snippetIntro ends the sentence before a snippet, as written in JSON.
const snippetIntro = `a snippet of the edited file:\n`

// snippet is the part of the file around an edit, as it was before: versions
// until 2.0.x show the model the lines after the edit. A sentence that names the
// file leads to them.
func (c *change) snippet(path string, swaps []swap) *excerpt {
	const lead, escape = 1 << 10, 6
	head := c.Text[:min(len(c.Text), lead+escape*len(path))]
	before, _, ok := bytes.Cut(head, []byte(snippetIntro))
	if !ok || len(swaps) != 1 || swaps[0].after == "" {
		return nil
	}
	shown := c.Text[len(before)+len(snippetIntro):]
	after, start := unnumbered(string(jsondoc.Unquote(nil, shown)))
	if start == 0 || strings.Count(after, swaps[0].after) != 1 {
		return nil
	}
	return &excerpt{text: strings.Replace(after, swaps[0].after, swaps[0].before, 1) + "\n", start: start}
}
