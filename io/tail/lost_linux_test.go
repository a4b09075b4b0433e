package tail_test

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// said is a log that may be read while it is written to.
type said struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (s *said) Write(b []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.text.Write(b)
}

func (s *said) count(what string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return strings.Count(s.text.String(), what)
}

// notified is a Source that runs over a folder and is told by the system where to
// look.
type notified struct {
	*rig

	said     *said
	deadline <-chan struct{}
}

func startNotified(t *testing.T) *notified {
	t.Helper()
	n := &notified{rig: &rig{t: t, dir: t.TempDir(), done: make(chan error, 1)}, said: &said{}}
	n.recorder = &recorder{dir: n.dir, settled: make(chan []string)}
	// A scan finds everything anyway, but not so soon.
	patience, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	t.Cleanup(cancel)
	n.deadline = patience.Done()
	return n
}

func (n *notified) run() {
	n.t.Helper()
	s := source(n.dir)
	s.Log = slog.New(slog.NewTextHandler(n.said, nil))
	ctx, stop := context.WithCancel(n.t.Context())
	n.stop = stop
	go func() { n.done <- s.Run(ctx, n.recorder) }()
	<-n.recorder.settled
}

// hears waits until the consumer is told of something.
func (n *notified) hears(what string) {
	n.t.Helper()
	for {
		select {
		case log := <-n.recorder.settled:
			if strings.Contains(strings.Join(log, " "), what) {
				return
			}
		case <-n.deadline:
			n.t.Fatalf("heard nothing of %s; it said %s", what, n.said.text.String())
		}
	}
}

func (n *notified) end() {
	n.t.Helper()
	n.stop()
	for {
		select {
		case <-n.recorder.settled:
		case err := <-n.done:
			must(n.t, err)
			return
		}
	}
}

// TestOverflow has more happen than the system keeps notifications of, while the
// consumer takes its time: what they were about is found all the same, at once,
// and it is said once.
func TestOverflow(t *testing.T) {
	limit, err := os.ReadFile("/proc/sys/fs/inotify/max_queued_events")
	must(t, err)
	most, err := strconv.Atoi(strings.TrimSpace(string(limit)))
	must(t, err)
	if most > 1<<17 {
		t.Skipf("the system keeps %d notifications: too many to make", most)
	}
	n := startNotified(t)
	n.write("a", "0")
	n.write("b", "0")
	n.run()
	for round := range 2 {
		n.add("a", "1") // the consumer hears of it, and is held up when it settles
		a, err := os.OpenFile(filepath.Join(n.dir, "a"), os.O_APPEND|os.O_WRONLY, 0)
		must(t, err)
		b, err := os.OpenFile(filepath.Join(n.dir, "b"), os.O_APPEND|os.O_WRONLY, 0)
		must(t, err)
		for range most/2 + 1<<14 { // the same ones in a row would count as one
			_, err = a.WriteString(".")
			must(t, err)
			_, err = b.WriteString(".")
			must(t, err)
		}
		must(t, a.Close())
		must(t, b.Close())
		name := fmt.Sprintf("new%d/deep/file", round)
		n.write(name, "found")
		n.hears(name + ":found")
		if got := n.said.count("notifications were lost"); got != 1 {
			t.Errorf("that notifications were lost is said %d times", got)
		}
	}
	n.end()
}

// limited is set in the process that has few notifications, or none.
const limited = "MEMSCRIBE_TEST_NOTIFICATIONS"

// TestFewNotifications follows files where the system gives notifications about two
// folders only, and where it gives none: it looks by itself, and says so once. The
// limits are those of a namespace of its own.
func TestFewNotifications(t *testing.T) {
	if limit := os.Getenv(limited); limit != "" {
		followLimited(t, limit)
		return
	}
	for limit, says := range map[string]string{
		"max_inotify_watches=2": "no notifications about some folders", "max_inotify_instances=0": "no notifications about files",
	} {
		t.Run(limit, func(t *testing.T) {
			t.Parallel()
			cmd := exec.Command(os.Args[0], "-test.run", "^TestFewNotifications$", "-test.v")
			cmd.Env = append(os.Environ(), limited+"="+limit)
			cmd.SysProcAttr = &syscall.SysProcAttr{
				Cloneflags:  syscall.CLONE_NEWUSER,
				UidMappings: []syscall.SysProcIDMap{{HostID: os.Getuid(), Size: 1}},
				GidMappings: []syscall.SysProcIDMap{{HostID: os.Getgid(), Size: 1}},
			}
			out, err := cmd.CombinedOutput()
			switch text := string(out); {
			case err != nil && len(out) == 0:
				t.Skipf("namespaces are not allowed here: %v", err)
			case err != nil:
				t.Errorf("%v\n%s", err, text)
			case strings.Contains(text, "--- SKIP"):
				t.Skip(text)
			case strings.Count(text, says) != 1:
				t.Errorf("%q is said %d times:\n%s", says, strings.Count(text, says), text)
			}
		})
	}
}

// followLimited is what the process in the namespace does.
func followLimited(t *testing.T, limit string) {
	t.Helper()
	name, value, _ := strings.Cut(limit, "=")
	if err := os.WriteFile("/proc/sys/user/"+name, []byte(value), 0o600); err != nil {
		t.Skipf("limits cannot be set here: %v", err)
	}
	n := startNotified(t)
	for _, name := range []string{"a/1", "b/2", "c/3", "d/4"} {
		n.write(name, "x")
	}
	n.run()
	for i := range 3 {
		n.add("d/4", fmt.Sprint("more", i))
		n.hears(fmt.Sprint("d/4:more", i))
	}
	n.write("e/f/5", "new")
	n.hears("e/f/5:new")
	n.end()
	t.Log(n.said.text.String())
}
