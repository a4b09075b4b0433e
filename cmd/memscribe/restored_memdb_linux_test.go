package main

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
)

// restored is a server whose database can be put back to what it was.
type restored struct {
	*refusing

	stop func()
	copy []byte
}

// restart stops the server, does something to its database, and starts it again.
func (r *restored) restart(change func()) {
	r.t.Helper()
	r.stop()
	change()
	r.stop = r.serve()
}

// apart are the flags of a server that has a state folder of its own, as on another machine.
func (r *restored) apart() []string {
	return []string{"--db", r.database(), "--state-dir", filepath.Join(r.dir, "state")}
}

// asked is serve for a server apart that is asked to end, and then signs what it holds.
func (r *restored) asked() (end func()) {
	r.t.Helper()
	ctx, cancel := context.WithCancel(r.t.Context())
	cmd := r.command(ctx, append([]string{"memdb", "serve", "--addr", r.address, "--token-file", r.token()}, r.apart()...)...)
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) }
	ended := r.until("serving memories", cmd)
	return func() {
		cancel()
		ended()
	}
}

// token is a file with what opens the server.
func (r *restored) token() string {
	name := filepath.Join(r.dir, "token")
	if err := os.WriteFile(name, []byte("a-token-of-this-test\n"), 0o600); err != nil {
		r.t.Fatal(err)
	}
	return name
}

// keep copies the database.
func (r *restored) keep() {
	text, err := os.ReadFile(r.database())
	if err != nil {
		r.t.Fatal(err)
	}
	r.copy = text
}

// goBack puts the copy in the place of the database, as docs/operations.md says.
func (r *restored) goBack() {
	for _, suffix := range []string{"-wal", "-shm"} {
		if err := os.RemoveAll(r.database() + suffix); err != nil {
			r.t.Fatal(err)
		}
	}
	if err := os.WriteFile(r.database(), r.copy, 0o600); err != nil {
		r.t.Fatal(err)
	}
	r.run("memdb", "rekey", "--db", r.database())
}

// TestRestoredBehindServer restores an older copy of a server's database: what it lacks
// comes back with the next watch.
func TestRestoredBehindServer(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("starts several processes")
	}
	r := &restored{refusing: &refusing{world: &world{t: t, dir: t.TempDir(), address: freeAddress(t)}}}
	texts := transcripts(t)
	send := []string{"watch", "--root", filepath.Join(r.dir, "r"), "--memdb-url", "http://" + r.address}
	r.stop = r.serve()
	defer func() { r.stop() }()
	r.put(0, texts[0])
	r.run(append(send, "--once")...)
	r.stop()
	r.settle()
	r.keep()
	r.stop = r.serve()
	r.put(1, texts[1])
	r.run(append(send, "--once")...)
	before := r.replayed()
	if got := r.captured(len(before)); !slices.Equal(got, before) {
		t.Fatalf("%d memories before, want %d", len(got), len(before))
	}

	r.restart(r.goBack)
	if held := remembered(r.database()); len(held) == 0 || len(held) >= len(before) {
		t.Fatalf("the older copy has %d memories of %d", len(held), len(before))
	}
	r.run(append(send, "--once")...)
	if got := r.captured(len(before)); !slices.Equal(got, before) {
		t.Errorf("%d memories after the next watch, want %d", len(got), len(before))
	}
}

// settle moves what is in the write-ahead log into the database.
func (r *restored) settle() {
	r.t.Helper()
	p := follower{world: r.world}
	if err := p.statement(r.database(), "PRAGMA wal_checkpoint(TRUNCATE)"); err != nil {
		r.t.Fatal(err)
	}
}

// TestRestoredWhileWatching restores an older copy of a server's database while a watch runs that
// sends to it, and while tools go on: a server of the copy says what to do. Once its chain has a new key
// and something more is said, which the watch sends and finds out by, everything is there again, what was sent before as what was said
// meanwhile, without a restart of the watch.
func TestRestoredWhileWatching(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("starts several processes")
	}
	r := &restored{refusing: &refusing{world: &world{t: t, dir: t.TempDir(), address: freeAddress(t)}}}
	texts := transcripts(t)
	r.stop = r.asked()
	defer func() { r.stop() }()
	r.put(0, texts[0])
	older := r.replayed()
	defer r.start("watch", "--root", filepath.Join(r.dir, "r"), "--memdb-url", "http://"+r.address, "--memdb-token-file", r.token())()
	r.captured(len(older))
	r.stop()
	r.settle()
	r.keep()
	r.stop = r.asked()
	r.put(1, texts[1])
	all := r.replayed()
	r.captured(len(all))

	r.stop()
	r.put(2, texts[2]) // while there is no server
	r.settle()
	for _, suffix := range []string{"-wal", "-shm"} {
		if err := os.RemoveAll(r.database() + suffix); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(r.database(), r.copy, 0o600); err != nil {
		t.Fatal(err)
	}
	bounded, cancel := context.WithTimeout(t.Context(), 30*time.Second) // one that is taken would serve for ever
	defer cancel()
	refused := r.command(bounded, append([]string{"memdb", "serve", "--addr", r.address}, r.apart()...)...)
	if said, err := refused.CombinedOutput(); err == nil || !strings.Contains(string(said), "'memscribe memdb rekey'") {
		t.Errorf("a server of an older copy: %v\n%s", err, said)
	}
	r.run(append([]string{"memdb", "rekey"}, r.apart()...)...)
	r.stop = r.asked()
	for i, text := range texts[3:8] {
		r.put(3+i, text)
	}
	all = r.replayed()
	if got := r.captured(len(all)); !slices.Equal(got, all) {
		t.Errorf("%d memories are there again, want %d", len(got), len(all))
	}
	if said := r.run(append([]string{"memdb", "verify"}, r.apart()...)...); !strings.Contains(said, "another key signs") {
		t.Errorf("verify does not say that another key signs:\n%s", said)
	}
}
