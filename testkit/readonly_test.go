package testkit_test

import (
	"crypto/sha256"
	"database/sql"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/memscribe/memscribe/adapters"
	"github.com/memscribe/memscribe/internal/verify/corpus"
)

// TestStoresUntouched watches the home of one recording of each tool and version:
// logs, documents, trees of files and databases with their logs. Not a byte, a
// time, a mode or a name changes, and while the watch goes on, an owner
// without patience takes every lock, writes and empties its log.
func TestStoresUntouched(t *testing.T) {
	seen := map[string]bool{}
	for _, s := range sessions(t, recorded()) {
		kind := string(s.Tool) + "/" + s.Version
		if seen[kind] {
			continue
		}
		seen[kind] = true
		t.Run(kind, func(t *testing.T) {
			a, ok := adapters.ByTool(s.Tool)
			if !ok {
				t.Fatal("no adapter")
			}
			home := t.TempDir()
			become(t, home, filepath.Join(recorded(), filepath.FromSlash(s.Name()), "home"))
			before, after := fileStates(t, home), ""
			nodes := watchSteps(t, a, home, func() {
				after = fileStates(t, home)
				writeAnyway(t, home, s.Case)
			})
			if diff := cmp.Diff(before, after); diff != "" {
				t.Errorf("files (-before +while it is watched):\n%s", diff)
			}
			if len(nodes) == 0 {
				t.Error("nothing was read")
			}
		})
	}
}

// fileStates lists the files and folders below a folder, with all that can be seen
// of them but when they were last read.
func fileStates(t *testing.T, root string) string {
	t.Helper()
	var s strings.Builder
	err := filepath.WalkDir(root, func(at string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		var sum [sha256.Size]byte
		if !d.IsDir() {
			b, err := os.ReadFile(at)
			if err != nil {
				return err
			}
			sum = sha256.Sum256(b)
		}
		rel, err := filepath.Rel(root, at)
		fmt.Fprintf(&s, "%s %v %d %d %x\n", rel, info.Mode(), info.Size(), info.ModTime().UnixNano(), sum[:6])
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return s.String()
}

// writeAnyway writes to every transcript of a case as its owner would, and fails
// at the first lock that it would have to wait for.
func writeAnyway(t *testing.T, home string, c *corpus.Case) {
	t.Helper()
	for _, f := range c.Files {
		_, below, _ := strings.Cut(f.Name, "/home/")
		at := filepath.Join(home, filepath.FromSlash(below))
		if filepath.Ext(at) == ".db" {
			lockAll(t, at)
			continue
		}
		w, err := os.OpenFile(at, os.O_WRONLY|os.O_APPEND, 0)
		if err != nil {
			t.Fatal(err)
		}
		if _, err = w.WriteString("\n"); err != nil {
			t.Error(err)
		}
		if err = w.Close(); err != nil {
			t.Error(err)
		}
	}
	beside := filepath.Join(home, ".copilot", "session-store.db")
	if _, err := os.Stat(beside); err == nil {
		lockAll(t, beside)
	}
}

// lockAll takes a database for itself alone, writes, and empties its log.
func lockAll(t *testing.T, path string) {
	t.Helper()
	db, err := sql.Open("sqlite", "file:"+filepath.ToSlash(path)+"?_pragma=busy_timeout(0)")
	if err != nil {
		t.Fatal(err)
	}
	db.SetMaxOpenConns(1)
	for _, q := range []string{"BEGIN EXCLUSIVE", "CREATE TABLE of_the_owner (x)", "COMMIT", "PRAGMA wal_checkpoint(TRUNCATE)", "BEGIN EXCLUSIVE", "DROP TABLE of_the_owner", "COMMIT"} {
		if _, err := db.ExecContext(t.Context(), q); err != nil {
			t.Errorf("%s: %v", q, err)
		}
	}
	if err := db.Close(); err != nil {
		t.Error(err)
	}
}
