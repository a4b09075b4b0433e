package main

import (
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/memscribe/memscribe/cmd/memscribe/internal/cli"
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/internal/app/doctor"
)

// fiveTools makes a home in which five tools have been used, of recorded sessions.
func fiveTools(t *testing.T, corpus string) (home string, tools []string) {
	t.Helper()
	home = t.TempDir()
	for _, tool := range []core.Tool{core.ClaudeCode, core.Codex, core.Copilot, core.OpenCode, core.Cline} {
		all, err := filepath.Glob(filepath.Join(corpus, string(tool), "*", "*", "home"))
		if err != nil {
			t.Fatal(err)
		}
		all = slices.DeleteFunc(all, isDump)
		decided := slices.IndexFunc(all, func(dir string) bool { return strings.Contains(dir, "rejected_alternative") })
		if len(all) == 0 {
			t.Skipf("no sessions of %s in %s", tool, corpus)
		}
		if err := os.CopyFS(home, os.DirFS(all[max(decided, 0)])); err != nil {
			t.Fatal(err)
		}
		tools = append(tools, string(tool))
	}
	return home, tools
}

// isDump reports whether a home has a database as SQL, which no tool would read.
func isDump(home string) bool {
	found := false
	_ = filepath.WalkDir(home, func(path string, _ fs.DirEntry, err error) error {
		found = found || filepath.Ext(path) == ".sql"
		return err
	})
	return found
}

// TestFirstMinute is what somebody sees who has used five tools and begins with
// watch and doctor: decisions of the tools, before watch has said anything else,
// and every store explained, with advice where something is to be done.
func TestFirstMinute(t *testing.T) {
	for name, corpus := range map[string]string{"fixtures": "../../fixtures", "recorded": "../../../shared/transcripts"} {
		t.Run(name, func(t *testing.T) {
			home, tools := fiveTools(t, corpus)
			w := &owner{home: home, now: time.Date(2026, 12, 1, 0, 0, 0, 0, time.UTC)}
			out, stderr := w.run(t, cli.ExitDone, "watch", "--once", "--sink", "ndjson", "--out", "-")
			if stderr != "" || !strings.Contains(out, `"node":"decision"`) {
				t.Errorf("watch shows no decision, or complains: %s", stderr)
			}
			w.run(t, cli.ExitDone, "watch", "--once")
			answer, _ := w.run(t, cli.ExitDone, "query", "decisions", "--json")
			for _, tool := range tools {
				if !strings.Contains(out, `"source":"`+tool+`"`) {
					t.Errorf("watch has nothing of %s", tool)
				}
			}
			if !strings.Contains(answer, `"epitome"`) {
				t.Errorf("query decisions tells %s", answer)
			}
			checkDoctor(t, w, tools)
		})
	}
}

func checkDoctor(t *testing.T, w *owner, tools []string) {
	t.Helper()
	out, _ := w.run(t, cli.ExitDone, "doctor", "--json", "--deep")
	conforms(t, "doctor.v1.json", out)
	var c doctor.Report
	if err := json.Unmarshal([]byte(out), &c); err != nil {
		t.Fatal(err)
	}
	for _, tool := range tools {
		i := slices.IndexFunc(c.Stores, func(s doctor.Store) bool { return string(s.Tool) == tool && s.Transcripts > 0 })
		if i < 0 {
			t.Errorf("doctor finds no transcripts of %s", tool)
			continue
		}
		if !slices.ContainsFunc(c.Findings, func(f doctor.Finding) bool { return f.Check == "drift" && strings.HasPrefix(f.Finding, tool+":") }) {
			t.Errorf("doctor does not say whether it knows the records of %s", tool)
		}
	}
	for _, f := range c.Findings {
		if f.Level != doctor.OK && f.Advice == "" {
			t.Errorf("no advice: %+v", f)
		}
		if f.Check == "stores" && f.Level != doctor.OK {
			t.Errorf("a store is not explained: %+v", f)
		}
	}
	if !slices.ContainsFunc(c.Findings, func(f doctor.Finding) bool { return f.Check == "proof" && f.Level == doctor.OK }) {
		t.Errorf("doctor proves nothing: %s", out)
	}
}

// conforms holds a text to a schema that is published.
func conforms(t *testing.T, name, text string) {
	t.Helper()
	schema, err := jsonschema.NewCompiler().Compile(filepath.Join("../../docs/schema", name))
	if err != nil {
		t.Fatal(err)
	}
	value, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	if err := schema.Validate(value); err != nil {
		t.Errorf("%v:\n%s", err, text)
	}
}

// TestDoctorBeside has stores explained that no adapter reads, and wants those
// that nobody knows to be named.
func TestDoctorBeside(t *testing.T) {
	w := &owner{home: t.TempDir(), now: time.Date(2026, 12, 1, 0, 0, 0, 0, time.UTC)}
	for _, name := range []string{
		".codex/sessions/2026/x.txt", ".codex/history.jsonl", ".codex/state_5.sqlite", ".codex/sessions.db",
		".codex/attic/rollouts.jsonl", ".claude/history.jsonl", ".claude/todos/a.json",
	} {
		name = filepath.Join(w.home, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte("x"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	out, _ := w.run(t, cli.ExitDone, "doctor", "--json")
	conforms(t, "doctor.v1.json", out)
	var c doctor.Report
	if err := json.Unmarshal([]byte(out), &c); err != nil {
		t.Fatal(err)
	}
	for _, s := range c.Stores {
		unknown := map[core.Tool]int{core.Codex: 2}[s.Tool] // sessions.db, rollouts.jsonl
		if s.Unclaimed != unknown {
			t.Errorf("%s: %d are unclaimed, want %d: %+v", s.Tool, s.Unclaimed, unknown, s.Beside)
		}
	}
	for _, says := range []string{"prompts as they were typed", "indexes and logs", "none that the adapter knows, such as "} {
		if !strings.Contains(out, says) {
			t.Errorf("doctor does not say %q:\n%s", says, out)
		}
	}
}
