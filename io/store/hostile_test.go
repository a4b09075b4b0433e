package store_test

import (
	"encoding/binary"
	"errors"
	"math"
	"os"
	"runtime"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/memscribe/memscribe/io/store"
)

// endless selects one row after the other, and never ends.
const endless = `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i`

// TestViewsAreNotRead: a view is code of whoever made the database. Where one stands
// in place of a tool's table, the database is refused, and nothing of it is run.
func TestViewsAreNotRead(t *testing.T) {
	for name, make := range map[string][]string{
		"an endless view": {
			`DROP TABLE talk`,
			`CREATE VIEW talk AS ` + endless + ` AS id, 1 AS changed FROM n`,
		},
		"a view of a table": {
			`ALTER TABLE line RENAME TO rows`,
			`CREATE VIEW line AS SELECT * FROM rows`,
		},
		"a computed column": {
			`ALTER TABLE line DROP COLUMN text`,
			`ALTER TABLE line ADD COLUMN text TEXT GENERATED ALWAYS AS (json_quote(hex(zeroblob(50000000)))) VIRTUAL`,
		},
		"a computed column beside": {
			`ALTER TABLE talk ADD COLUMN more TEXT AS (hex(zeroblob(50000000)))`,
		},
	} {
		t.Run(name, func(t *testing.T) {
			o := newOwner(t, "delete")
			o.say(t, "a", "one")
			for _, query := range make {
				o.do(t, query)
			}
			if err := failure(t, openDB(t, o.path, "")); !errors.Is(err, store.ErrNoTable) {
				t.Errorf("got %v, want %v", err, store.ErrNoTable)
			}
		})
	}
}

// TestStoredColumns: what was computed when it was written is read as anything else, and a
// computed column of another table keeps nothing from being read.
func TestStoredColumns(t *testing.T) {
	o := newOwner(t, "delete")
	for _, query := range []string{
		`ALTER TABLE line RENAME TO was`,
		`CREATE TABLE line (id INTEGER PRIMARY KEY, talk TEXT, said TEXT, text TEXT AS (said || ' too') STORED, doc TEXT)`,
		`CREATE TABLE other (a TEXT, b TEXT AS (hex(zeroblob(50000000))))`,
		`INSERT INTO talk VALUES ('a', 1)`,
		`INSERT INTO line (talk, said) VALUES ('a', 'one')`,
	} {
		o.do(t, query)
	}
	if got := changes(t, openDB(t, o.path, "")); got != "a one too" {
		t.Errorf("got %q", got)
	}
}

// TestVirtualTablesAreNotRead: one in place of a table is as if there were none.
func TestVirtualTablesAreNotRead(t *testing.T) {
	o := newOwner(t, "delete")
	o.do(t, `DROP TABLE line`)
	o.do(t, `CREATE VIRTUAL TABLE line USING fts5 (id, talk, text, doc)`)
	if err := failure(t, openDB(t, o.path, "")); !errors.Is(err, store.ErrUnknown) {
		t.Errorf("got %v, want %v", err, store.ErrUnknown)
	}
}

// TestOtherViews: a view that no query reads keeps nothing from being read.
func TestOtherViews(t *testing.T) {
	o := newOwner(t, "wal")
	o.say(t, "a", "one")
	o.do(t, `CREATE VIEW other AS `+endless+` AS id FROM n`)
	o.do(t, `CREATE VIRTUAL TABLE search USING fts5 (text)`)
	if got := changes(t, openDB(t, o.path, "")); got != "a one" {
		t.Errorf("got %q", got)
	}
}

// TestEndlessTable reads a table whose pages are arranged such that the same few are
// gone through again and again: no row of the conversation ever comes.
func TestEndlessTable(t *testing.T) {
	o := newOwner(t, "delete")
	for _, query := range []string{`PRAGMA page_size = 512`, `VACUUM`, `DROP INDEX line_talk`} {
		o.do(t, query)
	}
	o.say(t, "a", "one")
	o.do(t, `CREATE TABLE filler (x)`)
	for range 16 {
		o.do(t, `INSERT INTO filler VALUES (zeroblob(450))`)
	}
	var root, pages int
	if err := errors.Join(
		o.QueryRowContext(t.Context(), `SELECT rootpage FROM sqlite_schema WHERE name = 'line'`).Scan(&root),
		o.QueryRowContext(t.Context(), `PRAGMA page_count`).Scan(&pages),
	); err != nil {
		t.Fatal(err)
	}
	if err := o.Close(); err != nil {
		t.Fatal(err)
	}
	entangle(t, o.path, root, pages)
	d := openDB(t, o.path, "")
	d.SetPatience(50 * time.Millisecond)
	if err := failure(t, d); !errors.Is(err, store.ErrSlow) {
		t.Errorf("got %v, want %v", err, store.ErrSlow)
	}
	if !d.HasMoved() {
		t.Error("it counts as read")
	}
}

// TestHoleInJournal reads a database beside a journal that is nearly all hole: its records
// are none, and that is seen at the first.
func TestHoleInJournal(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("a hole takes room")
	}
	o := newOwner(t, "delete")
	o.say(t, "a", "one")
	var pages, size uint32
	if err := errors.Join(
		o.QueryRowContext(t.Context(), `PRAGMA page_count`).Scan(&pages),
		o.QueryRowContext(t.Context(), `PRAGMA page_size`).Scan(&size),
	); err != nil {
		t.Fatal(err)
	}
	head := []byte("\xd9\xd5\x05\xf9\x20\xa1\x63\xd7")
	for _, field := range []uint32{math.MaxUint32, 0, pages, 512, size} {
		head = binary.BigEndian.AppendUint32(head, field)
	}
	journal := o.path + "-journal"
	if err := errors.Join(o.Close(), os.WriteFile(journal, head, 0o600), os.Truncate(journal, 256<<30)); err != nil {
		t.Fatal(err)
	}
	if got := changes(t, openDB(t, o.path, "")); got != "a one" {
		t.Errorf("got %q", got)
	}
}

// entangle makes the table with a root page one of ten levels, on each of which one
// page stands for all of its forty. The pages are the last ones of the database.
func entangle(t *testing.T, path string, root, pages int) {
	t.Helper()
	const size, levels, cells = 512, 10, 40
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	leaf := pages
	copy(b[(leaf-1)*size:leaf*size], b[(root-1)*size:root*size])
	for level := range levels {
		page, child := root, leaf
		if level > 0 {
			page = pages - level
		}
		if level < levels-1 {
			child = pages - level - 1
		}
		p := b[(page-1)*size : page*size]
		clear(p)
		p[0] = 5 // an inner page of a table
		binary.BigEndian.PutUint16(p[3:], cells)
		binary.BigEndian.PutUint16(p[5:], size-5*cells)
		binary.BigEndian.PutUint32(p[8:], uint32(child))
		for i := range cells {
			at := size - 5*(i+1)
			binary.BigEndian.PutUint16(p[12+2*i:], uint16(at))
			binary.BigEndian.PutUint32(p[at:], uint32(child))
			p[at+4] = byte(i + 1)
		}
	}
	if err := os.WriteFile(path, b, 0o600); err != nil {
		t.Fatal(err)
	}
}

// TestStopping: whoever stops in the middle gets the rest later, and what has changed
// meanwhile; no conversation twice.
func TestStopping(t *testing.T) {
	for _, mode := range []string{"wal", "delete"} {
		o := newOwner(t, mode)
		for _, talk := range []string{"a", "b", "c", "d", "e"} {
			o.say(t, talk, "one")
		}
		d := openDB(t, o.path, "")
		var got []string
		some := func(n int) {
			for c, err := range d.Changes(t.Context()) {
				if err != nil {
					t.Fatal(err)
				}
				got = append(got, told(c))
				if n--; n == 0 {
					return
				}
			}
		}
		some(2)
		o.do(t, `UPDATE line SET text = 'ONE' WHERE talk IN ('a', 'd')`)
		o.do(t, `DELETE FROM talk WHERE id = 'b'`)
		o.say(t, "f", "one")
		if !d.HasMoved() {
			t.Errorf("%s: it counts as read after two of five", mode)
		}
		some(1)
		some(9)
		if diff := cmp.Diff([]string{"a one", "b one", "c one", "d ONE", "e one"}, got); diff != "" {
			t.Errorf("%s: one way through (-want +got):\n%s", mode, diff)
		}
		got = nil
		some(9)
		if diff := cmp.Diff([]string{"a ONE", "f one", "b gone"}, got); diff != "" {
			t.Errorf("%s: the next (-want +got):\n%s", mode, diff)
		}
		if d.HasMoved() {
			t.Errorf("%s: it has moved in the end", mode)
		}
	}
}

// failure is the first error that reading a database gives.
func failure(t *testing.T, d *store.Database) error {
	t.Helper()
	for _, err := range d.Changes(t.Context()) {
		if err != nil {
			t.Log(err)
			return err
		}
	}
	return nil
}
