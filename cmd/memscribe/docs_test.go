package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"github.com/memscribe/memscribe/cmd/memscribe/internal/cli"
	"github.com/memscribe/memscribe/internal/app/host"
	"github.com/memscribe/memscribe/testkit/golden"
)

// TestCommandsDoc holds docs/cli.md to the commands' own help.
func TestCommandsDoc(t *testing.T) {
	a := newApp(cli.Env{Stdout: io.Discard, Stderr: io.Discard})
	root := a.newRoot()
	var b strings.Builder
	b.WriteString("# Commands\n\nWritten by `make golden` from the commands' own help.\n")
	describe(&b, root)
	expectFile(t, "../../docs/cli.md", b.String())
}

// describe writes the help of a command and of those below it.
func describe(b *strings.Builder, c *cobra.Command) {
	text := c.Long
	if text == "" {
		text = c.Short + "."
	}
	fmt.Fprintf(b, "\n## %s\n\n%s\n\n```text\n%s\n", c.CommandPath(), text, strings.TrimSpace(c.UseLine()))
	if flags := c.LocalFlags().FlagUsages(); flags != "" {
		fmt.Fprintf(b, "\n%s", flags)
	}
	b.WriteString("```\n")
	if c.Example != "" {
		fmt.Fprintf(b, "\nFor example:\n\n```sh\n%s\n```\n", strings.ReplaceAll(strings.TrimSpace(c.Example), "\n  ", "\n"))
	}
	for _, sub := range c.Commands() {
		if sub.IsAvailableCommand() {
			describe(b, sub)
		}
	}
}

// TestReadmeDemo compares the answer that the README begins with to what the demo
// prints.
func TestReadmeDemo(t *testing.T) {
	readme, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, shown, ok := strings.Cut(string(readme), "```text\n")
	shown, _, closed := strings.Cut(shown, "```\n")
	if !ok || !closed {
		t.Fatal("README.md shows no answer")
	}
	out := string(runAt(t, t.TempDir(), []string{"demo"}))
	if !strings.Contains(out, "  "+shown) {
		t.Errorf("README.md shows\n%s\nand the demo prints\n%s", shown, out)
	}
}

// TestReadmeSample holds the output that the README shows to what comes out of
// the fixture that it names.
func TestReadmeSample(t *testing.T) {
	const (
		fixture     = "../../fixtures/claude_code/2.1.329/interleaved_arcs"
		begin, fold = "```json\n", "\n```\n"
	)
	readme, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	head, rest, ok := strings.Cut(string(readme), begin)
	_, tail, closed := strings.Cut(rest, fold)
	if !ok || !closed {
		t.Fatal("README.md has no sample")
	}
	expectFile(t, "../../README.md", head+begin+sample(t, fixture)+fold+tail)
}

// sample is the first binding that a replay of dir gives, with both its ends:
// of each node what matters most.
func sample(t *testing.T, dir string) string {
	t.Helper()
	var out, stderr bytes.Buffer
	e := cli.Env{Stdout: &out, Stderr: &stderr, Machine: host.Machine{Getenv: func(string) string { return "" }}}
	if code := run([]string{"replay", dir}, e); code != cli.ExitDone {
		t.Fatalf("replay ended with %d: %s", code, &stderr)
	}
	nodes := map[string]map[string]json.RawMessage{}
	var binding string
	for line := range bytes.Lines(out.Bytes()) {
		n := map[string]json.RawMessage{}
		if err := json.Unmarshal(line, &n); err != nil {
			t.Fatal(err)
		}
		nodes[string(n["id"])] = n
		if binding == "" && string(n["relation"]) == `"produced"` {
			binding = string(n["id"])
		}
	}
	link := nodes[binding]
	from, to := nodes[string(link["from"])], nodes[string(link["to"])]
	if err := json.Unmarshal(to["diff"], &to); err != nil {
		t.Fatal(err)
	}
	return strings.Join([]string{
		members(from, "node", "id", "source", "session_id", "timestamp", "fact_status", "epitome", "decided_by"),
		members(to, "node", "id", "timestamp", "fact_status", "tool", "path", "change", "added_lines", "removed_lines", "unified"),
		members(link, "node", "id", "from", "to", "relation", "evidence"),
	}, "\n")
}

// members lays out some members of an object.
func members(object map[string]json.RawMessage, names ...string) string {
	var b strings.Builder
	sep := "{"
	for _, name := range names {
		fmt.Fprintf(&b, "%s\n  %q: %s", sep, name, object[name])
		sep = ","
	}
	b.WriteString("\n}")
	return b.String()
}

// expectFile compares a file with what it should hold, or writes it.
func expectFile(t *testing.T, name, want string) {
	t.Helper()
	if golden.Updating() {
		if err := os.WriteFile(name, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	have, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if string(have) != want {
		t.Errorf("%s is not up to date (make golden):\n%s", name, golden.Diff([]byte(want), have))
	}
}
