package sqlite_test

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/internal/newer"
	"github.com/memscribe/memscribe/internal/nodedb"
	"github.com/memscribe/memscribe/internal/nodedb/lists"
	"github.com/memscribe/memscribe/internal/nodedb/schema"
	"github.com/memscribe/memscribe/internal/prices"
	"github.com/memscribe/memscribe/internal/sink"
	"github.com/memscribe/memscribe/internal/sqlitefile"
	"github.com/memscribe/memscribe/sink/sinktest"
	"github.com/memscribe/memscribe/sink/sqlite"
	"github.com/memscribe/memscribe/testkit/size"
)

// With -update the dump of the newest schema is written, if there is none yet.
// One that is there is of a released version and stays as it is.
var update = flag.Bool("update", false, "write the dump of a new schema")

// dumped are the lines that every dump holds.
func dumped() []sink.Line { return sinktest.NewMaker(77).Take(40) }

const schemaSQL = "SELECT sql || ';' FROM sqlite_schema WHERE sql IS NOT NULL AND name NOT LIKE 'search\\_%' ESCAPE '\\' AND name NOT LIKE 'words\\_%' ESCAPE '\\' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY rowid"

// TestMigrations opens a dump of each version: its schema becomes that of a new
// database, and everything in it is there and can be found.
func TestMigrations(t *testing.T) {
	size.NeedsNoDetector(t)
	newest := len(schema.Migrations())
	if name := dumpName(newest); *update {
		if _, err := os.Stat(name); errors.Is(err, os.ErrNotExist) {
			writeDump(t, name, newest)
		}
	}
	fresh := t.TempDir()
	if err := open(t, fresh, sqlite.Options{}).Close(); err != nil {
		t.Fatal(err)
	}
	for v := 1; v <= newest; v++ {
		dump, err := os.ReadFile(dumpName(v))
		if err != nil {
			t.Fatal(err)
		}
		dir := t.TempDir()
		if err := os.MkdirAll(filepath.Dir(file(dir)), 0o700); err != nil {
			t.Fatal(err)
		}
		if _, err := connect(t, file(dir), "").ExecContext(t.Context(), string(dump)); err != nil {
			t.Fatalf("load dump of version %d: %v", v, err)
		}
		var before string
		if v >= schema.OldestRead {
			before = sums(t, dir)
		}
		s := open(t, dir, sqlite.Options{})
		if err := s.Flush(t.Context()); err != nil {
			t.Fatal(err)
		}
		checkFound(t, dir, v >= withMessages)
		if diff := cmp.Diff(before, sums(t, dir)); diff != "" && before != "" {
			t.Errorf("version %d (-sums before +after):\n%s", v, diff)
		}
		if diff := cmp.Diff(ask[string](t, fresh, schemaSQL), ask[string](t, dir, schemaSQL)); diff != "" {
			t.Errorf("version %d (-new +migrated):\n%s", v, diff)
		}
		checkWords(t, dir, dumped())
		apply(t, s, dumped()...)
		sinktest.Same(t, slices.Sorted(slices.Values(ask[string](t, dir, "SELECT json FROM nodes"))), sinktest.Fold(dumped()))
		if counted := ask[int](t, dir, "SELECT sum(conversations + decisions + episodes + bindings) FROM sessions"); counted[0] != len(dumped()) {
			t.Errorf("version %d: sessions count %d nodes", v, counted[0])
		}
		checkTallies(t, dir)
		checkSpent(t, dir)
	}
}

// sums are what stats and usage say.
func sums(t *testing.T, dir string) string {
	t.Helper()
	r, err := nodedb.Open(t.Context(), file(dir))
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	var all []any
	for _, f := range []lists.Filter{{}, {Tool: core.Codex}, {Project: "billing"}} {
		totals, err := lists.Stats(t.Context(), r, f)
		if err != nil {
			t.Fatal(err)
		}
		bill, err := lists.Usage(t.Context(), r, f, lists.ByModel, &prices.Table{}, time.UTC)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, totals, bill)
	}
	said, err := json.MarshalIndent(all, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	return string(said)
}

// withMessages is the first schema that has messages.
const withMessages = 5

// checkFound has search find what the dumped nodes say, and the dumped message.
func checkFound(t *testing.T, dir string, messages bool) {
	t.Helper()
	if found := find(t, dir, "database"); len(found.Hits) == 0 {
		t.Error("search finds none of the nodes")
	}
	if found := find(t, dir, "zanzibar"); (len(found.Hits) == 1) != messages {
		t.Errorf("search finds %d messages", len(found.Hits))
	}
}

func dumpName(version int) string { return filepath.Join("testdata", fmt.Sprintf("v%d.sql", version)) }

// writeDump writes a database as SQL: its words are pending, as after a backfill
// that was broken off.
func writeDump(t *testing.T, name string, version int) {
	t.Helper()
	dir := t.TempDir()
	s := open(t, dir, sqlite.Options{Bulk: true})
	apply(t, s, append(dumped(), message("s1", 1, "Where is the zanzibar kept?"), said(core.Message{
		ID: messageID("s1", "2"), Session: "s1", Seq: 2, File: "s1.jsonl", Kind: core.Said, Time: core.ParseTime("2026-07-01T10:00:01Z"),
		Project: &core.Project{Cwd: "/home/dev/work/orders"}, Model: "opus", Response: "r1", Usage: &core.Usage{Input: 5, Output: 7},
	}))...)
	var b strings.Builder
	fmt.Fprintln(&b, strings.Join(ask[string](t, dir, schemaSQL), "\n"))
	for _, table := range []string{"nodes", "pending", "tally", "talks", "messages", "usage", "spent", "files", "unheard", "sqlite_stat1"} {
		quoted := strings.Join(ask[string](t, dir, "SELECT 'quote(' || name || ')' FROM pragma_table_info(?)", table), ", ")
		if table == "sqlite_stat1" {
			fmt.Fprintln(&b, "ANALYZE sqlite_schema;")
		}
		for _, row := range ask[string](t, dir, "SELECT concat_ws(', ', "+quoted+") FROM "+table) {
			fmt.Fprintf(&b, "INSERT INTO %s VALUES (%s);\n", table, row)
		}
	}
	fmt.Fprintf(&b, "PRAGMA application_id = 1298492783;\nPRAGMA user_version = %d;\n", version)
	if err := os.WriteFile(name, []byte(b.String()), 0o600); err != nil {
		t.Fatal(err)
	}
}

// TestSteps runs steps that are not released.
func TestSteps(t *testing.T) {
	path := filepath.Join(t.TempDir(), "steps.db")
	steps := []string{"CREATE TABLE a (x); INSERT INTO a VALUES (1)", "ALTER TABLE a ADD COLUMN y DEFAULT 2", "UPDATE a SET y = y + x"}
	state := func() []string {
		t.Helper()
		got, err := column[string](t.Context(), path, "SELECT (SELECT user_version FROM pragma_user_version) || ' ' || (SELECT group_concat(name) FROM pragma_table_info('a'))")
		if err != nil {
			t.Fatal(err)
		}
		return got
	}
	if err := migrate(t, path, steps[:1]); err != nil {
		t.Fatal(err)
	}
	err := migrate(t, path, []string{steps[0], steps[1], "UPDATE b SET x = 1"})
	if err == nil || !strings.Contains(err.Error(), "schema 3") {
		t.Errorf("got %v, want an error that names the step", err)
	}
	if got := state(); got[0] != "1 x" {
		t.Errorf("a step that fails leaves %s", got)
	}
	for range 2 {
		if err := migrate(t, path, steps); err != nil {
			t.Fatal(err)
		}
		if got := state(); got[0] != "3 x,y" {
			t.Errorf("got %s", got)
		}
	}
	if sum, err := column[int](t.Context(), path, "SELECT y FROM a"); err != nil || sum[0] != 3 {
		t.Errorf("steps ran more than once: %v, %v", sum, err)
	}
	if err := migrate(t, path, steps[:2]); !errors.Is(err, newer.Err) {
		t.Errorf("got %v, want newer.Err", err)
	}
}

// TestStrangers opens what is not ours to open.
func TestStrangers(t *testing.T) {
	for name, tc := range map[string]struct {
		make func(t *testing.T, path string)
		want error
		says string
	}{
		"a text": {func(t *testing.T, path string) {
			t.Helper()
			if err := os.WriteFile(path, []byte(strings.Repeat("hello\n", 1000)), 0o600); err != nil {
				t.Fatal(err)
			}
		}, nil, "not a database"},
		"another's database": {func(t *testing.T, path string) { t.Helper(); script(t, path, "CREATE TABLE mine (x)") }, schema.ErrForeign, "not a database of Memscribe"},
		"of a later version": {func(t *testing.T, path string) {
			t.Helper()
			script(t, path, "CREATE TABLE nodes (x); PRAGMA application_id = 1298492783; PRAGMA user_version = 99")
		}, newer.Err, "schema is 99"},
		"a folder": {func(t *testing.T, path string) {
			t.Helper()
			if err := os.Mkdir(path, 0o700); err != nil {
				t.Fatal(err)
			}
		}, nil, "cannot be opened"},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "x.db")
			tc.make(t, path)
			before, _ := os.ReadFile(path)
			_, err := sqlite.Open(t.Context(), path, sqlite.Options{})
			if err == nil || tc.want != nil && !errors.Is(err, tc.want) || !strings.Contains(err.Error(), tc.says) || !strings.Contains(err.Error(), path) {
				t.Errorf("got %v, want %v and %q", err, tc.want, tc.says)
			}
			if _, err := nodedb.Open(t.Context(), path); err == nil || tc.want != nil && !errors.Is(err, tc.want) {
				t.Errorf("reader: got %v, want %v", err, tc.want)
			}
			if after, _ := os.ReadFile(path); string(before) != string(after) {
				t.Error("the file has changed")
			}
		})
	}
}

func script(t *testing.T, path, sql string) {
	t.Helper()
	if _, err := connect(t, path, "").ExecContext(t.Context(), sql); err != nil {
		t.Fatal(err)
	}
}

// TestUpgradedMeanwhile has another process change the schema while a sink is
// open.
func TestUpgradedMeanwhile(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir, sqlite.Options{})
	lines := sinktest.NewMaker(1).Take(2)
	apply(t, s, lines[0])
	script(t, file(dir), "PRAGMA user_version = 99")
	if err := s.Apply(t.Context(), lines[1:]); !errors.Is(err, newer.Err) {
		t.Errorf("got %v, want newer.Err", err)
	}
	if n := ask[int](t, dir, "SELECT count(*) FROM nodes"); n[0] != 1 {
		t.Errorf("%d nodes, want 1", n[0])
	}
}

// TestOpenedTogether opens a new database from many places at once.
func TestOpenedTogether(t *testing.T) {
	dir := t.TempDir()
	errs := make(chan error)
	for i := range 8 {
		go func() {
			s, err := sqlite.Open(context.WithoutCancel(t.Context()), file(dir), sqlite.Options{})
			if err == nil {
				err = errors.Join(s.Apply(t.Context(), sinktest.NewMaker(uint64(i)).Take(5)), s.Close())
			}
			errs <- err
		}()
	}
	for range 8 {
		if err := <-errs; err != nil {
			t.Error(err)
		}
	}
	if n := ask[int](t, dir, "SELECT count(DISTINCT json) FROM nodes"); n[0] == 0 {
		t.Error("nothing was written")
	}
}

// migrate brings the database at path to the schema that some steps make.
func migrate(t *testing.T, path string, steps []string) error {
	t.Helper()
	db, err := sqlitefile.Dial(path, sqlitefile.Options{Connections: 1})
	if err != nil {
		return err
	}
	defer db.Close()
	c, err := db.Conn(t.Context())
	if err != nil {
		return err
	}
	defer c.Close()
	return schema.Migrate(t.Context(), c, steps)
}
