package sqlitefile_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/memscribe/memscribe/internal/sqlitefile"
)

func dial(t *testing.T, path string, o sqlitefile.Options) *sql.DB {
	t.Helper()
	o.Connections = 1
	db, err := sqlitefile.Dial(path, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
	return db
}

func exec(t *testing.T, db *sql.DB, statement string) {
	t.Helper()
	if _, err := db.ExecContext(t.Context(), statement); err != nil {
		t.Fatal(err)
	}
}

// TestStatement runs statements without database/sql, with every kind of value,
// and wants their errors to be the driver's own.
func TestStatement(t *testing.T) {
	db := dial(t, filepath.Join(t.TempDir(), "x.db"), sqlitefile.Options{})
	exec(t, db, "CREATE TABLE x (n INTEGER PRIMARY KEY, a, b, c, d)")
	c, err := db.Conn(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	s := sqlitefile.NewStatements(c)
	const insert = "INSERT INTO x VALUES (?, ?, ?, ?, ?)"
	if n, err := s.Exec(t.Context(), insert, 1, "text", []byte{0, 1}, nil, 1.5); err != nil || n != 1 {
		t.Errorf("%d rows, %v", n, err)
	}
	if n, err := s.Exec(t.Context(), insert, int64(2), sql.NullString{}, true, "", nil); err != nil || n != 1 {
		t.Errorf("%d rows, %v", n, err)
	}
	if n, err := s.Exec(t.Context(), "UPDATE x SET c = n"); err != nil || n != 2 {
		t.Errorf("%d rows, %v", n, err)
	}
	if _, err := s.Exec(t.Context(), insert, 1, nil, nil, nil, nil); !strings.Contains(fmt.Sprint(err), "UNIQUE") {
		t.Errorf("a number twice: %v", err)
	}
	if _, err := s.Exec(t.Context(), insert, 3, struct{}{}, nil, nil, nil); err == nil {
		t.Error("a value of no kind that can be stored is taken")
	}
	if _, err := s.Exec(t.Context(), "INSERT INTO y VALUES (1)"); !strings.Contains(fmt.Sprint(err), "no such table") {
		t.Errorf("no table: %v", err)
	}
	if err := errors.Join(s.Close(), c.Close()); err != nil {
		t.Fatal(err)
	}
	var all string
	err = db.QueryRowContext(t.Context(), `SELECT group_concat(concat_ws(',', n, quote(a), quote(b), c, quote(d)), ';') FROM x`).Scan(&all)
	if want := "1,'text',X'0001',1,1.5;2,NULL,1,2,NULL"; err != nil || all != want {
		t.Errorf("got %s, %v, want %s", all, err, want)
	}
}

// TestCreate wants a file for the user alone, and one that is there left as it is.
func TestCreate(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a", "b", "x.db")
	if err := sqlitefile.Create(path); err != nil {
		t.Fatal(err)
	}
	db := dial(t, path, sqlitefile.Options{Pragmas: []string{"journal_mode(wal)"}})
	exec(t, db, "CREATE TABLE x (n)")
	for _, name := range []string{path, path + "-wal", path + "-shm"} {
		info, err := os.Stat(name)
		if err != nil {
			t.Fatal(err)
		}
		if runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
			t.Errorf("%s has mode %v", name, info.Mode())
		}
	}
	if err := sqlitefile.Create(path); err != nil {
		t.Fatal(err)
	}
	exec(t, db, "INSERT INTO x VALUES (1)")
}

// TestPatiently writes while another does: it waits for as long as somebody
// waits for it, and is done as soon as the other is.
func TestPatiently(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.db")
	one, two := dial(t, path, sqlitefile.Options{}), dial(t, path, sqlitefile.Options{})
	exec(t, one, "CREATE TABLE x (n)")
	exec(t, one, "BEGIN IMMEDIATE")
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	tries := 0
	insert := func() error {
		_, err := two.ExecContext(t.Context(), "INSERT INTO x VALUES (1)")
		return err
	}
	err := sqlitefile.RetryBusy(ctx, func() error {
		if tries++; tries == 3 {
			cancel()
		}
		return insert()
	})
	if !errors.Is(err, context.Canceled) || tries != 3 {
		t.Errorf("got %v after %d tries, want that it was canceled after 3", err, tries)
	}
	tries = 0
	err = sqlitefile.RetryBusy(t.Context(), func() error {
		if tries++; tries == 2 {
			exec(t, one, "COMMIT")
		}
		return insert()
	})
	if err != nil || tries != 2 {
		t.Errorf("got %v after %d tries, want success after 2", err, tries)
	}
}

// TestDialReader reads beside a writer, and creates nothing.
func TestDialReader(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.db")
	o := sqlitefile.Options{Connections: 1, ReadOnly: true}
	n := 0
	ask := func(db *sql.DB) error { return db.QueryRowContext(t.Context(), "SELECT n FROM x").Scan(&n) }
	if _, err := sqlitefile.DialReader(t.Context(), path, o, ask); err == nil {
		t.Error("a file that is not there was opened")
	}
	if _, err := os.Stat(path); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("got %v, want that there still is no file", err)
	}
	exec(t, dial(t, path, sqlitefile.Options{Pragmas: []string{"journal_mode(wal)"}}), "CREATE TABLE x (n); INSERT INTO x VALUES (7)")
	db, err := sqlitefile.DialReader(t.Context(), path, o, ask)
	if err != nil || n != 7 {
		t.Fatalf("got %d, %v, want 7", n, err)
	}
	if _, err := db.ExecContext(t.Context(), "INSERT INTO x VALUES (8)"); err == nil || !strings.Contains(sqlitefile.Explain(err).Error(), "cannot be written to") {
		t.Errorf("got %v, want that it cannot be written to", sqlitefile.Explain(err))
	}
	if err := db.Close(); err != nil {
		t.Error(err)
	}
}

// TestExplain keeps what is not about a database as it is, and says of a file
// that is none what it is.
func TestExplain(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.db")
	if err := os.WriteFile(path, []byte(strings.Repeat("no database ", 100)), 0o600); err != nil {
		t.Fatal(err)
	}
	_, err := dial(t, path, sqlitefile.Options{}).ExecContext(t.Context(), "CREATE TABLE x (n)")
	if err == nil || !strings.HasPrefix(sqlitefile.Explain(err).Error(), "the file is not a database: ") || !errors.Is(sqlitefile.Explain(err), err) {
		t.Errorf("got %v", sqlitefile.Explain(err))
	}
	if err := sqlitefile.Explain(fs.ErrExist); err != fs.ErrExist { //nolint:errorlint // the very same
		t.Errorf("got %v", err)
	}
}
