package store_test

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"testing"

	"github.com/memscribe/memscribe/sink/memdb/api"
	"github.com/memscribe/memscribe/sink/memdb/store"
)

// rare is a word that memory number n alone has.
func rare(n int) string { return fmt.Sprintf("q%dzirkonfels%d", n*7919%1000, n) }

// remembered writes memories with a rare word each, and returns their ids.
func remembered(f *fixture, n int) (ids []string) {
	var all []api.MemoryWrite
	for i := range n {
		ids = append(ids, fmt.Sprint("m", i))
		all = append(all, note(ids[i], "Keep to "+rare(i)+" beside all that is said of storage"))
	}
	for i := 0; i < n; i += 50 {
		f.write(all[i : i+50]...)
	}
	return ids
}

// onDisk returns which of the words stand in the files of a folder.
func onDisk(t *testing.T, dir string, words func(n int) bool) (left []int) {
	t.Helper()
	names, _ := filepath.Glob(file(dir) + "*")
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for n := range 600 {
			if words(n) && bytes.Contains(text, []byte(fmt.Sprintf("zirkonfels%d ", n))) || words(n) && bytes.Contains(text, []byte(rare(n))) {
				left = append(left, n)
			}
		}
	}
	return left
}

// TestForgetAll: many memories are forgotten at the price of their number and of one pass over
// the index of words; their words are in no file, those of the others are found.
func TestForgetAll(t *testing.T) {
	dir := t.TempDir()
	f := open(t, dir)
	ids := remembered(f, 600)
	before, err := f.ChangedRows(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	n, err := f.ForgetAll(t.Context(), "team", append(ids[:300:300], "never"))
	if err != nil || n != 300 {
		t.Fatalf("forgot %d: %v", n, err)
	}
	if n, err := f.ForgetAll(t.Context(), "team", []string{"never"}); err != nil || n != 0 {
		t.Errorf("forgot %d of none that ever was: %v", n, err)
	}
	after, err := f.ChangedRows(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if changed := after - before; changed > 12*300 {
		t.Errorf("changed %d rows to forget 300 memories", changed)
	}
	if _, err := f.Verify(t.Context()); err != nil {
		t.Errorf("the chain does not hold: %v", err)
	}
	found, err := f.Search(t.Context(), api.SearchRequest{Namespaces: []string{"team"}, Query: rare(300)})
	if err != nil || len(found.Memories) != 1 || found.Memories[0].ID != "m300" {
		t.Errorf("found %v, %v", found.Memories, err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	if left := onDisk(t, dir, func(n int) bool { return n < 300 }); len(left) > 0 {
		t.Errorf("the words of %d forgotten memories are on the disk: %v", len(left), left)
	}
	if left := onDisk(t, dir, func(n int) bool { return n >= 300 }); len(left) == 0 {
		t.Error("no word of the others is on the disk: this looks for the wrong bytes")
	}
}

// dying ends its process once something was forgotten.
type dying struct {
	slog.Handler

	die func()
}

func (dying) Enabled(context.Context, slog.Level) bool { return true }

func (d dying) Handle(_ context.Context, r slog.Record) error {
	r.Attrs(func(a slog.Attr) bool {
		if a.Equal(slog.String("action", "forget")) {
			d.die()
		}
		return true
	})
	return nil
}

// TestForgottenByOneWhoDied: a process ends between forgetting and taking the words out of the
// index. The next one that is asked takes them out.
func TestForgottenByOneWhoDied(t *testing.T) {
	dir := t.TempDir()
	ctx, die := context.WithCancel(t.Context())
	f := open(t, dir, func(o *store.Options) { o.Audit = slog.New(dying{slog.DiscardHandler, die}) })
	ids := remembered(f, 100)
	if _, err := f.ForgetAll(ctx, "team", ids[:1]); err == nil {
		t.Fatal("it did not die")
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	first := func(n int) bool { return n == 0 }
	if len(onDisk(t, dir, first)) == 0 {
		t.Fatal("nothing was left behind")
	}
	f = open(t, dir)
	if err := f.Wiped(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	if left := onDisk(t, dir, first); len(left) > 0 {
		t.Errorf("left: %v", left)
	}
}
