package store_test

import (
	"bufio"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// ownerVariable makes the test program the owner of the database that it names: it
// says what the owner does, how it keeps its journal, how it locks, and where.
const ownerVariable = "MEMSCRIBE_TEST_OWNER"

func TestMain(m *testing.M) {
	if role := os.Getenv(ownerVariable); role != "" {
		if err := own(role); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// own is the owner's process. It has no patience: it fails at the first lock that
// somebody else holds.
func own(role string) error {
	f := strings.SplitN(role, " ", 4)
	what, mode, locking, path := f[0], f[1], f[2], f[3]
	db, err := sql.Open("sqlite", "file:"+filepath.ToSlash(path)+"?_pragma=locking_mode("+locking+")&_pragma=journal_mode("+mode+
		")&_pragma=busy_timeout(0)&_pragma=synchronous(normal)")
	if err != nil {
		return err
	}
	db.SetMaxOpenConns(1)
	o := &owner{db, path}
	if what == "write" {
		err = write(o, 4, 80)
		return errors.Join(err, db.Close())
	}
	return o.stall()
}

// stall begins a transaction, writes more than its memory may hold, says so, and
// waits for its end.
func (o *owner) stall() error {
	tx, err := o.BeginTx(context.Background(), nil)
	if err != nil {
		return err
	}
	for _, query := range []string{
		`PRAGMA cache_spill = 1`, `PRAGMA cache_size = 2`, `UPDATE line SET text = 'never'`, `DELETE FROM talk WHERE id = 't1'`,
		`WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 300) INSERT INTO line (talk, text) SELECT 't0', hex(zeroblob(1500)) FROM n`,
	} {
		if _, err := tx.Exec(query); err != nil {
			return errors.Join(err, tx.Rollback())
		}
	}
	fmt.Println("writing")
	_, err = io.Copy(io.Discard, os.Stdin)
	return err
}

// start starts the owner of a database with some talks in it.
func start(t *testing.T, what, mode, locking string) (path string, cmd *exec.Cmd, out *bufio.Reader) {
	t.Helper()
	o := newOwner(t, mode)
	for i := range 4 {
		o.say(t, fmt.Sprint("t", i), make([]string, 12)...)
	}
	o.do(t, `UPDATE line SET text = '0 ' || hex(zeroblob(900))`)
	if err := o.Close(); err != nil {
		t.Fatal(err)
	}
	cmd = exec.CommandContext(t.Context(), os.Args[0])
	cmd.Env = append(os.Environ(), ownerVariable+"="+strings.Join([]string{what, mode, locking, o.path}, " "))
	cmd.Stderr = os.Stderr
	if _, err := cmd.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	return o.path, cmd, bufio.NewReader(stdout)
}

// ways are the ways in which SQLite keeps what it writes, and locks.
func ways() [][2]string {
	var all [][2]string
	for _, mode := range []string{"wal", "delete", "truncate", "persist"} {
		all = append(all, [2]string{mode, "normal"}, [2]string{mode, "exclusive"})
	}
	return all
}

// TestOwners reads while another process writes as fast as it can, in each way: it
// never waits, and each conversation is of one moment.
func TestOwners(t *testing.T) {
	for _, way := range ways() {
		t.Run(way[0]+" "+way[1], func(t *testing.T) {
			path, cmd, _ := start(t, "write", way[0], way[1])
			d := openDB(t, path, "")
			done := make(chan error, 1)
			go func() { done <- cmd.Wait() }()
			seen := 0
			for finished := false; !finished; {
				select {
				case err := <-done:
					if err != nil {
						t.Fatalf("the owner: %v", err)
					}
					finished = true
				default:
				}
				seen += consistent(t, d)
			}
			if t.Logf("%d conversations read beside", seen); seen == 0 {
				t.Error("nothing was read")
			}
			if diff := cmp.Diff(oracle(t, path), everything(t, path)); diff != "" {
				t.Errorf("in the end (-SQLite +store):\n%s", diff)
			}
		})
	}
}

// TestKilled reads while a transaction is on its way that was written in part, and
// after its owner was killed in it: what was committed before is there, and nothing
// else; the files are as the owner left them, for it to recover.
func TestKilled(t *testing.T) {
	for _, way := range ways() {
		t.Run(way[0]+" "+way[1], func(t *testing.T) {
			path, cmd, out := start(t, "stall", way[0], way[1])
			if line, err := out.ReadString('\n'); err != nil {
				t.Fatalf("the owner said %q: %v", line, err)
			}
			files := state(t, filepath.Dir(path))
			if amid := path[len(filepath.Dir(path))+1:] + map[bool]string{true: "-wal ", false: "-journal "}[way[0] == "wal"]; !strings.Contains(files, amid) {
				t.Fatalf("no transaction is on its way:\n%s", files)
			}
			d := openDB(t, path, "")
			during := changes(t, d)
			if err := cmd.Process.Kill(); err != nil {
				t.Fatal(err)
			}
			_ = cmd.Wait() // it was killed
			if again := changes(t, d); again != "" {
				t.Errorf("the death of the owner changed %.80q", again)
			}
			before := state(t, filepath.Dir(path))
			after := everything(t, path)
			if diff := cmp.Diff(before, state(t, filepath.Dir(path))); diff != "" {
				t.Errorf("files (-before +after):\n%s", diff)
			}
			want := oracle(t, path) // recovers
			if during != want || after != want || strings.Contains(want, "never") {
				t.Errorf("during %.60q, after %.60q, want %.60q", during, after, want)
			}
			if again := changes(t, d); again != "" {
				t.Errorf("recovery changed %.80q", again)
			}
		})
	}
}

// everything is what a new reader finds.
func everything(t *testing.T, path string) string {
	t.Helper()
	return changes(t, openDB(t, path, ""))
}

// oracle is what SQLite itself finds.
func oracle(t *testing.T, path string) string {
	t.Helper()
	db, err := sql.Open("sqlite", "file:"+filepath.ToSlash(path))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	rows, err := db.QueryContext(t.Context(), `SELECT t.id || coalesce((SELECT group_concat(' ' || l.text, '' ORDER BY l.id) FROM line l WHERE l.talk = t.id), '') FROM talk t ORDER BY t.id`)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	var all []string
	for rows.Next() {
		var s string
		if err := rows.Scan(&s); err != nil {
			t.Fatal(err)
		}
		all = append(all, s)
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return strings.Join(all, "; ")
}

// TestNoSharedMemory reads a database and its log where the shared memory of its
// owner is not: in a copy, and in a folder in which nothing can be made.
func TestNoSharedMemory(t *testing.T) {
	o := newOwner(t, "wal")
	o.say(t, "a", "in the log")
	dir := filepath.Join(t.TempDir(), "copy")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	for _, suffix := range []string{"", "-wal"} {
		b, err := os.ReadFile(o.path + suffix)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, "talks.db"+suffix), b, 0o400); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Chmod(dir, 0o500); err != nil { //nolint:gosec // a folder
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := os.Chmod(dir, 0o700); err != nil { //nolint:gosec // a folder
			t.Error(err)
		}
	})
	before := state(t, dir)
	if got := everything(t, filepath.Join(dir, "talks.db")); got != "a in the log" {
		t.Errorf("got %q", got)
	}
	if diff := cmp.Diff(before, state(t, dir)); diff != "" {
		t.Errorf("files (-before +after):\n%s", diff)
	}
}
