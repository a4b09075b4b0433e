package gitrepo_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/memscribe/memscribe/internal/gitrepo"
)

// repository is a repository for a test.
type repository struct {
	t    *testing.T
	dir  string
	time int
}

func newRepository(t *testing.T) *repository {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not there")
	}
	r := &repository{t: t, dir: t.TempDir()}
	r.git("init", "-q", "-b", "main")
	return r
}

func (r *repository) git(args ...string) {
	r.t.Helper()
	cmd := exec.Command("git", append([]string{"-c", "user.name=a", "-c", "user.email=a@example.com"}, args...)...)
	cmd.Dir = r.dir
	r.time++
	date := fmt.Sprintf("2026-05-01T00:%02d:%02dZ", r.time/60, r.time%60)
	cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_COMMITTER_DATE="+date, "GIT_AUTHOR_DATE="+date)
	if out, err := cmd.CombinedOutput(); err != nil {
		r.t.Fatalf("git %v: %v: %s", args, err, out)
	}
}

func (r *repository) write(name string, lines []string) {
	r.t.Helper()
	if err := os.WriteFile(filepath.Join(r.dir, name), []byte(strings.Join(lines, "\n")+"\n"), 0o600); err != nil {
		r.t.Fatal(err)
	}
}

// TestPast holds what is kept from one question to the next to what git says when it is
// asked for everything, while a history grows, is merged, and is written again.
func TestPast(t *testing.T) {
	r, keep := newRepository(t), t.TempDir()
	random := rand.New(rand.NewPCG(1, 2))
	file, name := []string{}, "a.go"
	for i := range 40 {
		file = append(file, fmt.Sprintf("func line%d() { return %d }", i, i))
	}
	change := func(what string) {
		file[random.IntN(len(file))] = "changed " + what
		at := random.IntN(len(file))
		file = slices.Insert(file, at, "new "+what)
		r.write(name, file)
	}
	commit := func(what string) { r.git("add", "-A"); r.git("commit", "-q", "-m", what) }
	steps := []struct {
		name string
		do   func()
	}{
		{"the first commit", func() { r.write(name, file); commit("first") }},
		{"a second one", func() { change("second"); commit("second") }},
		{"a commit of another file", func() { r.write("b.go", []string{"b"}); commit("other") }},
		{"not committed", func() { change("work") }},
		{"committed with more", func() { change("more"); commit("third") }},
		{"amended", func() { change("amended"); r.git("commit", "-q", "-a", "--amend", "-m", "amended") }},
		{"merged", func() {
			r.git("checkout", "-q", "-b", "side", "HEAD~1")
			r.write("c.go", []string{"c"})
			commit("side")
			r.git("checkout", "-q", "main")
			r.git("merge", "-q", "-m", "merge", "side")
		}},
		{"after the merge", func() { change("merged"); commit("after") }},
		{"lines moved", func() { file = append(file[10:], file[:10]...); r.write(name, file); commit("moved") }},
		{"only spaces changed", func() { file[3] = "\t" + file[3]; r.write(name, file); commit("spaces") }},
		{"another name", func() { r.git("mv", name, "z.go"); name = "z.go"; commit("renamed") }},
		{"changed under that name", func() { change("renamed"); commit("changed") }},
		{"taken back", func() {
			r.git("reset", "-q", "--hard", "HEAD~1")
			file = file[:0:0]
			file = append(file, read(t, r, name)...)
		}},
		{"a revision ignored", func() {
			change("ignored")
			commit("ignored")
			out, err := exec.Command("git", "-C", r.dir, "rev-parse", "HEAD").Output()
			if err != nil {
				t.Fatal(err)
			}
			r.write(".git-blame-ignore-revs", []string{strings.TrimSpace(string(out))})
		}},
	}
	for _, step := range steps {
		step.do()
		kept, fresh := pastOf(t, r, keep, name), pastOf(t, r, "", name)
		if got, want := kept.Names(), fresh.Names(); !slices.Equal(got, want) {
			t.Errorf("%s: names %q, want %q", step.name, got, want)
		}
		n := len(file)
		got, err := kept.Blame(t.Context(), 1, n, n)
		if err != nil {
			t.Fatalf("%s: %v", step.name, err)
		}
		want, err := fresh.Blame(t.Context(), 1, n, n)
		if err != nil {
			t.Fatalf("%s: %v", step.name, err)
		}
		if !maps.Equal(got, want) || len(got) != n {
			t.Errorf("%s: %v, want %v", step.name, got, want)
		}
		for _, at := range []string{"2026-04-01T00:00:00Z", "2026-05-01T00:00:09Z", "2026-06-01T00:00:00Z"} {
			a, ok1 := kept.Before(t.Context(), at)
			b, ok2 := fresh.Before(t.Context(), at)
			if a != b || ok1 != ok2 {
				t.Errorf("%s: before %s %q, want %q", step.name, at, a, b)
			}
		}
	}
	if files, err := os.ReadDir(keep); err != nil || len(files) != 2 {
		t.Errorf("%d files are kept for two names: %v", len(files), err)
	}
}

// TestPastDamaged holds that what is kept is believed only if it can be read.
func TestPastDamaged(t *testing.T) {
	r, keep := newRepository(t), t.TempDir()
	r.write("a.go", []string{"one", "two"})
	r.git("add", "-A")
	r.git("commit", "-q", "-m", "all")
	want, err := pastOf(t, r, keep, "a.go").Blame(t.Context(), 1, 2, 2)
	if err != nil || len(want) != 2 || want[1] == "" {
		t.Fatalf("%v: %v", want, err)
	}
	files, err := filepath.Glob(filepath.Join(keep, "*.json"))
	if err != nil || len(files) != 1 {
		t.Fatalf("%v: %v", files, err)
	}
	for _, damage := range []string{"", "{", `{"path":"b.go"}`, `{"path":"a.go","head":"--output=x"}`, `{"path":"a.go","head":"HEAD","lines":[]}`} {
		if err := os.WriteFile(files[0], []byte(damage), 0o600); err != nil {
			t.Fatal(err)
		}
		got, err := pastOf(t, r, keep, "a.go").Blame(t.Context(), 1, 2, 2)
		if err != nil || !maps.Equal(got, want) {
			t.Errorf("%q: %v, want %v: %v", damage, got, want, err)
		}
	}
	if _, err := os.Stat(filepath.Join(r.dir, "x")); err == nil {
		t.Error("what was kept gave git an option")
	}
}

func pastOf(t *testing.T, r *repository, keep, name string) *gitrepo.Past {
	t.Helper()
	repo, err := gitrepo.Open(t.Context(), r.dir)
	if err != nil {
		t.Fatal(err)
	}
	p, err := repo.Past(t.Context(), keep, name)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func read(t *testing.T, r *repository, name string) []string {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(r.dir, name))
	if err != nil {
		t.Fatal(err)
	}
	return strings.Split(strings.TrimSuffix(string(b), "\n"), "\n")
}
