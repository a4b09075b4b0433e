//go:build unix

package main

import (
	"bytes"
	"encoding/json"
	"io"
	"io/fs"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/memscribe/memscribe/internal/nodedb"
)

// following is a watch that runs, and what it writes to.
type following struct {
	*testing.T

	dir, out string
	cmd      *exec.Cmd
	said     *words
	ended    chan error
}

// words is what a program says, while it does.
type words struct {
	mu  sync.Mutex
	all bytes.Buffer
}

func (w *words) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.all.Write(p)
}

func (w *words) String() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.all.String()
}

// follow starts a watch of two transcripts, and returns when it has caught up.
func follow(t *testing.T, out string) *following {
	t.Helper()
	f := &following{T: t, dir: t.TempDir()}
	f.out = filepath.Join(f.dir, out)
	for _, name := range recordings(t)[:2] {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		f.append(filepath.Join("t", "p", filepath.Base(name)), data)
	}
	f.start()
	f.until("it has caught up", func() bool { return f.status() == "following" })
	return f
}

func (f *following) args(more ...string) []string {
	return append([]string{
		"watch", "--root", filepath.Join(f.dir, "t"), "--out", f.out, "--state-dir", filepath.Join(f.dir, "state"),
	}, more...)
}

func (f *following) start() {
	f.Helper()
	f.cmd, f.said, f.ended = exec.Command("memscribe", f.args("--status-addr", "127.0.0.1:0")...), &words{}, make(chan error, 1)
	f.cmd.Stderr = f.said
	if err := f.cmd.Start(); err != nil {
		f.Fatal(err)
	}
	cmd, ended := f.cmd, f.ended
	go func() { ended <- cmd.Wait() }()
	f.Cleanup(func() { _ = cmd.Process.Kill() })
}

// stop ends the watch as a service is ended.
func (f *following) stop() {
	f.Helper()
	_ = f.cmd.Process.Signal(syscall.SIGTERM)
	if err := <-f.ended; err != nil {
		f.Errorf("%v\n%s", err, f.said)
	}
}

func (f *following) append(name string, data []byte) {
	f.Helper()
	path := filepath.Join(f.dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		f.Fatal(err)
	}
	file, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		f.Fatal(err)
	}
	if _, err = file.Write(data); err != nil {
		f.Fatal(err)
	}
	if err := file.Close(); err != nil {
		f.Fatal(err)
	}
}

// grow has a transcript come that gives nodes.
func (f *following) grow() {
	f.Helper()
	session, err := os.ReadFile("testdata/session.jsonl")
	if err != nil {
		f.Fatal(err)
	}
	f.append("t/p/session.jsonl", session)
}

// until waits until something is true.
func (f *following) until(what string, is func() bool) {
	f.Helper()
	deadline := time.After(30 * time.Second)
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for !is() {
		select {
		case <-tick.C:
		case err := <-f.ended:
			f.Fatalf("watch ended before this: %s: %v\n%s", what, err, f.said)
		case <-deadline:
			f.Fatalf("this never was: %s\n%s", what, f.said)
		}
	}
}

func (f *following) hears(text string) {
	f.Helper()
	f.until("it says "+text, func() bool { return strings.Contains(f.said.String(), text) })
}

// status is what the watch says of itself; "" before it says anything.
func (f *following) status() string {
	at := regexp.MustCompile(`msg="serving status" address=(\S+)`).FindStringSubmatch(f.said.String())
	if at == nil {
		return ""
	}
	r, err := http.NewRequestWithContext(f.Context(), http.MethodGet, "http://"+at[1]+"/healthz", nil)
	if err != nil {
		f.Fatal(err)
	}
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		return ""
	}
	defer answer.Body.Close()
	var health struct{ Status string }
	if body, err := io.ReadAll(answer.Body); err != nil || json.Unmarshal(body, &health) != nil {
		return ""
	}
	return health.Status
}

// nodes are what a log holds: of each id the last line. A line that is no node fails
// the test.
func (f *following) nodes(path string) []string {
	f.Helper()
	data, err := os.ReadFile(path)
	if err != nil && !os.IsNotExist(err) {
		f.Fatal(err)
	}
	last := map[string]string{}
	for line := range strings.Lines(string(data)) {
		if strings.HasSuffix(line, "\n") { // else it is being written
			last[idOf(f.T, line)] = line
		}
	}
	var all []string
	for _, line := range last {
		all = append(all, line)
	}
	slices.Sort(all)
	return all
}

// replayed are the nodes that a replay gives of the transcripts as they are.
func (f *following) replayed() []string {
	f.Helper()
	path := filepath.Join(f.dir, "replayed.ndjson")
	if out, err := exec.Command("memscribe", "replay", filepath.Join(f.dir, "t"), "--out", path).CombinedOutput(); err != nil {
		f.Fatalf("%v\n%s", err, out)
	}
	return f.nodes(path)
}

// holdsAll waits until the output holds all that a replay gives.
func (f *following) holdsAll() {
	f.Helper()
	want := f.replayed()
	f.until("the output holds what a replay gives", func() bool { return f.holds(want) })
}

// holds reports whether the output holds these nodes.
func (f *following) holds(want []string) bool {
	f.Helper()
	if filepath.Ext(f.out) == ".ndjson" {
		return slices.Equal(f.nodes(f.out), want)
	}
	r, err := nodedb.Open(f.Context(), f.out)
	if err != nil {
		return false // it is being made
	}
	defer r.Close()
	for _, line := range want {
		if n, _, err := r.Node(f.Context(), idOf(f.T, line)); err != nil || string(n.JSON) != strings.TrimSuffix(line, "\n") {
			return false
		}
	}
	return len(want) > 0
}

// TestOutputIsLost takes the output away from under a watch, in every way in which
// that happens: it says so, and writes all of it again, while it runs and whether or
// not something new comes.
func TestOutputIsLost(t *testing.T) {
	for name, take := range map[string]func(f *following) error{
		"copytruncate": func(f *following) error { return os.Truncate(f.out, 0) },
		"rename":       func(f *following) error { return os.Rename(f.out, f.out+".1") },
		"remove":       func(f *following) error { return os.Remove(f.out) },
		"replace": func(f *following) error {
			if err := os.WriteFile(f.out+".new", nil, 0o600); err != nil {
				return err
			}
			return os.Rename(f.out+".new", f.out)
		},
		"remove the log of": func(f *following) error { return os.Remove(f.out + "-wal") },
		"replace the log of": func(f *following) error {
			if err := os.WriteFile(f.out+".new", nil, 0o600); err != nil {
				return err
			}
			return os.Rename(f.out+".new", f.out+"-wal")
		},
	} {
		for _, out := range []string{"nodes.ndjson", "nodes.db"} {
			if out == "nodes.db" && name == "copytruncate" {
				continue // nobody rotates a database
			}
			if out == "nodes.ndjson" && strings.Contains(name, "the log") {
				continue // there is none
			}
			for _, grows := range []string{"", " while transcripts grow"} {
				t.Run(name+" "+out+grows, func(t *testing.T) {
					t.Parallel()
					f := follow(t, out)
					if err := take(f); err != nil {
						t.Fatal(err)
					}
					if grows != "" {
						f.grow()
					}
					f.hears("what was written is not there any more")
					f.holdsAll()
					f.until("it follows", func() bool { return f.status() == "following" })
					f.stop()
					if !f.holds(f.replayed()) {
						t.Error("after the end it is not what a replay gives")
					}
				})
			}
		}
	}
}

// TestRotatedBetweenRuns rotates a log while no watch runs: the next one writes again
// what is not there.
func TestRotatedBetweenRuns(t *testing.T) {
	f := follow(t, "nodes.ndjson")
	f.stop()
	whole, err := os.ReadFile(f.out)
	if err != nil {
		t.Fatal(err)
	}
	hole := bytes.IndexByte(whole, '\n')
	for name, left := range map[string][]byte{
		"truncated":      nil,
		"cut":            whole[:len(whole)/2],
		"with a hole":    append(make([]byte, hole), whole[hole:]...),
		"without a node": whole[hole+1:],
	} {
		if err := os.WriteFile(f.out, left, 0o600); err != nil {
			t.Fatal(err)
		}
		if out, err := exec.Command("memscribe", f.args("--once")...).CombinedOutput(); err != nil {
			t.Fatalf("%s: %v\n%s", name, err, out)
		}
		if !f.holds(f.replayed()) {
			t.Errorf("%s: not everything was written again", name)
		}
	}
}

// TestStateFolderIsLost removes the state folder from under a watch: it says so, makes
// it again, and goes on.
func TestStateFolderIsLost(t *testing.T) {
	for _, out := range []string{"nodes.ndjson", "nodes.db"} {
		t.Run(out, func(t *testing.T) {
			t.Parallel()
			f := follow(t, out)
			state := filepath.Join(f.dir, "state")
			f.losesState()
			f.hears("the state folder was removed or replaced")
			f.until("there are notes again", func() bool {
				notes, err := fs.Glob(os.DirFS(state), "done-*")
				return err == nil && len(notes) == 1
			})
			f.grow()
			f.holdsAll()
			f.stop()
		})
	}
}

// TestTwoWatches has a second watch come to the output of one that runs: with a state
// folder of its own, and after the state folder with its lock was removed. Only one of
// them writes, and the first goes on when the second has ended.
func TestTwoWatches(t *testing.T) {
	for _, out := range []string{"nodes.ndjson", "nodes.db"} {
		t.Run(out, func(t *testing.T) {
			t.Parallel()
			f := follow(t, out)
			said, err := exec.Command("memscribe", f.args("--once", "--state-dir", filepath.Join(f.dir, "other"))...).CombinedOutput()
			if err == nil || !strings.Contains(string(said), "another memscribe watch is using it") {
				t.Errorf("a second watch with its own state folder: %v\n%s", err, said)
			}
			f.refusesAliases(out)
			for i := range 3 {
				f.losesState()
				_, _ = exec.Command("memscribe", f.args("--once")...).CombinedOutput() // whoever is faster has it
				f.until("the first begins again", func() bool {
					return strings.Count(f.said.String(), "beginning again") > i
				})
				f.until("the first follows", func() bool { // and not still, from before
					return strings.Count(f.said.String(), "msg=watching folder="+filepath.Join(f.dir, "t")) > i+1 && f.status() == "following"
				})
			}
			f.grow()
			f.holdsAll()
			f.stop()
		})
	}
}

// losesState removes the state folder. The watch may write its status while that happens,
// and the folder is then not empty when its entries are gone.
func (f *following) losesState() {
	f.Helper()
	f.until("the state folder is removed", func() bool { return os.RemoveAll(filepath.Join(f.dir, "state")) == nil })
}

// refusesAliases tries another watch on the output under its other names. The hard link is
// gone when it returns.
func (f *following) refusesAliases(out string) {
	f.Helper()
	for how, link := range map[string]func(old, name string) error{"symbolic": os.Symlink, "hard": os.Link} {
		name := filepath.Join(f.dir, how+filepath.Ext(out))
		if err := link(filepath.Join(f.dir, out), name); err != nil {
			f.Skip(err) // on Windows
		}
		said, err := exec.Command("memscribe", f.args("--once", "--state-dir", filepath.Join(f.dir, "other"), "--out", name)...).CombinedOutput()
		if err == nil || !regexp.MustCompile("another memscribe watch is using it|more than one name").Match(said) {
			f.Errorf("a second watch by a %s link: %v\n%s", how, err, said)
		}
		if err := os.Remove(name); err != nil {
			f.Fatal(err)
		}
	}
}
