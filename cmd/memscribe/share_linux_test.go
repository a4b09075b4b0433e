package main

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"
)

// TestWatchShares has a watch share a project that is joined while it runs, and what is
// captured later, without anybody calling sync, and another one receive it. A watch that was
// not asked to shares nothing.
func TestWatchShares(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not there")
	}
	server := &world{t: t, dir: t.TempDir(), address: freeAddress(t)}
	database, state := filepath.Join(server.dir, "team.db"), filepath.Join(server.dir, "state")
	token := filepath.Join(server.dir, "token")
	made := server.run("memdb", "token", "create", "team", "--namespace", "acme.app", "--right", "admin", "--db", database, "--state-dir", state)
	if err := os.WriteFile(token, []byte(made), 0o600); err != nil {
		t.Fatal(err)
	}
	defer server.startUntil("serving memories", "memdb", "serve", "--db", database, "--addr", server.address, "--state-dir", state)()
	ann := newMember(t, "Ann")
	ann.talk(aSession, 100, ann.clone)
	const nodes = 15 // of a session
	kill := ann.startUntil("following", "watch")
	ann.does("join", "http://"+server.address, "--token-file", token)
	kill() // it shared nothing: what follows finds everything new
	kill = ann.startUntil("shared", "watch", "--share-every", "100ms")
	if s := ann.sync(); s.New != 0 || s.Same != nodes {
		t.Errorf("after the watch a sync found %+v", s)
	}
	carl := newMember(t, "Carl")
	carl.does("join", "http://"+server.address, "--token-file", token)
	defer carl.startUntil("received", "watch", "--receive-every", "100ms")()
	ann.talk(aSession, 101, ann.clone)
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	for held := 0; held != 2*nodes; {
		if ctx.Err() != nil {
			t.Fatalf("the server never had the second session: %d nodes", held)
		}
		receiver := newMember(t, "Bob")
		receiver.does("join", "http://"+server.address, "--token-file", token)
		receiver.does("watch", "--once")
		receiver.sync("--receive")
		held = len(receiver.received())
	}
	for ctx.Err() == nil && len(carl.received()) != 2*nodes { // while his watch runs
		carl.does("query", "decisions")
	}
	if got := len(carl.received()); got != 2*nodes {
		t.Errorf("a watch that receives by itself has %d nodes", got)
	}
	kill()
}
