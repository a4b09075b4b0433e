package sqlite_test

import (
	"context"
	"database/sql"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/internal/nodedb"
	"github.com/memscribe/memscribe/internal/sink"
	"github.com/memscribe/memscribe/sink/sinktest"
	"github.com/memscribe/memscribe/sink/sqlite"
	"github.com/memscribe/memscribe/testkit/size"
)

// large has the tests take much more of everything.
var large = flag.Bool("large", false, "take larger shares")

// share is the size of a share of something.
func share(usual, most int) int {
	if *large {
		return most
	}
	return usual
}

func file(dir string) string { return filepath.Join(dir, "new", "nodes.db") }

func TestSuite(t *testing.T) { runSuite(t, sqlite.Options{}) }

// Bulk and Relaxed differ from it in what SQLite is asked to do, not in goroutines.

func TestSuiteBulk(t *testing.T) {
	size.NeedsNoDetector(t)
	runSuite(t, sqlite.Options{Bulk: true})
}

func TestSuiteRelaxed(t *testing.T) {
	size.NeedsNoDetector(t)
	runSuite(t, sqlite.Options{Relaxed: true})
}

func runSuite(t *testing.T, o sqlite.Options) {
	t.Helper()
	t.Parallel()
	suite(o).Run(t)
}

func suite(o sqlite.Options) sinktest.Suite {
	return sinktest.Suite{
		Open: func(ctx context.Context, dir string) (sink.Sink, error) { return sqlite.Open(ctx, file(dir), o) },
		Read: func(ctx context.Context, dir string) ([]string, error) {
			return column[string](ctx, file(dir), "SELECT json FROM nodes")
		},
		AtOnce: true, Kills: share(5, 15),
	}
}

// connect opens a database as others do.
func connect(t testing.TB, path, options string) *sql.DB {
	t.Helper()
	db, err := sql.Open("sqlite", "file:"+path+"?_pragma=busy_timeout(5000)"+options)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	return db
}

// column asks a database by SQL.
func column[T any](ctx context.Context, path, question string, args ...any) ([]T, error) {
	db, err := sql.Open("sqlite", "file:"+path+"?mode=ro&_pragma=busy_timeout(5000)")
	if err != nil {
		return nil, err
	}
	defer db.Close()
	return columnOf[T](ctx, db, question, args...)
}

func columnOf[T any](ctx context.Context, db *sql.DB, question string, args ...any) (all []T, err error) {
	rows, err := db.QueryContext(ctx, question, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var one T
		if err := rows.Scan(&one); err != nil {
			return nil, err
		}
		all = append(all, one)
	}
	return all, rows.Err()
}

func query[T any](t testing.TB, db *sql.DB, question string, args ...any) []T {
	t.Helper()
	all, err := columnOf[T](t.Context(), db, question, args...)
	if err != nil {
		t.Fatalf("%s: %v", question, err)
	}
	return all
}

func ask[T any](t testing.TB, dir, query string, args ...any) []T {
	t.Helper()
	all, err := column[T](t.Context(), file(dir), query, args...)
	if err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	return all
}

func open(t testing.TB, dir string, o sqlite.Options) *sqlite.Sink {
	t.Helper()
	s, err := sqlite.Open(t.Context(), file(dir), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

func apply(t testing.TB, s sink.Sink, lines ...sink.Line) {
	t.Helper()
	if err := s.Apply(t.Context(), lines); err != nil {
		t.Fatal(err)
	}
}

func decision(session string, seq uint64, at, epitome string) *core.Node {
	return &core.Node{
		ID: core.NodeID("decision", core.Codex, session, fmt.Sprint(seq), epitome), Source: core.Codex, Session: session, Seq: seq,
		Time: core.ParseTime(at), Project: &core.Project{Cwd: "/w/a"}, Fact: core.Observed,
		Provenance: []core.Location{{File: "/t"}}, Body: &core.Decision{Epitome: core.Whole(epitome), DecidedBy: "user"},
	}
}

func TestColumns(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir, sqlite.Options{})
	old := "x"
	head := core.Node{
		Source: core.Codex, Session: "s", Thread: "sub", Seq: 3, Time: core.ParseTime("2026-06-22T12:00:00.5+02:00"),
		Project: &core.Project{Cwd: "/w/a/src", RepoRoot: "/w/a", Git: core.Git{SHA: "abc", Branch: "main"}}, Provenance: []core.Location{{File: "/t"}},
	}
	conversation, choice, edit, binding := head, head, head, head
	conversation.ID, conversation.Body = "conversation:1", &core.Conversation{Text: "say", Speaker: core.User}
	choice.ID, choice.Body = "decision:1", &core.Decision{Epitome: core.Whole("Never."), IsBan: true, DecidedBy: "m", SupersededBy: "decision:2"}
	edit.ID, edit.Body = "episode:1", &core.Episode{EpisodeID: "e", CallID: "c", Tool: "Edit", Git: core.Git{Branch: "fix"}, Diff: core.Diff{
		Path: "/w/a/src/b.go", OldPath: "/w/a/c.go", Old: &old, Unified: "@@", Added: 2, Removed: 1, Change: core.Rename,
	}}
	binding.ID, binding.Body = "binding:1", &core.Binding{From: "decision:1", To: "episode:1", Relation: core.Produced, Evidence: core.SameArc}
	binding.Project, binding.Thread, binding.Time = nil, "", core.Time{}
	apply(t, s, sinktest.Line(&conversation), sinktest.Line(&choice), sinktest.Line(&edit), sinktest.Line(&binding))
	got := ask[string](t, dir, `SELECT concat_ws('|', id, kind, source, session, thread, seq, quote(timestamp), project, quote(cwd), quote(branch),
		quote(sha), quote(speaker), quote(is_ban), quote(decided_by), quote(superseded_by), quote(path), quote(old_path), quote(base), quote(change),
		quote(added), quote(removed), quote(tool), quote(call_id), quote(from_id), quote(to_id), quote(relation), quote(evidence)) FROM nodes ORDER BY kind`)
	const common = "codex|s|sub|3|'2026-06-22T10:00:00.5Z'|/w/a|'/w/a/src'"
	want := []string{
		"binding:1|binding|codex|s||3|NULL||NULL|NULL|NULL|NULL|NULL|NULL|NULL|NULL|NULL|NULL|NULL|NULL|NULL|NULL|NULL|'decision:1'|'episode:1'|'produced'|'same_arc'",
		"conversation:1|conversation|" + common + "|'main'|'abc'|'user'|NULL|NULL|NULL|NULL|NULL|NULL|NULL|NULL|NULL|NULL|NULL|NULL|NULL|NULL|NULL",
		"decision:1|decision|" + common + "|'main'|'abc'|NULL|1|'m'|'decision:2'|NULL|NULL|NULL|NULL|NULL|NULL|NULL|NULL|NULL|NULL|NULL|NULL",
		"episode:1|episode|" + common + "|'fix'|'abc'|NULL|NULL|NULL|NULL|'/w/a/src/b.go'|'/w/a/c.go'|'b.go'|'rename'|2|1|'Edit'|'c'|NULL|NULL|NULL|NULL",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestRefused delivers batches with a line that is none in the middle.
func TestRefused(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir, sqlite.Options{})
	lines := sinktest.NewMaker(1).Take(40)
	apply(t, s, lines[:10]...)
	for name, bad := range map[string]sink.Line{
		"no JSON":           {ID: "decision:x", JSON: []byte(`{"schema":`)},
		"more than a value": {ID: "decision:x", JSON: []byte(`{"schema":"memscribe.node/v1","id":"decision:x"} {}`)},
		"no node":           {ID: "decision:x", JSON: []byte(`{"schema":"memscribe.event/v1","id":"decision:x"}`)},
		"another id":        {ID: "decision:x", JSON: []byte(`{"schema":"memscribe.node/v1","id":"decision:y"}`)},
	} {
		err := s.Apply(t.Context(), slices.Concat(lines[10:20], []sink.Line{bad}, lines[20:]))
		if err == nil || !strings.Contains(err.Error(), "decision:x") {
			t.Errorf("%s: got %v, want an error that names the node", name, err)
		}
		sinktest.Same(t, slices.Sorted(slices.Values(ask[string](t, dir, "SELECT json FROM nodes"))), sinktest.Fold(lines[:10]))
	}
	if n := ask[int](t, dir, "SELECT sum(conversations + decisions + episodes + bindings) FROM tally"); n[0] != 10 {
		t.Errorf("tallies count %d nodes, want 10", n[0])
	}
	apply(t, s, lines...)
}

func TestPermissions(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("permissions are those of the folder")
	}
	dir := t.TempDir()
	s := open(t, dir, sqlite.Options{})
	apply(t, s, sinktest.NewMaker(1).Take(10)...)
	for name, want := range map[string]fs.FileMode{
		filepath.Dir(file(dir)): 0o700, file(dir): 0o600, file(dir) + "-wal": 0o600, file(dir) + "-shm": 0o600,
	} {
		info, err := os.Stat(name)
		if err != nil {
			t.Error(err)
		} else if info.Mode().Perm() != want {
			t.Errorf("%s: %v, want %v", name, info.Mode().Perm(), want)
		}
	}
}

// TestOddPaths opens databases whose names mean something in a URL.
func TestOddPaths(t *testing.T) {
	for _, name := range []string{"a b.db", "a%20b.db", "a?mode=memory.db", "a#b.db", "ü.db", "a&b=c.db"} {
		if runtime.GOOS == "windows" && strings.Contains(name, "?") {
			continue
		}
		path := filepath.Join(t.TempDir(), name)
		s, err := sqlite.Open(t.Context(), path, sqlite.Options{})
		if err != nil {
			t.Fatal(err)
		}
		apply(t, s, sinktest.NewMaker(1).Take(3)...)
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		if info, err := os.Stat(path); err != nil || info.Size() == 0 {
			t.Errorf("%s: %v, %v", name, info, err)
		}
		r, err := nodedb.Open(t.Context(), path)
		if err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(r.Close(), r.Close()); err != nil {
			t.Error(err)
		}
	}
}

// TestBusy has another process write while the sink wants to.
func TestBusy(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir, sqlite.Options{})
	lines := sinktest.NewMaker(1).Take(20)
	apply(t, s, lines[:10]...)
	db := connect(t, file(dir), "&_txlock=immediate")
	tx, err := db.BeginTx(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if err := s.Apply(ctx, lines); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("got %v, want that time ran out", err)
	}
	if err := tx.Rollback(); err != nil {
		t.Fatal(err)
	}
	apply(t, s, lines...)
	if n := ask[int](t, dir, "SELECT count(*) FROM nodes"); n[0] != len(lines) {
		t.Errorf("%d nodes, want %d", n[0], len(lines))
	}
}

// TestSync makes sure that a flush syncs, and that one without changes does not
// write at all.
func TestSync(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir, sqlite.Options{})
	size := func() int64 {
		info, err := os.Stat(file(dir) + "-wal")
		if err != nil {
			t.Fatal(err)
		}
		return info.Size()
	}
	flush := func() {
		if err := s.Flush(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	lines := sinktest.NewMaker(1).Take(10)
	apply(t, s, lines...)
	applied := size()
	flush()
	flushed := size()
	if flushed == applied {
		t.Error("flushing wrote nothing that could be synced")
	}
	flush()
	apply(t, s, lines...)
	flush()
	if now := size(); now != flushed {
		t.Errorf("what was there already made the log grow from %d to %d bytes", flushed, now)
	}
}

// TestTallies compares what is counted as nodes come and change with a count.
func TestTallies(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir, sqlite.Options{})
	lines := sinktest.NewMaker(5).Take(600)
	for part := range slices.Chunk(lines, 50) {
		apply(t, s, part...)
	}
	n := decision("elsewhere", 1, "2026-01-01T00:00:00Z", "One.")
	apply(t, s, sinktest.Line(n))
	for _, change := range []func(){
		func() { n.Time = core.ParseTime("2025-01-01T00:00:00Z") },
		func() { n.Project = &core.Project{Cwd: "/w/b"} },
		func() { n.Body.(*core.Decision).IsBan = true },
		func() { n.Body.(*core.Decision).SupersededBy = "decision:later" },
		func() { n.Session, n.Thread = "session-00000002", "t" },
		func() { n.Time = core.Time{} },
		func() { n.Body.(*core.Decision).SupersededBy = "" },
		func() { n.Session = "elsewhere" },
	} {
		change()
		apply(t, s, sinktest.Revised(lines[3], "x"), sinktest.Line(n))
		apply(t, s, lines[3], sinktest.Line(n))
		checkTallies(t, dir)
	}
}

// TestTalliesOfEdits changes edits and their bindings, whose order does not matter.
func TestTalliesOfEdits(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir, sqlite.Options{})
	edit := core.Node{
		ID: "episode:1", Source: core.Codex, Session: "s", Time: core.ParseTime("2026-01-01T00:00:00Z"), Project: &core.Project{Cwd: "/w"},
		Body: &core.Episode{Diff: core.Diff{Path: "/w/a.go", Change: core.Modify, Added: 3, Removed: 1}},
	}
	body := edit.Body.(*core.Episode)
	bound := func(id, from, to string) sink.Line {
		n := edit
		n.ID, n.Body = id, &core.Binding{From: from, To: to, Relation: core.Produced}
		return sinktest.Line(&n)
	}
	for _, step := range []func(){
		func() { apply(t, s, bound("binding:1", "decision:1", edit.ID)) },
		func() { apply(t, s, sinktest.Line(&edit)) },
		func() {
			apply(t, s, bound("binding:2", "decision:2", edit.ID), bound("binding:3", "decision:3", edit.ID))
		},
		func() { body.Diff.Added = 8; apply(t, s, sinktest.Line(&edit)) },
		func() { body.Diff.Path = "/w/b.go"; apply(t, s, sinktest.Line(&edit)) },
		func() { apply(t, s, bound("binding:3", "decision:3", "episode:2")) },
		func() { edit.Session = "other"; apply(t, s, sinktest.Line(&edit)) },
		func() {
			apply(t, s, bound("binding:1", "decision:1", edit.ID), bound("binding:2", "decision:2", edit.ID))
		},
		func() { edit.Source = core.Gemini; apply(t, s, sinktest.Line(&edit)) },
	} {
		step()
		checkTallies(t, dir)
	}
}

// checkTallies compares what is kept of counts with a count.
func checkTallies(t *testing.T, dir string) {
	t.Helper()
	got := ask[string](t, dir, `SELECT concat_ws('|', session, source, thread, project, conversations, decisions, bans, episodes, bindings, quote(first), quote(last),
		in_force, explained, added, removed) FROM tally WHERE conversations + decisions + episodes + bindings > 0 ORDER BY 1`)
	want := ask[string](t, dir, `SELECT concat_ws('|', session, source, thread, project, sum(kind = 'conversation'), sum(kind = 'decision'), sum(coalesce(is_ban, 0)),
		sum(kind = 'episode'), sum(kind = 'binding'),
		quote(CAST(round(min(unixepoch(timestamp, 'subsec')) * 1000) AS INT)), quote(CAST(round(max(unixepoch(timestamp, 'subsec')) * 1000) AS INT)),
		sum(kind = 'decision' AND superseded_by IS NULL), count(DISTINCT to_id), sum(coalesce(added, 0)), sum(coalesce(removed, 0)))
		FROM nodes GROUP BY session, source, thread, project ORDER BY 1`)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Fatalf("(-counted +kept):\n%s", diff)
	}
	want = ask[string](t, dir, "SELECT DISTINCT source || ' ' || path FROM nodes WHERE path IS NOT NULL ORDER BY 1")
	if diff := cmp.Diff(want, ask[string](t, dir, "SELECT source || ' ' || path FROM files ORDER BY 1")); diff != "" {
		t.Fatalf("files (-counted +kept):\n%s", diff)
	}
}

// TestTidy writes the log back at leisure, once there is enough of it, and what
// was flushed then stands in the database itself.
func TestTidy(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := open(t, dir, sqlite.Options{})
	lines := sinktest.NewMaker(5).Take(100)
	size := func() int64 {
		info, err := os.Stat(file(dir))
		if err != nil {
			t.Fatal(err)
		}
		return info.Size()
	}
	before := size()
	for i := range lines {
		apply(t, s, lines[i])
		if err := s.Flush(t.Context()); err != nil {
			t.Fatal(err)
		}
		if i == 0 {
			if err := s.Tidy(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		if size() != before {
			t.Fatalf("delivery %d waited for the log to be written back", i)
		}
	}
	if err := s.Tidy(t.Context()); err != nil {
		t.Fatal(err)
	}
	if size() == before {
		t.Error("the log was not written back")
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if err := s.Tidy(t.Context()); err != nil {
		t.Error(err)
	}
}
