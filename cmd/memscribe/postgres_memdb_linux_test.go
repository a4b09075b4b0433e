package main

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/memscribe/memscribe/testkit/postgres"
)

// call makes a call of a server; 0 is one that nothing answers.
func call(t *testing.T, method, url, body string) (status int, answer string) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return 0, err.Error()
	}
	defer res.Body.Close()
	text, _ := io.ReadAll(res.Body)
	return res.StatusCode, string(text)
}

// TestServersOnPostgres has two servers serve one PostgreSQL while a hundred writers
// write, kills each of them and the database in between, and starts them again. Every memory
// is there once, the chain is whole, and the password of the URL stands nowhere.
func TestServersOnPostgres(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("starts many processes")
	}
	database := postgres.Start(t)
	const password = "never-told-1"
	dsn := strings.Replace(database.Database(), "postgres@", "postgres:"+password+"@", 1)
	w := &world{t: t, dir: t.TempDir()}
	addresses := []string{freeAddress(t), freeAddress(t)}
	serve := func(i int) (kill func()) {
		return w.startUntil("serving memories", "memdb", "serve", "--db", dsn, "--addr", addresses[i], "--state-dir", filepath.Join(w.dir, fmt.Sprint("state", i)))
	}
	kills := []func(){serve(0), serve(1)}
	if status, said := call(t, "PUT", "http://"+addresses[0]+"/v1/namespaces/team", "{}"); status != http.StatusCreated {
		t.Fatalf("%d %s", status, said)
	}
	const writers, each = 100, 6
	written := make(chan struct{}, writers*each)
	var all sync.WaitGroup
	for k := range writers {
		all.Go(func() {
			for i := range each {
				body := fmt.Sprintf(`{"id":"%d-%d","kind":"note","content":"number %d of %d"}`, k, i, i, k)
				status := 0
				for try := 0; status != http.StatusOK && try < 100_000; try++ {
					status, _ = call(t, "POST", "http://"+addresses[(k+try)%2]+"/v1/namespaces/team/memories", body)
				}
				if status != http.StatusOK {
					t.Errorf("%s was never taken", body)
				}
				written <- struct{}{}
			}
		})
	}
	for round, kill := range []func(){
		func() { kills[0](); kills[0] = serve(0) }, func() { database.Kill(); database.Run() }, func() { kills[1](); kills[1] = serve(1) },
	} {
		for range writers * each / 4 {
			<-written
		}
		t.Log("kill", round)
		kill()
	}
	all.Wait()
	for i, kill := range kills {
		if status, said := call(t, "POST", "http://"+addresses[i]+"/v1/provenance/verify", ""); status != http.StatusOK ||
			!strings.Contains(said, fmt.Sprintf(`"memories":%d`, writers*each)) || !strings.Contains(said, `"ok":true`) {
			t.Errorf("server %d: %d %s", i, status, said)
		}
		kill()
		if said := w.run("memdb", "verify", "--db", dsn, "--state-dir", filepath.Join(w.dir, fmt.Sprint("state", i))); !strings.Contains(said, "good:") {
			t.Errorf("verify: %s", said)
		}
	}
	cmd := w.command(t.Context(), "memdb", "verify", "--db", strings.Replace(dsn, "/test_1?", "/nowhere?", 1))
	said, err := cmd.CombinedOutput()
	if err == nil || !strings.Contains(string(said), "there is no such database") || bytes.Contains(said, []byte(password)) {
		t.Errorf("a database that is not there: %v\n%s", err, said)
	}
}

// TestCopyIntoPostgres copies captured memories from a file into PostgreSQL, and from
// there into another file: all three have the same heads, and are good.
func TestCopyIntoPostgres(t *testing.T) {
	t.Parallel()
	const password = "never-told-2"
	dsn := strings.Replace(postgres.Start(t).Database(), "postgres@", "postgres:"+password+"@", 1)
	w := &world{t: t, dir: t.TempDir()}
	first, second := filepath.Join(w.dir, "first.db"), filepath.Join(w.dir, "second.db")
	w.run("replay", "--sink", "memdb", "--out", first, filepath.Join("..", "..", "fixtures", "claude_code", "2.1.329", "interleaved_arcs"))
	heads := func(said string) string {
		_, after, found := strings.Cut(said, "\n")
		if !found || !strings.HasPrefix(said, "copied ") || !strings.Contains(after, "entries, head ") {
			t.Fatalf("the copy said: %s", said)
		}
		return after
	}
	there := w.run("memdb", "copy", "--db", first, "--out", dsn)
	back := w.run("memdb", "copy", "--db", dsn, "--out", second)
	if heads(there) != heads(back) {
		t.Errorf("heads after one copy:\n%s\nafter two:\n%s", there, back)
	}
	if again := w.run("memdb", "copy", "--db", first, "--out", dsn); !strings.HasPrefix(again, "copied 0 entries") {
		t.Errorf("a second copy said: %s", again)
	}
	for _, database := range []string{first, dsn, second} {
		if said := w.run("memdb", "verify", "--db", database); !strings.Contains(said, "good:") {
			t.Errorf("verify: %s", said)
		}
	}
	if strings.Contains(there+back, password) {
		t.Error("the password is told")
	}
}

// TestRekeyPostgres restores an older state of a PostgreSQL behind a server's state
// folder: copy refuses it and says what to do, rekey accepts it, and a checkpoint that
// was kept elsewhere still convicts what is cut later.
func TestRekeyPostgres(t *testing.T) {
	t.Parallel()
	database := postgres.Start(t)
	const password = "never-told-3"
	dsn := strings.Replace(database.Database(), "postgres@", "postgres:"+password+"@", 1)
	w := &world{t: t, dir: t.TempDir()}
	file, kept := filepath.Join(w.dir, "first.db"), filepath.Join(w.dir, "kept")
	w.run("replay", "--sink", "memdb", "--out", file, filepath.Join("..", "..", "fixtures", "claude_code", "2.1.329", "interleaved_arcs"))
	w.run("memdb", "copy", "--db", file, "--out", dsn)
	const cut = "TRUNCATE entries, versions, memories, chains"
	database.Exec("test_1", cut)
	refused := func(want string, args ...string) {
		t.Helper()
		said, err := w.command(t.Context(), args...).CombinedOutput()
		if err == nil || !strings.Contains(string(said), want) || bytes.Contains(said, []byte(password)) {
			t.Errorf("%v: %v\n%s", args, err, said)
		}
	}
	refused("'memscribe memdb rekey'", "memdb", "copy", "--db", file, "--out", dsn)
	said := w.run("memdb", "rekey", "--db", dsn)
	if !strings.Contains(said, "entry 1 of its chain of keys says so") || !strings.Contains(said, "kept ") || strings.Contains(said, password) {
		t.Errorf("rekey said: %s", said)
	}
	w.run("memdb", "copy", "--db", file, "--out", dsn)
	found, err := filepath.Glob(filepath.Join(w.dir, "home", ".local", "state", "memscribe", "memdb-*", "memdb.checkpoint.1"))
	if err != nil || len(found) != 1 {
		t.Fatalf("checkpoints: %v, %v", found, err)
	}
	state := filepath.Dir(found[0])
	text, err := os.ReadFile(filepath.Join(state, "memdb.checkpoint"))
	if err == nil {
		err = os.WriteFile(kept, text, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	verify := []string{"memdb", "verify", "--db", dsn, "--checkpoint", kept}
	if said := w.run(verify...); !strings.Contains(said, "since entry 1 another key signs") {
		t.Errorf("verify said: %s", said)
	}
	database.Exec("test_1", cut)
	w.run("memdb", "rekey", "--db", dsn)
	refused("is not signed by the key", verify...) // the key of that checkpoint is kept beside the new one
}
