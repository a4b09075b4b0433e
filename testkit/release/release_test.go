package release

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// version is what the tests publish.
const version = "1.2.3"

// TestRelease makes a release for this machine in two folders and installs what comes
// out, if MEMSCRIBE_RELEASE is host. If it is all, the release is that of every system,
// and the second is made with an empty build cache.
func TestRelease(t *testing.T) {
	if os.Getenv("MEMSCRIBE_RELEASE") == "" {
		t.Skip("a release is made of the whole program, twice: MEMSCRIBE_RELEASE=host, or .ci/run release")
	}
	if runtime.GOOS != "linux" {
		t.Skip(".ci/release runs on Linux")
	}
	for _, tool := range []string{"bash", "git", "tar", "gzip", "xz", "zip"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skipf("a release needs %s: %v", tool, err)
		}
	}
	top := strings.TrimSpace(run(t, ".", nil, "git", "rev-parse", "--show-toplevel"))
	for _, module := range []string{top, filepath.Join(top, "cmd/memscribe/packaging/tools")} {
		if out, err := exec.CommandContext(t.Context(), "go", "mod", "download", "-C", module).CombinedOutput(); err != nil {
			t.Skipf("what a release is made of cannot be fetched: %v: %s", err, out)
		}
	}
	env := []string{"MEMSCRIBE_SIGNING_KEY=" + seed()}
	if os.Getenv("MEMSCRIBE_RELEASE") != "all" {
		env = append(env, "SYSTEMS=linux/"+runtime.GOARCH)
	}
	one := copyOf(t, top)
	first := published(t, one, env)
	t.Run("twice the same", func(t *testing.T) {
		if os.Getenv("MEMSCRIBE_RELEASE") == "all" {
			env = append(env, "GOCACHE="+t.TempDir())
		}
		other := filepath.Join(t.TempDir(), "another place")
		run(t, one, nil, "git", "clone", "--quiet", "--shared", one, other)
		second := published(t, other, env)
		sums, again := read(t, first, "SHA256SUMS"), read(t, second, "SHA256SUMS")
		sums, again = append(sums, read(t, first, "SHA256SUMS.minisig")...), append(again, read(t, second, "SHA256SUMS.minisig")...)
		if !bytes.Equal(sums, again) {
			t.Errorf("two releases of one commit differ:\n%s\n%s", sums, again)
		}
	})
	t.Run("sums", func(t *testing.T) { run(t, first, nil, "sha256sum", "--check", "--strict", "SHA256SUMS") })
	if os.Getenv("MEMSCRIBE_RELEASE") == "all" {
		manifests(t, first)
	}
	packages(t, first)
	installer(t, first)
	updates(t, first)
	registries(t, first)
}

// copyOf is a checkout of the sources as they stand, whether they are committed or not. Its
// commit has the same name wherever it is made.
func copyOf(t *testing.T, top string) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "memscribe")
	run(t, top, nil, "git", "clone", "--quiet", "--shared", top, dir)
	changed := run(t, top, nil, "git", "ls-files", "-z", "--modified", "--others", "--deleted", "--exclude-standard")
	for name := range strings.SplitSeq(strings.TrimRight(changed, "\x00"), "\x00") {
		if name != "" {
			overlay(t, filepath.Join(top, name), filepath.Join(dir, name))
		}
	}
	fixed := []string{
		"GIT_AUTHOR_DATE=2026-01-02T03:04:05Z", "GIT_COMMITTER_DATE=2026-01-02T03:04:05Z",
		"GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@example.com", "GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@example.com",
	}
	run(t, dir, fixed, "git", "add", "--all")
	run(t, dir, fixed, "git", "commit", "--quiet", "--allow-empty", "--no-gpg-sign", "--message", "release")
	return dir
}

// overlay makes a file of a copy what it is in the sources, or takes it away.
func overlay(t *testing.T, from, to string) {
	t.Helper()
	info, err := os.Stat(from)
	if err != nil {
		_ = os.Remove(to) // a file listed twice is gone already
		return
	}
	b, err := os.ReadFile(from)
	if err == nil {
		err = os.MkdirAll(filepath.Dir(to), 0o755)
	}
	if err == nil {
		err = os.WriteFile(to, b, info.Mode().Perm())
	}
	if err != nil {
		t.Fatal(err)
	}
}

// published makes a release out of a checkout and gives the folder it is in.
func published(t *testing.T, dir string, env []string) string {
	t.Helper()
	run(t, dir, env, ".ci/release", version)
	return filepath.Join(dir, "dist")
}

// run runs a program, which has to succeed, and gives what it prints.
func run(t *testing.T, dir string, env []string, name string, args ...string) string {
	t.Helper()
	out, err := tried(t, dir, env, name, args...)
	if err != nil {
		t.Fatalf("%s %v: %v\n%s", name, args, err, out)
	}
	return out
}

// tried runs a program and gives all that it prints and how it ended.
func tried(t *testing.T, dir string, env []string, name string, args ...string) (string, error) {
	t.Helper()
	if strings.HasPrefix(name, ".") {
		name = filepath.Join(dir, name)
	}
	cmd := exec.CommandContext(t.Context(), name, args...)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), env...)
	out, err := cmd.CombinedOutput()
	return string(out), err
}

func read(t *testing.T, dir, name string) []byte {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(dir, name))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// works runs an installed program on the sessions that come with it.
func works(t *testing.T, program string) {
	t.Helper()
	home := t.TempDir()
	env := []string{"HOME=" + home, "XDG_STATE_HOME=" + home, "XDG_DATA_HOME=" + home, "XDG_CONFIG_HOME=" + home}
	if out := run(t, home, env, program, "demo"); !strings.Contains(out, "decision") {
		t.Errorf("the demo shows no decision:\n%s", out)
	}
}
