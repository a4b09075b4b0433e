package discover_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/io/discover"
)

// tool is an adapter that has places and nothing else.
type tool struct {
	core.Adapter

	places []core.Place
}

func (t tool) Places() []core.Place { return t.places }

func claude() tool {
	desktop := []string{"**/projects/*/*.jsonl"}
	return tool{places: []core.Place{
		{
			Roots:    []core.Root{{Env: "CLAUDE_CONFIG_DIR"}, {Path: ".claude"}},
			Patterns: []string{"projects/*/*.jsonl"},
		},
		{
			Roots: []core.Root{
				{OS: "darwin", Path: "Library/Application Support/Claude"},
				{OS: "windows", Env: "APPDATA", Path: "Claude"},
				{OS: "linux", Env: "XDG_CONFIG_HOME", Path: "Claude"},
				{OS: "linux", Path: ".config/Claude"},
			},
			Patterns: desktop,
		},
		{Roots: []core.Root{{Path: ".claude"}}, Patterns: []string{"old/*.jsonl"}},
	}}
}

func TestRoots(t *testing.T) {
	home := filepath.FromSlash("/home/x")
	vars := func(m map[string]string) func(string) string { return func(k string) string { return m[k] } }
	tests := map[string]struct {
		env  discover.Env
		want []string
	}{
		"linux": {
			discover.Env{OS: "linux", Home: home, Getenv: vars(nil)},
			[]string{"/home/x/.claude", "/home/x/.config/Claude"},
		},
		"variables": {
			discover.Env{OS: "linux", Home: home, Getenv: vars(map[string]string{"CLAUDE_CONFIG_DIR": "/c", "XDG_CONFIG_HOME": "/xdg"})},
			[]string{"/c", "/xdg/Claude", "/home/x/.claude"},
		},
		"macOS": {
			discover.Env{OS: "darwin", Home: home, Getenv: vars(nil)},
			[]string{"/home/x/.claude", "/home/x/Library/Application Support/Claude"},
		},
		"windows, home of another": {
			discover.Env{OS: "windows", Home: home},
			[]string{"/home/x/.claude", "/home/x/AppData/Roaming/Claude"},
		},
		"no home": {discover.Env{OS: "linux", Getenv: vars(map[string]string{"CLAUDE_CONFIG_DIR": "/c"})}, []string{"/c"}},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var got []string
			for _, r := range discover.Roots([]core.Adapter{claude()}, tc.env) {
				got = append(got, filepath.ToSlash(r.Dir))
			}
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestPatterns(t *testing.T) {
	tests := []struct {
		pattern, path string
		holds, enter  bool
	}{
		{"projects/*/*.jsonl", "projects/a/b.jsonl", true, false},
		{"projects/*/*.jsonl", "projects/a/b.jsonl.zst", true, false},
		{"projects/*/*.jsonl", "projects/a/b.json", false, false},
		{"projects/*/*.jsonl", "projects/a/b/c.jsonl", false, false},
		{"projects/*/*.jsonl", "projects", false, true},
		{"projects/*/*.jsonl", "projects/a", false, true},
		{"projects/*/*.jsonl", "todos", false, false},
		{"projects/**/subagents/**/agent-*.jsonl", "projects/a/b/subagents/agent-1.jsonl", true, true},
		{"projects/**/subagents/**/agent-*.jsonl", "projects/a/subagents/subagents/x/agent-1.jsonl", true, true},
		{"projects/**/subagents/**/agent-*.jsonl", "projects/a/b/agent-1.jsonl", false, true},
		{"projects/**/subagents/**/agent-*.jsonl", "sessions/a", false, false},
		{"**/x.jsonl", "x.jsonl", true, true},
		{"**/x.jsonl", "a/b/x.jsonl", true, true},
		{"a/**", "a/b/c", true, true},
		{"a/[", "a/b", false, false},
	}
	for _, tc := range tests {
		places := []core.Place{{Roots: []core.Root{{Path: "r"}}, Patterns: []string{tc.pattern}}}
		r := discover.Roots([]core.Adapter{tool{places: places}}, discover.Env{Home: "h"})[0]
		if got := r.Holds(tc.path); got != tc.holds {
			t.Errorf("%s holds %s: %v", tc.pattern, tc.path, got)
		}
		if got := r.Enter(tc.path); got != tc.enter {
			t.Errorf("%s lets enter %s: %v", tc.pattern, tc.path, got)
		}
		if !r.Enter(".") {
			t.Errorf("%s does not let enter the root", tc.pattern)
		}
	}
}

func write(t *testing.T, dir string, names ...string) {
	t.Helper()
	for _, n := range names {
		p := filepath.Join(dir, filepath.FromSlash(n))
		if err := os.MkdirAll(filepath.Dir(p), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(p, []byte(n), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

func files(w *discover.Walk, dir string) (names []string, errs int) {
	for f, err := range w.Files(dir) {
		if err != nil {
			errs++
			continue
		}
		names = append(names, f.Rel)
	}
	return names, errs
}

func TestWalk(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "b/2", "a/1", "a/sub/3", "c", ".hidden/4")
	var w discover.Walk
	got, errs := files(&w, dir)
	if diff := cmp.Diff([]string{".hidden/4", "a/1", "a/sub/3", "b/2", "c"}, got); diff != "" || errs > 0 {
		t.Errorf("%d errors (-want +got):\n%s", errs, diff)
	}
	if again, _ := files(&w, filepath.Join(dir, "a")); len(again) > 0 {
		t.Errorf("yielded twice: %v", again)
	}
}

// TestWalkOfRootsThatShareFolders has every root give what it holds, though another
// one has gone through its folder, and no file twice.
func TestWalkOfRootsThatShareFolders(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "1.jsonl", "2.jsonl", "2/sub/3.jsonl", "4.jsonl", "other/5.jsonl")
	var w discover.Walk
	var got []string
	for _, r := range []discover.Root{
		discover.Named(filepath.Join(dir, "1.jsonl")), discover.Named(filepath.Join(dir, "2.jsonl")),
		discover.Named(filepath.Join(dir, "2", "sub", "3.jsonl")), discover.Named(filepath.Join(dir, "1.jsonl")),
	} {
		w.Enter, w.Holds = func(_, rel string) bool { return r.Enter(rel) }, r.Holds
		names, errs := files(&w, r.Dir)
		if errs > 0 {
			t.Errorf("%d errors in %s", errs, r.Dir)
		}
		got = append(got, names...)
	}
	if diff := cmp.Diff([]string{"1.jsonl", "2/sub/3.jsonl", "2.jsonl"}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestInclude(t *testing.T) {
	var roots []discover.Root
	for _, name := range []string{"/a/1.jsonl", "/a/2.jsonl", "/b/3.jsonl"} {
		roots = discover.Include(roots, discover.Named(filepath.FromSlash(name)))
	}
	if len(roots) != 2 || !roots[0].Holds("1.jsonl") || !roots[0].Holds("2.jsonl") || roots[0].Holds("3.jsonl") {
		t.Errorf("got %v", roots)
	}
}

func TestWalkEntersWhatItIsTold(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "a/1", "b/2")
	w := discover.Walk{Enter: func(_, rel string) bool { return rel != "b" }}
	if got, _ := files(&w, dir); !slices.Equal(got, []string{"a/1"}) {
		t.Errorf("got %v", got)
	}
}

func TestWalkLinks(t *testing.T) {
	dir, out := t.TempDir(), t.TempDir()
	write(t, dir, "a/1", "b/2")
	write(t, out, "3")
	for name, to := range map[string]string{
		"a/loop": dir, "a/other": filepath.Join(dir, "b"), "nowhere": filepath.Join(dir, "none"), "out": out,
		"z": filepath.Join(dir, "a", "1"), "self": filepath.Join(dir, "self"),
	} {
		if err := os.Symlink(to, filepath.Join(dir, filepath.FromSlash(name))); err != nil {
			t.Skip("no symbolic links here:", err)
		}
	}
	if err := os.Link(filepath.Join(dir, "b", "2"), filepath.Join(dir, "hard")); err != nil {
		t.Skip("no hard links here:", err)
	}
	for name, tc := range map[string]struct {
		walk       discover.Walk
		want, left []string
	}{
		"what leads out is left": {discover.Walk{}, []string{"a/1", "a/other/2"}, []string{"out"}},
		"unless it is a root":    {discover.Walk{Roots: []string{out}}, []string{"a/1", "a/other/2", "out/3"}, nil},
		"or all are followed":    {discover.Walk{Follow: true}, []string{"a/1", "a/other/2", "out/3"}, nil},
	} {
		var left []string
		w := tc.walk
		w.Left = func(path string) { left = append(left, filepath.Base(path)) }
		got, errs := files(&w, dir)
		if diff := cmp.Diff(tc.want, got); diff != "" || errs > 0 {
			t.Errorf("%s: %d errors (-want +got):\n%s", name, errs, diff)
		}
		if diff := cmp.Diff(tc.left, left); diff != "" {
			t.Errorf("%s: left (-want +got):\n%s", name, diff)
		}
	}
	// A root that is a link is what it leads to, and what is not looked at is not named.
	w := discover.Walk{Enter: func(_, rel string) bool { return rel == "." }}
	w.Left = func(path string) { t.Errorf("%s is named", path) }
	if got, errs := files(&w, filepath.Join(dir, "out")); !slices.Equal(got, []string{"3"}) || errs > 0 {
		t.Errorf("got %v and %d errors", got, errs)
	}
	if _, errs := files(&w, dir); errs > 0 {
		t.Errorf("%d errors", errs)
	}
}

// TestWalkLeavesTheSystem: not even where links are followed are the folders entered in
// which a system shows its processes and devices.
func TestWalkLeavesTheSystem(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("there may be no such folders")
	}
	dir := t.TempDir()
	for name, to := range map[string]string{"self": "/proc/self", "zero": "/dev/zero", "sys": "/sys/kernel", "all": "/"} {
		if err := os.Symlink(to, filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	w := discover.Walk{Follow: true, Enter: func(_, rel string) bool {
		return !strings.HasPrefix(rel, "all/") || rel == "all/proc" || rel == "all/sys"
	}}
	w.Holds = func(rel string) bool { return !strings.HasPrefix(rel, "all/") || strings.Count(rel, "/") > 1 }
	if got, errs := files(&w, dir); len(got) > 0 || errs > 0 {
		t.Errorf("got %d files and %d errors", len(got), errs)
	}
	for f, err := range w.Files("/proc/self") {
		if !errors.Is(err, discover.ErrSystem) {
			t.Errorf("got %s, %v", f.Path, err)
		}
	}
}

// TestWalkNamesStoresThatAreLinks: a link in the place of a tool's database is never passed
// over in silence, wherever it leads.
func TestWalkNamesStoresThatAreLinks(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("there may be no such devices")
	}
	dir, out := t.TempDir(), t.TempDir()
	write(t, out, "x.db")
	for name, to := range map[string]string{"device.db": "/dev/zero", "process.db": "/proc/self/environ", "out.db": filepath.Join(out, "x.db"), "folder.db": out, "x.txt": "/dev/zero"} {
		if err := os.Symlink(to, filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	var left []string
	w := discover.Walk{Store: func(path string) bool { return strings.HasSuffix(path, ".db") }, Left: func(path string) { left = append(left, filepath.Base(path)) }}
	if got, errs := files(&w, dir); len(got) > 0 || errs > 0 {
		t.Errorf("got %d files and %d errors", len(got), errs)
	}
	slices.Sort(left)
	if want := []string{"device.db", "folder.db", "out.db", "process.db"}; !slices.Equal(left, want) {
		t.Errorf("named are %q, want %q", left, want)
	}
}

// TestLeadsOut judges links on the way from a file to what lies beside it.
func TestLeadsOut(t *testing.T) {
	dir, out := t.TempDir(), t.TempDir()
	write(t, dir, "chats/s.json", "work/a/x", "work/b/x")
	write(t, out, "x")
	for name, to := range map[string]string{
		"work/in": filepath.Join(dir, "work", "a"), "work/out": out, "work/b/key": filepath.Join(out, "x"), "work/b/same": "x", "work/nowhere": filepath.Join(dir, "none"),
	} {
		if err := os.Symlink(to, filepath.Join(dir, filepath.FromSlash(name))); err != nil {
			t.Skip("no symbolic links here:", err)
		}
	}
	for name, want := range map[string]bool{
		"../work/a/x": false, "../work/in/x": false, "../work/out/x": true, "../work/out": true, "../work/b/key": true,
		"../work/b/same": false, "../work/none/x": false, "../work/nowhere": true, "s.json": false, "../../../x": false,
	} {
		file := filepath.Join(dir, "chats", "s.json")
		if got := discover.LeadsOut(file, filepath.Join(dir, "chats", filepath.FromSlash(name))); got != want {
			t.Errorf("%s: %v", name, got)
		}
	}
	a := accompanied{patterns: []string{"../work/*/x", "../work/b/*"}}
	shown := discover.Info(a, "s.json", filepath.Join(dir, "chats", "s.json")).Sidecars
	for name := range shown {
		if strings.Contains(name, "out") || strings.Contains(name, "key") {
			t.Errorf("%s is shown", name)
		}
	}
	if len(shown) != 4 { // a, b, in, and what is the same
		t.Errorf("shown: %d", len(shown))
	}
}

func TestWalkReportsWhatItCannotRead(t *testing.T) {
	if runtime.GOOS == "windows" || os.Getuid() == 0 {
		t.Skip("permissions do not stop this user")
	}
	dir := t.TempDir()
	write(t, dir, "a/1", "b/2")
	if err := os.Chmod(filepath.Join(dir, "a"), 0); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := os.Chmod(filepath.Join(dir, "a"), 0o700); err != nil {
			t.Error(err)
		}
	})
	var w discover.Walk
	if got, errs := files(&w, dir); errs != 1 || !slices.Equal(got, []string{"b/2"}) {
		t.Errorf("got %v and %d errors", got, errs)
	}
}

func TestWalkOfNothing(t *testing.T) {
	var w discover.Walk
	for _, err := range w.Files(filepath.Join(t.TempDir(), "none")) {
		if !os.IsNotExist(err) {
			t.Errorf("got %v, want %v", err, fs.ErrNotExist)
		}
	}
}

func FuzzPattern(f *testing.F) {
	f.Add("projects/**/subagents/**/agent-*.jsonl", "projects/a/b/subagents/agent-1.jsonl")
	f.Add("**/**/x", "a/x/x")
	f.Fuzz(func(t *testing.T, pattern, path string) {
		places := []core.Place{{Roots: []core.Root{{Path: "r"}}, Patterns: []string{pattern}}}
		r := discover.Roots([]core.Adapter{tool{places: places}}, discover.Env{Home: "h"})[0]
		if !r.Holds(path) {
			return
		}
		// Every folder on the way to a transcript must be entered.
		for i, c := range discover.Plain(path) {
			if c == '/' && !r.Enter(path[:i]) {
				t.Errorf("%q holds %q but does not let enter %q", pattern, path, path[:i])
			}
		}
	})
}

func TestNamed(t *testing.T) {
	r := discover.Named(filepath.FromSlash("/a/b/s[1]*.jsonl"))
	if want := filepath.FromSlash("/a/b"); r.Dir != want {
		t.Errorf("looks in %s, want %s", r.Dir, want)
	}
	for rel, want := range map[string]bool{
		"s[1]*.jsonl": true, "s[1]*.jsonl.zst": true, "s[1]*/subagents/agent.jsonl": true,
		"s1x.jsonl": false, "other.jsonl": false, "other/s[1]*.jsonl": false,
	} {
		if r.Holds(rel) != want {
			t.Errorf("Holds(%s) = %t", rel, !want)
		}
	}
	if !r.Enter(".") || !r.Enter("s[1]*") || r.Enter("other") {
		t.Error("enters the wrong folders")
	}
}
