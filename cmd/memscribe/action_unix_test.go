//go:build unix

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// reviewed is what the action for pull requests leaves.
type reviewed struct{ said, summary, outputs string }

// review runs the script of the action in a repository.
func (w *world) review(repo, database, base, head string) (r reviewed, err error) {
	w.t.Helper()
	script, err := filepath.Abs("../../.github/actions/review/review.sh")
	if err != nil {
		w.t.Fatal(err)
	}
	out := w.t.TempDir()
	cmd := exec.CommandContext(w.t.Context(), "bash", script)
	cmd.Dir = repo
	cmd.Env = append(w.command(w.t.Context()).Env, "DATABASE="+database, "PROJECT=app", "BASE="+base, "HEAD="+head, "RUNNER_TEMP="+out,
		"GITHUB_STEP_SUMMARY="+filepath.Join(out, "summary"), "GITHUB_OUTPUT="+filepath.Join(out, "output"))
	b, err := cmd.CombinedOutput()
	r.said = string(b)
	for name, to := range map[string]*string{"summary": &r.summary, "output": &r.outputs} {
		if text, readErr := os.ReadFile(filepath.Join(out, name)); readErr == nil {
			*to = string(text)
		}
	}
	return r, err
}

// TestAction has the action review two commits: one that breaks a ban and one that does
// not; and refuse what it cannot ask.
func TestAction(t *testing.T) {
	for _, tool := range []string{"git", "bash"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skipf("%s is not here: %v", tool, err)
		}
	}
	w := newServed(t) // "Never use lodash"
	db, repo := filepath.Join(w.dir, "n.db"), t.TempDir()
	commit := func(text string) string {
		if err := os.WriteFile(filepath.Join(repo, "a.js"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		for _, args := range [][]string{{"add", "-A"}, {"-c", "user.name=a", "-c", "user.email=a@example.com", "commit", "-qm", "x"}} {
			if out, err := exec.CommandContext(t.Context(), "git", append([]string{"-C", repo}, args...)...).CombinedOutput(); err != nil {
				t.Fatalf("%v: %s", err, out)
			}
		}
		out, err := exec.CommandContext(t.Context(), "git", "-C", repo, "rev-parse", "HEAD").Output()
		if err != nil {
			t.Fatal(err)
		}
		return strings.TrimSpace(string(out))
	}
	if out, err := exec.CommandContext(t.Context(), "git", "init", "-q", repo).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	first := commit("let a = 1\n")
	second := commit("let a = 2\n")
	third := commit("import map from \"lodash/map\"\nlet a = 2\n")

	r, err := w.review(repo, db, first, second)
	if err != nil || !strings.Contains(r.outputs, "broken=false\n") || !strings.Contains(r.summary, "0 broken") || !strings.Contains(r.summary, "## What was decided") {
		t.Errorf("nothing broken: %v %+v", err, r)
	}
	r, err = w.review(repo, db, second, third)
	if err != nil || !strings.Contains(r.outputs, "broken=true\n") || !strings.Contains(r.summary, "    a.js:1  breaks: ") {
		t.Errorf("a ban broken: %v %+v", err, r)
	}
	for what, tt := range map[string]struct{ db, base, want string }{
		"no database": {filepath.Join(w.dir, "none.db"), first, "there is no database"},
		"no base":     {db, "", "there is no base"},
		"no commit":   {db, strings.Repeat("0", 40), "fetch-depth"},
	} {
		if r, err = w.review(repo, tt.db, tt.base, third); err == nil || !strings.Contains(r.said, tt.want) || r.outputs != "" {
			t.Errorf("%s: %v %+v", what, err, r)
		}
	}
}
