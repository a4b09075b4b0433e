package main

import (
	"bytes"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/memscribe/memscribe/internal/app/target"
	"github.com/memscribe/memscribe/internal/app/watch"
	"github.com/memscribe/memscribe/internal/nodedb"
)

// Have every call fail in turn with: go test ./cmd/memscribe -run Faults -faults 0 -timeout 1h
var faults = flag.Int("faults", 1, "how many calls TestFaults lets fail for each sink and kind of fault; 0 is all in turn")

// diskFault is a kind of failure of the disk.
type diskFault struct {
	calls, err string
	said       []string // one of them is what watch says of it
}

func diskFaults() []diskFault {
	// SQLite does not say why the index of its log cannot grow: the last one.
	failed := []string{"input/output error", "the disk failed", "the disk is full, or failed"}
	return []diskFault{
		{"write,pwrite64", "EIO", failed},
		{"write,pwrite64", "ENOSPC", []string{"no space left on device", "the disk is full"}},
		{"fsync,fdatasync", "EIO", failed},
		{"openat", "ENOSPC", []string{"no space left on device", "cannot be opened"}},
		{"ftruncate,/^rename", "EIO", nil}, // nothing may hang on it
	}
}

// TestFaults has the disk fail at one call of watch after another, while tools
// write: watch says so, goes on by itself, and in the end its sink holds what a
// replay gives. What fails while the sink is opened for the first time ends
// watch, and the next one goes on.
func TestFaults(t *testing.T) {
	for _, out := range []string{"nodes.db", "nodes.ndjson"} {
		t.Run(out, func(t *testing.T) {
			t.Parallel()
			f := newFaulty(t, out)
			rng := newChance(t, 1)
			calls := f.count(t)
			for _, kind := range diskFaults() {
				t.Run(kind.calls+" "+kind.err, func(t *testing.T) { f.walk(t, kind, calls[kind.calls], rng) })
			}
		})
	}
}

// walk lets a kind of call fail, some of them or each in turn. There are so many
// of them.
func (f *faulty) walk(t *testing.T, kind diskFault, calls int, rng *rand.Rand) {
	if *faults == 0 {
		n := 1
		for f.once(t, kind, n) && !t.Failed() {
			n++
		}
		t.Logf("%d calls failed in turn", n-1)
		return
	}
	for range *faults {
		n := 1 + rng.IntN(max(calls, 1))
		for n > 0 && !f.once(t, kind, n) { // its threads have shared the work in another way
			n /= 2
		}
		if t.Failed() {
			t.Fatalf("when call %d of %s fails with %s", n, kind.calls, kind.err)
		}
	}
}

// faulty is a watch whose disk fails, over transcripts that are written in parts.
type faulty struct {
	killing

	names []string
	parts [][][]byte // of each transcript
	want  []map[string]string
}

const partCount = 3

func newFaulty(t *testing.T, out string) *faulty {
	t.Helper()
	mayTrace(t)
	f := &faulty{killing: killing{t: t, dir: t.TempDir(), out: out}}
	for i, name := range recordings(t) {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(f.dir, "t", fmt.Sprint(i), filepath.Base(name))
		if err = os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		f.names, f.parts = append(f.names, path), append(f.parts, inParts(data))
	}
	for i := range partCount {
		f.write(i)
		out, err := exec.Command("memscribe", "replay", filepath.Join(f.dir, "t")).Output()
		if err != nil {
			t.Fatal(err)
		}
		nodes := map[string]string{}
		for line := range strings.Lines(string(out)) {
			line = strings.TrimSuffix(line, "\n")
			nodes[idOf(t, line)] = line
		}
		f.want = append(f.want, nodes)
	}
	return f
}

// inParts cuts data where lines end.
func inParts(data []byte) (parts [][]byte) {
	lines := bytes.SplitAfter(data, []byte("\n"))
	for i := range partCount {
		from, to := i*len(lines)/partCount, (i+1)*len(lines)/partCount
		parts = append(parts, bytes.Join(lines[from:to], nil))
	}
	return parts
}

// write appends a part to every transcript; the first one begins it.
func (f *faulty) write(part int) {
	for i, name := range f.names {
		how := os.O_WRONLY | os.O_CREATE | os.O_APPEND
		if part == 0 {
			how |= os.O_TRUNC
		}
		file, err := os.OpenFile(name, how, 0o600)
		if err == nil {
			_, err = file.Write(f.parts[i][part])
		}
		if err != nil {
			f.t.Fatal(err)
		}
		file.Close()
	}
}

// count runs watch without a fault, and returns how many calls of each kind one
// of its threads has made at most: strace counts those of each.
func (f *faulty) count(t *testing.T) map[string]int {
	t.Helper()
	kinds := map[string][]string{}
	all := ""
	for _, kind := range diskFaults() {
		kinds[kind.calls] = strings.Split(kind.calls, ",")
		all += "," + kind.calls
	}
	r := f.begin(t, all[1:], "")
	r.finish()
	r.check(diskFault{}, nil)
	most, calls := map[string]int{}, map[string]int{}
	for _, line := range r.trace(`(?m)^(\d+) +(\w+)\(.*$`) {
		for kind, names := range kinds {
			if slices.Contains(names, line[2]) || strings.HasPrefix(line[2], "rename") && strings.Contains(kind, "rename") {
				calls[line[1]+kind]++
				most[kind] = max(most[kind], calls[line[1]+kind])
			}
		}
	}
	return most
}

// once runs watch with a fault at the nth call, and once more without. It reports
// whether there was such a call.
func (f *faulty) once(t *testing.T, kind diskFault, n int) bool {
	t.Helper()
	r := f.begin(t, kind.calls, fmt.Sprintf("inject=%s:error=%s:when=%d", kind.calls, kind.err, n))
	r.finish()
	failed := r.trace(`(?m)^.*\(INJECTED\)$`)
	r.check(kind, failed)
	r.again()
	r.compare()
	if sinkOf(r.out) == target.Memories {
		r.intact()
	}
	if t.Failed() {
		t.Logf("what failed: %.200q\nwhat watch said: %s", failed, r.said.String())
	}
	return len(failed) > 0
}

// failing is a run of watch under strace.
type failing struct {
	*faulty

	t     *testing.T
	dir   string // of what it writes
	out   string
	calls string // the file of what strace has seen
	args  []string
	cmd   *exec.Cmd
	said  bytes.Buffer
	died  chan error
	left  error // how it ended
	ended bool  // by itself

	noting bool // what was delivered must also be noted
	notes  []byte
}

// begin runs watch under strace, which looks at its sink and its notes, and at
// these calls.
func (f *faulty) begin(t *testing.T, calls, inject string) *failing {
	t.Helper()
	r := f.prepare(t)
	trace := []string{"-f", "--seccomp-bpf", "-y", "-o", r.calls, "-e", "trace=" + calls}
	for _, suffix := range []string{"", "-wal", "-journal", "-shm"} {
		trace = append(trace, "-P", r.out+suffix)
	}
	state := filepath.Join(r.dir, "state")
	notes := watch.NotesAbout(state, sinkOf(r.out), r.out)
	trace = append(trace, "-P", notes, "-P", notes+".new", "-P", state)
	if inject != "" {
		trace = append(trace, "-e", inject)
	}
	r.start(trace)
	return r
}

// prepare has the tools begin to write.
func (f *faulty) prepare(t *testing.T) *failing {
	t.Helper()
	f.write(0)
	r := &failing{faulty: f, t: t, dir: t.TempDir(), calls: filepath.Join(t.TempDir(), "calls"), died: make(chan error, 1)}
	r.out = filepath.Join(r.dir, f.out)
	r.args = []string{
		"watch", "--root", filepath.Join(f.dir, "t"), "--sink", sinkOf(r.out), "--out", r.out, "--state-dir", filepath.Join(r.dir, "state"),
	}
	return r
}

// start starts watch under strace.
func (r *failing) start(strace []string) {
	r.t.Helper()
	r.cmd = exec.Command("strace", append(append(strace, "memscribe"), r.args...)...)
	r.cmd.Stderr, r.cmd.SysProcAttr = &r.said, &syscall.SysProcAttr{Setpgid: true}
	if err := r.cmd.Start(); err != nil {
		r.t.Fatal(err)
	}
	r.t.Cleanup(func() { _ = syscall.Kill(-r.cmd.Process.Pid, syscall.SIGKILL) })
	go func() { r.died <- r.cmd.Wait() }()
}

// finish has the tools write all that they have, each part when watch has
// delivered the one before, and ends watch.
func (r *failing) finish() {
	r.t.Helper()
	for part := range partCount {
		if part > 0 {
			r.write(part)
		}
		if !r.ended && !r.awaits(r.want[part]) {
			return
		}
	}
	if r.ended {
		return
	}
	if err := syscall.Kill(-r.cmd.Process.Pid, syscall.SIGTERM); err != nil {
		r.t.Fatal(err)
	}
	r.left = <-r.died
}

// awaits waits until the sink holds what it should, or watch ends.
func (r *failing) awaits(want map[string]string) bool {
	r.t.Helper()
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	patience := time.NewTimer(time.Minute)
	defer patience.Stop()
	for {
		select {
		case r.left = <-r.died:
			r.ended = true
			return true
		case <-patience.C:
			_ = syscall.Kill(-r.cmd.Process.Pid, syscall.SIGKILL)
			r.left = <-r.died
			r.t.Error("watch does not go on by itself")
			return false
		case <-tick.C:
			if r.holds(want) && r.hasNoted() {
				return true
			}
		}
	}
}

// hasNoted reports whether watch has noted something new, where that is waited for.
func (r *failing) hasNoted() bool {
	if !r.noting {
		return true
	}
	notes, err := os.ReadFile(watch.NotesAbout(filepath.Join(r.dir, "state"), sinkOf(r.out), r.out))
	if err != nil || bytes.Equal(notes, r.notes) {
		return false
	}
	r.notes = notes
	return true
}

// holds reports whether the sink holds all that it should.
func (r *failing) holds(want map[string]string) bool {
	held := r.held()
	for id, line := range want {
		if len(held[id]) == 0 || held[id][len(held[id])-1] != line {
			return false
		}
	}
	return true
}

// held is what the sink holds of each id, the last at the end, as far as it can
// be read.
func (r *failing) held() map[string][]string {
	held := map[string][]string{}
	if sinkOf(r.out) == target.Memories {
		return remembered(r.out)
	}
	if filepath.Ext(r.out) == ".db" {
		db, err := nodedb.Open(r.t.Context(), r.out)
		if err != nil {
			return held // it is not there yet
		}
		defer db.Close()
		for id := range r.want[partCount-1] {
			if n, known, err := db.Node(r.t.Context(), id); err == nil && known {
				held[id] = []string{string(n.JSON)}
			}
		}
		return held
	}
	data, _ := os.ReadFile(r.out)
	for line := range strings.Lines(string(data)) {
		if line, whole := strings.CutSuffix(line, "\n"); whole {
			id := idOf(r.t, line)
			held[id] = append(held[id], line)
		}
	}
	return held
}

// again runs watch once more, without a fault.
func (r *failing) again() {
	r.t.Helper()
	if text, err := exec.Command("memscribe", append(r.args, "--once")...).CombinedOutput(); err != nil {
		r.t.Errorf("the next watch: %v\n%s", err, text)
	}
}

// compare holds the sink to a replay: nothing is lost, and nothing doubled.
func (r *failing) compare() {
	r.t.Helper()
	held := r.held()
	for id, line := range r.want[partCount-1] {
		if lines := held[id]; len(lines) == 0 || lines[len(lines)-1] != line {
			r.t.Errorf("node %s\nwant %s\ngot  %s", id, line, lines)
		}
		if lines := held[id]; len(slices.Compact(lines)) < len(lines) {
			r.t.Errorf("node %s is written twice in a row", id)
		}
	}
}

// trace finds in what strace has seen.
func (r *failing) trace(pattern string) [][]string {
	r.t.Helper()
	data, err := os.ReadFile(r.calls)
	if err != nil {
		r.t.Fatal(err)
	}
	return regexp.MustCompile(pattern).FindAllStringSubmatch(string(data), -1)
}

// check holds what watch said and how it ended to what has failed.
func (r *failing) check(kind diskFault, failed [][]string) {
	r.t.Helper()
	said := r.said.String()
	switch {
	case len(failed) == 0 && (r.left != nil || strings.Contains(said, "cannot")):
		r.t.Errorf("nothing has failed, and watch ended with %v", r.left)
	case r.ended && strings.Contains(said, "msg=watching"):
		r.t.Errorf("watch has not gone on: it ended with %v", r.left)
	case len(failed) > 0 && len(kind.said) > 0 && (r.left != nil || !r.isClosing()):
		if !slices.ContainsFunc(kind.said, func(s string) bool { return strings.Contains(said, s) }) {
			r.t.Errorf("watch did not say that %v", kind.said)
		}
	}
}

// isClosing reports whether it is only after the end was asked for that a call has
// failed. When the last to use a database closes it, SQLite does not say if that
// cannot be tidied up: it leaves its log for the next one.
func (r *failing) isClosing() bool {
	data, err := os.ReadFile(r.calls)
	if err != nil {
		r.t.Fatal(err)
	}
	before, _, _ := strings.Cut(string(data), "(INJECTED)")
	return strings.Contains(before, "--- SIGTERM")
}

// sinkOf is the kind of sink that writes to a file of such a name.
func sinkOf(out string) string {
	if filepath.Base(out) == memoriesFile {
		return target.Memories
	}
	if filepath.Ext(out) == ".db" {
		return target.Database
	}
	return "ndjson"
}

// mayTrace skips where strace cannot be used.
func mayTrace(t *testing.T) {
	t.Helper()
	if err := exec.Command("strace", "-o", "/dev/null", "true").Run(); err != nil {
		t.Skipf("there is no strace here, or it may not be used: %v", err)
	}
}
