package store_test

import (
	"database/sql"
	"errors"
	"fmt"
	"testing"

	"github.com/memscribe/memscribe/sink/memdb/api"
	"github.com/memscribe/memscribe/sink/memdb/store"
	"github.com/memscribe/memscribe/testkit/size"
)

// downgrades make of a database of each schema, from the second on, one of the
// schema before, as the program of then made it.
func downgrades() []string {
	return []string{
		`DROP TABLE vocabulary; DROP INDEX versions_superseded; ALTER TABLE versions DROP COLUMN superseded;`,
		`CREATE TABLE memories_2 (
		  id TEXT PRIMARY KEY, namespace TEXT NOT NULL, seq INTEGER NOT NULL, n INTEGER, digest BLOB NOT NULL
		) STRICT, WITHOUT ROWID;
		INSERT INTO memories_2 SELECT id, namespace, seq, n, digest FROM memories;
		DROP TABLE memories; ALTER TABLE memories_2 RENAME TO memories;
		CREATE TABLE entries_2 (seq INTEGER PRIMARY KEY, memory TEXT NOT NULL, body TEXT NOT NULL, hash TEXT NOT NULL) STRICT;
		INSERT INTO entries_2 SELECT seq, memory, body, hash FROM entries;
		DROP TABLE entries; ALTER TABLE entries_2 RENAME TO entries;
		CREATE INDEX entries_memory ON entries(memory);
		CREATE TRIGGER entries_stay BEFORE DELETE ON entries BEGIN SELECT RAISE(ABORT, 'entries are never deleted'); END;
		CREATE TRIGGER entries_stand BEFORE UPDATE ON entries BEGIN SELECT RAISE(ABORT, 'entries are never changed'); END;`,
		`DROP TABLE embeddings; DROP TABLE spaces;`,
	}
}

// aged is a closed database of an earlier schema, in which memories were written,
// forgotten, and purged from one namespace before they came to another. change is
// done to it last.
func aged(t *testing.T, schema int, change string) (dir string) {
	t.Helper()
	dir = t.TempDir()
	f := open(t, dir)
	f.write(note("before", "x"), note("forgotten", "y"))
	f.write(note("before", "x, changed"))
	if err := f.Forget(t.Context(), "team", "forgotten"); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"first", "second"} {
		if _, _, err := f.PutNamespace(t.Context(), name, api.NamespacePut{}); err != nil {
			t.Fatal(err)
		}
		if _, err := f.Write(t.Context(), name, []api.MemoryWrite{note("moved", "to "+name)}); err != nil {
			t.Fatal(err)
		}
		if name == "second" {
			continue
		}
		if err := f.DeleteNamespace(t.Context(), name, true); err != nil {
			t.Fatal(err)
		}
	}
	f.intact()
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	db, err := sql.Open("sqlite", file(dir))
	if err != nil {
		t.Fatal(err)
	}
	steps, version := downgrades(), 0
	if err = db.QueryRowContext(t.Context(), "PRAGMA user_version").Scan(&version); err != nil || version != len(steps)+1 {
		t.Fatalf("schema %d has %d before it that a test opens, %v", version, len(steps), err)
	}
	for is := len(steps) + 1; is > schema && err == nil; is-- {
		_, err = db.ExecContext(t.Context(), steps[is-2]+fmt.Sprintf("PRAGMA user_version = %d;", is-1))
	}
	if err == nil && change != "" {
		_, err = db.ExecContext(t.Context(), change)
	}
	if err = errors.Join(err, db.Close()); err != nil {
		t.Fatal(err)
	}
	return dir
}

// openTogether opens a database from many sides at once.
func openTogether(t *testing.T, dir string) {
	t.Helper()
	errs := make(chan error)
	for range 4 {
		go func() {
			s, err := store.Open(t.Context(), file(dir), options(dir, newClock()))
			if err == nil {
				err = s.Close()
			}
			errs <- err
		}()
	}
	for range 4 {
		if err := <-errs; err != nil {
			t.Fatal(err)
		}
	}
}

// TestUpgrade opens databases of every earlier schema: what they hold stays as it
// was entered, and what is new works with them.
func TestUpgrade(t *testing.T) {
	size.NeedsNoDetector(t)
	for schema := 1; schema <= len(downgrades()); schema++ {
		t.Run(fmt.Sprint("schema ", schema), func(t *testing.T) {
			dir := aged(t, schema, "")
			if _, err := store.VerifyFile(t.Context(), file(dir), store.VerifyOptions{}); errors.Is(err, store.ErrForeign) == (schema == len(downgrades())) { // the last one lacks nothing that is verified
				t.Errorf("verify: got %v, want ErrForeign", err)
			}
			openTogether(t, dir)
			f := open(t, dir)
			f.intact()
			equal(t, "before", f.get("before").Provenance.Status, api.Verified)
			equal(t, "its entries", f.actions("before"), []string{"write", "upsert"})
			if _, err := f.Get(t.Context(), "team", "forgotten"); !api.IsKind(err, api.Gone) {
				t.Errorf("forgotten: %v", err)
			}
			moved, err := f.Get(t.Context(), "second", "moved")
			if err != nil || moved.Provenance.Status != api.Verified {
				t.Errorf("moved: %+v, %v", moved.Provenance, err)
			}
			if _, err := f.Get(t.Context(), "first", "moved"); !api.IsKind(err, api.NotFound) {
				t.Errorf("moved away: %v", err)
			}
			equal(t, "another's id", f.write(note("moved", "here too"))[0].Outcome, api.Created)
			old, by := superseded()
			f.write(old, by)
			equal(t, "invalid_at", f.get("old").Memory.InvalidAt, by.ValidAt)
			f.intact()
		})
	}
}

// TestUpgradeTamperedWith opens a database whose chain was tampered with: it is
// carried over as it is, and named.
func TestUpgradeTamperedWith(t *testing.T) {
	for what, body := range map[string]string{"no JSON": "{", "another namespace": `{"namespace":"x"}`, "no text": `{"namespace":{"a":1}}`} {
		t.Run(what, func(t *testing.T) {
			dir := aged(t, 2, `DROP TRIGGER entries_stand; UPDATE entries SET body = '`+body+`' WHERE seq = 2;
				CREATE TRIGGER entries_stand BEFORE UPDATE ON entries BEGIN SELECT RAISE(ABORT, 'entries are never changed'); END`)
			f := open(t, dir)
			report, err := f.Verify(t.Context())
			if err != nil || report.OK || report.Fault.Seq != 2 || report.Fault.Reason != "hash_mismatch" {
				t.Errorf("%+v, %v", report.Fault, err)
			}
		})
	}
}
