package gitrepo_test

import (
	"os/exec"
	"testing"

	"github.com/memscribe/memscribe/internal/gitrepo"
)

// TestFullName reads the addresses that git takes, and makes no name of a home folder.
func TestFullName(t *testing.T) {
	for address, want := range map[string]string{
		"https://github.com/acme/app.git":        "acme/app",
		"https://ann:secret@host.example/a/b":    "a/b",
		"git@github.com:acme/app.git":            "acme/app",
		"git@host.example:group/sub/app":         "sub/app",
		"ssh://git@host.example:22/acme/app.git": "acme/app",
		"https://host.example/app.git":           "",
		"https://host.example/acme/.git":         "",
		"/home/ann/work/app":                     "",
		"file:///home/ann/work/app":              "",
		"host.example:/home/ann/work/app.git":    "",
		"ssh://host.example/Users/ann/app":       "",
		"host.example:~ann/work/app":             "",
		`C:\Users\ann\app`:                       "",
		"C:/work/acme/app":                       "",
		"":                                       "",
	} {
		if got := gitrepo.FullName(address); got != want {
			t.Errorf("%s: got %q, want %q", address, got, want)
		}
	}
}

// TestRemote reads the remote that a repository has.
func TestRemote(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not there")
	}
	dir := t.TempDir()
	for _, args := range [][]string{{"init", "-q"}, {"remote", "add", "origin", "git@host.example:acme/app.git"}} {
		cmd := exec.Command("git", args...)
		cmd.Dir = dir
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v: %s", args, err, out)
		}
	}
	r, err := gitrepo.Open(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	if got := r.Remote(t.Context()); got != "git@host.example:acme/app.git" {
		t.Errorf("got %q", got)
	}
}
