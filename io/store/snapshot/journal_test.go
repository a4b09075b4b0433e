package snapshot

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
)

// TestTransactionEnds has a transaction end while its journal is read: the records that
// were found by then are not taken for all. The journal in testdata is one that SQLite wrote
// in the middle of an update.
func TestTransactionEnds(t *testing.T) {
	content, err := os.ReadFile(filepath.Join("testdata", "journal"))
	if err != nil {
		t.Fatal(err)
	}
	overwrite := func(at int64, b ...byte) func(*os.File) error {
		return func(f *os.File) error { _, err := f.WriteAt(b, at); return err }
	}
	for name, c := range map[string]struct {
		end  func(*os.File) error
		want error
	}{
		"continues":   {func(*os.File) error { return nil }, nil},
		"truncated":   {func(f *os.File) error { return f.Truncate(0) }, errNoJournal},
		"overwritten": {overwrite(0, make([]byte, 28)...), errNoJournal},
		"the next":    {overwrite(12, 1, 2, 3, 4), errNoJournal},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "journal")
			if err := os.WriteFile(path, content, 0o600); err != nil {
				t.Fatal(err)
			}
			j, err := openJournal(path)
			if err != nil {
				t.Fatal(err)
			}
			defer j.file.Close()
			if len(j.before) < 10 {
				t.Errorf("the journal keeps %d pages", len(j.before))
			}
			f, err := os.OpenFile(path, os.O_RDWR, 0)
			if err != nil {
				t.Fatal(err)
			}
			if err := errors.Join(c.end(f), f.Close()); err != nil {
				t.Fatal(err)
			}
			if err := j.scan(); !errors.Is(err, c.want) {
				t.Errorf("got %v, want %v", err, c.want)
			}
		})
	}
}
