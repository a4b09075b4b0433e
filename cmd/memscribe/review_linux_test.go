package main

import (
	"bufio"
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/memscribe/memscribe/cmd/memscribe/internal/cli"
	"github.com/memscribe/memscribe/internal/annotate"
	"github.com/memscribe/memscribe/internal/app/host"
)

// typist answers on a terminal what the program asks there.
type typist struct {
	t      *testing.T
	master *os.File
	in     *bufio.Reader
	seen   bytes.Buffer
}

// answer waits until the program has shown a text, and types.
func (p *typist) answer(shown, keys string) {
	p.t.Helper()
	for from := p.seen.Len(); !strings.Contains(p.seen.String()[from:], shown); {
		b, err := p.in.ReadByte()
		if err != nil {
			p.t.Fatalf("%q is not shown: %v\n%s", shown, err, &p.seen)
		}
		p.seen.WriteByte(b)
	}
	if _, err := p.master.WriteString(keys); err != nil {
		p.t.Fatal(err)
	}
}

// TestReviewKeys goes through decisions on a terminal: a key is an answer, without the
// end of a line.
func TestReviewKeys(t *testing.T) {
	w := &owner{home: t.TempDir(), now: time.Date(2026, 8, 2, 9, 0, 0, 0, time.UTC)}
	w.sessions(t, "2026-07-29", "2026-07-30", "2026-07-31", "2026-08-01")
	w.run(t, cli.ExitDone, "watch", "--once")
	master, end := terminal(t)
	p := &typist{t: t, master: master, in: bufio.NewReader(master)}
	code := make(chan int)
	go func() {
		code <- run([]string{"review", "--by", "Ada"}, cli.Env{
			Stdin: end, Stdout: end, Stderr: io.Discard,
			Machine: host.Machine{
				OS:     "linux",
				Getenv: func(name string) string { return map[string]string{"HOME": w.home}[name] },
				Home:   func() (string, error) { return w.home, nil },
				Now:    func() time.Time { return w.now },
			},
		})
	}()
	p.answer("a accept, r reject", "a")
	p.answer("2 of 4", "e")
	p.answer("edit: ", "Another title\r")
	p.answer("edited decision:", "p")
	p.answer("pinned decision:", "r")
	p.answer("3 of 4", "s")
	p.answer("4 of 4", "q")
	if got := <-code; got != cli.ExitDone {
		t.Errorf("it ended with %d", got)
	}
	p.answer("1 accepted, 1 rejected, 1 edited, 1 pinned, 0 noted", "")
	end.Close()
	all, err := annotate.Read(filepath.Join(w.home, ".local", "share", "memscribe", "nodes.annotations.ndjson"))
	if err != nil {
		t.Fatal(err)
	}
	var kinds []string
	for i := range all {
		kinds = append(kinds, string(all[i].Kind)+" "+all[i].Text+" "+all[i].By)
	}
	if got := strings.Join(kinds, "; "); got != "accept  Ada; edit Another title Ada; pin  Ada; reject  Ada" {
		t.Errorf("kept is %s", got)
	}
}
