package store_test

import (
	"strings"
	"testing"

	"github.com/memscribe/memscribe/internal/sink"
	"github.com/memscribe/memscribe/sink/memdb/api"
	"github.com/memscribe/memscribe/sink/memdb/store"
)

// TestForeignSchema adds to a database of memories what was not made by the
// program, among it a trigger that keeps what is forgotten: opening and verifying
// name it. A missing index is made again, and named by Verify until then.
func TestForeignSchema(t *testing.T) {
	for names, statement := range map[string]string{
		"trigger copy, table kept": `CREATE TABLE kept (record TEXT);
			CREATE TRIGGER copy BEFORE DELETE ON versions BEGIN INSERT INTO kept VALUES (OLD.record); END`,
		"trigger swallow":      "CREATE TRIGGER swallow BEFORE INSERT ON links BEGIN SELECT RAISE(IGNORE); END",
		"view mine":            "CREATE VIEW mine AS SELECT record FROM versions",
		"trigger entries_stay": "DROP TRIGGER entries_stay",
		"index entries_memory": "DROP INDEX entries_memory",
	} {
		t.Run(names, func(t *testing.T) {
			dir, _ := grown(t)
			if _, err := sqlOf(t, file(dir)).ExecContext(t.Context(), statement); err != nil {
				t.Fatal(err)
			}
			verify := func() string {
				report, err := store.VerifyFile(t.Context(), file(dir), store.VerifyOptions{StateDir: options(dir, newClock()).StateDir})
				if err != nil {
					t.Fatal(err)
				}
				if report.OK {
					return "good"
				}
				return report.Fault.Reason + ": " + report.Fault.Detail
			}
			bad := verify()
			s, err := store.Open(t.Context(), file(dir), options(dir, newClock()))
			opened := ""
			if err != nil {
				opened = err.Error()
			}
			if err == nil {
				opened = strings.Join(s.RebuiltIndexes(), ", ")
				if err := s.Close(); err != nil {
					t.Fatal(err)
				}
				equal(t, "once it is mended", verify(), "good")
			}
			index := strings.HasPrefix(names, "index")
			if index != (err == nil) || !index && !sink.IsFault(err) {
				t.Errorf("opened: %v", err)
			}
			for name := range strings.SplitSeq(names, ", ") {
				if !strings.Contains(bad, name) || !strings.HasPrefix(bad, "schema_mismatch: ") || !strings.Contains(opened, name) {
					t.Errorf("%s is not named: verify says %q, opening %q", name, bad, opened)
				}
			}
		})
	}
}

// TestSchemaChangedWhileOpen adds a trigger that keeps what is forgotten to a database that
// is open: nothing is written or forgotten any more, and the trigger is named. What changes
// nothing of the schema, as VACUUM, is as if it were not there.
func TestSchemaChangedWhileOpen(t *testing.T) {
	dir, _ := grown(t)
	f := open(t, dir)
	other := sqlOf(t, file(dir))
	if _, err := other.ExecContext(t.Context(), "VACUUM"); err != nil {
		t.Fatal(err)
	}
	f.write(note("d", "says d"))
	const spy = `CREATE TABLE kept (record TEXT); CREATE TRIGGER copy BEFORE DELETE ON versions BEGIN INSERT INTO kept VALUES (OLD.record); END`
	if _, err := other.ExecContext(t.Context(), spy); err != nil {
		t.Fatal(err)
	}
	_, writes := f.Write(t.Context(), "team", []api.MemoryWrite{note("e", "says e")})
	for _, err := range []error{writes, f.Forget(t.Context(), "team", "d")} {
		if !sink.IsFault(err) || !strings.Contains(err.Error(), "trigger copy") {
			t.Errorf("got %v", err)
		}
	}
	if _, err := other.ExecContext(t.Context(), "DROP TRIGGER copy; DROP TABLE kept"); err != nil {
		t.Fatal(err)
	}
	f.write(note("e", "says e"))
	if err := f.Forget(t.Context(), "team", "d"); err != nil {
		t.Error(err)
	}
}
