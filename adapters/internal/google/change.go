package google

import (
	"strings"

	"github.com/memscribe/memscribe/adapters/internal/edit"
	"github.com/memscribe/memscribe/adapters/internal/stream"
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
// The clients do not always do what the call says: they tolerate wrong white space and near misses
// in old_string, and a person may have changed the proposal (recorded: Gemini CLI 0.61.0 replaced a
// line that old_string did not match). So the texts that the client recorded for the screen count
// before the call, and the text that is known counts only if its own diff, where it kept one,
// agrees (Qwen Code keeps parts of the texts).
func (f *Files) Of(e Edit) (core.Diff, bool) {
	shown := readShown(e.Display)
	if !shown.is && e.Tool != "write_file" && e.Tool != "replace" && e.Tool != "edit" {
		return core.Diff{}, false
	}
	c := change{Edit: e, shown: shown, told: readTold(e.Told)}
	return f.Files.Of(c.facts(f))
}

// Effect takes in what a successful call did to files, or showed of them, and returns the
// diff of the edit that it made, if it made one. Relative paths begin where the work is.
func (f *Files) Effect(e Edit, where *core.Project) (core.Diff, bool) {
	switch e.Tool {
	case "read_file":
		f.WasRead(e.Args, e.Told)
		return core.Diff{}, false
	case "run_shell_command":
		f.RanShell(e.Args)
		return core.Diff{}, false
	}
	if where != nil {
		e.Cwd = where.Cwd
	}
	return f.Of(e)
}

// change is an edit that is being worked out.
type change struct {
	Edit

	shown shown
	told  told
}

// where is the path of the file: absolute, if anything tells what it is.
func (c *change) where() string {
	named := stream.Some(c.Args, "file_path", "notebook_path")
	for _, name := range []string{c.shown.path, named, c.told.path} {
		if stream.IsAbs(name) {
			return name
		}
	}
	if named == "" {
		return c.shown.name
	}
	return stream.Resolve(c.Cwd, named)
}

// facts are what the record and the call tell.
func (c *change) facts(f *Files) edit.Facts {
	t := edit.Facts{Path: c.where(), Created: c.shown.isNew || c.told.created, Unix: true, Agrees: c.agrees}
	t.Before, t.After = c.shown.before.recorded(), c.shown.after.recorded()
	if c.shown.unified != "" {
		t.Shown = c.unified(t.Path)
	}
	from, to, content := c.Args.Get("old_string"), c.Args.Get("new_string"), c.Args.Get("content")
	switch {
	case t.Created && t.After != nil:
		t.Content = t.After
	case c.Tool == "write_file" && content.Kind() == jsondoc.String:
		t.Content = edit.Text(content)
		before, ok := f.Text(t.Path)
		if ok && !c.Qwen && !c.shown.is && strings.TrimSpace(before) != before {
			trimmed := strings.TrimSpace(*t.Content)
			t.Content = &trimmed // recorded 0.11.3: it trims both or neither; source, until 0.24
		}
	case from.Kind() == jsondoc.String && to.Kind() == jsondoc.String:
		p := edit.Pair{Before: edit.LF(from.Str()), After: edit.LF(to.Str()), All: c.all()}
		if t.Created = t.Created || p.Before == ""; t.Created {
			t.Content = &p.After
		}
		t.Pairs, t.Redo = []edit.Pair{p}, func(text string, _ int) (string, bool) { return c.redo(text, p) }
	}
	if t.Created {
		t.Before = nil
	}
	return t
}

// unified is the client's own diff: Qwen Code keeps it up to 50,000 characters where of
// the texts it keeps 16,000 (source).
func (c *change) unified(path string) func() (core.Diff, bool) {
	return func() (core.Diff, bool) {
		d, err := edit.FromUnified(path, c.shown.unified)
		d.Old = c.shown.before.recorded()
		return d, err == nil && d.Added+d.Removed > 0
	}
}

// agrees reports whether a change of the whole text is the one that the client's own
// diff shows, or what it told the model.
func (c *change) agrees(before, after string, _ int) bool {
	if c.shown.unified == "" {
		return strings.Contains(after, c.told.snippet)
	}
	text, err := edit.Apply(before, c.shown.unified)
	return err == nil && text == after
}

// redo replaces a string. Qwen Code takes the line end along with lines that are deleted;
// Gemini CLI before 0.10, whose calls have no "instruction", trims both strings if that
// leaves the place clear (source). Its versions from 0.10 to 0.24 also replace lines that
// are indented otherwise and do not record that (source): of such an edit only the strings
// are known. Later ones record what they did.
func (c *change) redo(text string, p edit.Pair) (string, bool) {
	switch trimmed := strings.TrimSpace(p.Before); {
	case c.Qwen && p.After == "" && !strings.HasSuffix(p.Before, "\n") && strings.Contains(text, p.Before+"\n"):
		p.Before += "\n"
	case c.Qwen || c.Args.Get("instruction").Exists() || p.All:
	case trimmed != "" && trimmed != p.Before && strings.Count(text, trimmed) == 1:
		p.Before, p.After = trimmed, strings.TrimSpace(p.After)
	}
	return edit.Replace(text, p.Before, p.After, p.All)
}

// all reports whether every place was to be replaced, not one.
func (c *change) all() bool {
	expected, _ := c.Args.Get("expected_replacements").Int() // before 0.30
	return c.Args.Get("allow_multiple").Bool() || c.Args.Get("replace_all").Bool() || expected > 1 || c.told.places > 1
}
