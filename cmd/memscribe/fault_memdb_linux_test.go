package main

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
)

// memoriesFile is the name of a database of memories, by which it is known.
const memoriesFile = "memories.db"

// remembered are the nodes in a database of memories, as far as it can be read.
func remembered(path string) map[string][]string {
	held := map[string][]string{}
	db, err := sql.Open("sqlite", "file:"+path+"?mode=ro&_pragma=busy_timeout(5000)")
	if err != nil {
		return held
	}
	defer db.Close()
	rows, err := db.Query("SELECT v.record FROM memories JOIN versions AS v USING (n)")
	if err != nil {
		return held // it is not there yet
	}
	defer rows.Close()
	for rows.Next() {
		var record []byte
		var memory struct {
			ID   string
			Node json.RawMessage
		}
		if rows.Scan(&record) == nil && json.Unmarshal(record, &memory) == nil {
			held[memory.ID] = append(held[memory.ID], string(memory.Node))
		}
	}
	if rows.Err() != nil {
		return map[string][]string{} // what was read is not all
	}
	return held
}

// someFaults are kinds of fault of which to try some: all of them, if all calls are
// to fail.
func someFaults(rng *rand.Rand) []diskFault {
	all := diskFaults()
	rng.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	if *faults == 0 {
		return all
	}
	return all[:2]
}

// intact wants a chain that nothing is missing of.
func (r *failing) intact() {
	r.t.Helper()
	args := []string{"memdb", "verify", "--db", r.out, "--state-dir", filepath.Join(r.dir, "state")}
	if text, err := exec.Command("memscribe", args...).CombinedOutput(); err != nil || !strings.HasPrefix(string(text), "good: ") {
		r.t.Errorf("verify: %v\n%s", err, text)
	}
}

// TestMemoriesFaults is TestFaults for memories in the process itself. The chain
// holds, whatever fails.
func TestMemoriesFaults(t *testing.T) {
	t.Parallel()
	f := newFaulty(t, memoriesFile)
	rng := newChance(t, 1)
	const calls = 60 // about so many of each kind
	for _, kind := range someFaults(rng) {
		t.Run(kind.calls+" "+kind.err, func(t *testing.T) { f.walk(t, kind, calls, rng) })
	}
}

// TestServerFaults has the disk of a server fail while watch sends it what tools
// write: the server goes on by itself, watch too, and in the end all is there,
// once, and the chain holds. What fails while the server starts ends it, and it
// says why.
func TestServerFaults(t *testing.T) {
	t.Parallel()
	f := newFaulty(t, memoriesFile)
	rng := newChance(t, 2)
	const calls = 60
	for _, kind := range someFaults(rng) {
		t.Run(kind.calls+" "+kind.err, func(t *testing.T) {
			if *faults == 0 {
				for n := 1; f.serveOnce(t, kind, n) && !t.Failed(); n++ {
					continue
				}
				return
			}
			for n := 1 + rng.IntN(calls); n > 0 && !f.serveOnce(t, kind, n); n /= 2 {
				continue
			}
		})
	}
}

// serveOnce runs a server with a fault at the nth call, and a watch that sends to
// it. It reports whether there was such a call.
func (f *faulty) serveOnce(t *testing.T, kind diskFault, n int) bool {
	t.Helper()
	s := &servingMemories{failing: f.prepare(t)}
	var config net.ListenConfig
	free, err := config.Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s.address = free.Addr().String()
	if err := free.Close(); err != nil {
		t.Fatal(err)
	}
	s.args = []string{"memdb", "serve", "--addr", s.address, "--db", s.out, "--state-dir", filepath.Join(s.dir, "state")}
	trace := []string{
		"-f", "--seccomp-bpf", "-y", "-o", s.calls, "-e", "trace=" + kind.calls,
		"-e", fmt.Sprintf("inject=%s:error=%s:when=%d", kind.calls, kind.err, n),
	}
	for _, suffix := range []string{"", "-wal", "-journal", "-shm"} {
		trace = append(trace, "-P", s.out+suffix)
	}
	s.start(trace)
	s.serves(kind)
	s.deliver()
	s.intact()
	s.compare()
	failed := s.trace(`(?m)^.*\(INJECTED\)$`)
	if t.Failed() {
		t.Logf("call %d: what failed: %.200q\nwhat the server said: %s", n, failed, s.said.String())
	}
	return len(failed) > 0
}

// servingMemories is a server under strace, and a watch that sends to it.
type servingMemories struct {
	*failing

	address string
}

// serves waits until the server answers. One that ended instead says why, and is
// started again, with a disk that works.
func (s *servingMemories) serves(kind diskFault) {
	s.t.Helper()
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	patience := time.NewTimer(time.Minute)
	defer patience.Stop()
	for {
		select {
		case s.left = <-s.died:
			why := append([]string{"the disk failed", "the disk is full, or failed"}, kind.said...)
			if s.left == nil || s.ended || !slices.ContainsFunc(why, func(why string) bool { return strings.Contains(s.said.String(), why) }) {
				s.t.Fatalf("the server ended with %v: %s", s.left, s.said.String())
			}
			s.ended = true
			s.start([]string{"-o", "/dev/null", "-e", "trace=none"})
		case <-patience.C:
			s.t.Fatal("the server does not answer")
		case <-tick.C:
			c, err := new(net.Dialer).DialContext(s.t.Context(), "tcp", s.address)
			if err == nil {
				c.Close()
				return
			}
		}
	}
}

// deliver has the tools write all that they have, each part when what came before
// is there, and ends watch and server.
func (s *servingMemories) deliver() {
	s.t.Helper()
	ctx, cancel := context.WithCancel(s.t.Context())
	defer cancel()
	watch := exec.CommandContext(ctx, "memscribe", "watch", "--root", filepath.Join(s.faulty.dir, "t"),
		"--memdb-url", "http://"+s.address, "--state-dir", filepath.Join(s.dir, "state"))
	if err := watch.Start(); err != nil {
		s.t.Fatal(err)
	}
	for part := range partCount {
		if part > 0 {
			s.write(part)
		}
		if !s.awaits(s.want[part]) {
			break
		}
	}
	cancel()
	_ = watch.Wait() // it was killed
	if err := syscall.Kill(-s.cmd.Process.Pid, syscall.SIGTERM); err != nil {
		s.t.Error(err)
	}
	s.left = <-s.died
}

// TestFullServer fills the disk of a server: what it has said to have taken is
// there, and once there is room it takes what waits at watch.
func TestFullServer(t *testing.T) {
	t.Parallel()
	f := newFull(t, memoriesFile, "208k")
	w := &world{t: t, dir: f.dir}
	var config net.ListenConfig
	free, err := config.Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	w.address = free.Addr().String()
	if err := free.Close(); err != nil {
		t.Fatal(err)
	}
	state := filepath.Join(f.dir, "state")
	stop := w.startUntil("serving memories", "memdb", "serve", "--addr", w.address, "--db", f.out, "--state-dir", state)
	watch := w.command(t.Context(), "watch", "--once", "--root", filepath.Join(f.dir, "t"), "--memdb-url", "http://"+w.address, "--state-dir", state)
	if text, err := watch.CombinedOutput(); err != nil || !strings.Contains(string(text), "wait in the spool") {
		t.Errorf("on a full disk: %v\n%s", err, text)
	}
	f.grow()
	w.run("watch", "--once", "--root", filepath.Join(f.dir, "t"), "--memdb-url", "http://"+w.address, "--state-dir", state)
	stop()
	replayed := w.run("replay", filepath.Join(f.dir, "t"))
	held := remembered(f.out)
	if n := strings.Count(replayed, "\n"); n == 0 || n != len(held) {
		t.Errorf("%d nodes came through, %d were to", len(held), n)
	}
	if verdict := w.run("memdb", "verify", "--db", f.out, "--state-dir", state); !strings.HasPrefix(verdict, "good:") {
		t.Error(verdict)
	}
}
