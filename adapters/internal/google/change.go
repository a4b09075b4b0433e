package google

import (
	"strings"

	"github.com/memscribe/memscribe/adapters/internal/edit"
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/jsondoc"
)

// Edit is a successful call that may have edited a file.
type Edit struct {
	Tool    string        // name of the call
	Args    jsondoc.Value // what it was made with; absent if not known
	Display jsondoc.Value // what the client showed of the result: resultDisplay
	Told    []byte        // what the model was told, as written in JSON
	Cwd     string        // where relative paths begin, if that is known
	Qwen    bool          // the tool is that of Qwen Code's own versions
}

// Of works out the diff of an edit. It reports false if the call is no edit, or
// if nothing changed. What the file holds now is known from then on.
//
// The clients do not always do what the call says: they tolerate wrong white
// space and near misses in old_string, and a person may have changed the
// proposal (recorded: Gemini CLI 0.61.0 replaced a line that old_string did not
// match). What really happened stands, in this order, in
//
//	the two texts that the client recorded for the screen
//	its own diff, where it kept only parts of the texts (Qwen Code)
//	the text known from a read or an earlier edit, with the call done to it again
//	the lines that it told the model about (Qwen Code)
//	the two strings of the call, of unknown place
func (f *Files) Of(e Edit) (core.Diff, bool) {
	shown := readShown(e.Display)
	if !shown.is && e.Tool != "write_file" && e.Tool != "replace" && e.Tool != "edit" {
		return core.Diff{}, false
	}
	c := change{Edit: e, shown: shown, files: f}
	c.told = readTold(e.Told)
	c.path = c.where()
	if c.path == "" {
		return core.Diff{}, false
	}
	switch {
	case shown.is && shown.before.whole && shown.after.whole:
		return c.recorded()
	case shown.is && shown.unified != "":
		return c.fromUnified()
	case e.Tool == "write_file":
		return c.written()
	default:
		return c.replaced()
	}
}

// change is an edit that is being worked out.
type change struct {
	Edit

	shown shown
	told  told
	path  string
	files *Files
}

// where is the path of the file: absolute, if anything tells what it is.
func (c *change) where() string {
	named := c.Args.Get("file_path").Str()
	if named == "" {
		named = c.Args.Get("notebook_path").Str()
	}
	for _, name := range []string{c.shown.path, named, c.told.path} {
		if isAbsolute(name) {
			return name
		}
	}
	if named == "" {
		return c.shown.name
	}
	if c.Cwd == "" {
		return named
	}
	named = strings.TrimPrefix(named, "./")
	if strings.Contains(c.Cwd, `\`) {
		return strings.TrimRight(c.Cwd, `\`) + `\` + named
	}
	return strings.TrimRight(c.Cwd, "/") + "/" + named
}

func isAbsolute(name string) bool {
	return strings.HasPrefix(name, "/") || strings.HasPrefix(name, `\\`) || len(name) > 2 && name[1] == ':'
}

// created reports whether the call made the file.
func (c *change) created() bool {
	return c.shown.isNew || c.told.created
}

// recorded is the diff between the two texts that the client recorded.
func (c *change) recorded() (core.Diff, bool) {
	before, after := c.shown.before.text, c.shown.after.text
	if c.created() {
		c.files.Set(c.path, after)
		return edit.Created(c.path, after), true
	}
	// The texts are recorded with the line ends of Unix whatever the file has
	// (source); it gets its own back.
	if known, ok := c.files.Text(c.path); ok && strings.Contains(known, "\r\n") && edit.LF(known) == before && edit.LF(after) == after {
		before, after = known, strings.ReplaceAll(after, "\n", "\r\n")
	}
	return c.between(before, after)
}

// between is the diff of two whole texts.
func (c *change) between(before, after string) (core.Diff, bool) {
	c.files.Set(c.path, after)
	if before == after {
		return core.Diff{}, false
	}
	return edit.FromTexts(c.path, before, after), true
}

// fromUnified is the client's own diff: Qwen Code keeps it up to 50,000
// characters where of the texts it keeps 16,000 (source).
func (c *change) fromUnified() (core.Diff, bool) {
	content := c.Args.Get("content")
	written := c.Tool == "write_file" && content.Kind() == jsondoc.String
	if written && c.created() {
		return c.written()
	}
	d, err := edit.FromUnified(c.path, c.shown.unified)
	if err != nil || d.Added+d.Removed == 0 {
		return c.fromCall()
	}
	if c.shown.before.whole {
		d.Old = &c.shown.before.text
	}
	after, known := "", false
	switch {
	case written:
		after, known = content.Str(), true
	case c.shown.after.whole:
		after, known = c.shown.after.text, true
	default:
		if before, ok := c.files.Text(c.path); ok {
			text, err := edit.Apply(before, d.Unified)
			after, known = text, err == nil
		}
	}
	if !known {
		c.files.Forget(c.path)
		return d, true
	}
	c.files.Set(c.path, after)
	d.New = &after
	return d, true
}

// fromCall makes the diff of what the call alone says: it asks for a whole text, or for
// one piece to be replaced.
func (c *change) fromCall() (core.Diff, bool) {
	if c.Tool == "write_file" {
		return c.written()
	}
	return c.replaced()
}

// before is the text that the file had.
func (c *change) before() (string, bool) {
	if c.shown.is && c.shown.before.whole {
		return c.shown.before.text, true
	}
	return c.files.Text(c.path)
}

// written is the diff of a call that writes a file whole, for which no diff was
// recorded.
func (c *change) written() (core.Diff, bool) {
	content := c.Args.Get("content")
	if content.Kind() != jsondoc.String {
		return core.Diff{}, false
	}
	after := content.Str()
	if c.created() {
		c.files.Set(c.path, after)
		return edit.Created(c.path, after), true
	}
	if before, ok := c.before(); ok {
		if !c.Qwen && !c.shown.is && strings.TrimSpace(before) != before {
			after = strings.TrimSpace(after) // recorded 0.11.3: it trims both or neither; source, until 0.24
		}
		return c.between(before, after)
	}
	c.files.Set(c.path, after)
	return edit.Written(c.path, after), true
}

// replaced is the diff of a call that replaces a string, for which no diff was
// recorded.
func (c *change) replaced() (core.Diff, bool) {
	from, to := c.Args.Get("old_string"), c.Args.Get("new_string")
	if from.Kind() != jsondoc.String || to.Kind() != jsondoc.String {
		return core.Diff{}, false
	}
	r := replacement{before: edit.LF(from.Str()), after: edit.LF(to.Str()), all: c.all(), client: c.client()}
	if r.before == "" || c.created() {
		c.files.Set(c.path, r.after)
		return edit.Created(c.path, r.after), true
	}
	if text, ok := c.before(); ok {
		if after, ok := r.in(text); ok && c.told.fits(after) {
			return c.between(text, after)
		}
	}
	c.files.Forget(c.path)
	if d, ok := c.told.part(c.path, r); ok {
		return d, true
	}
	return edit.Replaced(c.path, r.before, r.after), true
}

// client tells by its arguments which client's tool it is, for each finds the place of a
// replacement in its own way.
func (c *change) client() editor {
	switch {
	case c.Qwen:
		return qwen
	case c.Args.Get("instruction").Exists():
		return smartGemini
	}
	return oldGemini
}

// all reports whether every place was to be replaced, not one.
func (c *change) all() bool {
	expected, _ := c.Args.Get("expected_replacements").Int() // before 0.30
	return c.Args.Get("allow_multiple").Bool() || c.Args.Get("replace_all").Bool() || expected > 1 || c.told.places > 1
}
