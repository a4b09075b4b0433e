package transfer_test

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/memscribe/memscribe/sink/memdb/api"
	"github.com/memscribe/memscribe/sink/memdb/calls"
	"github.com/memscribe/memscribe/sink/memdb/pgstore"
	"github.com/memscribe/memscribe/sink/memdb/record"
	"github.com/memscribe/memscribe/sink/memdb/store"
	"github.com/memscribe/memscribe/sink/memdb/transfer"
	"github.com/memscribe/memscribe/testkit/postgres"
)

// memories is a store that can be copied, from and to.
type memories interface {
	calls.Store
	transfer.Target
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
	return inFileBy(t, now)
}

// inFileBy is inFile by a clock of its own.
func inFileBy(t *testing.T, now func() time.Time) memories {
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
	return onServerBy(t, server, now)
}

func onServerBy(t *testing.T, server *postgres.Server, now func() time.Time) memories {
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
	write(t, s, "app", note("m0-0", "changed again"))
	early := note("early", "superseded by what comes later")
	early.SupersededBy = "late"
	write(t, s, "app", early)
	write(t, s, "app", note("late", "supersedes"))
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
	want, err := transfer.Heads(ctx, from)
	must(t, err)
	got, err := transfer.Heads(ctx, to)
	must(t, err)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("chains, -source +copy:\n%s", diff)
	}
	if diff := cmp.Diff(bodies(t, from), bodies(t, to)); diff != "" {
		t.Errorf("memories, -source +copy:\n%s", diff)
	}
	for _, id := range []string{"m0-1", "early"} {
		a, err := to.Get(ctx, "app", id)
		must(t, err)
		if a.Memory.InvalidAt == "" || a.Provenance.Status != api.Verified {
			t.Errorf("a superseded memory is %+v", a)
		}
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

func copied(t *testing.T, from transfer.Source, to transfer.Target) transfer.Result {
	t.Helper()
	r, err := transfer.Copy(t.Context(), from, to)
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
			if _, err := transfer.Copy(t.Context(), from, to); !errors.Is(err, errBroken) {
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
			finds(t, to.memories, "meanwhile", 2)
			finds(t, to.memories, "afterwards", 0)
			write(t, from, "app", note("last", "came afterwards"))
			third := "third"
			_, err := from.PatchNamespace(t.Context(), "app", api.NamespacePatch{Description: &third})
			must(t, err)
			copied(t, from, to)
			same(t, from, to.memories)
			finds(t, to.memories, "afterwards", 1)
		})
	}
}

// finds wants so many memories to have a word.
func finds(t *testing.T, s memories, word string, many int) {
	t.Helper()
	found, err := s.Search(t.Context(), api.SearchRequest{Namespaces: []string{"app"}, Query: word})
	must(t, err)
	if len(found.Memories) != many {
		t.Errorf("found %d memories with %q, not %d", len(found.Memories), word, many)
	}
}

// TestCopyRefuses leaves a target alone that is not a beginning of the source, also
// where the source has more to copy.
func TestCopyRefuses(t *testing.T) {
	for what, differ := range map[string]func(from, to memories){
		"another entry in its place": func(from, to memories) {
			write(t, to, "app", note("own", "written in the copy"))
			write(t, from, "app", note("new", "written in the source"))
			write(t, from, "app", note("newer", "so that there is more than in the target"))
		},
		"more than the source has": func(from, to memories) {
			write(t, to, "app", note("own", "written in the copy"))
			write(t, from, "short", note("new", "written in the source"))
		},
		"a namespace that the source has not": func(from, to memories) {
			_, _, err := to.PutNamespace(t.Context(), "own", api.NamespacePut{})
			must(t, err)
			write(t, from, "short", note("new", "written in the source"))
		},
	} {
		t.Run(what, func(t *testing.T) {
			from, to := inFile(t), inFile(t)
			fill(t, from)
			copied(t, from, to)
			differ(from, to)
			before, err := transfer.Heads(t.Context(), to)
			must(t, err)
			for _, source := range []memories{from, inFile(t)} {
				if _, err = transfer.Copy(t.Context(), source, to); !errors.Is(err, transfer.ErrDiffers) {
					t.Errorf("the copy ended with %v", err)
				}
			}
			after, err := transfer.Heads(t.Context(), to)
			must(t, err)
			if diff := cmp.Diff(before, after); diff != "" {
				t.Errorf("what was refused changed the target:\n%s", diff)
			}
		})
	}
}

// weighed is a target that looks at how much it is given at a time.
type weighed struct {
	memories

	t *testing.T
}

func (w *weighed) Receive(ctx context.Context, all []record.Carried) error {
	size := 0
	for i := range all {
		size += len(all[i].JSON)
	}
	if size > 6<<20 {
		w.t.Errorf("%d memories of %d bytes at a time", len(all), size)
	}
	return w.memories.Receive(ctx, all)
}

// TestCopyOfLarge copies memories that together are larger than what a transaction
// takes.
func TestCopyOfLarge(t *testing.T) {
	from := inFile(t)
	_, _, err := from.PutNamespace(t.Context(), "app", api.NamespacePut{})
	must(t, err)
	for i := range 9 {
		write(t, from, "app", note(fmt.Sprint(i), strings.Repeat("large ", 170_000)))
	}
	if r := copied(t, from, &weighed{inFile(t), t}); r.Copied != 10 {
		t.Errorf("%+v", r)
	}
}

// written is a target that another writes to after each transaction of the copy.
type written struct {
	memories

	t *testing.T
}

func (w *written) Receive(ctx context.Context, all []record.Carried) error {
	err := w.memories.Receive(ctx, all)
	write(w.t, w.memories, "Zoo-b", note("", "written meanwhile")) //nolint:contextcheck // the other has one of its own
	return err
}

// TestCopyIsProven has another write to the target while it is copied to: the copy does
// not say that it is one.
func TestCopyIsProven(t *testing.T) {
	from, to := inFile(t), inFile(t)
	fill(t, from)
	if _, err := transfer.Copy(t.Context(), from, &written{to, t}); !errors.Is(err, transfer.ErrDiffers) {
		t.Errorf("the copy ended with %v", err)
	}
}

// TestCopyKeepsTime copies into stores whose clock is half a minute behind: what is
// written there then was not learnt before what was copied.
func TestCopyKeepsTime(t *testing.T) {
	behind := func() time.Time { return time.Now().Add(-30 * time.Second) }
	from := inFile(t)
	fill(t, from)
	for name, to := range map[string]memories{"file": inFileBy(t, behind), "server": onServerBy(t, postgres.Start(t), behind)} {
		copied(t, from, to)
		last := ""
		for c, err := range to.Carried(t.Context()) {
			must(t, err)
			if c.Entry.Namespace == "app" {
				last = max(last, c.Entry.TransactionAt)
			}
		}
		write(t, to, "app", note("after", "written after the copy"))
		a, err := to.Get(t.Context(), "app", "after")
		must(t, err)
		if a.Memory.TransactionAt < last {
			t.Errorf("%s: learnt at %s, and what was copied at %s", name, a.Memory.TransactionAt, last)
		}
	}
}

// TestCopyOfRekeyed copies a database that has been given another key: that is of the
// source alone.
func TestCopyOfRekeyed(t *testing.T) {
	dir := t.TempDir()
	name, o := filepath.Join(dir, "m.db"), store.Options{Now: now, Random: rand.Reader, StateDir: filepath.Join(dir, "state")}
	from, err := store.Open(t.Context(), name, o)
	must(t, err)
	fill(t, from)
	must(t, from.Close())
	_, err = store.Rekey(t.Context(), name, o)
	must(t, err)
	from, err = store.Open(t.Context(), name, o)
	must(t, err)
	closing(t, from)
	for what, to := range map[string]memories{"file": inFile(t), "server": onServer(t, postgres.Start(t))} {
		copied(t, from, to)
		same(t, from, to)
		report, err := to.Verify(t.Context())
		must(t, err)
		if report.Rekeyed != 0 {
			t.Errorf("%s: the copy says that entry %d is of another key", what, report.Rekeyed)
		}
	}
}
