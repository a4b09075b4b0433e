package blame

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/memscribe/memscribe/internal/gitrepo"
)

// TestBefore holds what a write is credited with to what the commits know of the file
// before it.
func TestBefore(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not there")
	}
	dir := t.TempDir()
	git := func(args ...string) {
		t.Helper()
		cmd := exec.Command("git", append([]string{"-c", "user.name=a", "-c", "user.email=a@example.com"}, args...)...)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_COMMITTER_DATE=2026-05-01T00:00:00Z")
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v: %s", args, err, out)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "a.js"), []byte("module.exports = {\n  port: 80,\n};\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	git("init", "-q")
	git("add", "-A")
	git("commit", "-q", "-m", "all")
	repo, err := gitrepo.Open(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	const sooner, later = "2026-04-01T00:00:00Z", "2026-06-01T00:00:00Z"
	for _, test := range []struct {
		name, path, time, line string
		want                   int
	}{
		{"a line that was committed before", "a.js", later, "  port: 80,\n", 1},
		{"another line of that file", "a.js", later, "  port: 81,\n", -1},
		{"a frame that the file did not have", "a.js", later, "module.exports = [\n", -1},
		{"a file that no commit had", "b.js", later, "module.exports = {\n", -1},
		{"a repository that is younger", "a.js", sooner, "  port: 80,\n", -1},
		{"a frame in a younger repository", "a.js", sooner, "module.exports = {\n", 0},
		{"the end of a frame", "a.js", sooner, "});\r\n", 0},
		{"a frame of Python", "a.py", sooner, "class Store:\n", 0},
		{"nothing", "a.py", sooner, "\n", 0},
	} {
		past, err := repo.Past(t.Context(), "", test.path)
		if err != nil {
			t.Fatal(err)
		}
		b := before{repo: repo, past: past, time: test.time}
		if got := b.held(t.Context(), test.line); got != test.want {
			t.Errorf("%s: %d, want %d", test.name, got, test.want)
		}
	}
}
