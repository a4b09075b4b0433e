package replay_test

import (
	"bytes"
	"io"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/memscribe/memscribe/cmd/memscribe/internal/cli"
	"github.com/memscribe/memscribe/cmd/memscribe/internal/replay"
	"github.com/memscribe/memscribe/internal/app/host"
	"github.com/memscribe/memscribe/internal/app/source"
)

// TestParse prints a transcript from a file and from standard input: the nodes are the
// same but for where they are from, and secrets are out of both.
func TestParse(t *testing.T) {
	const name = "../../testdata/session.jsonl"
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	fromFile, err := parsed(t, nil, replay.ParseOptions{}, name)
	if err != nil || !strings.Contains(fromFile, `"node":"conversation"`) {
		t.Fatalf("%v: %s", err, fromFile)
	}
	fromPipe, err := parsed(t, bytes.NewReader(text), replay.ParseOptions{As: "claude_code"}, "-")
	if err != nil || strings.Count(fromPipe, "\n") != strings.Count(fromFile, "\n") {
		t.Errorf("%v: %d lines from a file, %d from a pipe", err, strings.Count(fromFile, "\n"), strings.Count(fromPipe, "\n"))
	}
	events, err := parsed(t, nil, replay.ParseOptions{Events: true}, name)
	if err != nil || !strings.Contains(events, `"event":`) || strings.Contains(events, `"node":`) {
		t.Errorf("events: %v: %.200s", err, events)
	}
	for says, try := range map[string]struct{ as, name string }{
		"standard input needs --as": {"", "-"},
		`unknown tool "typewriter"`: {"typewriter", name},
		"is a folder: use replay":   {"", t.TempDir()},
	} {
		if _, err := parsed(t, nil, replay.ParseOptions{As: try.as}, try.name); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("as %q, %s: got %v, want %q", try.as, try.name, err, says)
		}
	}
}

func parsed(t *testing.T, in io.Reader, o replay.ParseOptions, name string) (string, error) {
	t.Helper()
	var out, stderr bytes.Buffer
	a := cli.New(cli.Env{
		Stdin: in, Stdout: &out, Stderr: &stderr,
		Machine: host.Machine{
			OS: "linux", Now: time.Now,
			Getenv: func(string) string { return "" }, Home: func() (string, error) { return t.TempDir(), nil },
		},
	})
	o.Privacy = source.Privacy{Rules: &a.Rules}
	err := replay.Parse(t.Context(), a, o, name)
	return out.String(), err
}
