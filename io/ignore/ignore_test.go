package ignore_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/io/ignore"
)

func write(t *testing.T, text string, parts ...string) {
	t.Helper()
	name := filepath.Join(parts...)
	if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func rules(t *testing.T, home string, own ...string) *ignore.Rules {
	t.Helper()
	r, err := ignore.New(home, own)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestOwnPatterns(t *testing.T) {
	r := rules(t, "/home/me", "~/private", "*.pem", "/srv/*/secret", "clients/acme", "**/keys/**", "!/srv/open/secret")
	for name, want := range map[string]bool{
		"/home/me/private": true, "/home/me/private/a/b.go": true, "/home/me/privates": false, "/home/me/work": false,
		"/x/y/a.pem": true, "/x/a.pem/b": true, "/x/apem": false,
		"/srv/a/secret": true, "/srv/a/secret/x": true, "/srv/a/b/secret": false, "/srv/open/secret/x": false,
		"/clients/acme/x": true, "/home/clients/acme": false,
		"/a/keys/b": true, "/a/keys": true, "relative": false, "": false,
	} {
		if got := r.Path(name); got != want {
			t.Errorf("%q is left out: %v, want %v", name, got, want)
		}
	}
	if !r.Project(core.Codex, "/home/me/private/app") || r.Project(core.Codex, "/home/me/app") || r.Project(core.Codex, "") {
		t.Error("projects are not judged as paths are")
	}
}

func TestPatternErrors(t *testing.T) {
	for _, p := range []string{"", "!", "a/[b", "a//b"} {
		if _, err := ignore.New("", []string{p}); err == nil {
			t.Errorf("%q: no error", p)
		}
	}
}

func TestIgnoreFiles(t *testing.T) {
	dir := t.TempDir()
	write(t, "", dir, "closed", ignore.FileName)
	write(t, "# nothing but this\n\n", dir, "commented", ignore.FileName)
	write(t, "secrets/\n*.env\n!example.env\n/only/here\n", dir, "open", ignore.FileName)
	write(t, "a/[b\n", dir, "broken", ignore.FileName)
	write(t, "docs\n*\n", dir, "star", ignore.FileName)
	r := rules(t, "")
	for name, want := range map[string]bool{
		"closed": true, "closed/deep/down": true, "commented": true, "open": false, "open/deep": false, "broken": true, "star/x": true,
		"other": false, "open/secrets/of": true,
	} {
		if got := r.Project(core.ClaudeCode, filepath.Join(dir, filepath.FromSlash(name))); got != want {
			t.Errorf("project %s is left out: %v, want %v", name, got, want)
		}
	}
	for name, want := range map[string]bool{
		"open/a.go": false, "open/secrets/a.go": true, "open/x/secrets/a.go": true, "open/p.env": true, "open/example.env": false,
		"open/only/here": true, "open/x/only/here": false, "closed/a.go": true, "star/docs": true,
	} {
		if got := r.Path(filepath.Join(dir, filepath.FromSlash(name))); got != want {
			t.Errorf("path %s is left out: %v, want %v", name, got, want)
		}
	}
}

func TestSwitches(t *testing.T) {
	dir := t.TempDir()
	write(t, `{"env":{"CLAUDE_CODE_SKIP_PROMPT_HISTORY":"1"}}`, dir, "off", ".claude", "settings.json")
	write(t, `{"env":{"CLAUDE_CODE_SKIP_PROMPT_HISTORY":"1"}}`, dir, "on", ".claude", "settings.json")
	write(t, `{"env":{"CLAUDE_CODE_SKIP_PROMPT_HISTORY":"0"}}`, dir, "on", ".claude", "settings.local.json")
	write(t, `{"env":`, dir, "torn", ".claude", "settings.json")
	write(t, `{"general":{"chatRecording":false}}`, dir, "qwen", ".qwen", "settings.json")
	write(t, `{"env":{"CLAUDE_CODE_SKIP_PROMPT_HISTORY":true}}`, dir, "home", ".claude", "settings.json")
	r := rules(t, "")
	for _, tt := range []struct {
		tool core.Tool
		dir  string
		want bool
	}{
		{core.ClaudeCode, "off", true},
		{core.ClaudeCode, "off/below", true},
		{core.Codex, "off", false},
		{core.ClaudeCode, "on", false},
		{core.ClaudeCode, "torn", false},
		{core.Qwen, "qwen", true},
		{core.ClaudeCode, "qwen", false},
	} {
		if got := r.Project(tt.tool, filepath.Join(dir, filepath.FromSlash(tt.dir))); got != tt.want {
			t.Errorf("%s in %s is left out: %v, want %v", tt.tool, tt.dir, got, tt.want)
		}
	}
	if r := rules(t, filepath.Join(dir, "home")); !r.Project(core.ClaudeCode, dir) || r.Project(core.Codex, dir) {
		t.Error("the switch in the home folder does not hold everywhere, or for others")
	}
}
