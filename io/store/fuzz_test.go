package store_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/memscribe/memscribe/adapters"
	"github.com/memscribe/memscribe/internal/verify/trial"
	"github.com/memscribe/memscribe/io/store"
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

// FuzzTampered reads a recorded database of a tool in which bytes were changed: of every
// five of the fuzzer's, four say where and one is what stands there.
func FuzzTampered(f *testing.F) {
	dump := filepath.Join("..", "..", "fixtures", "opencode", "1.18.33", "happy_path", "home", ".local", "share", "opencode", "opencode.db.sql")
	path := filepath.Join(f.TempDir(), "opencode.db")
	if err := trial.Restore(f.Context(), dump, path); err != nil {
		f.Fatal(err)
	}
	whole, err := os.ReadFile(path)
	if err != nil {
		f.Fatal(err)
	}
	f.Logf("%d bytes", len(whole))
	f.Add([]byte{})
	for _, at := range []uint32{0, 18, 28, 100, 103, 105, 108, 2000, 4096, 4099, 8192 + 8, 65536} {
		f.Add(append(binary.BigEndian.AppendUint32(nil, at), 0xff))
		f.Add(append(binary.BigEndian.AppendUint32(nil, at), 5))
	}
	f.Fuzz(func(t *testing.T, changes []byte) {
		b := bytes.Clone(whole)
		for ; len(changes) >= 5; changes = changes[5:] {
			b[binary.BigEndian.Uint32(changes)%uint32(len(b))] = changes[4]
		}
		path := filepath.Join(t.TempDir(), "opencode.db")
		if err := os.WriteFile(path, b, 0o600); err != nil {
			t.Fatal(err)
		}
		d, err := store.Open(path, adapters.Layout)
		if err != nil {
			t.Fatal(err)
		}
		defer d.Close()
		d.SetPatience(100 * time.Millisecond)
		for _, err := range d.Changes(t.Context()) {
			if errors.Is(err, store.ErrUnknown) {
				_, _ = d.Check(t.Context()) // that it ends is what counts
			}
		}
	})
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
	d.SetPatience(100 * time.Millisecond)
	for range 2 {
		for _, err := range d.Changes(t.Context()) {
			if err != nil {
				break
			}
		}
	}
}
