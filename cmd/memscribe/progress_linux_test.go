package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/memscribe/memscribe/cmd/memscribe/internal/cli"
	"github.com/memscribe/memscribe/cmd/memscribe/internal/console"
	"github.com/memscribe/memscribe/internal/app/host"
)

// terminal opens a pair: what is written to its end is read from it.
func terminal(t *testing.T) (master, end *os.File) {
	t.Helper()
	master, err := os.OpenFile("/dev/ptmx", os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Skipf("no terminals here: %v", err)
	}
	t.Cleanup(func() { master.Close() })
	n, err := unix.IoctlGetInt(int(master.Fd()), unix.TIOCGPTN)
	if err == nil {
		err = unix.IoctlSetPointerInt(int(master.Fd()), unix.TIOCSPTLCK, 0)
	}
	if err != nil {
		t.Fatal(err)
	}
	end, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", n), os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	return master, end
}

// TestProgress has every long reading say on a terminal how far it is, how fast it
// goes and how long it will take, and take the line away in the end.
func TestProgress(t *testing.T) {
	w := &owner{home: t.TempDir(), now: time.Date(2026, 8, 2, 9, 0, 0, 0, time.UTC)}
	w.sessions(t, "2026-07-30", "2026-07-31", "2026-08-01")
	w.run(t, cli.ExitDone, "watch", "--once")
	file := filepath.Join(w.home, ".claude/projects/-w/2026-08-01.jsonl")
	for _, args := range [][]string{{"replay"}, {"parse", file}, {"verify"}, {"doctor", "--deep"}} {
		t.Run(args[0], func(t *testing.T) {
			master, end := terminal(t)
			shown := make(chan []byte)
			go func() {
				text, _ := io.ReadAll(master) // it fails when the other end is closed
				shown <- text
			}()
			now := w.now
			code := run(args, cli.Env{
				Stdin: strings.NewReader(""), Stdout: io.Discard, Stderr: end,
				Machine: host.Machine{
					OS:     "linux",
					Getenv: func(name string) string { return map[string]string{"HOME": w.home}[name] },
					Home:   func() (string, error) { return w.home, nil },
					Now: func() time.Time { // a slow machine
						now = now.Add(time.Second)
						return now
					},
				},
			})
			end.Close()
			text := <-shown
			if code != cli.ExitDone {
				t.Errorf("it ended with %d", code)
			}
			line := regexp.MustCompile(`\[=* *\] [\d.]+ k?B of [\d.]+ k?B, [\d.]+ k?B/s(, \d+s left)?`)
			if lines := line.FindAll(text, -1); len(lines) == 0 || args[0] != "parse" && !bytes.Contains(lines[0], []byte(" left")) {
				t.Errorf("it shows %q", text)
			}
			if !bytes.HasSuffix(text, []byte("\r\x1b[K")) {
				t.Errorf("the line stays: %q", text)
			}
		})
	}
}

// TestProgressOfAPipe has what comes out of a pipe, whose end nobody knows, promise
// nothing.
func TestProgressOfAPipe(t *testing.T) {
	var out strings.Builder
	at := time.Date(2026, 8, 2, 9, 0, 0, 0, time.UTC)
	p := &cli.Progress{Out: console.New(&out), Start: at, Now: func() time.Time { return at.Add(2 * time.Second) }}
	p.Update(4000)
	if out.String() != "\r\x1b[K4.0 kB, 2.0 kB/s" {
		t.Errorf("it shows %q", &out)
	}
}
