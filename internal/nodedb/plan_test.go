package nodedb_test

import (
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/internal/nodedb"
	"github.com/memscribe/memscribe/sink/sinktest"
	"github.com/memscribe/memscribe/sink/sqlite"
)

// TestPlans wants the usual questions answered by an index, in the order of the
// index: no table is read from end to end, and nothing is sorted.
func TestPlans(t *testing.T) {
	r := filled(t)
	some := nodedb.Filter{Since: time.UnixMilli(1), Until: time.UnixMilli(1 << 44), Tool: core.Codex}
	inProject, inAll := some, some
	inProject.Project, inAll.Project = "/home/dev/work/orders/src", "/home/dev/work"
	withText := inProject
	withText.Text = "some words"
	for _, tc := range []struct {
		question, of string
		filter       nodedb.Filter
		want         []string
	}{
		{"decisions", "", some, []string{"SEARCH nodes USING INDEX nodes_kind (kind=? AND rowid>? AND rowid<?)"}},
		{"decisions", "", inProject, []string{"SEARCH nodes USING INDEX nodes_decisions (project=? AND rowid>? AND rowid<?)"}},
		{"decisions", "", inAll, []string{"MERGE (UNION)", "LEFT", "SEARCH nodes USING INDEX nodes_decisions (project=? AND rowid>? AND rowid<?)", "RIGHT"}},
		{"decisions", "", withText, []string{"SCAN search VIRTUAL TABLE INDEX "}},
		{"bans", "", some, []string{"SEARCH nodes USING INDEX nodes_bans (superseded_by=? AND n>? AND n<?)"}},
		{"bans", "", inAll, []string{"SEARCH nodes USING INDEX nodes_bans (superseded_by=? AND n>? AND n<?)"}},
		{"bans", "", withText, []string{"SCAN search VIRTUAL TABLE INDEX ", "SEARCH nodes USING INDEX nodes_bans (superseded_by=? AND n=?)"}},
		{"episodes", "", some, []string{"SEARCH nodes USING INDEX nodes_kind (kind=? AND rowid>? AND rowid<?)"}},
		{"episodes", "", inProject, []string{"SEARCH nodes USING INDEX nodes_episodes (project=? AND rowid>? AND rowid<?)"}},
		{"search", "", withText, []string{"SCAN search VIRTUAL TABLE INDEX "}},
		{"file", "/w/a.go", some, []string{
			"MERGE (UNION)", "LEFT", "SEARCH nodes USING INDEX nodes_path (path=? AND rowid>? AND rowid<?)", "RIGHT",
			"SEARCH nodes USING INDEX nodes_old_path (n>? AND n<?)",
		}},
		{"file", "a.go", inAll, []string{
			"MERGE (UNION)", "LEFT", "SEARCH nodes USING INDEX nodes_base (base=? AND n>? AND n<?)", "RIGHT",
			"SEARCH nodes USING INDEX nodes_old_path (n>? AND n<?)",
		}},
		{"session", "session-00000003", nodedb.Filter{}, []string{"SEARCH nodes USING INDEX nodes_session (session=? AND (source,thread,seq)>(?,?,?))"}},
		{"memories", "", some, []string{"SCAN nodes USING INDEX nodes_memory", "USE TEMP B-TREE FOR ORDER BY"}}, // few, of all there is
		{"memories", "", withText, []string{"SCAN search VIRTUAL TABLE INDEX ", "SEARCH nodes USING INTEGER PRIMARY KEY (rowid=?)"}},
		{"store", "memory", some, []string{"SEARCH nodes USING INDEX nodes_memory (memory_store=? AND memory_action>?)", "USE TEMP B-TREE FOR ORDER BY"}},
		{"memory_read", "conversation:1", nodedb.Filter{}, tracePlan("memory_key>? AND memory_key<?")},
		{"memory_write", "conversation:1", nodedb.Filter{}, tracePlan("memory_key=? AND rowid>?")},
		{"edits", "decision:1", nodedb.Filter{}, linkPlan("nodes_from (from_id=?)")},
		{"reasons", "episode:1", nodedb.Filter{}, linkPlan("nodes_to (to_id=?)")},
	} {
		got, err := nodedb.Plan(t.Context(), r, tc.question, tc.of, tc.filter)
		if err != nil {
			t.Fatal(err)
		}
		var steps []string // each once
		for _, step := range got {
			if words := "SCAN search VIRTUAL TABLE INDEX "; strings.HasPrefix(step, words) {
				step = words // which constraints go there is the affair of the index of words
			}
			if step = strings.Replace(step, "COVERING ", "", 1); !slices.Contains(steps, step) {
				steps = append(steps, step)
			}
		}
		if diff := cmp.Diff(tc.want, steps); diff != "" {
			t.Errorf("%s %s %+v (-want +got):\n%s", tc.question, tc.of, tc.filter, diff)
		}
	}
}

// filled is a database with some sessions.
func filled(t *testing.T) *nodedb.Reader {
	t.Helper()
	path := filepath.Join(t.TempDir(), "nodes.db")
	s, err := sqlite.Open(t.Context(), path, sqlite.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(s.Apply(t.Context(), sinktest.NewMaker(11).Take(1400)), s.Close()); err != nil {
		t.Fatal(err)
	}
	r, err := nodedb.Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := r.Close(); err != nil {
			t.Error(err)
		}
	})
	return r
}

// tracePlan is that of traceOf: nothing but the memory in question is looked at.
func tracePlan(key string) []string {
	return []string{
		"SCAN wanted VIRTUAL TABLE INDEX 1:", "SEARCH c USING INDEX nodes_id (id=?)", "SEARCH o USING INTEGER PRIMARY KEY (rowid=?)",
		"CORRELATED LIST SUBQUERY 1", "SEARCH nodes USING INDEX nodes_memory (memory_store=? AND memory_action=? AND " + key + ")",
		"USE TEMP B-TREE FOR ORDER BY",
	}
}

// linkPlan is that of linksOf: nothing but what hangs on the nodes is looked at.
func linkPlan(index string) []string {
	return []string{
		"SCAN wanted VIRTUAL TABLE INDEX 1:", "SEARCH b USING INTEGER PRIMARY KEY (rowid=?)", "CORRELATED LIST SUBQUERY 1",
		"SEARCH nodes USING INDEX " + index, "SEARCH o USING INDEX nodes_id (id=?)", "USE TEMP B-TREE FOR ORDER BY",
	}
}

// A tool that few nodes are of is asked for by its sessions, and what is newer than its last
// node is not looked at.
func TestPlanOfTool(t *testing.T) {
	path := filepath.Join(t.TempDir(), "nodes.db")
	s, err := sqlite.Open(t.Context(), path, sqlite.Options{})
	if err != nil {
		t.Fatal(err)
	}
	lines := sinktest.NewMaker(11).Take(4000)
	want := map[string]bool{}
	for i := range lines {
		l := &lines[i]
		if l.Session != lines[0].Session {
			continue
		}
		l.JSON = []byte(strings.Replace(string(l.JSON), `"source":"`+string(l.Source)+`"`, `"source":"crush"`, 1))
		if l.Source = core.Crush; l.Kind == "decision" {
			want[l.ID] = true
		}
	}
	if err = errors.Join(s.Apply(t.Context(), lines), s.Close()); err != nil {
		t.Fatal(err)
	}
	r, err := nodedb.Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	crush := nodedb.Filter{Tool: core.Crush}
	got, err := r.Decisions(t.Context(), crush, nodedb.Page{Limit: nodedb.MaxPage})
	if err != nil || len(want) == 0 || len(got.Nodes) != len(want) {
		t.Fatalf("%d decisions, want %d: %v", len(got.Nodes), len(want), err)
	}
	for i := range got.Nodes {
		if !want[got.Nodes[i].ID] {
			t.Errorf("%s is of %s", got.Nodes[i].ID, got.Nodes[i].Source)
		}
	}
	plan, err := nodedb.Plan(t.Context(), r, "decisions", "", crush)
	if text := strings.Join(plan, "\n"); err != nil || !strings.Contains(text, "nodes_session (session=?") {
		t.Errorf("the plan is %s: %v", text, err)
	}
	if none, err := r.Decisions(t.Context(), nodedb.Filter{Tool: core.Goose}, nodedb.Page{}); err != nil || len(none.Nodes) > 0 {
		t.Errorf("a tool of nothing has %d decisions: %v", len(none.Nodes), err)
	}
}
