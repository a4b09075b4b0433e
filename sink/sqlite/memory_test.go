package sqlite_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/memscribe/memscribe/internal/nodedb"
	"github.com/memscribe/memscribe/sink/sinktest"
	"github.com/memscribe/memscribe/sink/sqlite"
)

// TestMemories traces each read of a memory to what planted it.
func TestMemories(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	apply(t, open(t, dir, sqlite.Options{}), sinktest.Memories()...)
	got := ask[string](t, dir, `SELECT store || ' ' || key || ' in ' || session || ': ' || coalesce(write_kind || ' of ' || write_key || ' in ' || write_session, 'nobody')
		FROM memory_reads ORDER BY n, write_n`)
	want := []string{
		"memory Postgres in reading: conversation of Postgres in planting",
		"file /repo/CLAUDE.md in reading: episode of /repo/CLAUDE.md in planting",
		"memory  in reading: conversation of Postgres in planting",
		"memory  in reading: conversation of Redis in planting",
		"memory Kafka in reading: nobody",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	for _, question := range []string{
		"SELECT write FROM memory_reads ORDER BY n DESC LIMIT 50",
		"SELECT write FROM memory_reads WHERE project = '/repo' ORDER BY n DESC, write_n DESC",
		"SELECT id FROM memory_calls WHERE store = 'memory' AND key = 'Postgres' AND action = 'memory_write'",
	} {
		for _, step := range plan(t, dir, question) {
			if (strings.HasPrefix(step, "SCAN") || strings.HasPrefix(step, "SEARCH")) && !strings.Contains(step, "nodes_memory") {
				t.Errorf("%s: %s", question, step)
			}
		}
	}
	if text := ask[string](t, dir, "SELECT text FROM memory_calls WHERE key = '/repo/CLAUDE.md' AND action = 'memory_write'"); len(text) != 1 || text[0] == "" {
		t.Errorf("what was planted in a file: %q", text)
	}
}

// TestMemoryTraces asks for calls about memories, and what each is linked with.
func TestMemoryTraces(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	lines := sinktest.Memories()
	apply(t, open(t, dir, sqlite.Options{}), append(sinktest.NewMaker(1).Take(200), lines...)...)
	r, err := nodedb.Open(t.Context(), file(dir))
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	show := func(a nodedb.Answer, err error) (out []string) {
		if err != nil {
			t.Fatal(err)
		}
		for _, n := range a.Nodes {
			out = append(out, fmt.Sprint(n.Memory, " in ", n.Session))
			for _, l := range n.Links {
				out = append(out, fmt.Sprint("  ", l.Relation, " ", l.Kind, " of ", l.Source, " in ", l.Session, " ", l.Path))
			}
		}
		return out
	}
	all := show(r.Memories(t.Context(), "", "", nodedb.Filter{}, nodedb.Page{}))
	want := []string{
		"{memory_read memory Kafka} in reading",
		"{memory_read memory } in reading",
		"  planted conversation of claude_code in planting ", "  planted conversation of claude_code in planting ",
		"{memory_read file /repo/CLAUDE.md} in reading",
		"  planted episode of claude_code in planting /repo/CLAUDE.md",
		"{memory_read memory Postgres} in reading",
		"  planted conversation of claude_code in planting ",
		"{memory_write file /repo/CLAUDE.md} in planting",
		"  read_later conversation of claude_code in reading ",
		"{memory_write memory Redis} in planting",
		"  read_later conversation of claude_code in reading ",
		"{memory_write memory Postgres} in planting",
		"  read_later conversation of claude_code in reading ", "  read_later conversation of claude_code in reading ",
	}
	if diff := cmp.Diff(want, all); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	for _, tc := range []struct {
		store, key string
		filter     nodedb.Filter
		page       nodedb.Page
		want       int
	}{
		{store: "memory", want: 5},
		{store: "memory", key: "Redis", want: 1},
		{store: "memory' OR '1", want: 0},
		{store: "memory\x00", want: 0},
		{key: "Postgres", want: 2},
		{filter: nodedb.Filter{Kinds: []string{"episode"}}, want: 1},
		{filter: nodedb.Filter{Project: "/repo"}, want: 7},
		{filter: nodedb.Filter{Project: "elsewhere"}, want: 0},
		{filter: nodedb.Filter{Text: "given"}, want: 1},
		{store: "memory", filter: nodedb.Filter{Text: "given", Project: "/repo"}, want: 1},
		{store: "file", filter: nodedb.Filter{Text: "given"}, want: 0},
		{filter: nodedb.Filter{Since: time.UnixMilli(1_760_000_180_000)}, want: 4},
		{page: nodedb.Page{Limit: 3}, want: 3},
	} {
		a, err := r.Memories(t.Context(), tc.store, tc.key, tc.filter, tc.page)
		if err != nil || len(a.Nodes) != tc.want || (a.Next != "") != (tc.page.Limit != 0) {
			t.Errorf("%+v: %d nodes, next %q, %v", tc, len(a.Nodes), a.Next, err)
		}
	}
}

// plan is how SQLite answers a question.
func plan(t *testing.T, dir, question string) (steps []string) {
	t.Helper()
	rows, err := connect(t, file(dir), "&mode=ro").QueryContext(t.Context(), "EXPLAIN QUERY PLAN "+question)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		var ignored any
		var step string
		if err := rows.Scan(&ignored, &ignored, &ignored, &step); err != nil {
			t.Fatal(err)
		}
		steps = append(steps, step)
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return steps
}
