package postgres_test

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5"

	"github.com/memscribe/memscribe/internal/sink"
	"github.com/memscribe/memscribe/sink/internal/lite"
	"github.com/memscribe/memscribe/sink/postgres"
	"github.com/memscribe/memscribe/sink/sinktest"
	"github.com/memscribe/memscribe/sink/sqlite"
)

// TestViews delivers the same nodes to SQLite and to PostgreSQL: each column that both
// have of each view says the same of each node.
func TestViews(t *testing.T) {
	start(t)
	lines := append(sinktest.NewMaker(3).Take(400), sinktest.Memories()...)
	dir := t.TempDir()
	path := filepath.Join(dir, "nodes.db")
	file, err := sqlite.Open(t.Context(), path, sqlite.Options{})
	if err != nil {
		t.Fatal(err)
	}
	team, err := open(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range []sink.Sink{file, team} {
		if err := s.Apply(t.Context(), lines); err != nil {
			t.Fatal(err)
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
	}
	for view, columns := range map[string]string{
		"conversations":  "id, source, session, thread, seq, timestamp, project, branch, speaker, text",
		"decisions":      "id, source, session, thread, seq, timestamp, project, title, epitome, is_ban, in_force, superseded_by, decided_by",
		"bans_in_force":  "id, title, epitome, decided_by",
		"episodes":       "id, project, branch, sha, path, old_path, base, change, added, removed, tool, call_id, unified",
		"edges":          "id, from_id, to_id, relation, evidence",
		"neighbours":     "id, other, relation, evidence, role",
		"memory_calls":   "id, kind, action, store, key, text",
		"decision_edits": "id, title, is_ban, in_force, relation, edit, path, change, added, removed, tool",
		"file_history":   "id, path, base, change, relation, reason, reason_kind, because, decided_by",
		"timeline":       "id, kind, who, what",
	} {
		want := fromSQLite(t, path, "SELECT "+columns+" FROM "+view)
		got := fromPostgres(t, dir, "SELECT "+columns+" FROM memscribe."+view)
		if len(want) == 0 {
			t.Errorf("%s: nothing to compare", view)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-sqlite +postgres):\n%.2000s", view, diff)
		}
	}
}

// said is a row as text; what is true in one is 1 in the other.
func said(row []any) string {
	parts := make([]string, len(row))
	for i, v := range row {
		switch v {
		case true:
			v = int64(1)
		case false:
			v = int64(0)
		}
		parts[i] = fmt.Sprint(v)
	}
	return strings.Join(parts, " | ")
}

func fromSQLite(t *testing.T, path, query string) (all []string) {
	t.Helper()
	db, err := lite.Dial(path, lite.Options{Connections: 1})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	rows, err := db.QueryContext(t.Context(), query)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	names, _ := rows.Columns()
	for rows.Next() {
		row, at := make([]any, len(names)), make([]any, len(names))
		for i := range row {
			at[i] = &row[i]
		}
		if err := rows.Scan(at...); err != nil {
			t.Fatal(err)
		}
		all = append(all, said(row))
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	slices.Sort(all)
	return all
}

func fromPostgres(t *testing.T, dir, query string) (all []string) {
	t.Helper()
	url, err := urlOf(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	conn, err := pgx.Connect(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(t.Context())
	rows, err := conn.Query(t.Context(), query)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		row, err := rows.Values()
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, said(row))
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	slices.Sort(all)
	return all
}

// TestManyDeliver has several sinks deliver the same nodes in different orders at once:
// none waits for ever, and each node is there once, in the words that were delivered.
func TestManyDeliver(t *testing.T) {
	start(t)
	dir := t.TempDir()
	url, err := urlOf(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	lines := sinktest.NewMaker(4).Take(300)
	backwards := slices.Clone(lines)
	slices.Reverse(backwards)
	var all sync.WaitGroup
	for i := range 6 {
		all.Go(func() {
			s, err := postgres.Open(t.Context(), url)
			if err != nil {
				t.Error(err)
				return
			}
			these := [][]sink.Line{lines, backwards}[i%2]
			for part := range slices.Chunk(these, 50) {
				if err := s.Apply(t.Context(), part); err != nil {
					t.Error(err)
				}
			}
			if err := s.Close(); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	got, err := read(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(got)
	seen := map[string]bool{}
	for _, l := range lines {
		seen[l.ID] = true
	}
	if len(got) != len(seen) {
		t.Errorf("%d nodes, want %d", len(got), len(seen))
	}
}
