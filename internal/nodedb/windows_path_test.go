package nodedb_test

import (
	"errors"
	"path/filepath"
	"testing"

	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/internal/nodedb"
	"github.com/memscribe/memscribe/internal/sink"
	"github.com/memscribe/memscribe/sink/sinktest"
	"github.com/memscribe/memscribe/sink/sqlite"
)

// A file of Windows is found by the end of its path, with either separator.
func TestFileOfWindows(t *testing.T) {
	n := core.Node{
		ID: "episode:1", Source: core.ClaudeCode, Session: "s", Time: core.Unix(1_784_895_180_000), Project: &core.Project{Cwd: `D:\shop`}, Fact: core.Derived,
		Body: &core.Episode{EpisodeID: "e", CallID: "e", Tool: "Edit", Diff: core.Diff{Path: `D:\shop\website\docs\faq.mdx`, Change: core.Modify}},
	}
	path := filepath.Join(t.TempDir(), "nodes.db")
	s, err := sqlite.Open(t.Context(), path, sqlite.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err = errors.Join(s.Apply(t.Context(), []sink.Line{sinktest.Line(&n)}), s.Close()); err != nil {
		t.Fatal(err)
	}
	r, err := nodedb.Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	for _, name := range []string{"faq.mdx", "docs/faq.mdx", `docs\faq.mdx`, `D:\shop\website\docs\faq.mdx`} {
		a, err := r.File(t.Context(), name, nodedb.Filter{}, nodedb.Page{})
		if err != nil || len(a.Nodes) != 1 {
			t.Errorf("%s has %d edits: %v", name, len(a.Nodes), err)
		}
	}
	if a, err := r.File(t.Context(), "s/faq.mdx", nodedb.Filter{}, nodedb.Page{}); err != nil || len(a.Nodes) > 0 {
		t.Errorf("a part of a folder's name found %d edits: %v", len(a.Nodes), err)
	}
}
