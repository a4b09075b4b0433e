package main

import (
	"bufio"
	"bytes"
	"context"
	"database/sql"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// world is a home folder with programs in it that run and are killed.
type world struct {
	t       *testing.T
	dir     string
	address string
}

func (w *world) command(ctx context.Context, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, "memscribe", args...)
	home := filepath.Join(w.dir, "home")
	cmd.Env = append(os.Environ(), "HOME="+home, "USERPROFILE="+home, "LOCALAPPDATA="+filepath.Join(home, "AppData", "Local"),
		"XDG_CONFIG_HOME=", "XDG_DATA_HOME=", "XDG_STATE_HOME=") // whoever runs the tests may have set them
	return cmd
}

// run runs a command to its end and returns what it prints.
func (w *world) run(args ...string) string {
	w.t.Helper()
	cmd := w.command(w.t.Context(), args...)
	var said bytes.Buffer
	cmd.Stderr = &said
	out, err := cmd.Output()
	if err != nil {
		w.t.Fatalf("memscribe %v: %v\n%s", args, err, said.String())
	}
	return string(out)
}

// start starts a command and returns what kills it, at once and without a word.
func (w *world) start(args ...string) (kill func()) {
	return w.startUntil("", args...)
}

// startUntil is start, and waits until the command says something.
func (w *world) startUntil(says string, args ...string) (kill func()) {
	w.t.Helper()
	ctx, cancel := context.WithCancel(w.t.Context())
	ended := w.until(says, w.command(ctx, args...))
	return func() {
		cancel()
		ended()
	}
}

// until starts a command, waits until it says something, and returns what waits for its end.
func (w *world) until(says string, cmd *exec.Cmd) (ended func()) {
	w.t.Helper()
	stderr, err := cmd.StderrPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		w.t.Fatal(err)
	}
	said := bufio.NewScanner(stderr)
	for says != "" && !strings.Contains(said.Text(), says) {
		if !said.Scan() {
			w.t.Fatalf("%v has never said %q: %v", cmd.Args, says, cmd.Wait())
		}
	}
	read := make(chan struct{})
	go func() {
		for said.Scan() {
			continue // what nobody reads would hold it up
		}
		close(read)
	}()
	return func() {
		<-read
		_ = cmd.Wait() // it may have been killed
	}
}

func (w *world) serve() (kill func()) {
	return w.startUntil("serving memories", "memdb", "serve", "--addr", w.address, "--db", w.database())
}

// killed kills a command at a random moment while the test goes on, and says when
// it is over.
func killed(rng *rand.Rand, kill func()) (over chan struct{}) {
	over = make(chan struct{})
	time.AfterFunc(time.Duration(rng.IntN(60))*time.Millisecond, func() {
		kill()
		close(over)
	})
	return over
}

func (w *world) database() string { return filepath.Join(w.dir, "memories.db") }

func (w *world) watch() (kill func()) {
	return w.start("watch", "--root", filepath.Join(w.dir, "r"), "--memdb-url", "http://"+w.address)
}

// held are the nodes in the database.
func (w *world) held() []string {
	w.t.Helper()
	db, err := sql.Open("sqlite", "file:"+w.database()+"?_pragma=busy_timeout(5000)")
	if err != nil {
		w.t.Fatal(err)
	}
	defer db.Close()
	rows, err := db.Query("SELECT json_extract(v.record, '$.id') || ' ' || json_extract(v.record, '$.node') FROM memories JOIN versions AS v USING (n)")
	if err != nil {
		w.t.Fatal(err)
	}
	defer rows.Close()
	var all []string
	for rows.Next() {
		var one string
		if err := rows.Scan(&one); err != nil {
			w.t.Fatal(err)
		}
		all = append(all, one)
	}
	if err := rows.Err(); err != nil {
		w.t.Fatal(err)
	}
	slices.Sort(all)
	return all
}

// transcripts are some of the fixtures.
func transcripts(t *testing.T) (all [][]byte) {
	t.Helper()
	err := filepath.WalkDir("../../fixtures/claude_code", func(name string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() && strings.HasSuffix(name, ".jsonl") && len(all) < 24 {
			var text []byte
			text, err = os.ReadFile(name)
			all = append(all, text)
		}
		return err
	})
	if err != nil || len(all) < 5 {
		t.Fatalf("%d transcripts, %v", len(all), err)
	}
	return all
}

// TestMemDBKilled lets transcripts grow while the server and the watcher are
// killed, again and again. In the end every node is there, once, and the chain
// holds.
func TestMemDBKilled(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("starts many processes")
	}
	var config net.ListenConfig
	free, err := config.Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	w := &world{t: t, dir: t.TempDir(), address: free.Addr().String()}
	if err := free.Close(); err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(4, 2))
	texts := transcripts(t)
	killServer, killWatch := w.serve(), w.watch()
	for i, text := range texts {
		name := filepath.Join(w.dir, "r", fmt.Sprintf("p%d", i), "s.jsonl")
		if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
			t.Fatal(err)
		}
		half := rng.IntN(len(text))
		for _, upTo := range []int{half, len(text)} {
			if err := os.WriteFile(name, text[:upTo], 0o600); err != nil {
				t.Fatal(err)
			}
			switch rng.IntN(4) {
			case 0:
				<-killed(rng, killServer)
				killServer = w.serve()
			case 1:
				<-killed(rng, killWatch)
				killWatch = w.watch()
			}
		}
	}
	killWatch()
	w.run("watch", "--once", "--root", filepath.Join(w.dir, "r"), "--memdb-url", "http://"+w.address)
	killServer()
	got := w.held()
	w.run("replay", filepath.Join(w.dir, "r"), "--sink", "memdb", "--out", filepath.Join(w.dir, "replayed.db"))
	verdict := w.run("memdb", "verify", "--db", w.database())
	if !strings.HasPrefix(verdict, "good:") {
		t.Error(verdict)
	}
	replayed := &world{t: t, dir: t.TempDir()}
	if err := os.Rename(filepath.Join(w.dir, "replayed.db"), replayed.database()); err != nil {
		t.Fatal(err)
	}
	want := replayed.held()
	if !slices.Equal(got, want) {
		t.Errorf("%d nodes came through, %d were to", len(got), len(want))
	}
	if len(want) == 0 {
		t.Error("there was nothing to lose")
	}
}
