package capture_test

import (
	"context"
	"database/sql"
	"errors"
	"log/slog"
	"path/filepath"
	"testing"
	"time"

	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/io/capture"
	"github.com/memscribe/memscribe/io/discover"
	"github.com/memscribe/memscribe/io/store"
	"github.com/memscribe/memscribe/io/tail"
)

// editTable is a layout of a table of edits, of which some conversations take forever.
func editTable(_ string, s core.Schema) (core.Adapter, core.Layout) {
	if !s.Has("edits", "talk", "edit", "endless") {
		return nil, core.Layout{}
	}
	return script{}, core.Layout{
		Conversations: `SELECT DISTINCT talk FROM edits ORDER BY talk`,
		Rows: []core.Rows{{Table: "edits", Query: `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n
			WHERE (SELECT max(endless) FROM edits WHERE talk = ?1)) SELECT edit, edit FROM edits WHERE talk = ?1 AND (SELECT count(*) FROM n) > 0`}},
	}
}

// TestSlowDatabaseIsSetAside follows two databases and a file: one conversation of the
// first database takes forever. Everything else is captured, the database is left alone
// for half a minute, and read then.
func TestSlowDatabaseIsSetAside(t *testing.T) {
	dir := t.TempDir()
	slow := fill(t, filepath.Join(dir, "a.db"), `('1', 'first', 0), ('2', 'endless', 1), ('3', 'third', 0)`)
	fill(t, filepath.Join(dir, "b.db"), `('4', 'fourth', 0)`)
	write(t, filepath.Join(dir, "c"), `{"edit":"file"}`+"\n")

	r := newRig(t, nil)
	now := time.Unix(0, 0)
	wake := make(chan time.Time)
	source := &tail.Source{Roots: []discover.Root{discover.Everything(dir)}, Log: slog.New(slog.DiscardHandler), Wake: wake}
	var problems []error
	source.Report = func(_ string, err error) { problems = append(problems, err) }
	follower := capture.NewFollower(capture.FollowerOptions{Capture: r.Capture, Files: source, Judge: byHead})
	source.Keeper = capture.NewKeeper(follower, capture.KeeperOptions{Layout: editTable, Clock: func() time.Time { return now }})
	settled := make(chan struct{}, 8)
	done := make(chan error, 1)
	ctx, stop := context.WithCancel(t.Context())
	go func() { done <- source.Run(ctx, &told{follower, settled}) }()
	look := func(when, want string, failures int) {
		t.Helper()
		<-settled
		if got := r.paths(); got != want || len(problems) != failures {
			t.Errorf("%s: %q and %v", when, got, problems)
		}
	}
	look("at first", "file first fourth third", 1)
	if !errors.Is(problems[0], store.ErrSlow) {
		t.Errorf("reported: %v", problems[0])
	}
	if _, err := slow.ExecContext(t.Context(), `UPDATE edits SET endless = 0`); err != nil {
		t.Fatal(err)
	}
	wake <- now
	look("soon after", "file first fourth third", 1)
	now = now.Add(31 * time.Second)
	wake <- now
	look("later", "endless file first fourth third", 1)
	stop()
	<-settled
	if err := <-done; err != nil {
		t.Error(err)
	}
}

// fill makes a database of edits.
func fill(t *testing.T, path, rows string) *sql.DB {
	t.Helper()
	db, err := sql.Open("sqlite", "file:"+filepath.ToSlash(path))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	if _, err := db.ExecContext(t.Context(), `CREATE TABLE edits (talk, edit, endless); INSERT INTO edits VALUES `+rows); err != nil {
		t.Fatal(err)
	}
	return db
}
