package corpus_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/internal/verify/corpus"
)

func TestLoad(t *testing.T) {
	root := t.TempDir()
	for name, content := range map[string]string{
		"codex/1/b+v/home/.codex/sessions/2026/01/02/rollout-x.jsonl":           "{}\n",
		"codex/1/b+v/home/.codex/archived_sessions/rollout-y.jsonl.zst":         "",
		"codex/1/b+v/home/.codex/history.jsonl":                                 "",
		"codex/1/b+v/snapshots/0/.codex/sessions/2026/01/02/rollout-x.jsonl":    "",
		"codex/1/b+v/truth.json":                                                `{"repo":"/w","edits":[{"path":"a","call_id":"c","applied":true},{"applied":true,"shell":true},{}]}`,
		"codex/1/b+v/repo.diff":                                                 "diff\n",
		"claude_code/2/a/home/.claude/projects/p/s.jsonl":                       "",
		"claude_code/2/a/home/.claude/projects/p/s/subagents/agent-1.jsonl":     "",
		"claude_code/2/a/home/.claude/projects/p/s/subagents/agent-1.meta.json": "",
		"claude_code/2/empty/home/.claude/todos/x.json":                         "",
		"nobody/1/a/home/projects/x.jsonl":                                      "",
	} {
		file := filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	all, err := corpus.Load(root)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, c := range all {
		got = append(got, c.Name())
		for _, f := range c.Files {
			got = append(got, f.Name)
		}
	}
	want := []string{
		"claude_code/2/a",
		"claude_code/2/a/home/.claude/projects/p/s/subagents/agent-1.jsonl", "claude_code/2/a/home/.claude/projects/p/s.jsonl",
		"codex/1/b+v",
		"codex/1/b+v/home/.codex/archived_sessions/rollout-y.jsonl.zst",
		"codex/1/b+v/home/.codex/sessions/2026/01/02/rollout-x.jsonl",
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	c := all[1]
	if c.Base() != "b" || c.FinalDiff != "diff\n" || c.Truth == nil || c.Truth.Repo != "/w" || len(c.Truth.Owed()) != 1 {
		t.Errorf("got %+v", c)
	}
	if all[0].Truth != nil {
		t.Error("truth out of nowhere")
	}
	if only, err := corpus.Load(root, core.Codex); err != nil || len(only) != 1 {
		t.Errorf("of Codex: %d, %v", len(only), err)
	}
}

func TestLoadNothing(t *testing.T) {
	if _, err := corpus.Load(filepath.Join(t.TempDir(), "none")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("got %v", err)
	}
}

func TestBefore(t *testing.T) {
	for _, tc := range []struct {
		version, other string
		want           bool
	}{
		{"0.47.0", "0.105", true},
		{"0.105.0", "0.105", false},
		{"0.105", "0.105.0", true},
		{"1.0.128", "2.0.77", true},
		{"2.1.0", "2.0.77", false},
		{"2.0.77", "2.0.77", false},
		{"latest", "1.0", false},
	} {
		if got := (&corpus.Case{Version: tc.version}).Before(tc.other); got != tc.want {
			t.Errorf("%s before %s is %t", tc.version, tc.other, got)
		}
	}
}
