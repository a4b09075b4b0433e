package sqlite_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

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
