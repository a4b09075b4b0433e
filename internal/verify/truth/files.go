package truth

import (
	"embed"
	"errors"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/internal/verify/patch"
)

// base is the work tree in which every scenario begins; more is what single
// scenarios add. Those of the second script are in a folder of their own.
//
//go:embed base more second
var files embed.FS

// Base returns the content of the files at the start of a scenario, as far as it
// edits them.
func Base(scenario string) (map[string]string, error) { return base("", scenario) }

// base returns the files that a scenario begins with.
func base(script, scenario string) (map[string]string, error) {
	tree := map[string]string{}
	for _, root := range []string{path.Join(script, "base"), path.Join(script, "more", scenario)} {
		err := fs.WalkDir(files, root, func(at string, d fs.DirEntry, err error) error {
			if errors.Is(err, fs.ErrNotExist) && at == root {
				return nil
			}
			if err != nil || d.IsDir() {
				return err
			}
			b, err := files.ReadFile(at)
			tree[strings.TrimPrefix(at, root+"/")] = string(b)
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	return tree, nil
}

// tree is the work tree as the edits change it, by path. It keeps every content that a file
// had, the latest last: a rewind may have put an earlier one back without saying which.
type tree map[string][]string

// now returns the present content of a file; false if it does not exist.
func (t tree) now(name string) (string, bool) {
	v := t[name]
	if len(v) == 0 || v[len(v)-1] == gone {
		return "", false
	}
	return v[len(v)-1], true
}

// set records a new content of a file.
func (t tree) set(name, content string) { t[name] = append(t[name], content) }

// gone stands for a file that is not there.
const gone = "\x00gone"

// diffs applies the episodes one after another to the files that the scenario began with, with
// what shell commands did in between, and compares what becomes of them with what git saw in
// the end.
//
// It does nothing for a recording whose transcripts do not say where an edit was made.
func (k *check) diffs() {
	script := ""
	if k.c.Truth.Second() {
		script = "second"
	}
	base, err := base(script, k.c.Base())
	if err != nil {
		k.problem("read base files: %v", err)
		return
	}
	if k.unknowable() {
		return
	}
	t := tree{}
	for name, content := range base {
		t.set(name, k.unended(content))
	}
	for _, o := range k.owed {
		switch {
		case slices.Contains(k.unseen(), o.Path):
		case o.Gone:
			t.set(o.Path, gone)
		case o.Shell:
			t.set(o.Path, *o.After)
		case o.episode != nil:
			k.apply(t, o)
		}
	}
	k.final(base, t)
}

// apply applies one episode to the tree. A diff that does not apply is reported, unless it is
// only told, and leaves the tree as it was.
func (k *check) apply(t tree, o *owed) {
	d := o.episode.Diff
	parsed, err := patch.Parse(d.Unified)
	if err != nil || len(parsed) != 1 {
		k.problem("episode of %s by %s: %d files in its diff, %v:\n%s", o.Path, o.CallID, len(parsed), err, d.Unified)
		return
	}
	from := o.Path
	if o.oldPath != "" {
		from = o.oldPath
	}
	after, err := k.applied(t, from, &parsed[0], o)
	switch {
	case err != nil && d.Certainty == string(core.Told):
		return // the file held something else, as the episode says
	case err != nil:
		k.problem("episode of %s by %s does not apply: %v:\n%s", o.Path, o.CallID, err, d.Unified)
		return
	}
	if o.oldPath != "" {
		t.set(from, gone)
	}
	switch {
	case d.Change != "delete":
		t.set(o.Path, after)
	case after != "":
		k.problem("episode of %s by %s deletes it but leaves %q", o.Path, o.CallID, after)
	default:
		t.set(o.Path, gone)
	}
}

// applied returns a file after a diff. After a rewind the diff may apply to any content that
// the file had, the latest first. It is an error if it applies to none.
func (k *check) applied(t tree, name string, f *patch.File, o *owed) (string, error) {
	before, exists := t.now(name)
	change := o.episode.Diff.Change
	if change == "write" {
		return f.Apply("") // whether it was there, the transcript does not tell
	}
	if exists == (change == "create") {
		k.problem("episode of %s by %s is a %s, but that it was there is %t", o.Path, o.CallID, change, exists)
	}
	after, err := f.Apply(before)
	if err != nil && len(t[name]) == 1 && k.endless(before) {
		after, err = f.Apply(strings.ReplaceAll(before, "\r\n", "\n"))
	}
	if err == nil || !k.rewound() {
		return after, err
	}
	for _, old := range slices.Backward(t[name]) {
		if now, again := f.Apply(old); again == nil && old != gone {
			return now, nil
		}
	}
	return "", err
}

// rewound reports whether the session was taken back.
func (k *check) rewound() bool {
	return slices.ContainsFunc(k.r.Streams, func(s *stream) bool {
		return slices.ContainsFunc(s.Events, func(e *event) bool { return e.Event == "rewind" })
	})
}

// byShell lists the files that a shell command of a scenario changes: what they
// end up as is not for the episodes to say.
func (k *check) byShell() []string {
	if k.c.Truth.Second() {
		return nil
	}
	switch k.c.Base() {
	case "fork", "rewind", "tui_rewind_compaction":
		return []string{"src/index.js"} // sed -i
	case "rewind_compaction":
		return []string{"src/log.js"} // printf >
	}
	return nil
}

// final compares the tree with what git says of it. Files outside of the repository, which git
// does not see, and files that only a shell command wrote are left out.
func (k *check) final(base map[string]string, t tree) {
	want, err := finally(base, k.c.FinalDiff)
	if err != nil {
		k.problem("read repo.diff: %v", err)
		return
	}
	except := append(k.byShell(), k.unseen()...)
	for _, e := range k.c.Truth.Edits {
		if e.Shell && !e.Looked() {
			except = append(except, e.Path)
		}
	}
	names := map[string]bool{}
	for name := range t {
		names[name] = true
	}
	for name := range want {
		names[name] = true
	}
	for _, name := range slices.Sorted(maps.Keys(names)) {
		if slices.Contains(except, name) || strings.HasPrefix(name, "../") { // git sees its own only
			continue
		}
		have, there := t.now(name)
		should, exists := want[name]
		if k.endless(base[name]) {
			have, should = strings.ReplaceAll(have, "\r\n", "\n"), strings.ReplaceAll(should, "\r\n", "\n")
		}
		if k.unended(have) != k.unended(should) || there != exists {
			k.problem("%s ends as %.300q (there: %t), but git saw %.300q (there: %t)", name, have, there, should, exists)
		}
	}
}

// emptied lists the new files without content of git's diff: they have no hunks.
func emptied(diff string) []string {
	var names []string
	for part := range strings.SplitSeq(diff, "diff --git ") {
		head, rest, _ := strings.Cut(part, "\n")
		if _, name, ok := strings.Cut(head, " b/"); ok && strings.HasPrefix(rest, "new file mode") && !strings.Contains(rest, "\n+++ ") {
			names = append(names, name)
		}
	}
	return names
}

// finally returns the files after git's diff of the whole scenario.
func finally(base map[string]string, diff string) (map[string]string, error) {
	want := maps.Clone(base)
	for _, name := range emptied(diff) {
		want[name] = ""
	}
	parsed, err := patch.Parse(diff)
	if err != nil {
		return nil, err
	}
	for _, f := range parsed {
		from, to := strings.TrimPrefix(f.Old, "a/"), strings.TrimPrefix(f.New, "b/")
		after, err := f.Apply(want[from])
		if err != nil {
			return nil, err
		}
		delete(want, from)
		if to != "/dev/null" {
			want[to] = after
		}
	}
	return want, nil
}
