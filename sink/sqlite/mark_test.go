package sqlite_test

import (
	"bytes"
	"os"
	"slices"
	"testing"

	"github.com/memscribe/memscribe/sink/sinktest"
	"github.com/memscribe/memscribe/sink/sqlite"
)

// TestMark has a database known again, and one that was begun anew told from it.
func TestMark(t *testing.T) {
	dir := t.TempDir()
	open := func() *sqlite.Sink {
		s, err := sqlite.Open(t.Context(), file(dir), sqlite.Options{})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { s.Close() })
		return s
	}
	s := open()
	if s.Mark() != "" || s.Holds("") {
		t.Error("an empty database has a mark")
	}
	if err := s.Apply(t.Context(), sinktest.NewMaker(1).Take(20)); err != nil {
		t.Fatal(err)
	}
	mark := s.Mark()
	if mark == "" || !s.Holds(mark) {
		t.Errorf("mark %q is not held", mark)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if s.Holds(mark) {
		t.Error("a closed database holds something")
	}
	if s = open(); !s.Holds(mark) {
		t.Error("the database is not known again")
	}
	s.Close()
	if err := os.Remove(file(dir)); err != nil {
		t.Fatal(err)
	}
	if s = open(); s.Holds(mark) {
		t.Error("a new database is taken for the old one")
	}
}

// TestMarkOfCopy puts an older copy in the place of a database: it has every id, but not
// what was stored last, also if a node that it has was applied once more after that, in
// the same words, by this Sink or by one that has stored nothing.
func TestMarkOfCopy(t *testing.T) {
	dir := t.TempDir()
	open := func() *sqlite.Sink {
		s, err := sqlite.Open(t.Context(), file(dir), sqlite.Options{})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { s.Close() })
		return s
	}
	lines := sinktest.NewMaker(1).Take(20)
	s := open()
	apply(t, s, lines...)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	backup, err := os.ReadFile(file(dir))
	if err != nil {
		t.Fatal(err)
	}
	changed := slices.Clone(lines)[7:8]
	changed[0].JSON = bytes.Replace(changed[0].JSON, []byte(`"seq":`), []byte(`"seq": `), 1)
	s = open()
	apply(t, s, changed...)
	apply(t, s, lines[:3]...)
	marks := []string{s.Mark()}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	s = open()
	if !s.Holds(marks[0]) {
		t.Error("the database is not known again")
	}
	apply(t, s, lines[:3]...)
	marks = append(marks, s.Mark())
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file(dir), backup, 0o600); err != nil {
		t.Fatal(err)
	}
	s = open()
	for _, mark := range marks {
		if s.Holds(mark) {
			t.Errorf("an older copy is taken for the database, by %q", mark)
		}
	}
}
