package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// answered is what a hook that answers says to a payload, without its JSON.
func (w *world) answered(tool, payload string) string {
	w.t.Helper()
	cmd := w.command(w.t.Context(), "hook", "--recall", "--tool", tool)
	cmd.Stdin = strings.NewReader(payload)
	out, err := cmd.Output()
	if err != nil {
		w.t.Fatal(err)
	}
	if len(bytes.TrimSpace(out)) == 0 {
		return ""
	}
	var a struct {
		Specific struct {
			Context string `json:"additionalContext"`
		} `json:"hookSpecificOutput"`
	}
	if err := json.Unmarshal(out, &a); err != nil {
		w.t.Fatalf("%s: %v", out, err)
	}
	return a.Specific.Context
}

// TestRecallFixedPoint: what an agent was given, by hooks and by the server, and what it
// says of it, comes back in the transcripts of each session, and is captured with them.
// After ten rounds nothing is known that was not known before, and what is given is the
// same.
func TestRecallFixedPoint(t *testing.T) {
	t.Parallel()
	w := newServed(t)
	_, data := places(filepath.Join(w.dir, "home"))
	db := filepath.Join(data, "nodes.db")
	capture := func() []string {
		w.run("replay", "--home", filepath.Join(w.dir, "home"), "--sink", "sqlite", "--out", db)
		var ids []string
		for line := range strings.Lines(w.run("replay", "--home", filepath.Join(w.dir, "home"))) {
			var n struct{ ID, Text string }
			if err := json.Unmarshal([]byte(line), &n); err != nil {
				t.Fatal(err)
			}
			if n.Text == "yes" || n.Text == "Yes, please." {
				continue // a person's own words, of each session
			}
			ids = append(ids, n.ID)
		}
		slices.Sort(ids)
		return ids
	}
	before := capture()
	if len(before) < 5 {
		t.Fatalf("%d nodes to begin with", len(before))
	}
	first := ""
	for round := range 10 {
		start := w.answered("claude_code", fmt.Sprintf(`{"session_id":"r%d","cwd":"/home/dev/work/app","hook_event_name":"SessionStart","source":"startup"}`, round))
		edit := w.answered("claude_code", fmt.Sprintf(`{"session_id":"e%d","cwd":"/home/dev/work/app","hook_event_name":"PreToolUse","tool_name":"Edit","tool_input":{"file_path":"/home/dev/work/app/src/orders.js"}}`, round))
		if first == "" {
			first = start
		}
		if start != first || !strings.Contains(start, "cursor pagination") || !strings.Contains(edit, "Never use lodash") {
			t.Fatalf("round %d: a session is told %q and %q, the first was told %q", round, start, edit, first)
		}
		w.converse(round, start, edit, w.served(db))
		if after := capture(); !slices.Equal(after, before) {
			t.Fatalf("after round %d there are %d nodes, before %d:\n%s", round, len(after), len(before), w.run("query", "decisions", "--db", db))
		}
	}
}

// served is what the server answers about rules.
func (w *world) served(db string) string {
	w.t.Helper()
	cmd := w.command(w.t.Context(), "mcp", "--db", db)
	cmd.Dir = w.dir
	s := w.dial(&mcp.CommandTransport{Command: cmd})
	defer func() { _ = s.Close() }()
	r, err := s.CallTool(w.t.Context(), &mcp.CallToolParams{Name: "rules", Arguments: map[string]any{"project": "app"}})
	if err != nil {
		w.t.Fatal(err)
	}
	return r.Content[0].(*mcp.TextContent).Text
}

// converse writes the transcripts of a round, as Claude Code, Codex and Gemini CLI
// record what hooks and servers gave, and an agent that repeats all of it.
func (w *world) converse(round int, start, edit, rules string) {
	w.t.Helper()
	said, err := os.ReadFile(filepath.Join("testdata", "agents", "recalled.jsonl"))
	if err != nil {
		w.t.Fatal(err)
	}
	quoted := func(text string) string {
		b, err := json.Marshal(text)
		if err != nil {
			w.t.Fatal(err)
		}
		return strings.Trim(string(b), `"`)
	}
	lines := ""
	for line := range strings.Lines(start) {
		if strings.HasPrefix(line, "- ") {
			lines += line
		}
	}
	escaped := strings.NewReplacer("<", "&lt;", ">", "&gt;").Replace(start)
	text := strings.NewReplacer("{round}", fmt.Sprintf("%04d", round), "{start}", quoted(start), "{edit}", quoted(edit),
		"{rules}", quoted(rules), "{lines}", quoted(lines), "{escaped}", quoted(escaped)).Replace(string(said))
	for part := range strings.SplitSeq(text, "=== ") {
		name, body, ok := strings.Cut(part, "\n")
		if !ok {
			continue
		}
		file := filepath.Join(w.dir, "home", filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
			w.t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(body), 0o600); err != nil {
			w.t.Fatal(err)
		}
	}
}
