//go:build linux

package soak_test

import (
	"bufio"
	"bytes"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// Run with: go test ./testkit/soak -v -run Soak -transcripts 10000 -kilobytes 500 -active 50 -minutes 2 -timeout 2h
func flags() (transcripts, kilobytes, active, changes *int, minutes *float64, kind *string) {
	return flag.Int("transcripts", 60, "how many transcripts there are"),
		flag.Int("kilobytes", 20, "how large each is"),
		flag.Int("active", 10, "how many are written to"),
		flag.Int("changes", 60, "how many appends there are"),
		flag.Float64("minutes", 0, "how long to stand by"),
		flag.String("out", "nodes.db", "name of the sink's file")
}

var transcripts, kilobytes, active, changes, minutes, kind = flags()

// soak is a watch that is measured.
type soak struct {
	t       *testing.T
	dir     string
	program string
	cmd     *exec.Cmd
	address string
	started time.Time
}

func TestSoak(t *testing.T) {
	s := &soak{t: t, dir: t.TempDir()}
	s.program = filepath.Join(s.dir, "memscribe")
	if out, err := exec.Command("go", "build", "-o", s.program, "../../cmd/memscribe").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	s.fill()
	s.start()
	t.Logf("catching up with %d transcripts of %d kB: %v, %v of processor, resident %d MB", *transcripts, *kilobytes,
		s.settled().Round(time.Millisecond), s.processor(), s.resident()>>20)
	s.stop()
	floor := s.floor()
	s.start()
	t.Logf("starting again: %v, %v of processor (looking at the files alone: %v), resident %d MB, read %d bytes of transcripts",
		s.settled().Round(time.Millisecond), s.processor(), floor.Round(time.Millisecond), s.resident()>>20, s.metric(`read_bytes_total`))
	s.standBy()
	s.follow()
	t.Logf("after following: resident %d MB, %d descriptors, %d watches", s.resident()>>20, s.descriptors(), s.watches())
	s.stop()
}

// fill writes the transcripts.
func (s *soak) fill() {
	for i := range *transcripts {
		path := s.path(i)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			s.t.Fatal(err)
		}
		var b bytes.Buffer
		for n := 0; b.Len() < *kilobytes<<10; n++ {
			b.WriteString(turn(i, n))
			for range 20 {
				fmt.Fprintf(&b, `{"type":"assistant","uuid":"%08x-1000-4000-8000-%012x","sessionId":"5e550001-0000-4000-8000-%012x","cwd":"/w","timestamp":"2026-08-01T00:00:00.000Z","message":{"role":"assistant","model":"m","content":[{"type":"text","text":%q}]}}`+"\n",
					i, n, i, strings.Repeat("It is as it was before, and so it goes on. ", 30))
			}
		}
		if err := os.WriteFile(path, b.Bytes(), 0o600); err != nil {
			s.t.Fatal(err)
		}
	}
}

func (s *soak) path(i int) string {
	return filepath.Join(s.dir, "t", fmt.Sprint(i/100), fmt.Sprintf("%08d.jsonl", i))
}

// turn is a record that gives nodes.
func turn(i, n int) string {
	return fmt.Sprintf(`{"type":"user","uuid":"%08x-0000-4000-8000-%012x","parentUuid":null,"sessionId":"5e550001-0000-4000-8000-%012x","cwd":"/w","version":"2.1.240","isSidechain":false,"userType":"external","timestamp":"2026-08-01T00:00:00.000Z","message":{"role":"user","content":"Let's use store number %d instead of the old one."}}`+"\n", i, n, i, n)
}

func (s *soak) start() {
	s.cmd = exec.Command(s.program, "watch", "--root", filepath.Join(s.dir, "t"), "--out", filepath.Join(s.dir, *kind),
		"--state-dir", filepath.Join(s.dir, "state"), "--status-addr", "127.0.0.1:0")
	stderr, err := s.cmd.StderrPipe()
	if err != nil {
		s.t.Fatal(err)
	}
	s.started = time.Now()
	if err := s.cmd.Start(); err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(func() { _ = s.cmd.Process.Kill() })
	in := bufio.NewScanner(stderr)
	for in.Scan() {
		if at := regexp.MustCompile(`msg="serving status" address=(\S+)`).FindStringSubmatch(in.Text()); at != nil {
			s.address = at[1]
			go func() { _, _ = io.Copy(io.Discard, stderr) }()
			return
		}
	}
	s.t.Fatal("watch did not start")
}

// settled waits until all there is has been taken in, and returns how long that
// was after the start.
func (s *soak) settled() time.Duration {
	s.await(2*time.Millisecond, time.Hour, "it does not catch up", func() bool { return strings.Contains(s.get("/healthz"), `"following"`) })
	return time.Since(s.started)
}

// await waits until something is so, and looks now and then: to look costs watch
// time too.
func (s *soak) await(pace, patience time.Duration, otherwise string, isSo func() bool) {
	s.t.Helper()
	tick := time.NewTicker(pace)
	defer tick.Stop()
	end := time.NewTimer(patience)
	defer end.Stop()
	for !isSo() {
		select {
		case <-tick.C:
		case <-end.C:
			s.t.Fatal(otherwise)
		}
	}
}

func (s *soak) stop() {
	begin := time.Now()
	if err := s.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		s.t.Fatal(err)
	}
	if err := s.cmd.Wait(); err != nil {
		s.t.Fatalf("watch: %v", err)
	}
	if took := time.Since(begin); took > 2*time.Second {
		s.t.Errorf("it took %v to end", took)
	}
}

// floor is what it takes to look at every file.
func (s *soak) floor() time.Duration {
	begin := time.Now()
	for i := range *transcripts {
		if _, err := os.Stat(s.path(i)); err != nil {
			s.t.Fatal(err)
		}
	}
	return time.Since(begin)
}

// standBy looks at what it costs to have nothing to do, for as long as is asked for.
func (s *soak) standBy() {
	if *minutes == 0 {
		return
	}
	var begin time.Duration
	s.await(20*time.Millisecond, time.Minute, "it does not come to rest", func() bool { // what the start has left over
		before := begin
		<-time.After(time.Second)
		begin = s.processor()
		return begin-before <= 10*time.Millisecond
	})
	read := s.metric(`read_bytes_total`)
	<-time.After(time.Duration(*minutes * float64(time.Minute))) // it is this that is measured
	share := (s.processor() - begin).Seconds() / (*minutes * 60)
	s.t.Logf("standing by for %v minutes: %.3f %% of a processor, read %d bytes, resident %d MB, %d descriptors, %d watches", *minutes,
		share*100, s.metric(`read_bytes_total`)-read, s.resident()>>20, s.descriptors(), s.watches())
}

// follow appends to some of the transcripts, one after the other, and before each
// writes as much to a file of its own and syncs it: that is the least that it can
// take.
func (s *soak) follow() {
	rng := rand.New(rand.NewPCG(1, 1))
	before := s.metric(`nodes_total{kind="conversation"}`)
	used := s.processor()
	floor, err := os.Create(filepath.Join(s.dir, "floor"))
	if err != nil {
		s.t.Fatal(err)
	}
	defer floor.Close()
	var least, lags []time.Duration
	begun := map[string]time.Time{} // the appends that wait
	for n := range *changes {
		least = append(least, s.sync(floor, n))
		path := s.path(rng.IntN(*active))
		begun[path] = time.Now()
		s.change(path, n)
		if rng.IntN(4) == 0 && n+1 < *changes {
			continue // the next one comes at the same time
		}
		s.await(20*time.Millisecond, time.Minute, "an append is not followed", func() bool {
			return s.metric(`nodes_total{kind="conversation"}`) > before+int64(n)
		})
		lags = append(lags, s.lags(begun)...)
		clear(begun)
	}
	slices.Sort(least)
	slices.Sort(lags)
	half, most := lags[len(lags)/2], lags[len(lags)*99/100]
	floorHalf, floorMost := least[len(least)/2], least[len(least)*99/100]
	s.t.Logf("%d appends to %d of %d transcripts: durable after %v (half), %v (99 %%), %.1f and %.1f times a write and its sync (%v, %v); %v of processor; by the clock of the file system %v and %v",
		*changes, *active, *transcripts, half, most, half.Seconds()/floorHalf.Seconds(), most.Seconds()/floorMost.Seconds(),
		floorHalf, floorMost, s.processor()-used, s.seconds(`lag_seconds{quantile="0.5"}`), s.seconds(`lag_seconds{quantile="0.99"}`))
	if half <= 0 || most <= 0 {
		s.t.Error("no lag was measured")
	}
}

// lags are how long appends have taken, given when each began. What watch says
// counts from a file's last write by the clock of its file system, which goes in
// steps of some milliseconds: here it counts from the call.
func (s *soak) lags(begun map[string]time.Time) []time.Duration {
	all := strings.Split(s.get("/metrics"), "\n")
	var lags []time.Duration
	for path, at := range begun {
		info, err := os.Stat(path)
		if err != nil {
			s.t.Fatal(err)
		}
		for _, line := range all {
			if !strings.HasPrefix(line, "memscribe_stream_lag_seconds{") || !strings.Contains(line, strconv.Quote(path)) {
				continue
			}
			lag, err := strconv.ParseFloat(line[strings.LastIndexByte(line, ' ')+1:], 64)
			if err != nil {
				s.t.Fatal(err)
			}
			durable := info.ModTime().Add(time.Duration(lag * float64(time.Second)))
			lags = append(lags, durable.Sub(at))
		}
	}
	return lags
}

// change appends to a transcript.
func (s *soak) change(path string, n int) {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND, 0)
	if err != nil {
		s.t.Fatal(err)
	}
	defer f.Close()
	if _, err := f.WriteString(turn(1<<20+n, n)); err != nil {
		s.t.Fatal(err)
	}
}

// sync writes to a file as much as an append does, and returns how long it takes
// to be durable.
func (s *soak) sync(f *os.File, n int) time.Duration {
	begin := time.Now()
	if _, err := f.WriteString(turn(1<<20+n, n)); err != nil {
		s.t.Fatal(err)
	}
	if err := f.Sync(); err != nil {
		s.t.Fatal(err)
	}
	return time.Since(begin)
}

func (s *soak) seconds(name string) time.Duration {
	v, err := strconv.ParseFloat(s.text(name), 64)
	if err != nil {
		s.t.Fatal(err)
	}
	return time.Duration(v * float64(time.Second)).Round(10 * time.Microsecond)
}

func (s *soak) get(path string) string {
	answer, err := http.Get("http://" + s.address + path)
	if err != nil {
		s.t.Fatal(err)
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	if err != nil {
		s.t.Fatal(err)
	}
	return string(body)
}

func (s *soak) text(name string) string {
	for line := range strings.Lines(s.get("/metrics")) {
		if v, ok := strings.CutPrefix(line, "memscribe_"+name+" "); ok {
			return strings.TrimSpace(v)
		}
	}
	return "0"
}

// metric adds up the metrics that begin with a name.
func (s *soak) metric(name string) int64 {
	sum := 0.0
	for line := range strings.Lines(s.get("/metrics")) {
		if !strings.HasPrefix(line, "memscribe_"+name) {
			continue
		}
		v, err := strconv.ParseFloat(strings.TrimSpace(line[strings.LastIndexByte(line, ' '):]), 64)
		if err != nil {
			s.t.Fatal(err)
		}
		sum += v
	}
	return int64(sum)
}

func (s *soak) proc(name string) string {
	data, err := os.ReadFile(fmt.Sprintf("/proc/%d/%s", s.cmd.Process.Pid, name))
	if err != nil {
		s.t.Fatal(err)
	}
	return string(data)
}

func (s *soak) processor() time.Duration {
	fields := strings.Fields(s.proc("stat"))
	user, _ := strconv.Atoi(fields[13])
	system, _ := strconv.Atoi(fields[14])
	return time.Duration(user+system) * 10 * time.Millisecond
}

func (s *soak) resident() int64 {
	pages, _ := strconv.ParseInt(strings.Fields(s.proc("statm"))[1], 10, 64)
	return pages * int64(os.Getpagesize())
}

func (s *soak) descriptors() int {
	entries, err := os.ReadDir(fmt.Sprintf("/proc/%d/fd", s.cmd.Process.Pid))
	if err != nil {
		s.t.Fatal(err)
	}
	return len(entries)
}

// watches counts the folders about which the system notifies it.
func (s *soak) watches() int {
	n := 0
	dir := fmt.Sprintf("/proc/%d/fdinfo", s.cmd.Process.Pid)
	entries, err := os.ReadDir(dir)
	if err != nil {
		s.t.Fatal(err)
	}
	for _, e := range entries {
		data, _ := os.ReadFile(filepath.Join(dir, e.Name()))
		n += strings.Count(string(data), "inotify wd:")
	}
	return n
}
