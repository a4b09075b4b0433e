package change_test

import (
	"strings"
	"testing"

	"github.com/memscribe/memscribe/adapters/claudecode/internal/change"
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/jsondoc"
)

// FuzzOf has no result of a call break a diff: its counts are those of its
// lines, and its hunks are numbered as they are long.
func FuzzOf(f *testing.F) {
	f.Add("Edit", `{"filePath":"/a","oldString":"b","newString":"c","originalFile":"a\nb\n","structuredPatch":[]}`, `{}`, "ok", "1\ta\n2\tb")
	f.Add("Edit", `{"filePath":"/a","oldString":"\tb","newString":"\tc","structuredPatch":[{"oldStart":2,"oldLines":1,"newStart":2,"newLines":1,"lines":["   x","-  b","+  c"]}]}`, `{}`, "ok", "")
	f.Add("Edit", ``, `{"file_path":"/a","old_string":"b","new_string":"c"}`, `a snippet of the edited file:\n     1→a\n     2→c`, "")
	f.Add("MultiEdit", `{"filePath":"/a","edits":[{"old_string":"b","new_string":"c"}],"structuredPatch":[]}`, `{}`, "ok", "     1→a\n     2→b")
	f.Add("Write", `{"type":"update","filePath":"/a","content":"c","structuredPatch":[{"oldStart":1,"lines":["-a"," b"]}]}`, `{}`, "ok", "1\tb")
	f.Add("NotebookEdit", `{"notebook_path":"/a","cell_id":"c","new_source":"x","old_source":"y"}`, `{}`, "ok", "")
	f.Fuzz(func(t *testing.T, tool, data, args, text, read string) {
		var files change.Files
		var d, a, r jsondoc.Doc
		for _, in := range []struct {
			doc  *jsondoc.Doc
			text string
		}{{&d, data}, {&a, args}, {&r, string(jsondoc.AppendQuote(nil, []byte(read)))}} {
			_, _ = in.doc.Parse([]byte(in.text)) // what does not parse is absent
		}
		files.Numbered("/a", r.Root().Body(), len(read)%2 == 0)
		for range 2 {
			diff, _, ok := files.Of(change.Result{Tool: tool, Data: d.Root(), Args: a.Root(), Text: []byte(text)})
			if ok {
				checkDiff(t, &diff)
			}
		}
	})
}

func checkDiff(t *testing.T, d *core.Diff) {
	t.Helper()
	lines := strings.Split(d.Unified, "\n")
	if len(lines) < 2 || !strings.HasPrefix(lines[0], "--- ") || !strings.HasPrefix(lines[1], "+++ ") {
		t.Fatalf("no head in %q", d.Unified)
	}
	added, removed := 0, 0
	for _, l := range lines[2:] {
		switch {
		case strings.HasPrefix(l, "+"):
			added++
		case strings.HasPrefix(l, "-"):
			removed++
		}
	}
	if added != d.Added || removed != d.Removed {
		t.Errorf("counts +%d -%d of\n%s", d.Added, d.Removed, d.Unified)
	}
}
