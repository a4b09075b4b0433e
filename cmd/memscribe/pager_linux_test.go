package main

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/memscribe/memscribe/cmd/memscribe/internal/cli"
	"github.com/memscribe/memscribe/internal/app/host"
)

// TestPager has an answer that is longer than the terminal go through the pager that
// the person has chosen, and nothing else: no short answer, none into a pipe or file.
func TestPager(t *testing.T) {
	w := &owner{home: t.TempDir(), now: time.Date(2026, 8, 2, 9, 0, 0, 0, time.UTC)}
	w.sessions(t, "2026-07-30", "2026-07-31", "2026-08-01")
	w.run(t, cli.ExitDone, "watch", "--once")
	want, _ := w.run(t, cli.ExitDone, "sessions")
	for _, tt := range []struct {
		name   string
		rows   uint16
		set    []string
		pages  bool // through the pager
		shows  bool // on the terminal itself
		piped  bool // stdout is none
		silent bool // neither is to be looked at: the reader leaves at once
	}{
		{name: "long", rows: 3, set: []string{"PAGER=tee -a PAGED"}, pages: true, shows: true},
		{name: "short", rows: 40, set: []string{"PAGER=tee -a PAGED"}, shows: true},
		{name: "no pager is wanted", rows: 3, set: []string{"PAGER=tee -a PAGED", "NO_PAGER=1"}, shows: true},
		{name: "an empty one", rows: 3, set: []string{"PAGER="}, shows: true},
		{name: "cat", rows: 3, set: []string{"PAGER=cat"}, shows: true},
		{name: "one that is not there", rows: 3, set: []string{"PAGER=no-such-pager"}, shows: true},
		{name: "a dumb terminal", rows: 3, set: []string{"PAGER=tee -a PAGED", "TERM=dumb"}, shows: true},
		{name: "a pipe", rows: 3, set: []string{"PAGER=tee -a PAGED"}, piped: true},
		{name: "a reader who has had enough", rows: 3, set: []string{"PAGER=true"}, silent: true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			master, end := terminal(t)
			if err := unix.IoctlSetWinsize(int(end.Fd()), unix.TIOCSWINSZ, &unix.Winsize{Row: tt.rows, Col: 200}); err != nil {
				t.Fatal(err)
			}
			shown := make(chan []byte)
			go func() {
				text, _ := io.ReadAll(master) // it fails when the other end is closed
				shown <- text
			}()
			file := filepath.Join(t.TempDir(), "paged")
			set := append([]string{"HOME=" + w.home, "PATH=" + os.Getenv("PATH")}, tt.set...)
			for i := range set {
				set[i] = strings.ReplaceAll(set[i], "PAGED", file)
			}
			var pipe bytes.Buffer
			e := cli.Env{
				Stdin: strings.NewReader(""), Stdout: end, Stderr: end,
				Machine: host.Machine{
					OS: "linux", Environ: func() []string { return set },
					Getenv: func(name string) string { return valueOf(set, name) },
					Home:   func() (string, error) { return w.home, nil }, Now: func() time.Time { return w.now },
				},
			}
			if tt.piped {
				e.Stdout = &pipe
			}
			code := run([]string{"sessions", "--limit", "2"}, e)
			end.Close()
			text := string(<-shown)
			if code != cli.ExitDone {
				t.Errorf("it ended with %d", code)
			}
			paged, _ := os.ReadFile(file) // there is none where nothing was paged
			if bytes.Contains(paged, []byte("SESSION")) != tt.pages {
				t.Errorf("the pager was given %q", paged)
			}
			if !tt.silent && strings.Contains(text, "SESSION") != tt.shows {
				t.Errorf("the terminal shows %q", text)
			}
			if tt.piped && !strings.HasPrefix(want, pipe.String()[:20]) {
				t.Errorf("into a pipe it prints %q, want the beginning of %q", &pipe, want)
			}
			if at := strings.Index(text, "there is more"); !tt.silent && at < strings.LastIndex(text, "SESSION") {
				t.Errorf("what is said of the answer stands before it: %q", text)
			}
		})
	}
}

// valueOf is the value of a variable among others; the last one counts.
func valueOf(set []string, name string) (value string) {
	for _, s := range set {
		if v, ok := strings.CutPrefix(s, name+"="); ok {
			value = v
		}
	}
	return value
}
