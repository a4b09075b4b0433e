package store_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"testing"
)

// newSmallOwner has a database of the smallest pages: of bytes that are changed one
// by one, most shall matter.
func newSmallOwner(f *testing.F, mode string) *owner {
	f.Helper()
	o := newOwner(f, "delete")
	for _, query := range []string{`PRAGMA page_size = 512`, `VACUUM`, `PRAGMA journal_mode = ` + mode} {
		o.do(f, query)
	}
	return o
}

// FuzzDatabase reads any bytes as a database and a log.
func FuzzDatabase(f *testing.F) {
	o := newSmallOwner(f, "wal")
	o.say(f, "a", "one")
	main, err := os.ReadFile(o.path)
	if err != nil {
		f.Fatal(err)
	}
	log, err := os.ReadFile(o.path + "-wal")
	if err != nil {
		f.Fatal(err)
	}
	f.Logf("seeds of %d and %d bytes", len(main), len(log))
	f.Add(main, log)
	f.Add(main, log[:len(log)/2])
	f.Add([]byte{}, log)
	f.Fuzz(func(t *testing.T, main, log []byte) { readAnything(t, main, "-wal", log) })
}

// FuzzJournal reads any bytes as a database in the middle of a transaction.
func FuzzJournal(f *testing.F) {
	o := newSmallOwner(f, "delete")
	o.say(f, "a", "one")
	tx, err := o.Begin()
	if err != nil {
		f.Fatal(err)
	}
	if _, err := tx.Exec(`PRAGMA cache_spill = 1; PRAGMA cache_size = 2; INSERT INTO line (talk, text) VALUES ('a', hex(zeroblob(2000)))`); err != nil {
		f.Fatal(err)
	}
	main, err := os.ReadFile(o.path)
	if err != nil {
		f.Fatal(err)
	}
	journal, err := os.ReadFile(o.path + "-journal")
	if err != nil || len(journal) == 0 {
		f.Fatalf("a journal of %d bytes: %v", len(journal), err)
	}
	if err := tx.Rollback(); err != nil {
		f.Fatal(err)
	}
	f.Logf("seeds of %d and %d bytes", len(main), len(journal))
	f.Add(main, journal)
	f.Add(main, journal[:len(journal)/2])
	f.Add(main, append(bytes.Clone(journal), "\xd9\xd5\x05\xf9\x20\xa1\x63\xd7"...))
	f.Add([]byte{}, journal)
	f.Fuzz(func(t *testing.T, main, journal []byte) { readAnything(t, main, "-journal", journal) })
}

// readAnything reads bytes as a database with a file beside it. That it ends is
// what counts.
func readAnything(t *testing.T, main []byte, suffix string, beside []byte) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "x.db")
	if err := errors.Join(os.WriteFile(path, main, 0o600), os.WriteFile(path+suffix, beside, 0o600)); err != nil {
		t.Fatal(err)
	}
	d := openDB(t, path, "")
	for range 2 {
		for _, err := range d.Changes(t.Context()) {
			if err != nil {
				break
			}
		}
	}
}
