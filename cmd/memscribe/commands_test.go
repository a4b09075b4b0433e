package main

import (
	"cmp"
	"database/sql"
	"encoding/json"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
)

// appendTo plays a tool that is still writing: append FILE PART…
func appendTo(ts *testscript.TestScript, _ bool, args []string) {
	name := ts.MkAbs(args[0])
	ts.Check(os.MkdirAll(filepath.Dir(name), 0o700))
	f, err := os.OpenFile(name, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	ts.Check(err)
	for _, part := range args[1:] {
		_, err = f.WriteString(ts.ReadFile(part))
		ts.Check(err)
	}
	ts.Check(f.Close())
}

// write makes a file of what a script cannot hold: write FILE TEXT… A TEXT is a
// string with Go's escapes, N*TEXT one that is repeated, @NAME a file.
func write(ts *testscript.TestScript, _ bool, args []string) {
	var data strings.Builder
	for _, text := range args[1:] {
		if name, ok := strings.CutPrefix(text, "@"); ok {
			data.WriteString(ts.ReadFile(name))
			continue
		}
		times := 1
		if n, rest, ok := strings.Cut(text, "*"); ok {
			if i, err := strconv.Atoi(n); err == nil {
				times, text = i, rest
			}
		}
		s, err := strconv.Unquote(`"` + strings.ReplaceAll(text, `"`, `\"`) + `"`)
		ts.Check(err)
		data.WriteString(strings.Repeat(s, times))
	}
	name := ts.MkAbs(args[0])
	ts.Check(os.MkdirAll(filepath.Dir(name), 0o700))
	ts.Check(os.WriteFile(name, []byte(data.String()), 0o600))
}

// count checks how many lines of a file hold a text: count N FILE TEXT
func count(ts *testscript.TestScript, neg bool, args []string) {
	n := 0
	for line := range strings.Lines(ts.ReadFile(args[1])) {
		if strings.Contains(line, args[2]) {
			n++
		}
	}
	if (strconv.Itoa(n) == args[0]) == neg {
		ts.Fatalf("%d lines of %s hold %q", n, args[1], args[2])
	}
}

// await waits until a file holds a text: await FILE TEXT
func await(ts *testscript.TestScript, _ bool, args []string) {
	deadline := time.After(30 * time.Second)
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for {
		if b, err := os.ReadFile(ts.MkAbs(args[0])); err == nil && strings.Contains(string(b), args[1]) {
			return
		}
		select {
		case <-tick.C:
		case <-deadline:
			ts.Fatalf("%s has never held %q", args[0], args[1])
		}
	}
}

// signalTo sends a signal to what runs in the background: signal INT|TERM
func signalTo(ts *testscript.TestScript, _ bool, args []string) {
	s := map[string]os.Signal{"INT": os.Interrupt, "TERM": syscall.SIGTERM}[args[0]]
	for _, c := range ts.BackgroundCmds() {
		ts.Check(c.Process.Signal(s))
	}
}

// head runs a command, reads the first byte that it prints and closes the pipe:
// head COMMAND ARG… The command must end well and print nothing to stderr.
func head(ts *testscript.TestScript, _ bool, args []string) {
	path, err := exec.LookPath(args[0])
	ts.Check(err)
	cmd := exec.Command(path, args[1:]...)
	cmd.Dir = ts.MkAbs(".")
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.StdoutPipe()
	ts.Check(err)
	ts.Check(cmd.Start())
	_, err = out.Read(make([]byte, 1))
	ts.Check(err)
	ts.Check(out.Close())
	if err := cmd.Wait(); err != nil || stderr.Len() > 0 {
		ts.Fatalf("%v, stderr %q", err, &stderr)
	}
}

// perm checks the permissions of files: perm MODE FILE…
func perm(ts *testscript.TestScript, _ bool, args []string) {
	for _, name := range args[1:] {
		info, err := os.Stat(ts.MkAbs(name))
		ts.Check(err)
		if got := info.Mode().Perm().String(); got != args[0] {
			ts.Fatalf("%s is %s", name, got)
		}
	}
}

// sqlTo asks a database and writes the rows of one column to a file:
// sql DATABASE FILE QUERY
func sqlTo(ts *testscript.TestScript, _ bool, args []string) {
	name := ts.MkAbs(args[0])
	_, err := os.Stat(name)
	ts.Check(err)
	db, err := sql.Open("sqlite", name)
	ts.Check(err)
	defer db.Close()
	rows, err := db.Query(args[2])
	ts.Check(err)
	defer rows.Close()
	var out strings.Builder
	for rows.Next() {
		var cell string
		ts.Check(rows.Scan(&cell))
		out.WriteString(cell + "\n")
	}
	ts.Check(rows.Err())
	ts.Check(os.WriteFile(ts.MkAbs(args[1]), []byte(out.String()), 0o600))
}

// fold does what a reader of a log does: fold LOG OUT keeps the last line of
// each id and sorts them as replay does.
func fold(ts *testscript.TestScript, _ bool, args []string) {
	type node struct {
		ID      string `json:"id"`
		Node    string `json:"node"`
		Source  string `json:"source"`
		Session string `json:"session_id"`
		Thread  string `json:"thread_id"`
		Seq     int    `json:"seq"`
	}
	last, heads := map[string]string{}, map[string]node{}
	for line := range strings.Lines(ts.ReadFile(args[0])) {
		var n node
		ts.Check(json.Unmarshal([]byte(line), &n))
		last[n.ID] = line
		heads[n.ID] = n
	}
	ids := slices.SortedFunc(maps.Keys(last), func(a, b string) int {
		x, y := heads[a], heads[b]
		return cmp.Or(
			cmp.Compare(x.Source, y.Source), cmp.Compare(x.Session, y.Session), cmp.Compare(x.Thread, y.Thread),
			cmp.Compare(x.Seq, y.Seq), cmp.Compare(x.Node, y.Node), cmp.Compare(x.ID, y.ID),
		)
	})
	var out strings.Builder
	for _, id := range ids {
		out.WriteString(last[id])
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[1]), []byte(out.String()), 0o600))
}
