package main

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/memscribe/memscribe/sink/memdb/api"
)

// TestServerOnReadOnlyDisk has the disk of a server that runs become one that
// nothing can be written to, or that is full, for a while: as a kernel makes of one
// that fails. Who writes is told so by a problem, reading goes on, what was
// acknowledged is there, and when the disk works again so does the server.
func TestServerOnReadOnlyDisk(t *testing.T) {
	t.Parallel()
	mayTrace(t)
	for _, kind := range []string{"EROFS", "ENOSPC"} {
		t.Run(kind, func(t *testing.T) {
			s := startFailing(t, kind)
			s.untilItFailed()
			s.untilItWorks()
			s.end()
		})
	}
}

// failingServer is a server whose disk fails for a while.
type failingServer struct {
	*world

	cmd    *exec.Cmd
	died   chan error
	left   error // how it ended
	next   int   // of the memories
	acked  []int
	failed int
}

func startFailing(t *testing.T, kind string) *failingServer {
	t.Helper()
	s := &failingServer{world: &world{t: t, dir: t.TempDir(), address: freeAddress(t)}, died: make(chan error, 1)}
	calls := "pwrite64,write,ftruncate,fsync,fdatasync"
	args := []string{
		"-f", "--seccomp-bpf", "-o", "/dev/null", "-e", "trace=" + calls,
		// Each thread counts its own.
		"-e", "inject=" + calls + ":error=" + kind + ":when=120..140",
	}
	for _, suffix := range []string{"", "-wal", "-journal", "-shm"} {
		args = append(args, "-P", s.database()+suffix)
	}
	serve := s.command(t.Context(), "memdb", "serve", "--addr", s.address, "--db", s.database())
	s.cmd = exec.CommandContext(t.Context(), "strace", append(append(args, "memscribe"), serve.Args[1:]...)...)
	s.cmd.Env = serve.Env
	s.cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	s.cmd.Cancel = func() error { return syscall.Kill(-s.cmd.Process.Pid, syscall.SIGKILL) }
	var said bytes.Buffer
	s.cmd.Stderr = &said
	if err := s.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go func() { s.died <- s.cmd.Wait() }()
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for s.health() != http.StatusOK {
		select {
		case err := <-s.died:
			t.Fatalf("the server ended with %v: %s", err, said.String())
		case <-tick.C:
		}
	}
	s.call(http.MethodPut, "/v1/namespaces/n", `{}`, http.StatusCreated)
	return s
}

// health is the status of a question that needs no disk to write on; 0 is none.
func (s *failingServer) health() int {
	ctx, cancel := context.WithTimeout(s.t.Context(), 10*time.Second)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+s.address+"/v1/health", http.NoBody)
	if err != nil {
		s.t.Fatal(err)
	}
	res, err := http.DefaultClient.Do(r)
	if err != nil {
		return 0
	}
	res.Body.Close()
	return res.StatusCode
}

func memoryName(i int) string { return fmt.Sprintf("memory-%06d", i) }

// write writes a memory and reports whether it was acknowledged. What was not must
// be a problem.
func (s *failingServer) write() bool {
	s.t.Helper()
	i := s.next
	s.next++
	body := fmt.Sprintf(`{"id":%q,"kind":"note","content":"what was said as number %d%s"}`, memoryName(i), i, strings.Repeat(" and more", 300))
	r, err := http.NewRequestWithContext(s.t.Context(), http.MethodPost, "http://"+s.address+"/v1/namespaces/n/memories", strings.NewReader(body))
	if err != nil {
		s.t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	res, err := http.DefaultClient.Do(r)
	if err != nil {
		s.t.Fatalf("memory %d: %v", i, err)
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	if err != nil {
		s.t.Fatal(err)
	}
	if res.StatusCode == http.StatusOK {
		s.acked = append(s.acked, i)
		return true
	}
	var p api.Problem
	if err := api.Decode(text, &p); err != nil || res.Header.Get("Content-Type") != api.ProblemType || p.Status != res.StatusCode ||
		res.StatusCode < http.StatusInternalServerError {
		s.t.Fatalf("memory %d: %s, %v\n%s", i, res.Status, err, text)
	}
	if bytes.Contains(text, []byte(s.dir)) {
		s.t.Errorf("the answer names a path: %s", text)
	}
	s.failed++
	return false
}

// writesMost is after how many memories a disk must have failed, and work again.
const writesMost = 3000

func (s *failingServer) untilItFailed() {
	s.t.Helper()
	for s.write() {
		if s.next > writesMost {
			s.t.Fatal("the disk never failed")
		}
	}
	if status := s.health(); status != http.StatusOK {
		s.t.Errorf("asked how it is while it cannot write, the server says %d", status)
	}
	if len(s.acked) > 0 {
		s.call(http.MethodGet, "/v1/memories/"+memoryName(s.acked[0])+"?namespace=n", "", http.StatusOK)
	}
}

func (s *failingServer) untilItWorks() {
	s.t.Helper()
	for row := 0; row < 40; row++ {
		if !s.write() {
			row = -1
		}
		if s.next > writesMost {
			s.t.Fatalf("the server does not recover: %d of %d memories were refused", s.failed, s.next)
		}
	}
}

// end stops the server, and looks for what it acknowledged.
func (s *failingServer) end() {
	s.t.Helper()
	if err := syscall.Kill(-s.cmd.Process.Pid, syscall.SIGTERM); err != nil {
		s.t.Error(err)
	}
	s.left = <-s.died
	verdict := s.run("memdb", "verify", "--db", s.database())
	if !strings.HasPrefix(verdict, "good:") {
		s.t.Error(verdict)
	}
	held := contents(s.t, s.database())
	for _, i := range s.acked {
		if !strings.Contains(held[memoryName(i)], fmt.Sprintf("number %d and more", i)) {
			s.t.Errorf("memory %d was acknowledged, and is %q", i, held[memoryName(i)])
		}
	}
	s.t.Logf("%d memories, %d refused, %d there", s.next, s.failed, len(held))
	if len(held) < len(s.acked) || len(held) > s.next {
		s.t.Errorf("%d memories are there, %d were acknowledged, %d written", len(held), len(s.acked), s.next)
	}
	if state, err := filepath.Glob(filepath.Join(s.dir, "home", ".local", "state", "memscribe", "memdb-*", "memdb.checkpoint")); err != nil || len(state) != 1 {
		s.t.Errorf("signed: %v, %v", state, err)
	}
}

// contents are those of the memories in a database, by id.
func contents(t *testing.T, path string) map[string]string {
	t.Helper()
	out := map[string]string{}
	db, err := sql.Open("sqlite", "file:"+path+"?mode=ro")
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	rows, err := db.QueryContext(t.Context(), "SELECT v.record FROM memories JOIN versions AS v USING (n)")
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		var record []byte
		var memory struct{ ID, Content string }
		if err := rows.Scan(&record); err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(record, &memory); err != nil {
			t.Fatal(err)
		}
		out[memory.ID] = memory.Content
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return out
}
