package main

import (
	"bytes"
	"context"
	"database/sql"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/memscribe/memscribe/testkit/size"
)

// TestReplayInterrupted breaks a replay into a database off, by a kill or by an
// interrupt, each time further on. The replay that is let through must leave what
// one that was never disturbed leaves.
func TestReplayInterrupted(t *testing.T) {
	if testing.Short() {
		t.Skip("starts many processes")
	}
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("there are no signals to interrupt it with")
	}
	program, err := exec.LookPath("memscribe")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	from := "../../fixtures/codex"
	if size.IsFull() {
		from = "../../fixtures"
	}
	undisturbed, disturbed := filepath.Join(dir, "a.db"), filepath.Join(dir, "b.db")
	replay := func(ctx context.Context, db string) *exec.Cmd {
		cmd := exec.CommandContext(ctx, program, "replay", from, "--sink", "sqlite", "--out", db)
		cmd.Env = append(os.Environ(), "HOME="+dir, "USERPROFILE="+dir)
		return cmd
	}
	if out, err := replay(t.Context(), undisturbed).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	whole, err := os.Stat(undisturbed)
	if err != nil {
		t.Fatal(err)
	}
	times := size.Of(6, 12)
	broken := 0
	for i := range times {
		if !breakOff(t, replay, disturbed, whole.Size()*int64(i)/int64(times), i%3 == 2) {
			broken++
		}
	}
	if broken < times/3 {
		t.Errorf("only %d of %d replays were broken off", broken, times)
	}
	for range 2 {
		if out, err := replay(t.Context(), disturbed).CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		if diff := cmp.Diff(dump(t, undisturbed), dump(t, disturbed)); diff != "" {
			t.Fatalf("(-undisturbed +broken off %d times):\n%s", broken, diff)
		}
	}
}

// breakOff starts a replay, ends it when so many bytes have been written since,
// and reports whether it was faster.
func breakOff(t *testing.T, replay func(context.Context, string) *exec.Cmd, db string, after int64, gently bool) (done bool) {
	t.Helper()
	ctx, end := context.WithCancel(t.Context())
	defer end()
	cmd := replay(ctx, db)
	if gently {
		cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	}
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	tick := time.NewTicker(time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case err := <-ended:
			if err != nil && ctx.Err() == nil {
				t.Fatalf("%v: %s", err, &stderr)
			}
			return err == nil
		case <-tick.C:
			if written(db) >= after {
				end()
			}
		}
	}
}

// written is how many bytes the log of a database has; 0 is that there is none.
func written(db string) int64 {
	info, err := os.Stat(db + "-wal")
	if err != nil {
		return -1
	}
	return info.Size()
}

// dump is everything that a database of nodes holds, a line a row.
func dump(t *testing.T, name string) []string {
	t.Helper()
	db, err := sql.Open("sqlite", name)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	db.SetMaxOpenConns(1)
	for name, of := range map[string]string{"found": "search", "spoken": "words"} {
		if _, err := db.ExecContext(t.Context(), "CREATE VIRTUAL TABLE temp."+name+" USING fts5vocab(main, "+of+", instance)"); err != nil {
			t.Fatal(err)
		}
	}
	var lines []string
	for _, query := range []string{
		"SELECT * FROM nodes ORDER BY n", "SELECT * FROM tally ORDER BY session, source, thread, project", "SELECT * FROM pending",
		"SELECT * FROM found ORDER BY doc, col, offset", "SELECT k, v FROM search_config ORDER BY k", "SELECT * FROM pragma_integrity_check",
		"SELECT n, hex(id), session, source, thread, project, copied, file, seq, kind, size, hex(text) FROM messages JOIN talks USING (t) ORDER BY n",
		"SELECT hex(id), session, file, ms, model, response, input, output, cache_read, cache_creation FROM usage JOIN talks USING (t) ORDER BY id",
		"SELECT * FROM unheard", "SELECT * FROM spoken ORDER BY doc, col, offset", "SELECT k, v FROM words_config ORDER BY k",
	} {
		lines = append(lines, rowsOf(t, db, query)...)
	}
	return lines
}

func rowsOf(t *testing.T, db *sql.DB, query string) (lines []string) {
	t.Helper()
	rows, err := db.QueryContext(t.Context(), query)
	if err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	defer rows.Close()
	columns, err := rows.Columns()
	if err != nil {
		t.Fatal(err)
	}
	cells := make([]any, len(columns))
	for rows.Next() {
		for i := range cells {
			cells[i] = new(any)
		}
		if err := rows.Scan(cells...); err != nil {
			t.Fatal(err)
		}
		var line strings.Builder
		for _, c := range cells {
			fmt.Fprintf(&line, "%v|", *c.(*any))
		}
		lines = append(lines, line.String())
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return lines
}
