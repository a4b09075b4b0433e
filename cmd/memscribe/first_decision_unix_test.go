//go:build unix

package main

import (
	"bufio"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestFirstDecision starts watch, as a process of its own, in a home in which five
// tools have been used, and waits for the first decision: on standard output, and
// as query shows it out of the database. -v tells how long it took, which
// docs/benchmarks.md states. Meanwhile doctor explains every store.
func TestFirstDecision(t *testing.T) {
	home, tools := fiveTools(t, "../../../shared/transcripts")
	stranger := filepath.Join(home, ".codex", "attic", "rollouts.jsonl")
	if err := os.MkdirAll(filepath.Dir(stranger), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(stranger, []byte("{}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()

	t.Run("stdout", func(t *testing.T) {
		watch := inHome(ctx, home, "watch", "--sink", "ndjson", "--out", "-")
		out, err := watch.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		begin := time.Now()
		if err := watch.Start(); err != nil {
			t.Fatal(err)
		}
		lines := bufio.NewScanner(out)
		lines.Buffer(nil, 1<<20)
		for lines.Scan() && !strings.Contains(lines.Text(), `"node":"decision"`) {
			continue
		}
		if !strings.Contains(lines.Text(), `"node":"decision"`) {
			t.Errorf("watch ended without a decision: %v", lines.Err())
		}
		t.Logf("the first decision was printed after %v", time.Since(begin).Round(time.Millisecond))
		_ = watch.Process.Signal(syscall.SIGTERM)
		for lines.Scan() { // it must not wait for its reader
			continue
		}
		_ = watch.Wait()
	})

	watch := inHome(ctx, home, "watch")
	begin := time.Now()
	if err := watch.Start(); err != nil {
		t.Fatal(err)
	}
	answer := awaitDecision(ctx, t, home)
	t.Logf("the first decision was in query's table after %v", time.Since(begin).Round(time.Millisecond))
	if !strings.Contains(answer, "DECISION") {
		t.Errorf("query says %s", answer)
	}
	explains(ctx, t, home, tools, stranger)
	_ = watch.Process.Signal(syscall.SIGTERM)
	if err := watch.Wait(); err != nil {
		t.Errorf("watch: %v", err)
	}
}

// inHome is the program for the owner of a home folder.
func inHome(ctx context.Context, home string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, "memscribe", args...)
	cmd.Env = []string{"HOME=" + home, "PATH=" + os.Getenv("PATH"), "COLUMNS=120"}
	cmd.Dir = home
	return cmd
}

// awaitDecision asks until there is a decision.
func awaitDecision(ctx context.Context, t *testing.T, home string) string {
	t.Helper()
	again := time.NewTicker(10 * time.Millisecond)
	defer again.Stop()
	for {
		out, err := inHome(ctx, home, "query", "decisions", "--limit", "1").Output()
		if err == nil && len(out) > 0 {
			return string(out)
		}
		select {
		case <-again.C:
		case <-ctx.Done():
			t.Fatalf("no decision: %v, %s", err, out)
		}
	}
}

// explains wants doctor's text to say of each store what is in it, and of what
// nobody knows what to do.
func explains(ctx context.Context, t *testing.T, home string, tools []string, stranger string) {
	t.Helper()
	out, err := inHome(ctx, home, "doctor").Output()
	if err != nil {
		t.Errorf("doctor: %v", err)
	}
	for _, tool := range tools {
		for _, want := range []string{
			`(?m)^` + tool + ` +` + regexp.QuoteMeta(home) + `/.+\n +transcripts: [1-9]\d* \(conversations: [1-9]\d*\), .*, since 20.*, newest .* ago:\n +` + regexp.QuoteMeta(home) + `/`,
			`(?m)^ok +drift +` + tool + `: every record of its newest transcript is known`,
		} {
			if !regexp.MustCompile(want).Match(out) {
				t.Errorf("doctor does not say %s", want)
			}
		}
	}
	want := `(?m)^note +stores +codex: 1 files are none that the adapter knows, such as ` + regexp.QuoteMeta(stranger) + `\n +→ look whether it is a transcript`
	if !regexp.MustCompile(want).Match(out) {
		t.Errorf("doctor does not explain %s", stranger)
	}
	if !regexp.MustCompile(`(?m)^ok +watch +watch is running, process \d+$`).Match(out) {
		t.Error("doctor does not see that watch is running")
	}
	if t.Failed() {
		t.Logf("%s", out)
	}
}
