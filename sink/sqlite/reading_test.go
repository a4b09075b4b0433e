package sqlite_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/internal/sink"
	"github.com/memscribe/memscribe/sink/sinktest"
	"github.com/memscribe/memscribe/sink/sqlite"
)

// TestReadAhead delivers batches that are read while they are written, after ones
// of which nothing was there: with what is new, what is there, what is there in
// other words, and at last a line that cannot be read.
func TestReadAhead(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := open(t, dir, sqlite.Options{})
	lines := sinktest.NewMaker(3).Take(900)
	apply(t, s, lines[:300]...)
	mixed := slices.Concat(lines[200:500], []sink.Line{sinktest.Revised(lines[7], "a"), sinktest.Revised(lines[450], "b")})
	apply(t, s, lines[300:310]...) // nothing of it is there: nor need be of the next
	apply(t, s, mixed...)
	apply(t, s, lines[500:510]...)
	broken := slices.Clone(lines[510:800])
	broken[250].JSON = []byte(`{"schema":"memscribe.node/v1","id":"another"}`)
	if err := s.Apply(t.Context(), broken); err == nil || !strings.Contains(err.Error(), broken[250].ID) {
		t.Errorf("got %v, want the id of the line that is another node", err)
	}
	apply(t, s, lines[510:]...)
	if err := s.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	checkStored(t, dir, slices.Concat(lines[:310], mixed, lines[500:]))
}

// TestManyShapes stores nodes that have and have not what is optional, in more ways
// than statements are kept for.
func TestManyShapes(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := open(t, dir, sqlite.Options{})
	var lines []sink.Line
	want := map[string]bool{}
	for bits := range 128 {
		of := func(bit int, text string) string {
			if bits&(1<<bit) == 0 {
				return ""
			}
			return text
		}
		n := decision("s", uint64(bits), "2026-01-01T00:00:00Z", "Use it.")
		if of(0, "none") != "" {
			n.Time = core.Time{}
		}
		n.Project = &core.Project{Cwd: of(1, "/w"), RepoRoot: of(2, "/r"), Git: core.Git{Branch: of(3, "main"), SHA: of(4, "cafe")}}
		n.Body = &core.Decision{Epitome: core.Whole("Use it."), DecidedBy: of(5, "user"), SupersededBy: of(6, "decision:x")}
		lines = append(lines, sinktest.Line(n))
		root := of(2, "/r")
		if root == "" {
			root = of(1, "/w")
		}
		want[fmt.Sprint(n.ID, bits&1 == 0, root, of(1, "/w"), of(3, "main"), of(4, "cafe"), of(5, "user"), of(6, "decision:x"))] = true
	}
	apply(t, s, lines...)
	checkStored(t, dir, lines)
	got := ask[string](t, dir, `SELECT id || ' ' || CASE WHEN timestamp IS NULL THEN 'false' ELSE 'true' END || ' ' || project || ' ' || coalesce(cwd, '')
		|| ' ' || coalesce(branch, '') || ' ' || coalesce(sha, '') || ' ' || coalesce(decided_by, '') || ' ' || coalesce(superseded_by, '') FROM nodes`)
	squeeze := func(s string) string { return strings.ReplaceAll(s, " ", "") }
	has := map[string]bool{}
	for w := range want {
		has[squeeze(w)] = true
	}
	for _, g := range got {
		if !has[squeeze(g)] {
			t.Errorf("not wanted: %s", g)
		}
	}
	if len(got) != len(want) {
		t.Errorf("%d rows, want %d", len(got), len(want))
	}
}
