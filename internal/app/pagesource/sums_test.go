package pagesource

import (
	"context"
	"errors"
	"path/filepath"
	"testing"
	"time"

	"github.com/memscribe/memscribe/internal/nodedb"
	"github.com/memscribe/memscribe/sink/sinktest"
	"github.com/memscribe/memscribe/sink/sqlite"
)

// TestSums counts again what was written since: at once where that is quick, and for the next
// view where it is slow.
func TestSums(t *testing.T) {
	path := filepath.Join(t.TempDir(), "n.db")
	write := func(nodes int) {
		t.Helper()
		s, err := sqlite.Open(t.Context(), path, sqlite.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(s.Apply(t.Context(), sinktest.NewMaker(1).Take(nodes)), s.Close()); err != nil {
			t.Fatal(err)
		}
	}
	write(10)
	r, err := nodedb.Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	var s sums
	ask := func() string {
		t.Helper()
		u, err := s.of(t.Context(), r, time.Now, "")
		if err != nil {
			t.Fatal(err)
		}
		return u.Counted
	}
	if at := ask(); at != "" {
		t.Errorf("the first view is as of %s", at)
	}
	one := s.projects[""]
	one.last.took = 0
	write(20)
	if at := ask(); at != "" || one.last.of != s.written {
		t.Errorf("what is quick to count was not counted again: as of %q", at)
	}
	one.last.took = time.Minute
	counted := one.last
	write(30)
	if at := ask(); at != counted.at.UTC().Format(time.RFC3339) {
		t.Errorf("what is slow to count is as of %q", at)
	}
	s.counting.Wait()
	if at := ask(); at != "" || one.last == counted {
		t.Errorf("the next view is as of %q", at)
	}
	if err := errors.Join(s.close(), r.Close()); err != nil {
		t.Error(err)
	}
	if _, err := s.of(t.Context(), r, time.Now, "other"); err == nil && !errors.Is(err, context.Canceled) {
		t.Error("a page that was closed counts")
	}
}
