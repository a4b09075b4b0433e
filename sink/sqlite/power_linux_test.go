package sqlite_test

import (
	"bufio"
	"bytes"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/memscribe/memscribe/sink"
	"github.com/memscribe/memscribe/sink/sinktest"
	"github.com/memscribe/memscribe/sink/sqlite"
)

const (
	powerDir   = "MEMSCRIBE_POWER_DIR"
	powerBulk  = "MEMSCRIBE_POWER_BULK"
	powerLazy  = "MEMSCRIBE_POWER_RELAXED"
	powerBatch = 25 // lines
)

// powerLines is how many lines are written.
func powerLines() int { return share(14, 40) * powerBatch }

// TestPowerLoss has a child write under strace, and works out from its system
// calls what a disk may hold if the power fails: all that was synced, and of what
// was not, any sectors. Whatever was flushed must be there.
func TestPowerLoss(t *testing.T) {
	t.Parallel()
	if os.Getenv(powerDir) != "" {
		powerChild(t)
		return
	}
	if testing.Short() {
		t.Skip("opens many databases")
	}
	t.Run("watch", func(t *testing.T) { checkPower(t, sqlite.Options{}) })
	t.Run("bulk", func(t *testing.T) { checkPower(t, sqlite.Options{Bulk: true}) })
	t.Run("relaxed", func(t *testing.T) {
		// What syncs nothing loses something, or else this test would not see it.
		calls := tracedCalls(t, sqlite.Options{Relaxed: true})
		if len(crashes(calls)) == 0 {
			t.Fatal("nothing was flushed")
		}
		for i, c := range crashes(calls) {
			dir := t.TempDir()
			calls.upTo(c.at).lose(t, dir, rand.New(rand.NewPCG(uint64(i), 0)))
			if info, err := os.Stat(file(dir)); err != nil || info.Size() == 0 {
				return // not even the database has reached the disk
			}
			if open(t, dir, sqlite.Options{}); len(ask[string](t, dir, "SELECT json FROM nodes")) < c.flushed*powerBatch {
				return
			}
		}
		t.Error("without any sync nothing is ever lost")
	})
}

func powerChild(t *testing.T) {
	t.Helper()
	s := open(t, os.Getenv(powerDir), sqlite.Options{Bulk: os.Getenv(powerBulk) != "", Relaxed: os.Getenv(powerLazy) != ""})
	done := 0
	for part := range slices.Chunk(sinktest.NewMaker(31).Take(powerLines()), powerBatch) {
		apply(t, s, part...)
		if err := s.Flush(t.Context()); err != nil {
			t.Fatal(err)
		}
		done++
		fmt.Fprintf(os.Stdout, "flushed %d\n", done)
	}
}

// checkPower lets the power fail after every second flush and at other moments.
func checkPower(t *testing.T, o sqlite.Options) {
	t.Helper()
	calls := tracedCalls(t, o)
	lines := sinktest.NewMaker(31).Take(powerLines())
	flushes := crashes(calls)
	if len(flushes) != powerLines()/powerBatch {
		t.Fatalf("%d batches were flushed", len(flushes))
	}
	var moments []crash
	for i := 0; i < len(flushes); i += 2 {
		moments = append(moments, flushes[i])
	}
	rng := rand.New(rand.NewPCG(7, 7))
	for range share(7, 10) {
		at := rng.IntN(len(calls))
		before, _ := slices.BinarySearchFunc(flushes, at+1, func(c crash, at int) int { return c.at - at })
		moments = append(moments, crash{at: at, flushed: before})
	}
	for i, c := range moments {
		dir := t.TempDir()
		calls.upTo(c.at).lose(t, dir, rand.New(rand.NewPCG(uint64(i), 1)))
		checkLoss(t, dir, lines, c, i%10 == 0)
		if t.Failed() {
			t.Fatalf("after call %d of %d, with %d batches flushed, seed %d", c.at, len(calls), c.flushed, i)
		}
	}
}

// checkLoss looks at what is left, and goes on with it.
func checkLoss(t *testing.T, dir string, lines []sink.Line, c crash, thorough bool) {
	t.Helper()
	s := open(t, dir, sqlite.Options{})
	stored := slices.Sorted(slices.Values(ask[string](t, dir, "SELECT json FROM nodes")))
	if len(stored) < c.flushed*powerBatch || len(stored)%powerBatch != 0 {
		t.Errorf("%d nodes are there of %d batches of %d that were flushed", len(stored), c.flushed, powerBatch)
		return
	}
	sinktest.Same(t, stored, sinktest.Fold(lines[:len(stored)]))
	if thorough {
		apply(t, s, lines...)
		if err := s.Flush(t.Context()); err != nil {
			t.Fatal(err)
		}
		checkStored(t, dir, lines)
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
}

// crash is a moment: after the call of that index, when so many batches were
// flushed.
type crash struct{ at, flushed int }

func crashes(calls calls) (moments []crash) {
	for i := range calls {
		if calls[i].kind == "flushed" {
			moments = append(moments, crash{i, int(calls[i].off)})
		}
	}
	return moments
}

// call is a system call that changes a disk, or the child's word.
type call struct {
	kind string // write, truncate, sync, create, remove; flushed
	name string
	off  int64 // or the size, or the number of batches
	data []byte
}

type calls []call

func (c calls) upTo(i int) calls { return c[:i+1] }

// tracedCalls runs the child under strace. Names are relative to its folder.
func tracedCalls(t *testing.T, o sqlite.Options) calls {
	t.Helper()
	strace, err := exec.LookPath("strace")
	if err != nil {
		t.Skip("there is no strace here")
	}
	dir, trace := t.TempDir(), filepath.Join(t.TempDir(), "trace")
	cmd := exec.CommandContext(t.Context(), strace, "-f", "-y", "-xx", "-s", "1000000", "-o", trace, "-e", "trace=openat,write,pwrite64,ftruncate,fsync,fdatasync,unlink,unlinkat",
		os.Args[0], "-test.run=^TestPowerLoss$", "-test.v=false")
	if *large {
		cmd.Args = append(cmd.Args, "-large")
	}
	cmd.Env = append(os.Environ(), powerDir+"="+dir)
	if o.Bulk {
		cmd.Env = append(cmd.Env, powerBulk+"=1")
	}
	if o.Relaxed {
		cmd.Env = append(cmd.Env, powerLazy+"=1")
	}
	if out, err := cmd.Output(); err != nil {
		if e, ok := errors.AsType[*exec.ExitError](err); ok && strings.Contains(string(e.Stderr), "ptrace") {
			t.Skipf("strace is not allowed here: %s", e.Stderr)
		}
		t.Fatalf("%v: %s", err, out)
	}
	f, err := os.Open(trace)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	all, err := readTrace(f, filepath.Dir(file(dir)))
	if err != nil {
		t.Fatal(err)
	}
	if got := all.disk().files["nodes.db"].whole(); !bytes.Equal(got, read(t, file(dir))) {
		t.Fatalf("the calls that were traced do not make the file that is there (%d bytes)", len(got))
	}
	return all
}

func (c calls) disk() *disk {
	d := &disk{files: map[string]*diskFile{}}
	for i := range c {
		d.do(&c[i])
	}
	return d
}

// readTrace reads what strace has written. A call that another thread's came
// between stands on two lines.
func readTrace(r io.Reader, dir string) (all calls, err error) {
	begun := map[string]string{} // by thread
	in := bufio.NewReaderSize(r, 1<<20)
	for {
		line, err := in.ReadString('\n')
		if errors.Is(err, io.EOF) {
			return all, nil
		}
		if err != nil {
			return nil, err
		}
		thread, text, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		text = strings.TrimSpace(text)
		if head, ok := strings.CutSuffix(text, " <unfinished ...>"); ok {
			begun[thread] = head
			continue
		}
		if strings.HasPrefix(text, "<... ") {
			_, rest, _ := strings.Cut(text, " resumed>")
			args, result, _ := strings.Cut(rest, ")")
			text = begun[thread] + args + ") " + strings.TrimSpace(result)
		}
		c, ok, err := readCall(text, dir)
		if err != nil {
			return nil, fmt.Errorf("read %.200q: %w", text, err)
		}
		if ok {
			all = append(all, c)
		}
	}
}

// readCall reads a line like pwrite64(5</name>, "data", 4, 0) = 4.
func readCall(text, dir string) (c call, ok bool, err error) {
	name, rest, _ := strings.Cut(text, "(")
	end := strings.LastIndex(rest, ") = ")
	if end < 0 || strings.HasPrefix(rest[end+len(") = "):], "-1") {
		return c, false, nil
	}
	args, result := strings.Split(rest[:end], ", "), rest[end+len(") = "):]
	if name == "write" && strings.HasPrefix(args[0], "1<") {
		said, err := unhex(args[1])
		n, isOurs := strings.CutPrefix(string(said), "flushed ")
		if err != nil || !isOurs {
			return c, false, err
		}
		c.kind = "flushed"
		c.off, err = strconv.ParseInt(strings.TrimSpace(n), 10, 64)
		return c, true, err
	}
	place := args[0]
	switch name {
	case "openat":
		if !strings.Contains(rest, "O_CREAT") {
			return c, false, nil
		}
		c.kind, place = "create", result
	case "unlink", "unlinkat":
		c.kind, place = "remove", args[len(args)-1]
		if name == "unlinkat" {
			place = args[1]
		}
	case "fsync", "fdatasync":
		c.kind = "sync"
	case "ftruncate":
		c.kind = "truncate"
		c.off, err = strconv.ParseInt(args[1], 10, 64)
	case "pwrite64":
		c.kind = "write"
		if c.data, err = unhex(args[1]); err == nil {
			c.off, err = strconv.ParseInt(args[3], 10, 64)
		}
	default:
		return c, false, nil
	}
	if err != nil {
		return c, false, err
	}
	path, err := unhex(place)
	if err != nil {
		return c, false, err
	}
	c.name, err = filepath.Rel(dir, string(path))
	ours := !strings.HasPrefix(c.name, "..") && !strings.HasSuffix(c.name, "-shm") || c.name == ".." && c.kind == "sync"
	return c, err == nil && ours, err
}

// unhex reads "\x41\x42", or 5<\x41\x42>.
func unhex(s string) ([]byte, error) {
	if at := strings.IndexAny(s, `<"`); at >= 0 {
		s = s[at+1:]
	}
	s = strings.TrimRight(s, `>"`)
	return hex.DecodeString(strings.ReplaceAll(s, `\x`, ""))
}

// lose writes to dir what the calls may have left on a disk.
func (c calls) lose(t *testing.T, dir string, rng *rand.Rand) {
	t.Helper()
	d := c.disk()
	if !d.above && rng.IntN(2) == 0 {
		return
	}
	if err := os.MkdirAll(filepath.Dir(file(dir)), 0o700); err != nil {
		t.Fatal(err)
	}
	for name, f := range d.files {
		if !f.survives(rng) {
			continue
		}
		if err := os.WriteFile(filepath.Join(filepath.Dir(file(dir)), name), f.left(rng), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}
