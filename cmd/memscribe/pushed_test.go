package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/memscribe/memscribe/cmd/memscribe/internal/cli"
	"github.com/memscribe/memscribe/internal/app/host"
	"github.com/memscribe/memscribe/testkit/golden"
	"github.com/memscribe/memscribe/testkit/size"
)

// TestNothingIsToldTwice reads the transcripts of recorded runs with and without
// what their hooks were passed: the nodes are the same.
func TestNothingIsToldTwice(t *testing.T) {
	const shared = "../../../shared/transcripts"
	runs, err := filepath.Glob(filepath.Join(shared, "hooks/*/*/*"))
	if err != nil || len(runs) == 0 {
		t.Skipf("no recordings at %s", shared)
	}
	for _, dir := range size.Some(runs, 4) {
		rel, err := filepath.Rel(filepath.Join(shared, "hooks"), dir)
		if err != nil {
			t.Fatal(err)
		}
		home, state := filepath.Join(shared, rel, "home"), t.TempDir()
		if _, err := os.Stat(home); err != nil || journalOf(t, dir, state, rel) == 0 {
			continue
		}
		alone, both := replayed(t, "--home", home), replayed(t, "--home", home, "--state-dir", state)
		if len(alone) == 0 || !bytes.Equal(alone, both) {
			t.Errorf("%s: with hooks it is another result:\n%s", rel, golden.Diff(alone, both))
		}
	}
}

// journalOf writes the payloads of a run as its journal would hold them.
func journalOf(t *testing.T, dir, state, rel string) int {
	t.Helper()
	payloads, err := filepath.Glob(filepath.Join(dir, "*.json"))
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(payloads) // their names begin with the time
	tool, _, _ := strings.Cut(filepath.ToSlash(rel), "/")
	var b bytes.Buffer
	for _, p := range payloads {
		text, err := os.ReadFile(p)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&b, `{"schema":"memscribe.hook/v1","tool":%q,"received":"2026-01-01T00:00:00.000Z","payload":%s}`+"\n", tool, bytes.TrimSpace(text))
	}
	name := filepath.Join(state, "journal", host.HookJournals, tool, "000001.jsonl")
	if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, b.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	return len(payloads)
}

func replayed(t *testing.T, args ...string) []byte {
	t.Helper()
	var out, stderr bytes.Buffer
	e := cli.Env{Stdout: &out, Stderr: &stderr, Machine: host.Machine{Getenv: func(string) string { return "" }, Home: func() (string, error) { return t.TempDir(), nil }}}
	if code := run(append([]string{"replay"}, args...), e); code != cli.ExitDone {
		t.Fatalf("replay ended with %d: %s", code, &stderr)
	}
	return out.Bytes()
}
