package codex_test

import (
	"bytes"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/memscribe/memscribe/adapters/codex"
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/testkit/size"
)

// TestPatchesAgree takes the events of patches out of rollouts that have them:
// what the calls and their answers tell must be the same edits.
func TestPatchesAgree(t *testing.T) {
	files := append(size.Some(rollouts(t, sharedDir(t, "transcripts/codex")), 4), wildFiles(t)...)
	compared := 0
	for _, path := range files {
		data := readFile(t, path)
		var kept []byte
		for line := range bytes.Lines(data) {
			if !bytes.Contains(line, []byte(`"type":"FileChange"`)) && !bytes.Contains(line, []byte(`"type":"patch_apply_end"`)) {
				kept = append(kept, line...)
			}
		}
		if len(kept) == len(data) {
			continue
		}
		kept = bytes.ReplaceAll(kept, []byte(`"ordinal":`), []byte(`"was_ordinal":`))
		want, got := edits(t, path, data), edits(t, path, kept)
		compared += len(want)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: edits by events (-) and by calls (+):\n%s", path, diff)
		}
	}
	t.Logf("%d edits compared", compared)
	if compared == 0 {
		t.Error("nothing compared")
	}
}

// edits are the edits of a rollout, in a form that does not depend on how much
// context they show. What a deletion removes is known from events alone.
func edits(t *testing.T, path string, data []byte) []string {
	t.Helper()
	var list []string
	one(t, path, string(data), func(ev *core.Event) {
		e, ok := ev.Body.(*core.FileEdit)
		if !ok {
			return
		}
		line := fmt.Sprintf("%s %s %s %s %s", e.CallID, e.Tool, e.Diff.Change, e.Diff.OldPath, e.Diff.Path)
		if e.Diff.Change != core.Delete {
			line += fmt.Sprintf(" +%d -%d", e.Diff.Added, e.Diff.Removed)
		}
		list = append(list, line)
	})
	slices.Sort(list)
	return list
}

// TestDetectAmongOthers looks at everything that other tools wrote.
func TestDetectAmongOthers(t *testing.T) {
	for _, root := range []string{"wild", "transcripts"} {
		err := filepath.WalkDir(sharedDir(t, root), func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			data := readFile(t, path)
			fit := codex.Adapter{}.Detect(core.Sample{Path: filepath.ToSlash(path), Head: data[:min(len(data), 64<<10)]})
			if fit > core.NoFit && !strings.Contains(filepath.ToSlash(path), root+"/codex/") {
				t.Errorf("%s fits with %d", path, fit)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}
