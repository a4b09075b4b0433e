package main

import (
	"bytes"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/memscribe/memscribe/cmd/memscribe/internal/cli"
	"github.com/memscribe/memscribe/cmd/memscribe/internal/demo"
	"github.com/memscribe/memscribe/internal/app/host"
)

// TestGettingStarted runs what docs/getting-started.md says, in its order, for
// somebody who has worked with one tool.
func TestGettingStarted(t *testing.T) {
	doc, err := os.ReadFile("../../docs/getting-started.md")
	if err != nil {
		t.Fatal(err)
	}
	home := t.TempDir()
	if err := os.CopyFS(home, os.DirFS("../../fixtures/claude_code/2.1.329/interleaved_arcs/home")); err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	ran := 0
	for _, line := range shellLines(string(doc)) {
		args, ok := memscribeArgs(line)
		if !ok || slices.Equal(args, []string{"watch"}) { // that one goes on
			continue
		}
		ran++
		out := runAt(t, home, args)
		if i := strings.Index(line, "> "); i > 0 && strings.HasPrefix(args[0], "replay") {
			name := strings.Fields(line[i+2:])[0]
			if err := os.WriteFile(name, out, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		if args[0] == "query" && args[1] != "bans" && !strings.Contains(line, "--since") && !bytes.Contains(out, []byte("orders")) {
			t.Errorf("%s tells nothing of the session:\n%s", line, out)
		}
	}
	if ran < 8 {
		t.Errorf("ran %d commands", ran)
	}
}

// runAt runs the program for the owner of a home folder.
func runAt(t *testing.T, home string, args []string) []byte {
	t.Helper()
	var out, stderr bytes.Buffer
	code := run(args, cli.Env{
		Stdin: strings.NewReader(""), Stdout: &out, Stderr: io.MultiWriter(&stderr),
		Machine: host.Machine{
			OS: "linux",
			Getenv: func(name string) string {
				return map[string]string{"HOME": home, "XDG_CONFIG_HOME": filepath.Join(home, ".config")}[name]
			},
			Home: func() (string, error) { return home, nil },
			Now:  func() time.Time { return time.Date(2026, 11, 22, 0, 0, 0, 0, time.UTC) },
		},
	})
	if code != cli.ExitDone && !strings.HasPrefix(stderr.String(), "nothing found") {
		t.Fatalf("memscribe %s ended with %d: %s", strings.Join(args, " "), code, &stderr)
	}
	return out.Bytes()
}

// TestDemoSessions holds the sessions of the demo to the fixtures of which they
// are copies.
func TestDemoSessions(t *testing.T) {
	dir := t.TempDir()
	if err := demo.Install(dir); err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, fixture := range []string{"claude_code/2.1.329/interleaved_arcs", "claude_code/2.1.329/ban", "codex/0.169.0/rejected_alternative"} {
		home := filepath.Join("../../fixtures", filepath.FromSlash(fixture), "home")
		err := filepath.WalkDir(home, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			n++
			want, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			rel, err := filepath.Rel(home, path)
			if err != nil {
				return err
			}
			have, err := os.ReadFile(filepath.Join(dir, rel))
			if !bytes.Equal(have, want) {
				t.Errorf("%s is not that of %s", rel, fixture)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if n != 3 {
		t.Errorf("compared %d sessions", n)
	}
}
