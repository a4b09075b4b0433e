package store_test

import (
	"bytes"
	"crypto/sha256"
	"database/sql"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/io/store"
)

// choose knows a database of talks and lines.
func choose(stamp string) func(string, core.Schema) (core.Adapter, core.Layout) {
	return func(_ string, s core.Schema) (core.Adapter, core.Layout) {
		if !s.Has("talk", "id") || !s.Has("line", "talk", "id", "text", "doc") {
			return nil, core.Layout{}
		}
		return tool{}, core.Layout{
			Conversations: `SELECT id FROM talk ORDER BY id`, Stamp: stamp,
			Rows: []core.Rows{{Table: "talk", Query: `SELECT id FROM talk WHERE id = ?1`, Below: []core.Rows{{
				Table: "line", Query: `SELECT id, text, doc AS "doc:json" FROM line WHERE talk = ?1 ORDER BY id`,
			}}}},
		}
	}
}

type tool struct{ core.Adapter }

func (tool) Tool() core.Tool { return "talks" }

// owner is the tool that owns the database.
type owner struct {
	*sql.DB
	path string
}

func newOwner(t testing.TB, mode string) *owner {
	t.Helper()
	path := filepath.Join(t.TempDir(), "talks.db")
	db, err := sql.Open("sqlite", "file:"+filepath.ToSlash(path)+"?_pragma=journal_mode("+mode+")&_pragma=busy_timeout(0)&_pragma=synchronous(off)")
	if err != nil {
		t.Fatal(err)
	}
	db.SetMaxOpenConns(1)
	t.Cleanup(func() { db.Close() })
	o := &owner{db, path}
	o.do(t, `CREATE TABLE talk (id TEXT PRIMARY KEY, changed INTEGER)`)
	o.do(t, `CREATE TABLE line (id INTEGER PRIMARY KEY, talk TEXT, text TEXT, doc TEXT)`)
	o.do(t, `CREATE INDEX line_talk ON line (talk, id)`)
	return o
}

func (o *owner) do(t testing.TB, query string, args ...any) {
	t.Helper()
	if _, err := o.Exec(query, args...); err != nil {
		t.Fatalf("%s: %v", query, err)
	}
}

// say adds a talk with some lines.
func (o *owner) say(t testing.TB, talk string, lines ...string) {
	t.Helper()
	o.do(t, `INSERT OR REPLACE INTO talk VALUES (?, 1)`, talk)
	for _, l := range lines {
		o.do(t, `INSERT INTO line (talk, text, doc) VALUES (?, ?, '{"n": [1, 2]}')`, talk, l)
	}
}

func openDB(t testing.TB, path, stamp string) *store.Database {
	t.Helper()
	d, err := store.Open(path, choose(stamp))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := d.Close(); err != nil {
			t.Error(err)
		}
	})
	return d
}

// changes says which conversations have changed, each with its texts.
func changes(t testing.TB, d *store.Database) string {
	t.Helper()
	var all []string
	for c, err := range d.Changes(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, told(c))
	}
	return strings.Join(all, "; ")
}

func told(c store.Conversation) string {
	if c.Gone {
		return c.Key + " gone"
	}
	s := c.Key
	for _, r := range c.Rows[1:] {
		_, text, _ := strings.Cut(string(r.JSON), `"text":"`)
		text, _, _ = strings.Cut(text, `"`)
		s += " " + text
	}
	return s
}

func TestRows(t *testing.T) {
	o := newOwner(t, "wal")
	o.say(t, "a", "x\"y")
	o.do(t, `INSERT INTO line (talk, text, doc) VALUES ('a', x'ff', 'no json')`)
	d := openDB(t, o.path, "")
	var got []string
	for c, err := range d.Changes(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range c.Rows {
			if r.At.File != o.path {
				t.Errorf("row of %s", r.At.File)
			}
			if got = append(got, r.At.Row+" "+string(r.JSON)); r.Broken != nil {
				got = append(got, r.Broken.Error())
			}
		}
	}
	want := []string{
		`talk/a {"table":"talk","key":"a"}`,
		`line/1 {"table":"line","key":"1","text":"x\"y","doc":{"n":[1,2]}}`,
		`line/2 {"table":"line","key":"2","text":{"base64":"/w=="},"doc":"no json"}`,
		`line/2: column doc: invalid JSON at byte 1: invalid literal`,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("rows (-want +got):\n%s", diff)
	}
	if d.Adapter().Tool() != "talks" {
		t.Error("whose is it?")
	}
}

// TestChanges follows a database through all that its owner may do with it, in
// each of the ways in which SQLite keeps what it writes.
func TestChanges(t *testing.T) {
	for _, mode := range []string{"wal", "delete", "truncate", "persist", "memory"} {
		t.Run(mode, func(t *testing.T) {
			o := newOwner(t, mode)
			o.say(t, "a", "one")
			o.say(t, "b", "two")
			d := openDB(t, o.path, "")
			steps := []struct {
				do   string
				want string
			}{
				{"", "a one; b two"},
				{"", ""},
				{`INSERT INTO line (talk, text) VALUES ('a', 'three')`, "a one three"},
				{`UPDATE line SET text = 'TWO' WHERE text = 'two'`, "b TWO"},
				{`DELETE FROM line WHERE text = 'three'`, "a one"},
				{`PRAGMA wal_checkpoint(TRUNCATE)`, ""},
				{`UPDATE line SET text = 'ONE' WHERE text = 'one'`, "a ONE"},
				{`INSERT INTO talk VALUES ('c', 1)`, "c"},
				{`DELETE FROM talk WHERE id = 'b'`, "b gone"},
				{`VACUUM`, ""},
				{`ALTER TABLE line ADD COLUMN more TEXT`, "a ONE; c"}, // everything is looked at anew
				{`INSERT INTO line (talk, text) VALUES ('c', 'last')`, "c last"},
			}
			for _, s := range steps {
				if s.do != "" {
					o.do(t, s.do)
				}
				if got := changes(t, d); got != s.want {
					t.Fatalf("after %q: got %q, want %q", s.do, got, s.want)
				}
			}
		})
	}
}

// TestTablesInTheMaking: a database whose tables nobody knows is looked at again
// when it has changed, and not before: its owner makes them one by one.
func TestTablesInTheMaking(t *testing.T) {
	path := filepath.Join(t.TempDir(), "talks.db")
	db, err := sql.Open("sqlite", "file:"+filepath.ToSlash(path)+"?_pragma=journal_mode(wal)")
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	o := &owner{db, path}
	o.do(t, `CREATE TABLE talk (id TEXT PRIMARY KEY, changed INTEGER)`)
	d := openDB(t, path, "")
	for _, err := range d.Changes(t.Context()) {
		if !errors.Is(err, store.ErrUnknown) {
			t.Errorf("got %v", err)
		}
	}
	if d.HasMoved() {
		t.Error("it has moved")
	}
	o.do(t, `CREATE TABLE line (id INTEGER PRIMARY KEY, talk TEXT, text TEXT, doc TEXT)`)
	o.say(t, "a", "one")
	if !d.HasMoved() {
		t.Error("it has not moved")
	}
	if got := changes(t, d); got != "a one" {
		t.Errorf("got %q", got)
	}
}

// TestIncomplete names tables and documents that are gone, and reads the rest.
func TestIncomplete(t *testing.T) {
	o := newOwner(t, "delete")
	lacks := &core.Missing{What: "table line", Others: []string{"talk"}}
	d, err := store.Open(o.path, func(_ string, s core.Schema) (core.Adapter, core.Layout) {
		l := core.Layout{
			Conversations: `SELECT id FROM talk`, Rows: []core.Rows{{Table: "talk", Query: `SELECT id FROM talk WHERE id = ?1`}},
			Unreadable: `SELECT id FROM talk WHERE id LIKE 'odd%'`,
		}
		switch {
		case !s.Has("talk", "id"):
			return nil, core.Layout{Missing: &core.Missing{What: "table talk", Others: []string{"line"}}}
		case !s.Has("line", "id"):
			l.Missing = lacks
		}
		return tool{}, l
	})
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	look := func(do, want string) {
		t.Helper()
		o.do(t, do)
		var got []string
		for c, err := range d.Changes(t.Context()) {
			if err != nil {
				got = append(got, err.Error())
			} else {
				got = append(got, c.Key)
			}
		}
		if got := strings.Join(got, "; "); got != want {
			t.Errorf("after %s: got %q, want %q", do, got, want)
		}
		if d.HasMoved() {
			t.Errorf("after %s: it is looked at again and again", do)
		}
	}
	look(`DROP TABLE line`, "")
	look(`INSERT INTO talk VALUES ('a', 1)`, "a; database is incomplete: table line is missing")
	look(`INSERT INTO talk VALUES ('odd', 1)`, "odd; database is incomplete: not JSON, though conversations are listed there: odd")
	if n, err := d.Count(t.Context()); n != 2 || !errors.Is(err, store.ErrIncomplete) {
		t.Errorf("%d conversations, %v", n, err)
	}
	lacks.Instead = []string{"older"}
	look(`CREATE TABLE older (id)`, "a; odd; database is incomplete: not JSON, though conversations are listed there: odd")
	look(`DELETE FROM talk WHERE id = 'odd'; INSERT INTO older VALUES (1)`, "odd")
	look(`CREATE TABLE line (id)`, "a")
	look(`DROP TABLE talk`, "not a database of a known tool")
	look(`INSERT INTO line VALUES (1)`, "database is incomplete: table talk is missing")
}

// TestTablesAreGone tells a database whose tables were all dropped from one that is just
// being made.
func TestTablesAreGone(t *testing.T) {
	o := newOwner(t, "delete")
	o.say(t, "a", strings.Repeat("x", 9000))
	d := openDB(t, o.path, "")
	o.do(t, `DROP TABLE line`)
	o.do(t, `DROP TABLE talk`)
	if tables, err := d.Check(t.Context()); tables || !errors.Is(err, store.ErrIncomplete) {
		t.Errorf("tables %t, %v", tables, err)
	}
	o.do(t, `VACUUM`)
	if tables, err := d.Check(t.Context()); tables || err != nil {
		t.Errorf("in the making: tables %t, %v", tables, err)
	}
}

// TestOnlyWhatChanged counts the conversations that are looked at: of many, a
// transaction in the log touches few.
func TestOnlyWhatChanged(t *testing.T) {
	o := newOwner(t, "wal")
	for i := range 200 {
		o.say(t, fmt.Sprintf("t%03d", i), strings.Repeat("x", 9000))
	}
	asked := 0
	if err := store.CountReadings(o.path, choose(""), &asked, func(look func()) {
		look()
		if asked < 200 {
			t.Errorf("%d readings at first", asked)
		}
		for round := range 50 {
			o.do(t, `UPDATE line SET text = text || 'y' WHERE talk = 't100'`)
			if round%7 == 6 {
				o.do(t, `PRAGMA wal_checkpoint(RESTART)`) // the log begins anew
			}
			asked = 0
			look()
			if asked > 8 { // those whose rows stand on the same pages
				t.Fatalf("round %d: %d readings for one conversation", round, asked)
			}
		}
	}); err != nil {
		t.Fatal(err)
	}
}

// TestStamp: where the log cannot tell, the tool's stamp does.
func TestStamp(t *testing.T) {
	o := newOwner(t, "delete")
	o.say(t, "a", "one")
	o.say(t, "b", "two")
	d := openDB(t, o.path, `SELECT '', changed FROM talk WHERE id = ?1`)
	changes(t, d)
	o.do(t, `UPDATE line SET text = 'ONE' WHERE talk = 'a'`)
	if got := changes(t, d); got != "" {
		t.Errorf("a conversation of the same stamp was read: %q", got)
	}
	o.do(t, `UPDATE talk SET changed = 2 WHERE id = 'a'`)
	if got := changes(t, d); got != "a ONE" {
		t.Errorf("got %q", got)
	}
}

// TestUnfinished: what is not committed is not there.
func TestUnfinished(t *testing.T) {
	for _, mode := range []string{"wal", "delete"} {
		t.Run(mode, func(t *testing.T) {
			o := newOwner(t, mode)
			o.say(t, "a", "one")
			d := openDB(t, o.path, "")
			changes(t, d)
			tx, err := o.Begin()
			if err != nil {
				t.Fatal(err)
			}
			if _, err := tx.Exec(`PRAGMA cache_spill = 1; PRAGMA cache_size = 2`); err != nil {
				t.Fatal(err)
			}
			for range 200 {
				if _, err := tx.Exec(`INSERT INTO line (talk, text) VALUES ('a', ?)`, strings.Repeat("z", 3000)); err != nil {
					t.Fatal(err)
				}
			}
			for c, err := range d.Changes(t.Context()) {
				if err == nil || !errors.Is(err, store.ErrBusy) {
					t.Errorf("in the middle: %s, %v", c.Key, err)
				}
			}
			if err := tx.Rollback(); err != nil {
				t.Fatal(err)
			}
			if got := changes(t, d); got != "" {
				t.Errorf("after the rollback: %.80q", got)
			}
		})
	}
}

// TestReadOnly holds the files of a database to what they were: bytes, times and
// names. The folder may not be writable either.
func TestReadOnly(t *testing.T) {
	for _, mode := range []string{"wal", "delete"} {
		o := newOwner(t, mode)
		o.say(t, "a", "one")
		dir := filepath.Dir(o.path)
		before := state(t, dir)
		if mode == "wal" && !strings.Contains(before, "-wal") {
			t.Fatalf("there is no log: %s", before)
		}
		if err := os.Chmod(dir, 0o500); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() {
			if err := os.Chmod(dir, 0o700); err != nil { //nolint:gosec // a folder
				t.Error(err)
			}
		})
		d := openDB(t, o.path, "")
		if got := changes(t, d); got != "a one" {
			t.Errorf("%s: got %q", mode, got)
		}
		if diff := cmp.Diff(before, state(t, dir)); diff != "" {
			t.Errorf("%s: files (-before +after):\n%s", mode, diff)
		}
		if err := os.Chmod(dir, 0o700); err != nil {
			t.Fatal(err)
		}
		o.do(t, `PRAGMA locking_mode = EXCLUSIVE`) // would fail if somebody held a lock
		o.do(t, `INSERT INTO line (talk, text) VALUES ('a', 'two')`)
		o.do(t, `PRAGMA journal_mode = DELETE`)
	}
}

func state(t *testing.T, dir string) string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var s strings.Builder
	for _, e := range entries {
		b, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		info, err := e.Info()
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&s, "%s %v %x\n", e.Name(), info.ModTime().UnixNano(), sha256.Sum256(b))
	}
	return s.String()
}

// TestBeside reads while the owner writes as fast as it can, checkpoints and
// starts its log anew. Every conversation says in each of its lines how often it
// was written: if two lines differ, what was read belongs to two moments. The
// owner has no patience: it fails at the first lock that it has to wait for.
func TestBeside(t *testing.T) {
	for _, mode := range []string{"wal", "delete", "truncate", "persist"} {
		t.Run(mode, func(t *testing.T) {
			o := newOwner(t, mode)
			const talks, lines = 4, 12
			for i := range talks {
				o.say(t, fmt.Sprint("t", i), make([]string, lines)...)
			}
			o.do(t, `UPDATE line SET text = '0 ' || hex(zeroblob(900))`)
			d := openDB(t, o.path, "")
			done := make(chan error, 1)
			var wg sync.WaitGroup
			wg.Go(func() { done <- write(o, talks, 400) })
			seen, finished := 0, false
			for !finished {
				select {
				case err := <-done:
					if err != nil {
						t.Fatal(err)
					}
					finished = true
				default:
				}
				seen += consistent(t, d)
			}
			wg.Wait()
			t.Logf("%d conversations read beside", seen)
			if seen == 0 {
				t.Error("nothing was read")
			}
		})
	}
}

func write(o *owner, talks, transactions int) error {
	r := rand.New(rand.NewPCG(1, 2))
	for n := range transactions {
		tx, err := o.Begin()
		if err != nil {
			return err
		}
		for range 1 + r.IntN(2) {
			talk := fmt.Sprint("t", r.IntN(talks))
			if _, err = tx.Exec(`UPDATE line SET text = ? || ' ' || hex(zeroblob(900)) WHERE talk = ?`, fmt.Sprint(n), talk); err != nil {
				return errors.Join(err, tx.Rollback())
			}
		}
		if err = tx.Commit(); err != nil {
			return err
		}
		if r.IntN(10) == 0 {
			if _, err = o.Exec(`PRAGMA wal_checkpoint(RESTART)`); err != nil {
				return err
			}
		}
	}
	return nil
}

func consistent(t *testing.T, d *store.Database) int {
	seen := 0
	for c, err := range d.Changes(t.Context()) {
		if errors.Is(err, store.ErrBusy) {
			continue
		}
		if err != nil {
			t.Error(err)
			continue
		}
		seen++
		var first []byte
		for _, r := range c.Rows[1:] {
			_, text, _ := bytes.Cut(r.JSON, []byte(`"text":"`))
			count, _, _ := bytes.Cut(text, []byte(" "))
			if first == nil {
				first = count
			}
			if !bytes.Equal(first, count) {
				t.Fatalf("conversation %s is of two moments, %s and %s", c.Key, first, count)
			}
		}
	}
	return seen
}

func TestNoDatabase(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.db")
	for content, want := range map[string]string{"": "not a database of a known tool", strings.Repeat("no database ", 20): "not a database of SQLite"} {
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		d := openDB(t, path, "")
		for _, err := range d.Changes(t.Context()) {
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("got %v, want %s", err, want)
			}
		}
	}
}
