package main

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
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
