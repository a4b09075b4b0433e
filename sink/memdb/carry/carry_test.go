package carry_test

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/memscribe/memscribe/sink/memdb/api"
	"github.com/memscribe/memscribe/sink/memdb/calls"
	"github.com/memscribe/memscribe/sink/memdb/carry"
	"github.com/memscribe/memscribe/sink/memdb/pgstore"
	"github.com/memscribe/memscribe/sink/memdb/record"
	"github.com/memscribe/memscribe/sink/memdb/store"
	"github.com/memscribe/memscribe/testkit/postgres"
)

// memories is a store that can be copied, from and to.
type memories interface {
	calls.Store
	carry.Target
	Close() error
}

func now() time.Time { return time.Now() }

func closing(t *testing.T, m memories) memories {
	t.Helper()
	t.Cleanup(func() {
		if err := m.Close(); err != nil {
			t.Error(err)
		}
	})
	return m
}

func inFile(t *testing.T) memories {
	t.Helper()
	dir := t.TempDir()
	s, err := store.Open(t.Context(), filepath.Join(dir, "m.db"), store.Options{Now: now, Random: rand.Reader, StateDir: filepath.Join(dir, "state")})
	if err != nil {
		t.Fatal(err)
	}
	return closing(t, s)
}

func onServer(t *testing.T, server *postgres.Server) memories {
	t.Helper()
	s, err := pgstore.Open(t.Context(), server.Database(), pgstore.Options{Now: now, Random: rand.Reader, StateDir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	return closing(t, s)
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func note(id, content string) api.MemoryWrite {
	return api.MemoryWrite{ID: id, Body: api.Body{Kind: "note", Content: content, Origin: api.Internal, EventIDs: []string{"e1"}}}
}

func write(t *testing.T, s memories, namespace string, all ...api.MemoryWrite) {
	t.Helper()
	_, err := s.Write(t.Context(), namespace, all)
	must(t, err)
}

// fill does everything that leaves an entry, in several namespaces by turns.
func fill(t *testing.T, s memories) {
	t.Helper()
	ctx := t.Context()
	for _, name := range []string{"app", "Zoo-b", "gone", "short"} {
		_, _, err := s.PutNamespace(ctx, name, api.NamespacePut{Description: "first"})
		must(t, err)
	}
	for i := range 8 {
		var batch []api.MemoryWrite
		for k := range 90 {
			batch = append(batch, note(fmt.Sprintf("m%d-%d", i, k), fmt.Sprintf("memory %d of round %d 漢字", k, i)))
		}
		write(t, s, "app", batch...)
		write(t, s, "Zoo-b", batch[:3]...)
	}
	again := "second"
	_, err := s.PatchNamespace(ctx, "app", api.NamespacePatch{Description: &again})
	must(t, err)
	old := note("m0-1", "superseded")
	old.SupersededBy = "m0-2"
	write(t, s, "app", note("m0-0", "changed"), old, note("m0-3", "secret of ann"))
	must(t, s.Forget(ctx, "app", "m0-3"))
	must(t, s.Forget(ctx, "Zoo-b", "m1-1"))
	write(t, s, "gone", note("a", "purged"), note("b", "forgotten"))
	must(t, s.Forget(ctx, "gone", "b"))
	must(t, s.DeleteNamespace(ctx, "gone", true))
	must(t, s.DeleteNamespace(ctx, "short", false))
	_, _, err = s.PutNamespace(ctx, "short", api.NamespacePut{Description: "again"})
	must(t, err)
	write(t, s, "short", note("a", "came again"))
}

// same holds a copy to what it was made of: its chains, what each memory is, and that
// nothing hangs loose.
func same(t *testing.T, from, to memories) {
	t.Helper()
	ctx := t.Context()
	report, err := to.Verify(ctx)
	must(t, err)
	if !report.OK {
		t.Fatalf("the copy is bad: %+v", report.Fault)
	}
	want, err := carry.Heads(ctx, from)
	must(t, err)
	got, err := carry.Heads(ctx, to)
	must(t, err)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("chains, -source +copy:\n%s", diff)
	}
	if diff := cmp.Diff(bodies(t, from), bodies(t, to)); diff != "" {
		t.Errorf("memories, -source +copy:\n%s", diff)
	}
	a, err := to.Get(ctx, "app", "m0-1")
	must(t, err)
	if a.Memory.InvalidAt == "" || a.Provenance.Status != api.Verified {
		t.Errorf("a superseded memory is %+v", a)
	}
}

// bodies are what entries speak of, by their ids.
func bodies(t *testing.T, s memories) map[string]string {
	t.Helper()
	all := map[string]string{}
	for c, err := range s.Carried(t.Context()) {
		must(t, err)
		all[c.Entry.EntryID] = string(c.JSON)
	}
	return all
}

func copied(t *testing.T, from carry.Source, to carry.Target) carry.Result {
	t.Helper()
	r, err := carry.Copy(t.Context(), from, to)
	must(t, err)
	return r
}

// TestCopy copies to and fro between a file and PostgreSQL.
func TestCopy(t *testing.T) {
	server := postgres.Start(t)
	for _, c := range []struct {
		name  string
		first func() memories
		chain []func() memories
	}{
		{"FromFile", func() memories { return inFile(t) }, []func() memories{
			func() memories { return onServer(t, server) }, func() memories { return inFile(t) }, func() memories { return onServer(t, server) },
		}},
		{"FromServer", func() memories { return onServer(t, server) }, []func() memories{
			func() memories { return inFile(t) }, func() memories { return onServer(t, server) }, func() memories { return onServer(t, server) },
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			from := c.first()
			fill(t, from)
			for _, open := range c.chain {
				to := open()
				r := copied(t, from, to)
				if r.Copied == 0 || r.Copied != r.Heads.Head().Length {
					t.Errorf("copied %d of %d entries", r.Copied, r.Heads.Head().Length)
				}
				same(t, from, to)
				if again := copied(t, from, to); again.Copied != 0 || again.Before != r.Copied {
					t.Errorf("a second copy copied %d entries again", again.Copied)
				}
				from = to
			}
		})
	}
}

// breaking is a store whose machine fails after some transactions.
type breaking struct {
	memories

	left int
}

var errBroken = errors.New("the machine failed")

func (b *breaking) Receive(ctx context.Context, all []record.Carried) error {
	if b.left--; b.left < 0 {
		return errBroken
	}
	return b.memories.Receive(ctx, all)
}

// TestCopyGoesOn breaks a copy off after each transaction, changes the source
// meanwhile, and copies again.
func TestCopyGoesOn(t *testing.T) {
	server := postgres.Start(t)
	for name, open := range map[string]func() memories{
		"ToServer": func() memories { return onServer(t, server) },
		"ToFile":   func() memories { return inFile(t) },
	} {
		t.Run(name, func(t *testing.T) {
			from := inFile(t)
			fill(t, from)
			to := &breaking{memories: open(), left: 1}
			if _, err := carry.Copy(t.Context(), from, to); !errors.Is(err, errBroken) {
				t.Fatalf("the copy ended with %v", err)
			}
			// What has arrived is forgotten, changed and purged before the rest comes.
			must(t, from.Forget(t.Context(), "app", "m0-5"))
			write(t, from, "app", note("m0-6", "changed meanwhile"), note("new", "came meanwhile"))
			must(t, from.DeleteNamespace(t.Context(), "Zoo-b", true))
			to.left = 1 << 30
			if r := copied(t, from, to); r.Before == 0 || r.Copied == 0 {
				t.Errorf("the copy began again: %+v", r)
			}
			same(t, from, to.memories)
			found, err := to.Search(t.Context(), api.SearchRequest{Namespaces: []string{"app"}, Query: "meanwhile"})
			must(t, err)
			if len(found.Memories) != 2 {
				t.Errorf("found %d memories in the copy, not 2", len(found.Memories))
			}
		})
	}
}

// TestCopyRefuses leaves a target alone that is not a beginning of the source.
func TestCopyRefuses(t *testing.T) {
	from, to := inFile(t), inFile(t)
	fill(t, from)
	copied(t, from, to)
	write(t, to, "app", note("own", "written in the copy"))
	before, err := carry.Heads(t.Context(), to)
	must(t, err)
	write(t, from, "app", note("new", "written in the source"))
	for _, c := range []struct{ from, to memories }{{from, to}, {inFile(t), to}} {
		if _, err = carry.Copy(t.Context(), c.from, c.to); !errors.Is(err, carry.ErrDiffers) {
			t.Errorf("the copy ended with %v", err)
		}
	}
	after, err := carry.Heads(t.Context(), to)
	must(t, err)
	if diff := cmp.Diff(before, after); diff != "" {
		t.Errorf("what was refused changed the target:\n%s", diff)
	}
}
