//go:build unix

package main

import (
	"bytes"
	"database/sql"
	"encoding/json"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/memscribe/memscribe/internal/nodedb"
)

// Run many with: go test ./cmd/memscribe -run Killed -kills 300
var (
	kills = flag.Int("kills", 6, "how often TestKilled kills watch")
	seed  = flag.Uint64("seed", 0, "of what is killed and fails when, as a failure names it; 0 is another each time")
)

// newChance decides what is killed and fails when. Its seed is in what a failure says.
func newChance(t *testing.T, stream uint64) *rand.Rand {
	t.Helper()
	of := *seed
	if of == 0 {
		of = uint64(time.Now().UnixNano())
	}
	t.Logf("-seed %d", of)
	return rand.New(rand.NewPCG(of, stream))
}

// TestKilled kills watch at random moments while tools write, again and again:
// in the end its sink holds what a replay gives, and nothing was written twice.
func TestKilled(t *testing.T) {
	t.Parallel()
	for _, out := range []string{"nodes.db", "nodes.ndjson"} {
		t.Run(out, func(t *testing.T) {
			k := killing{t: t, dir: t.TempDir(), rng: newChance(t, 1)}
			k.out = filepath.Join(k.dir, out)
			k.run(*kills)
			k.compare()
		})
	}
}

type killing struct {
	t        *testing.T
	dir, out string
	rng      *rand.Rand
}

// run writes transcripts piece by piece and kills watch so often meanwhile.
func (k *killing) run(times int) {
	stop := make(chan struct{})
	var writers sync.WaitGroup
	for i, name := range recordings(k.t) {
		data, err := os.ReadFile(name)
		if err != nil {
			k.t.Fatal(err)
		}
		path := filepath.Join(k.dir, "t", fmt.Sprint(i), filepath.Base(name))
		rng := rand.New(rand.NewPCG(k.rng.Uint64(), uint64(i)))
		writers.Go(func() { writeSlowly(k.t, path, data, rng, stop) })
	}
	for range times {
		cmd := k.watch()
		if err := cmd.Start(); err != nil {
			k.t.Fatal(err)
		}
		died := make(chan error, 1)
		go func() { died <- cmd.Wait() }()
		select {
		case err := <-died:
			k.t.Fatalf("watch ended by itself: %v\n%s", err, cmd.Stderr)
		case <-time.After(time.Duration(k.rng.IntN(300)) * time.Millisecond):
			_ = cmd.Process.Signal(syscall.SIGKILL)
			if err := <-died; err == nil {
				k.t.Fatal("watch ended well although it was killed")
			}
		}
	}
	close(stop)
	writers.Wait()
	if out, err := k.watch("--once").CombinedOutput(); err != nil {
		k.t.Fatalf("%v\n%s", err, out)
	}
}

func (k *killing) watch(more ...string) *exec.Cmd {
	args := append([]string{
		"watch", "--root", filepath.Join(k.dir, "t"), "--out", k.out, "--state-dir", filepath.Join(k.dir, "state"),
	}, more...)
	cmd := exec.Command("memscribe", args...)
	if len(more) == 0 {
		cmd.Stderr = &bytes.Buffer{}
	}
	return cmd
}

// recordings are transcripts of which some belong together.
func recordings(t *testing.T) []string {
	t.Helper()
	var names []string
	for _, pattern := range []string{
		"claude_code/2.1.329/fork/home/.claude/projects/*/*.jsonl", "codex/0.169.0/fork/home/.codex/sessions/*/*/*/*.jsonl",
		"qwen/0.24.4/subagent_thread/home/.qwen/projects/*/*/*.jsonl", "codex/0.169.0/subagent_thread/home/.codex/sessions/*/*/*/*.jsonl",
	} {
		found, err := filepath.Glob(filepath.Join("../../fixtures", pattern))
		if err != nil || len(found) == 0 {
			t.Fatalf("no transcripts are like %s: %v", pattern, err)
		}
		names = append(names, found...)
	}
	return names
}

// writeSlowly appends data in pieces as a tool does, the last of them when it is told
// to stop.
func writeSlowly(t *testing.T, path string, data []byte, rng *rand.Rand, stop <-chan struct{}) {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Error(err)
		return
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o600)
	if err != nil {
		t.Error(err)
		return
	}
	defer f.Close()
	for ended := false; len(data) > 0; {
		n := min(len(data), 1+rng.IntN(2<<10))
		if ended {
			n = len(data)
		}
		if _, err := f.Write(data[:n]); err != nil {
			t.Error(err)
			return
		}
		data = data[n:]
		select {
		case <-stop:
			ended = true
		case <-time.After(time.Duration(rng.IntN(40)) * time.Millisecond):
		}
	}
}

func (k *killing) compare() {
	want, err := exec.Command("memscribe", "replay", filepath.Join(k.dir, "t")).Output()
	if err != nil {
		k.t.Fatal(err)
	}
	got := k.held()
	lost := 0
	for line := range strings.Lines(string(want)) {
		line = strings.TrimSuffix(line, "\n")
		if id := idOf(k.t, line); got(id) != line {
			lost++
			k.t.Errorf("node %s\nwant %s\ngot  %s", id, line, got(id))
		}
	}
	if len(want) == 0 || lost > 0 {
		k.t.Fatalf("%d nodes are lost or wrong", lost)
	}
	if filepath.Ext(k.out) == ".db" {
		k.compareMessages()
	}
}

// compareMessages holds what was said, and what it took, to what a replay of the
// transcripts as they are keeps.
func (k *killing) compareMessages() {
	k.t.Helper()
	replayed := filepath.Join(k.dir, "replayed.db")
	if out, err := exec.Command("memscribe", "replay", filepath.Join(k.dir, "t"), "--sink", "sqlite", "--out", replayed).CombinedOutput(); err != nil {
		k.t.Fatalf("%v: %s", err, out)
	}
	if diff := cmp.Diff(saidIn(k.t, replayed), saidIn(k.t, k.out)); diff != "" {
		k.t.Fatalf("(-replay +watch):\n%s", diff)
	}
}

// saidIn is what a database has of messages, whatever the order in which they came.
func saidIn(t *testing.T, name string) (lines []string) {
	t.Helper()
	db, err := sql.Open("sqlite", name)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	for _, query := range []string{
		"SELECT hex(id), session, source, thread, project, copied, file, seq, kind, size, n >> 6, hex(text) FROM messages JOIN talks USING (t) ORDER BY id",
		"SELECT hex(id), session, source, file, ms, model, response, input, output, cache_read, cache_creation FROM usage JOIN talks USING (t) ORDER BY id",
		"SELECT session, source, thread, project, messages FROM tally ORDER BY session, source, thread, project",
		"SELECT (SELECT count(*) FROM words_docsize WHERE id % 2 = 1) = (SELECT count(*) FROM messages)",
	} {
		lines = append(lines, rowsOf(t, db, query)...)
	}
	return lines
}

// held reads what the sink holds of an id.
func (k *killing) held() func(id string) string {
	if filepath.Ext(k.out) == ".db" {
		r, err := nodedb.Open(k.t.Context(), k.out)
		if err != nil {
			k.t.Fatal(err)
		}
		k.t.Cleanup(func() { r.Close() })
		return func(id string) string {
			n, _, err := r.Node(k.t.Context(), id)
			if err != nil {
				k.t.Fatal(err)
			}
			return string(n.JSON)
		}
	}
	data, err := os.ReadFile(k.out)
	if err != nil {
		k.t.Fatal(err)
	}
	held := map[string]string{}
	for line := range strings.Lines(string(data)) {
		line = strings.TrimSuffix(line, "\n")
		id := idOf(k.t, line)
		if held[id] == line {
			k.t.Errorf("written twice in a row: %s", line)
		}
		held[id] = line
	}
	return func(id string) string { return held[id] }
}

func idOf(t *testing.T, line string) string {
	var node struct{ ID string }
	if err := json.Unmarshal([]byte(line), &node); err != nil {
		t.Fatalf("%v: %s", err, line)
	}
	return node.ID
}
