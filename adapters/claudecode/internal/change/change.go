// Package change works out what an applied edit changed in its file.
//
// The client's own structuredPatch comes last, not first: it is made for the screen. In all
// versions seen it has each tab that a line begins with replaced by two spaces, so that 209 of 573
// collected patches do not apply to the file (for no other reason), and 3 of 21 writes over a file
// have none. What is exact is the text before, if it is recorded or known from a read, with the
// edit done to it again. The order is that of [edit.Files.Of]; the patch gets its tabs back as far
// as they are known, and uncertain context is dropped.
package change

import (
	"bytes"
	"strings"

	"github.com/memscribe/memscribe/adapters/internal/edit"
	"github.com/memscribe/memscribe/adapters/internal/stream"
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

// Of works out the diff of an edit that was applied, and names the tool. It reports false if there
// is none: nothing changed, or no one can tell what. What the file holds now is known from then on.
func (f *Files) Of(r Result) (d core.Diff, tool string, ok bool) {
	c := change{Result: r, files: f}
	if c.Tool == "" {
		c.Tool = c.shape()
	}
	if c.Tool == "NotebookEdit" {
		d, ok = c.notebook()
	} else {
		d, ok = f.Files.Of(c.facts())
	}
	return d, c.Tool, ok
}

// change is an edit that is being worked out.
type change struct {
	Result
	files    *Files
	path     string
	recorded bool // the client recorded the text before
	swaps    []edit.Pair
	patch    []edit.Hunk // the structuredPatch, once read
	isRead   bool
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
	return stream.First(c.Data, "originalFile", "originalFileContents") // the second of MultiEdit
}

// facts are what the result and the call tell.
func (c *change) facts() edit.Facts {
	c.path, _ = c.either("filePath", "file_path")
	before, recorded := c.original()
	t := edit.Facts{Path: c.path, Unix: true, Strings: true, CRLF: c.showsEnds(), Agrees: c.agrees, Shown: c.shown}
	if recorded {
		c.recorded, t.Before = true, &before
	}
	if c.Tool == "Write" {
		c.written(&t)
		return t
	}
	c.swaps = c.pairs()
	if len(c.swaps) == 0 {
		return edit.Facts{}
	}
	if c.swaps[0].Before == "" && len(c.swaps) == 1 && before == "" {
		t.Before, t.Content, t.Created = nil, &c.swaps[0].After, true
		return t
	}
	t.Pairs, t.Redo = c.swaps, c.redo
	return t
}

// written adds the facts of a Write. Until 2.0 the client gave the lines of the new text
// the ends of the old one, and recorded these (recorded 1.0.128, 2.0.77, 2.1.330).
func (c *change) written(t *edit.Facts) {
	after, ok := c.either("content", "content")
	if !ok {
		*t = edit.Facts{}
		return
	}
	switch {
	case c.recorded && strings.Contains(*t.Before, "\r\n"):
		after = edit.EndedLike(*t.Before, after)
	case t.CRLF:
		after = strings.ReplaceAll(after, "\n", "\r\n")
	}
	kind := c.Data.Get("type")
	t.Content = &after
	if kind.Is("create") || !kind.Exists() && bytes.HasPrefix(c.Text, []byte("File created")) {
		t.Before = nil
		known, isKnown := c.files.Text(t.Path)
		t.Created = !isKnown || known != "" // to the client a file without content is none
	}
}

// pairs are the replacements of an Edit or a MultiEdit.
func (c *change) pairs() []edit.Pair {
	edits := c.Data.Get("edits")
	if !edits.Exists() {
		edits = c.Args.Get("edits")
	}
	if edits.Kind() == jsondoc.Array {
		var list []edit.Pair
		for e := range edits.Elems() {
			list = append(list, edit.Pair{Before: e.Get("old_string").Str(), After: e.Get("new_string").Str(), All: e.Get("replace_all").Bool()})
		}
		return list
	}
	before, ok := c.either("oldString", "old_string")
	after, ok2 := c.either("newString", "new_string")
	if !ok || !ok2 {
		return nil
	}
	return []edit.Pair{{Before: before, After: after, All: c.Data.Get("replaceAll").Bool() || c.Args.Get("replace_all").Bool()}}
}

// redo does the replacements again. If that cannot be done, or if a person changed the
// proposal before they accepted it, the patch says what was written.
func (c *change) redo(before string, start int) (string, bool) {
	after, ok := c.swapAll(before)
	if ok && c.requoted() {
		after, ok = c.requote(after, start)
	}
	if ok && (!c.Data.Get("userModified").Bool() || c.isOf(before, after, start)) {
		return after, true
	}
	if len(c.hunks()) == 0 || start > 1 {
		return "", false
	}
	repair(c.hunks(), linesOf(before, 1), numberedLines{}, c.words())
	after, err := edit.Apply(before, edit.FromHunks("f", c.hunks()).Unified)
	return after, err == nil
}

// requoted reports whether the client may have written other quotation marks than
// the call names: where a replaced text has curly ones, the straight ones of the new
// text become curly (recorded 2.1.176).
func (c *change) requoted() bool {
	for _, s := range c.swaps {
		if strings.ContainsAny(s.After, `"'`) && strings.ContainsAny(s.Before, "“”‘’") {
			return true
		}
	}
	return false
}

// maxWork bounds how many bytes the replacements of one edit may go through.
const maxWork = 256 << 20

// swapAll does replacements one after the other.
func (c *change) swapAll(text string) (string, bool) {
	work := 0
	for _, s := range c.swaps {
		if work += len(text); work > maxWork {
			return "", false
		}
		growth := unknownGrowth
		if s.After == "" && len(c.swaps) == 1 {
			growth = lineGrowth(c.hunks())
		}
		var ok bool
		if text, ok = swap(text, s, growth); !ok {
			return "", false
		}
	}
	return text, true
}

// words are all the strings of the call.
func (c *change) words() string {
	var all []string
	for _, s := range c.swaps {
		all = append(all, s.Before, s.After)
	}
	return strings.Join(all, "\n")
}

// swap does one replacement as the client does it: without "all" the first
// place counts. Text that is removed without its line end takes the line end
// along, which shows in how many lines the file lost.
func swap(text string, s edit.Pair, growth int) (string, bool) {
	if s.Before == "" {
		return s.After, text == ""
	}
	before := s.Before
	if s.After == "" && !strings.HasSuffix(before, "\n") && strings.Contains(text, before+"\n") {
		if plain := -strings.Count(before, "\n"); growth == unknownGrowth || growth != plain {
			before += "\n"
		}
	}
	if s.All {
		return edit.Replace(text, before, s.After, true)
	}
	at := strings.Index(text, before)
	if at < 0 {
		return "", false
	}
	return text[:at] + s.After + text[at+len(before):], true
}

// shown is the client's patch, as far as its lines are known.
func (c *change) shown() (core.Diff, bool) {
	if len(c.hunks()) == 0 {
		return core.Diff{}, false
	}
	if c.Tool == "Write" {
		after, _ := c.either("content", "content")
		repair(c.hunks(), numberedLines{}, linesOf(after, 1), after)
		return edit.FromHunks(c.path, c.hunks()), true
	}
	part := linesOf(c.files.Part(c.path))
	return edit.FromHunks(c.path, trim(c.hunks(), part, c.words())), true
}

// notebook is the diff of a NotebookEdit. The client records the whole file before and after
// (recorded 2.0.77, 2.1.329); without that record, the cell is all that is known.
func (c *change) notebook() (core.Diff, bool) {
	path, ok := c.either("notebook_path", "notebook_path")
	if !ok || c.Data.Get("error").Str() != "" {
		return core.Diff{}, false
	}
	before, after := c.Data.Get("original_file"), c.Data.Get("updated_file")
	if before.Kind() == jsondoc.String && after.Kind() == jsondoc.String {
		return c.files.Files.Of(edit.Facts{Path: path, Before: edit.Text(before), After: edit.Text(after)})
	}
	c.files.Forget(path)
	id, _ := c.either("cell_id", "cell_id")
	mode, _ := c.either("edit_mode", "edit_mode")
	source, _ := c.either("new_source", "new_source")
	old, known := c.either("old_source", "old_source")
	if !known {
		old, _ = c.files.Text(cellPath(path, id))
	}
	switch mode {
	case "insert":
		old = ""
	case "delete":
		source = ""
	}
	if old == source {
		return core.Diff{}, false
	}
	if mode != "insert" {
		c.files.Set(cellPath(path, id), source)
	}
	return edit.Replaced(path, old, source), true
}

// cellPath is the name under which a cell is known.
func cellPath(path, id string) string { return path + "\x00" + id }

// Cells notes the cells that a read of a notebook showed: <cell id="c1">print(1)</cell id="c1">.
func (f *Files) Cells(path string, output jsondoc.Value) {
	for el := range output.Elems() {
		text := el.Get("text").Str()
		for {
			_, rest, ok := strings.Cut(text, `<cell id="`)
			if !ok {
				break
			}
			id, rest, ok := strings.Cut(rest, `">`)
			if !ok {
				break
			}
			source, after, ok := strings.Cut(rest, `</cell id="`+id+`">`)
			if !ok {
				break
			}
			if _, plain, ok := strings.Cut(source, "</cell_type>"); ok && strings.HasPrefix(source, "<cell_type>") {
				source = plain
			}
			f.Set(cellPath(path, id), source)
			text = after
		}
	}
}
