package codex_test

import (
	"strings"
	"testing"

	"github.com/memscribe/memscribe/core"
)

// TestPatchElsewhere: a shell goes to a folder before it patches (0.163, recorded).
func TestPatchElsewhere(t *testing.T) {
	heredoc := "apply_patch <<'EOF'\n" + patchText + "\nEOF\n"
	for name, test := range map[string]struct{ script, path string }{
		"first":                        {"cd sub && " + heredoc, "/w/sub/a.go"},
		"behind another command":       {"mkdir -p sub/in && cd sub/in && " + heredoc, "/w/sub/in/a.go"},
		"on a line of its own":         {"set -e\ncd sub\n" + heredoc, "/w/sub/a.go"},
		"step by step":                 {"cd sub; cd in; " + heredoc, "/w/sub/in/a.go"},
		"in a shell of its own":        {"(cd sub && " + heredoc + ")", "/w/sub/a.go"},
		"in a shell that has ended":    {"(cd sub && ls) && " + heredoc, "/w/a.go"},
		"in a shell by name":           {`bash -lc "cd sub && ` + heredoc + `"`, "/w/sub/a.go"},
		"in quotes":                    {`cd "sub dir" && ` + heredoc, "/w/sub dir/a.go"},
		"absolute":                     {"cd -- /v/sub && " + heredoc, "/v/sub/a.go"},
		"only the shell knows where":   {`cd "$SUB" && ` + heredoc, "/w/a.go"},
		"named in what a command gets": {"cat > notes <<EOF\ncd sub\nEOF\n" + heredoc, "/w/a.go"},
		"behind the text":              {"cat > p <<'EOF'\n" + patchText + "\nEOF\ncd sub && apply_patch < p", "/w/sub/a.go"},
		"after it":                     {heredoc + "cd sub && ls", "/w/a.go"},
	} {
		t.Run(name, func(t *testing.T) {
			got := ""
			r := started(oldThread).call("c", "exec_command", obj{"cmd": test.script}).
				output("c", "Process exited with code 0\nOutput:\nSuccess. Updated the following files:\nM a.go\n")
			one(t, "x.jsonl", r.String(), func(ev *core.Event) {
				if _, ok := ev.Body.(*core.FileEdit); ok {
					got += describe(ev) + "\n"
				}
			})
			if want := "edit c exec_command modify " + test.path + " +1 -1\n"; got != want {
				t.Errorf("got %q, want %q", got, want)
			}
		})
	}
}

// TestPatchAmongQuietCommands: what else a script does decides whether a text that
// was read is still sure.
func TestPatchAmongQuietCommands(t *testing.T) {
	const header = "@@ -1,3 +1,3 @@"
	heredoc := "apply_patch <<'EOF'\n" + patchText + "\nEOF\n"
	for script, sure := range map[string]bool{
		"cd .\n" + heredoc + "git diff":     true,
		"(mkdir -p x; " + heredoc + ")":     true,
		heredoc + "make generate":           false,
		"echo > a.go && " + heredoc:         false,
		heredoc + "sed -i s/one/two/ other": false,
	} {
		r := started(oldThread).
			call("r", "exec_command", obj{"cmd": "cat other"}).output("r", "Process exited with code 0\nOutput:\none\ntwo\nthree\n").
			call("c", "exec_command", obj{"cmd": script}).output("c", "Process exited with code 0\nOutput:\nSuccess. Updated the following files:\nM a.go\n").
			custom("d", "apply_patch", "*** Begin Patch\n*** Update File: other\n@@\n-two\n+2\n*** End Patch").output("d", "Exit code: 0\nOutput:\nSuccess. Updated the following files:\nM other\n")
		heads := ""
		one(t, "x.jsonl", r.String(), func(ev *core.Event) {
			if e, ok := ev.Body.(*core.FileEdit); ok && e.CallID == "d" {
				heads += hunkHeads(e.Diff.Unified)
			}
		})
		if got := strings.Contains(heads, header); got != sure {
			t.Errorf("after %q the hunk is at %q; what was read is sure: want %t", script, heads, sure)
		}
	}
}
