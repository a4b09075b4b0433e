package sqlite_test

import (
	"errors"
	"os"
	"runtime"
	"strings"
	"testing"

	"github.com/memscribe/memscribe/internal/nodedb/removal"
	"github.com/memscribe/memscribe/internal/sink"
	"github.com/memscribe/memscribe/internal/sqlitefile"
	"github.com/memscribe/memscribe/sink/sinktest"
	"github.com/memscribe/memscribe/sink/sqlite"
)

// TestOthers has others write to a database that a Sink has open. What takes away what was
// stored last, as an older copy that SQLite itself puts back, is said by the next batch, and
// while there is none; a schema that is not ours any more is refused; anything else is as
// if it were not there.
func TestOthers(t *testing.T) {
	for name, tc := range map[string]struct {
		do    []string
		lost  bool
		fault string
	}{
		"nothing":     {},
		"vacuum":      {do: []string{"VACUUM", "ANALYZE"}},
		"own index":   {do: []string{"DROP INDEX nodes_session"}},
		"restored":    {do: []string{"DELETE FROM nodes WHERE n > 10"}, lost: true},
		"readmitted":  {do: []string{"DELETE FROM horizon"}, lost: true},
		"pruned":      {do: []string{"UPDATE horizon SET before = before + 1", "DELETE FROM nodes"}},
		"changed":     {do: []string{"UPDATE nodes SET digest = x'00'"}},
		"emptied":     {do: []string{"DELETE FROM nodes"}, lost: true},
		"a trigger":   {do: []string{"CREATE TRIGGER t AFTER INSERT ON nodes BEGIN DELETE FROM nodes WHERE n = new.n; END"}, fault: "trigger t"},
		"a table":     {do: []string{"CREATE TABLE copies (text)"}, fault: "table copies"},
		"table taken": {do: []string{"DROP TABLE messages"}, fault: "table messages"},
	} {
		for _, idle := range []bool{false, true} {
			t.Run(name, func(t *testing.T) {
				dir := t.TempDir()
				s := openAt(t, dir)
				lines := sinktest.NewMaker(1).Take(40)
				other, err := sqlitefile.Dial(file(dir), sqlitefile.Options{Connections: 1})
				if err != nil {
					t.Fatal(err)
				}
				defer other.Close()
				if _, err := other.ExecContext(t.Context(), "INSERT INTO horizon VALUES ('decision', 1)"); err != nil {
					t.Fatal(err)
				}
				apply(t, s, lines[:20]...)
				for _, statement := range tc.do {
					if _, err := other.ExecContext(t.Context(), statement); err != nil {
						t.Fatal(err)
					}
				}
				if idle {
					err = s.Tidy(t.Context())
				} else {
					err = s.Apply(t.Context(), lines[20:])
				}
				switch {
				case errors.Is(err, sink.ErrLost) != tc.lost, sink.IsFault(err) != (tc.fault != ""):
					t.Errorf("got %v", err)
				case tc.fault != "" && !strings.Contains(err.Error(), tc.fault):
					t.Errorf("got %v, want it to name %s", err, tc.fault)
				case !tc.lost && tc.fault == "" && err != nil:
					t.Error(err)
				}
			})
		}
	}
}

// TestOthersForget has another process forget the node that came last: that is no older copy.
// An older copy of what was forgotten from is one.
func TestOthersForget(t *testing.T) {
	dir := t.TempDir()
	s := openAt(t, dir)
	lines := sinktest.NewMaker(1).Take(40)
	apply(t, s, lines[:20]...)
	if _, err := sqlite.Forget(t.Context(), file(dir), removal.Request{IDs: []string{lines[19].ID}}); err != nil && !errors.Is(err, sqlite.ErrHeld) {
		t.Fatal(err)
	}
	other, err := sqlitefile.Dial(file(dir), sqlitefile.Options{Connections: 1})
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	for range 2 {
		if err := s.Tidy(t.Context()); err != nil {
			t.Errorf("after something was forgotten: %v", err)
		}
		if _, err := other.ExecContext(t.Context(), "UPDATE nodes SET digest = x'00' WHERE n = (SELECT min(n) FROM nodes)"); err != nil {
			t.Fatal(err)
		}
	}
	apply(t, s, lines[20:30]...)
	if _, err := other.ExecContext(t.Context(), "UPDATE removals SET count = 0"); err != nil {
		t.Fatal(err)
	}
	if err := s.Tidy(t.Context()); !errors.Is(err, sink.ErrLost) {
		t.Errorf("after an older copy was put in its place: %v", err)
	}
}

// TestLogIsTaken takes the write-ahead log of an open database away: what is written to it
// then would end with the process.
func TestLogIsTaken(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("not possible while the file is open")
	}
	for name, do := range map[string]func(log string) error{
		"removed": os.Remove,
		"replaced": func(log string) error {
			return errors.Join(os.WriteFile(log+".new", nil, 0o600), os.Rename(log+".new", log))
		},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			s := openAt(t, dir)
			lines := sinktest.NewMaker(1).Take(40)
			apply(t, s, lines[:20]...)
			if err := s.Tidy(t.Context()); err != nil {
				t.Fatal(err)
			}
			if err := do(file(dir) + "-wal"); err != nil {
				t.Fatal(err)
			}
			if err := s.Tidy(t.Context()); !errors.Is(err, sink.ErrLost) {
				t.Errorf("got %v, want %v", err, sink.ErrLost)
			}
			if err := s.Apply(t.Context(), lines[20:]); !errors.Is(err, sink.ErrLost) {
				t.Errorf("got %v, want %v", err, sink.ErrLost)
			}
		})
	}
}

// openAt opens a database in a folder.
func openAt(t *testing.T, dir string) *sqlite.Sink {
	t.Helper()
	s, err := sqlite.Open(t.Context(), file(dir), sqlite.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}
