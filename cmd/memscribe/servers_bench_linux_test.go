package main

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/memscribe/memscribe/testkit/postgres"
)

// share is a group of the kernel (cgroup) whose processes have a part of a core.
type share struct{ dir string }

// newShare makes one, with version 1 of the kernel's interface or 2, and skips where that is
// not allowed.
func newShare(b *testing.B, name string, core float64) share {
	b.Helper()
	const period = 20_000 // microseconds: short, so that a call waits for one only
	quota := strconv.Itoa(int(core * period))
	root, files := "/sys/fs/cgroup/cpu", map[string]string{"cpu.cfs_period_us": strconv.Itoa(period), "cpu.cfs_quota_us": quota}
	if _, err := os.Stat("/sys/fs/cgroup/cgroup.controllers"); err == nil {
		root, files = "/sys/fs/cgroup", map[string]string{"cpu.max": quota + " " + strconv.Itoa(period)}
	}
	s := share{filepath.Join(root, fmt.Sprintf("memscribe-%d-%s", os.Getpid(), name))}
	err := os.Mkdir(s.dir, 0o755)
	for file, value := range files {
		if err == nil {
			err = os.WriteFile(filepath.Join(s.dir, file), []byte(value), 0o600)
		}
	}
	if err != nil {
		b.Skip("no group of the kernel can be made, which takes root and the controller cpu:", err)
	}
	b.Cleanup(func() { _ = os.Remove(s.dir) })
	return s
}

// throttled returns in how many periods the processes waited for their share, and of how many.
func (s share) throttled(b *testing.B) (waited, of int) {
	b.Helper()
	text, err := os.ReadFile(filepath.Join(s.dir, "cpu.stat"))
	if err != nil {
		b.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		name, value, _ := strings.Cut(strings.TrimSpace(line), " ")
		switch n, _ := strconv.Atoi(value); name {
		case "nr_throttled":
			waited = n
		case "nr_periods":
			of = n
		}
	}
	return waited, of
}

// serveWithin runs a server within a share, until the benchmark ends.
func serveWithin(b *testing.B, s share, dsn, address string) {
	b.Helper()
	cmd := exec.CommandContext(b.Context(), "memscribe", "memdb", "serve", "--db", dsn, "--addr", address, "--state-dir", b.TempDir())
	cmd.Env = append(os.Environ(), "HOME="+b.TempDir())
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	err := cmd.Start()
	if err == nil {
		err = os.WriteFile(filepath.Join(s.dir, "cgroup.procs"), []byte(strconv.Itoa(cmd.Process.Pid)), 0o600)
	}
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = cmd.Wait() })
	for {
		res, err := http.Get("http://" + address + "/v1/health") //nolint:noctx // it is tried until it answers
		if err == nil {
			_ = res.Body.Close()
			return
		}
		if b.Context().Err() != nil {
			b.Fatal(err)
		}
	}
}

// taken counts what sixteen writers write in a time, each into a namespace of its own; a
// writer stays with one server.
func taken(b *testing.B, addresses []string, round string, lasts time.Duration) float64 {
	b.Helper()
	ctx, stop := context.WithTimeout(b.Context(), lasts)
	defer stop()
	var count atomic.Int64
	var all sync.WaitGroup
	begun := time.Now()
	for k := range 16 {
		all.Go(func() {
			url := fmt.Sprintf("http://%s/v1/namespaces/bench%d/memories", addresses[k%len(addresses)], k)
			for i := 0; ctx.Err() == nil; i++ {
				body := fmt.Sprintf(`{"id":"%s-%d","kind":"note","content":"%s%d"}`, round, i, strings.Repeat("words of a memory ", 10), i)
				req, err := http.NewRequestWithContext(ctx, http.MethodPost, url, strings.NewReader(body))
				if err != nil {
					b.Error(err)
					return
				}
				req.Header.Set("Content-Type", "application/json")
				res, err := http.DefaultClient.Do(req)
				if err != nil {
					continue // the time is over
				}
				said, _ := io.ReadAll(res.Body)
				if _ = res.Body.Close(); res.StatusCode != http.StatusOK && ctx.Err() == nil {
					b.Errorf("%d %s", res.StatusCode, said)
					return
				}
				count.Add(1)
			}
		})
	}
	all.Wait()
	return float64(count.Load()) / time.Since(begun).Seconds()
}

// BenchmarkServers compares what two servers before one PostgreSQL write with what one of them
// writes, where a server is the limit: each has a part of a core (MEMSCRIBE_BENCH_CORE, a tenth),
// and the database and the writers have all the rest. One and two take turns, in pairs whose
// order changes.
func BenchmarkServers(b *testing.B) {
	core, err := strconv.ParseFloat(os.Getenv("MEMSCRIBE_BENCH_CORE"), 64)
	if err != nil {
		core = 0.1
	}
	dsn := postgres.Start(b, "fsync=on").Database()
	var addresses []string
	var shares []share
	for i := range 2 {
		shares = append(shares, newShare(b, strconv.Itoa(i), core))
		listener, err := new(net.ListenConfig).Listen(b.Context(), "tcp", "127.0.0.1:0")
		if err != nil {
			b.Fatal(err)
		}
		addresses = append(addresses, listener.Addr().String())
		_ = listener.Close()
		serveWithin(b, shares[i], dsn, addresses[i])
	}
	for k := range 16 {
		req, err := http.NewRequestWithContext(b.Context(), http.MethodPut, fmt.Sprintf("http://%s/v1/namespaces/bench%d", addresses[0], k), strings.NewReader("{}"))
		if err != nil {
			b.Fatal(err)
		}
		req.Header.Set("Content-Type", "application/json")
		res, err := http.DefaultClient.Do(req)
		if err != nil || res.StatusCode != http.StatusCreated {
			b.Fatal(res, err)
		}
		_ = res.Body.Close()
	}
	const lasts = 10 * time.Second
	taken(b, addresses, "warm", lasts)
	var ones, twos, ratios []float64
	for n := 0; b.Loop(); n++ {
		waited, of := shares[0].throttled(b)
		by := map[int]float64{}
		for _, servers := range [][]int{{1, 2}, {2, 1}}[n%2] {
			by[servers] = taken(b, addresses[:servers], fmt.Sprint(n, "-", servers), lasts)
		}
		ones, twos, ratios = append(ones, by[1]), append(twos, by[2]), append(ratios, by[2]/by[1])
		after, until := shares[0].throttled(b)
		b.Logf("pair %d: one %.0f/s, two %.0f/s, ratio %.2f; the first server waited for its share in %d of %d periods", n, by[1], by[2], by[2]/by[1], after-waited, until-of)
	}
	for name, all := range map[string][]float64{"one/s": ones, "two/s": twos, "two/one": ratios} { // in any order
		slices.Sort(all)
		b.ReportMetric(all[len(all)/2], name)
	}
	b.ReportMetric(ratios[0], "least")
	b.ReportMetric(0, "ns/op")
}
