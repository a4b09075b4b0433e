package postgres_test

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5"

	"github.com/memscribe/memscribe/internal/nodedb"
	"github.com/memscribe/memscribe/internal/sink"
	"github.com/memscribe/memscribe/internal/sqlitefile"
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

// TestReader asks the same of SQLite and of PostgreSQL, page by page: the nodes and
// what they are bound to are the same, in an order of time.
func TestReader(t *testing.T) {
	start(t)
	lines := sinktest.NewMaker(5).Take(400)
	dir := t.TempDir()
	path := filepath.Join(dir, "nodes.db")
	url, err := urlOf(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	file, err := sqlite.Open(t.Context(), path, sqlite.Options{})
	team, err2 := postgres.Open(t.Context(), url)
	if err := errors.Join(err, err2); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(file.Apply(t.Context(), lines), file.Close(), team.Apply(t.Context(), lines), team.Close()); err != nil {
		t.Fatal(err)
	}
	one, err := nodedb.Open(t.Context(), path)
	other, err2 := postgres.OpenReader(t.Context(), url)
	if err := errors.Join(err, err2); err != nil {
		t.Fatal(err)
	}
	defer one.Close()
	defer other.Close()
	first, err := one.Decisions(t.Context(), nodedb.Filter{}, nodedb.Page{Limit: 1})
	if err != nil || len(first.Nodes) != 1 {
		t.Fatalf("%v, %v", first, err)
	}
	word := strings.Fields(first.Nodes[0].Text)[0]
	for name, f := range map[string]nodedb.Filter{
		"all": {}, "project": {Project: first.Nodes[0].Project}, "tool": {Tool: first.Nodes[0].Source}, "no project": {Project: "nowhere"}, "words": {Text: word},
	} {
		for what, ask := range map[string][2]asked{
			"decisions": {one.Decisions, other.Decisions}, "bans": {one.Bans, other.Bans}, "episodes": {one.Episodes, other.Episodes},
		} {
			want, got := everything(t, ask[0], f), everything(t, ask[1], f)
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%s, %s (-sqlite +postgres):\n%.1500s", what, name, diff)
			}
			if name == "all" && len(want) < 7 {
				t.Errorf("%s: %d nodes are too few to show anything", what, len(want))
			}
		}
	}
}

type asked func(context.Context, nodedb.Filter, nodedb.Page) (nodedb.Answer, error)

// everything is all pages of an answer, sorted: a node with what it is bound to.
func everything(t *testing.T, ask asked, f nodedb.Filter) []string {
	t.Helper()
	all := []string{}
	last := "9"
	for p := (nodedb.Page{Limit: 3}); ; {
		a, err := ask(t.Context(), f, p)
		if err != nil {
			t.Fatal(err)
		}
		for i := range a.Nodes {
			n := &a.Nodes[i]
			if n.Timestamp > last {
				t.Errorf("%s stands behind what is older", n.ID)
			}
			last = n.Timestamp
			links := []string{}
			for _, l := range n.Links {
				links = append(links, fmt.Sprint(l))
			}
			slices.Sort(links)
			all = append(all, fmt.Sprint(n.ID, n.Text, n.Title, n.Path, n.IsBan, n.Added, string(n.JSON), links))
		}
		if p.After = a.Next; p.After == "" {
			slices.Sort(all)
			return all
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
	db, err := sqlitefile.Dial(path, sqlitefile.Options{Connections: 1})
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
