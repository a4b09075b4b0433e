package sqlite_test

import (
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
	if text := ask[string](t, dir, "SELECT text FROM memory_calls WHERE key = '/repo/CLAUDE.md' AND action = 'memory_write'"); len(text) != 1 || text[0] == "" {
		t.Errorf("what was planted in a file: %q", text)
	}
}
