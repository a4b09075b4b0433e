package change

import (
	"strings"

	"github.com/memscribe/memscribe/adapters/internal/edit"
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/jsondoc"
)

// notebook is the diff of a NotebookEdit. The client records the whole file
// before and after (recorded 2.0.77, 2.1.329); without that record, the cell is
// all that is known.
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

// Cells notes the cells that a read of a notebook showed:
// <cell id="c1">print(1)</cell id="c1">.
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
