package sqlite_test

import (
	"os"
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
