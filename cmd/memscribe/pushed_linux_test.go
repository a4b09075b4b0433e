package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/memscribe/memscribe/testkit/powerloss"
)

// pushing is a state folder to which is pushed.
type pushing struct {
	t     *testing.T
	dir   string
	state string
}

func newPushing(t *testing.T) *pushing {
	t.Helper()
	dir := t.TempDir()
	return &pushing{t: t, dir: dir, state: filepath.Join(dir, "state")}
}

// numbered is a text that is found again.
func numbered(i int) string { return fmt.Sprintf("what was said as number %06d, ", i) }

// hook runs a hook, under strace if there are options for it. Whatever happens, it
// must not be noticed.
func (p *pushing) hook(i int, strace ...string) {
	p.t.Helper()
	args := append(strace, "memscribe", "hook", "--tool", "codex", "--state-dir", p.state)
	cmd := exec.Command(args[0], args[1:]...)
	payload, err := json.Marshal(map[string]string{"session_id": "s", "hook_event_name": "Stop", "prompt": strings.Repeat(numbered(i), 50)})
	if err != nil {
		p.t.Fatal(err)
	}
	cmd.Stdin = bytes.NewReader(payload)
	if out, err := cmd.CombinedOutput(); err != nil || len(out) > 0 {
		p.t.Errorf("a hook is noticed: %v, %q", err, out)
	}
}

const keptOfHooks = "journal/hooks/codex/000001.jsonl"

// kept counts how often a journal holds each of so many texts. What stands in it
// besides must be what was never answered for.
func kept(t *testing.T, journal []byte, n int) []int {
	t.Helper()
	times := make([]int, n)
	for line := range bytes.Lines(journal) {
		if !json.Valid(line) {
			continue
		}
		for i := range times {
			if bytes.Contains(line, []byte(numbered(i))) {
				times[i]++
			}
		}
	}
	return times
}

func (p *pushing) journal(name string) []byte {
	data, err := os.ReadFile(filepath.Join(p.state, filepath.FromSlash(name)))
	if err != nil {
		p.t.Fatal(err)
	}
	return data
}

// TestHookFaults has the disk fail at each call by which a hook keeps what it was
// given: nobody notices, and the hooks before and after it have kept theirs.
func TestHookFaults(t *testing.T) {
	mayTrace(t)
	for _, kind := range []string{"write:error=EIO", "write:error=ENOSPC", "fsync:error=EIO", "openat:error=ENOSPC", "ftruncate:error=EIO"} {
		for n, failed := 1, true; failed; n++ {
			p := newPushing(t)
			p.hook(0)
			calls := filepath.Join(p.dir, "calls")
			journal := filepath.Join(p.state, filepath.FromSlash(keptOfHooks))
			p.hook(1, "strace", "-f", "-o", calls, "-P", journal, "-P", filepath.Dir(journal), "-P", filepath.Join(filepath.Dir(journal), "lock"),
				"-e", fmt.Sprintf("inject=%s:when=%d", kind, n))
			p.hook(2)
			saw, err := os.ReadFile(calls)
			if err != nil {
				t.Fatal(err)
			}
			failed = bytes.Contains(saw, []byte("(INJECTED)"))
			if times := kept(t, p.journal(keptOfHooks), 3); times[0] != 1 || times[1] > 1 || !failed && times[1] == 0 || times[2] != 1 {
				t.Errorf("%s at call %d: the hooks are kept %v times", kind, n, times)
			}
			for line := range bytes.Lines(p.journal(keptOfHooks)) {
				if !json.Valid(line) {
					t.Errorf("%s at call %d: %q stands in the journal", kind, n, line)
				}
			}
		}
	}
}

// TestHookPowerLoss lets the power fail at any call of some hooks: what those kept
// that have ended is there, and the next one keeps its own.
func TestHookPowerLoss(t *testing.T) {
	mayTrace(t)
	const hooks = 4
	p := newPushing(t)
	var did []powerloss.Call
	var ended []int
	for i := range hooks {
		calls := filepath.Join(t.TempDir(), "calls")
		p.hook(i, append([]string{"strace"}, powerloss.Options(calls)...)...)
		did = traced(t, calls, p.dir, did...)
		ended = append(ended, len(did))
	}
	if whole := powerloss.After(did).Whole()["state/"+keptOfHooks]; !bytes.Equal(whole, p.journal(keptOfHooks)) {
		t.Fatal("the calls that were recorded do not make the journal that is there")
	}
	rng := rand.New(rand.NewPCG(1, 1))
	for at := 1; at <= len(did); at++ {
		left := powerloss.After(did[:at]).Left(rng)
		done := 0
		for done < hooks && ended[done] <= at {
			done++
		}
		for i, times := range kept(t, left["state/"+keptOfHooks], hooks) {
			if i < done && times != 1 {
				t.Errorf("after call %d of %d, hook %d is kept %d times", at, len(did), i, times)
			}
		}
		if at%10 > 0 {
			continue
		}
		next := newPushing(t)
		if err := left.Write(next.dir); err != nil {
			t.Fatal(err)
		}
		next.hook(hooks)
		if times := kept(t, next.journal(keptOfHooks), hooks+1); times[hooks] != 1 || done > 0 && times[done-1] != 1 {
			t.Errorf("after call %d of %d and one more hook, they are kept %v times", at, len(did), times)
		}
	}
}

func traced(t *testing.T, calls, dir string, before ...powerloss.Call) []powerloss.Call {
	t.Helper()
	f, err := os.Open(calls)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	did, err := powerloss.Read(f, dir, before...)
	if err != nil {
		t.Fatal(err)
	}
	return did
}

// receiving is a watch that receives telemetry.
type receiving struct {
	*pushing

	cmd *exec.Cmd
	url string
}

const keptOfSenders = "journal/otlp/000001.jsonl"

// receive starts one, under strace if there are options for it.
func (p *pushing) receive(strace ...string) *receiving {
	p.t.Helper()
	args := append(strace, "memscribe", "watch", "--root", p.t.TempDir(), "--out", filepath.Join(p.dir, "nodes.ndjson"),
		"--state-dir", p.state, "--otlp-http", "127.0.0.1:0")
	r := &receiving{pushing: p, cmd: exec.Command(args[0], args[1:]...)}
	r.cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	said, err := r.cmd.StderrPipe()
	if err == nil {
		err = r.cmd.Start()
	}
	if err != nil {
		p.t.Fatal(err)
	}
	p.t.Cleanup(func() { _ = syscall.Kill(-r.cmd.Process.Pid, syscall.SIGKILL) })
	in := bufio.NewScanner(said)
	for in.Scan() {
		if _, rest, found := strings.Cut(in.Text(), `msg="receiving telemetry" http=`); found {
			address, _, _ := strings.Cut(rest, " ")
			r.url = "http://" + address + "/v1/logs"
			go func() { _, _ = io.Copy(io.Discard, said) }()
			return r
		}
	}
	p.t.Fatal("watch does not receive telemetry")
	return nil
}

// post sends a text and reports whether it was accepted; that nobody answers is an
// error.
func (r *receiving) post(i int) (accepted bool, err error) {
	body := fmt.Sprintf(`{"resourceLogs":[{"scopeLogs":[{"logRecords":[{"timeUnixNano":"1700000000000000000","body":{"stringValue":%q}}]}]}]}`,
		strings.Repeat(numbered(i), 50))
	answer, err := http.Post(r.url, "application/json", strings.NewReader(body))
	if err != nil {
		return false, err
	}
	_, err = io.Copy(io.Discard, answer.Body)
	answer.Body.Close()
	return answer.StatusCode == http.StatusOK, err
}

// end ends it, or kills it.
func (r *receiving) end(how syscall.Signal) {
	r.t.Helper()
	if err := syscall.Kill(-r.cmd.Process.Pid, how); err != nil {
		r.t.Fatal(err)
	}
	if err := r.cmd.Wait(); how == syscall.SIGTERM && err != nil {
		r.t.Error(err)
	}
}

// TestReceiverKilled kills watch while telemetry is sent to it: what was accepted
// is there.
func TestReceiverKilled(t *testing.T) {
	p := newPushing(t)
	rng := newChance(t, 3)
	var (
		mu       sync.Mutex
		accepted []int
		next     int
	)
	for round := range *kills {
		r := p.receive()
		var (
			senders sync.WaitGroup
			once    sync.Once
			before  = 1 + rng.IntN(5*(1+round%3)) // how many are accepted before the kill
			enough  = make(chan struct{})
		)
		for range 3 {
			senders.Go(func() {
				defer once.Do(func() { close(enough) })
				for {
					mu.Lock()
					i := next
					next++
					mu.Unlock()
					ok, err := r.post(i)
					if err != nil {
						return
					}
					if ok {
						mu.Lock()
						accepted = append(accepted, i)
						before--
						if before == 0 {
							once.Do(func() { close(enough) })
						}
						mu.Unlock()
					}
				}
			})
		}
		<-enough
		r.end(syscall.SIGKILL)
		senders.Wait()
	}
	if len(accepted) == 0 {
		t.Fatal("nothing was accepted")
	}
	times := kept(t, p.journal(keptOfSenders), next)
	for _, i := range accepted {
		if times[i] != 1 {
			t.Errorf("number %d was accepted and is kept %d times", i, times[i])
		}
	}
	t.Logf("%d of %d were accepted", len(accepted), next)
}

// TestReceiverFaults has the disk fail when what was received is kept: it is not
// accepted then, and what comes later is.
func TestReceiverFaults(t *testing.T) {
	mayTrace(t)
	for _, kind := range []string{"write:error=ENOSPC", "fsync:error=EIO"} {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			p := newPushing(t)
			folder := filepath.Join(p.state, "journal", "otlp")
			strace := []string{"strace", "-f", "--seccomp-bpf", "-o", filepath.Join(p.dir, "calls"), "-e", "inject=" + kind + ":when=1..2"}
			for _, name := range []string{"000001.jsonl", "000002.jsonl", "000003.jsonl"} {
				strace = append(strace, "-P", filepath.Join(folder, name))
			}
			r := p.receive(strace...)
			posts, inTurn := 0, 0 // calls are counted for each thread, of which the receiver has several
			var accepted []int
			for ; inTurn < 4 && posts < 100; posts++ {
				ok, err := r.post(posts)
				switch {
				case err != nil:
					t.Fatal(err)
				case ok:
					accepted = append(accepted, posts)
					inTurn++
				default:
					inTurn = 0
				}
			}
			r.end(syscall.SIGTERM)
			if inTurn < 4 || len(accepted) == posts {
				t.Errorf("of %d these were accepted: %v", posts, accepted)
			}
			var all []byte
			segments, err := filepath.Glob(filepath.Join(folder, "*.jsonl"))
			if err != nil {
				t.Fatal(err)
			}
			for _, name := range segments {
				data, err := os.ReadFile(name)
				if err != nil {
					t.Fatal(err)
				}
				all = append(all, data...)
			}
			times := kept(t, all, posts)
			for _, i := range accepted {
				if times[i] != 1 {
					t.Errorf("number %d was accepted and is kept %d times", i, times[i])
				}
			}
		})
	}
}

// TestReceiverPowerLoss lets the power fail at any call: what had been accepted is
// there.
func TestReceiverPowerLoss(t *testing.T) {
	mayTrace(t)
	p := newPushing(t)
	calls := filepath.Join(t.TempDir(), "calls")
	r := p.receive(append([]string{"strace"}, powerloss.Options(calls)...)...)
	const posts = 5
	for i := range posts {
		if ok, err := r.post(i); !ok {
			t.Fatalf("number %d was not accepted: %v", i, err)
		}
	}
	r.end(syscall.SIGTERM)
	did := traced(t, calls, p.dir)
	rng, accepted := rand.New(rand.NewPCG(1, 1)), 0
	for at := 1; at <= len(did); at++ {
		if c := did[at-1]; c.Kind == powerloss.Say && bytes.HasPrefix(c.Data, []byte("HTTP/1.1 200 ")) {
			accepted++
		}
		left := powerloss.After(did[:at]).Left(rng)
		for i, times := range kept(t, left["state/"+keptOfSenders], accepted) {
			if times != 1 {
				t.Fatalf("after call %d of %d, number %d was accepted and is kept %d times", at, len(did), i, times)
			}
		}
	}
	if accepted != posts {
		t.Errorf("%d answers were seen, of %d", accepted, posts)
	}
}
