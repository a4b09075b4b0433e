package main

import (
	"bufio"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/memscribe/memscribe/cmd/memscribe/internal/cli"
)

// disk makes a small one.
func disk(t *testing.T, size string) string {
	t.Helper()
	dir := t.TempDir()
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, "size="+size); err != nil {
		t.Skipf("mounting is not allowed here: %v", err)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(dir, syscall.MNT_DETACH); err != nil {
			t.Error(err)
		}
	})
	return dir
}

// full is a watch whose sink and notes are on a disk without room.
type full struct {
	killing

	cmd  *exec.Cmd
	said *bufio.Scanner
}

func startFull(t *testing.T, out, size string) *full {
	t.Helper()
	f := newFull(t, out, size)
	f.start()
	return f
}

func newFull(t *testing.T, out, size string) *full {
	t.Helper()
	dir := t.TempDir()
	f := &full{killing: killing{t: t, dir: dir, out: filepath.Join(disk(t, size), out)}}
	for _, name := range recordings(t) {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if err = os.MkdirAll(filepath.Join(dir, "t"), 0o700); err == nil {
			err = os.WriteFile(filepath.Join(dir, "t", filepath.Base(name)), data, 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	f.cmd = exec.Command("memscribe", "watch", "--root", filepath.Join(dir, "t"), "--out", f.out,
		"--state-dir", filepath.Join(filepath.Dir(f.out), "state"))
	return f
}

func (f *full) start() {
	f.t.Helper()
	stderr, err := f.cmd.StderrPipe()
	if err == nil {
		err = f.cmd.Start()
	}
	if err != nil {
		f.t.Fatal(err)
	}
	f.t.Cleanup(func() { _ = f.cmd.Process.Kill() })
	f.said = bufio.NewScanner(stderr)
}

// grow makes the disk larger.
func (f *full) grow() {
	f.t.Helper()
	if err := syscall.Mount("tmpfs", filepath.Dir(f.out), "tmpfs", syscall.MS_REMOUNT, "size=64m"); err != nil {
		f.t.Fatal(err)
	}
}

// once catches up, which must work.
func (f *full) once() {
	f.t.Helper()
	args := append([]string(nil), f.cmd.Args[1:]...)
	if text, err := exec.Command("memscribe", append(args, "--once")...).CombinedOutput(); err != nil {
		f.t.Fatalf("%v\n%s", err, text)
	}
}

// await reads what the program says until it says this.
func (f *full) await(what string) {
	f.t.Helper()
	for f.said.Scan() {
		if strings.Contains(f.said.Text(), what) {
			return
		}
	}
	f.t.Fatalf("it has never said %q", what)
}

// TestFullDisk has watch wait for room, and go on when there is some: nothing is
// lost.
func TestFullDisk(t *testing.T) {
	for out, size := range map[string]string{"nodes.ndjson": "12k", "nodes.db": "320k"} {
		t.Run(out, func(t *testing.T) {
			f := startFull(t, out, size)
			f.await("waiting until it works")
			f.grow()
			f.await("delivering again")
			go func() { _, _ = io.Copy(io.Discard, discarding{f.said}) }()
			if err := f.cmd.Process.Signal(syscall.SIGTERM); err != nil {
				t.Fatal(err)
			}
			if err := f.cmd.Wait(); err != nil {
				t.Fatal(err)
			}
			f.once()
			f.compare()
		})
	}
}

// discarding reads what is left to be said.
type discarding struct{ said *bufio.Scanner }

func (d discarding) Read([]byte) (int, error) {
	if d.said.Scan() {
		return 0, nil
	}
	return 0, io.EOF
}

// TestEndsWhileTheDiskIsFull wants it to end in time all the same, to say so, and
// to go on from there.
func TestEndsWhileTheDiskIsFull(t *testing.T) {
	f := startFull(t, "nodes.ndjson", "12k")
	f.await("waiting until it works")
	begin := time.Now()
	if err := f.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	f.await("no space left on device")
	if err := f.cmd.Wait(); err == nil {
		t.Error("it ended well, with nodes that were not delivered")
	}
	if took := time.Since(begin); took > 4*time.Second { // 2 on a machine that does nothing else
		t.Errorf("it took %v", took)
	}
	f.grow()
	f.once()
	f.compare()
}

// TestFullDiskAtTheStart has the disk be full already when watch starts: it waits
// too, and goes on by itself. With --once it says so and ends.
func TestFullDiskAtTheStart(t *testing.T) {
	for _, out := range []string{"nodes.db", "memories.db"} {
		t.Run(out, func(t *testing.T) {
			f := newFull(t, out, "64k")
			if out == "memories.db" {
				f.cmd.Args = append(f.cmd.Args, "--sink", "memdb")
			}
			f.fill()
			text, err := exec.Command("memscribe", append(f.cmd.Args[1:len(f.cmd.Args):len(f.cmd.Args)], "--once")...).CombinedOutput()
			if exit, ok := errors.AsType[*exec.ExitError](err); !ok || exit.ExitCode() != cli.ExitIncomplete {
				t.Errorf("--once ends with %v, and says %s", err, text)
			}
			f.start()
			f.await("waiting until it works")
			f.grow()
			f.await("delivering again")
			go func() { _, _ = io.Copy(io.Discard, discarding{f.said}) }()
			if err := errors.Join(f.cmd.Process.Signal(syscall.SIGTERM), f.cmd.Wait()); err != nil {
				t.Fatal(err)
			}
			f.once()
			if out == "nodes.db" {
				f.compare()
			}
		})
	}
}

// fill leaves the disk without room.
func (f *full) fill() {
	f.t.Helper()
	err := os.WriteFile(filepath.Join(filepath.Dir(f.out), "filler"), make([]byte, 1<<20), 0o600)
	if !errors.Is(err, syscall.ENOSPC) {
		f.t.Fatalf("the disk takes all: %v", err)
	}
}

// TestTerminatedBeforeTheSinkOpens ends a watch that waits for room: nothing was
// read, so that this is no failure.
func TestTerminatedBeforeTheSinkOpens(t *testing.T) {
	f := newFull(t, "nodes.db", "64k")
	f.fill()
	f.start()
	f.await("waiting until it works")
	if err := errors.Join(f.cmd.Process.Signal(syscall.SIGTERM), f.cmd.Wait()); err != nil {
		t.Error(err)
	}
}
