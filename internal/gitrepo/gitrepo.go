// Package gitrepo reads a git repository by running git.
//
// A repository may be hostile: its configuration can name programs. Therefore git runs with
// options that disable hooks, external diff programs, text conversion, the file system monitor,
// the pager and all network protocols, and it never asks for a password. A path goes after
// "--", so a name that begins with a dash is no option. Nothing in the repository is changed.
//
// What is asked, and for which command:
//
//	Blame, Past, Had, At         why: who wrote a line, and what the file was then
//	Log, Added, MergeBase        commits, pr, share: the lines that commits add
//	Diff, Staged, Untracked      check: the changes of a work tree
//	Files                        share: the files that git tracks below a path
//	Remote                       join: the address that the namespace is named after
//
// Results about committed files never change, so some are kept in the folder "git" of the state
// folder, by the id of the commit.
package gitrepo

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
)

// ErrNoRepository is the error of a folder that is in no repository, or of a machine
// without git.
var ErrNoRepository = errors.New("not in a git repository")

// Repo is a work tree.
type Repo struct {
	Root string // its top folder
}

// Open finds the repository that a folder is in.
func Open(ctx context.Context, dir string) (*Repo, error) {
	r := &Repo{Root: dir}
	out, err := r.git(ctx, "rev-parse", "--show-toplevel")
	if err != nil {
		return nil, fmt.Errorf("%w: %s", ErrNoRepository, dir)
	}
	r.Root = filepath.FromSlash(strings.TrimRight(string(out), "\r\n"))
	return r, nil
}

// maxOutput bounds what one call of git may answer.
const maxOutput = 256 << 20

// git runs a command in the repository and returns what it prints.
func (r *Repo) git(ctx context.Context, args ...string) ([]byte, error) {
	safe := []string{
		"--no-pager", "--no-optional-locks", "-c", "core.fsmonitor=false", "-c", "core.hooksPath=" + os.DevNull,
		"-c", "diff.external=", "-c", "protocol.allow=never", "-c", "core.quotePath=false",
	}
	cmd := exec.CommandContext(ctx, "git", append(safe, args...)...)
	cmd.Dir = r.Root
	cmd.Env = append(os.Environ(), "GIT_TERMINAL_PROMPT=0", "GIT_NO_LAZY_FETCH=1", "LC_ALL=C")
	var out limited
	var said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &said
	if err := cmd.Run(); err != nil {
		reason, _, _ := strings.Cut(strings.TrimSpace(said.String()), "\n")
		return nil, fmt.Errorf("git %s: %w: %s", args[0], err, reason)
	}
	return out.Bytes(), nil
}

// limited takes at most maxOutput bytes.
type limited struct{ bytes.Buffer }

// Write keeps output up to a limit and fails beyond it.
func (l *limited) Write(b []byte) (int, error) {
	if l.Len()+len(b) > maxOutput {
		return 0, fmt.Errorf("more than %d bytes", maxOutput)
	}
	return l.Buffer.Write(b)
}

// Commit returns the full id of a revision.
func (r *Repo) Commit(ctx context.Context, revision string) (string, error) {
	out, err := r.git(ctx, "rev-parse", "--verify", "--quiet", "--end-of-options", revision+"^{commit}")
	return strings.TrimSpace(string(out)), err
}

// Had reports whether there was any commit before a time (RFC 3339).
func (r *Repo) Had(ctx context.Context, time string) bool {
	out, err := r.git(ctx, "rev-list", "-1", "--until="+time, "HEAD")
	return err == nil && len(bytes.TrimSpace(out)) > 0
}

// At returns what a file held in a commit; in the index, if commit is empty.
func (r *Repo) At(ctx context.Context, commit, path string) (string, error) {
	out, err := r.git(ctx, "show", "--no-textconv", commit+":"+filepath.ToSlash(path))
	return string(out), err
}

// Range is a run of lines that a change added to a file.
type Range struct {
	Path        string
	First, Last int
}

// Added returns the lines that one commit has and another one has not. An empty from
// is the parent of to, or nothing if it has none.
func (r *Repo) Added(ctx context.Context, from, to string) ([]Range, error) {
	args := []string{"diff-tree", "-r", "-p", "-M", "--unified=0", "--no-ext-diff", "--no-textconv", "--no-color", "--no-commit-id"}
	if from == "" {
		args = append(args, "--root", to)
	} else {
		args = append(args, from, to)
	}
	return r.ranges(ctx, args)
}

// Staged returns the lines that the index has and the last commit has not.
func (r *Repo) Staged(ctx context.Context) ([]Range, error) {
	return r.ranges(ctx, []string{"diff", "--cached", "-M", "--unified=0", "--no-ext-diff", "--no-textconv", "--no-color", "--src-prefix=a/", "--dst-prefix=b/"})
}

// ranges reads the added lines of a patch that git prints.
func (r *Repo) ranges(ctx context.Context, args []string) ([]Range, error) {
	out, err := r.git(ctx, args...)
	if err != nil {
		return nil, err
	}
	var ranges []Range
	path := ""
	for line := range strings.Lines(string(out)) {
		switch {
		case strings.HasPrefix(line, "+++ "):
			path, _ = strings.CutPrefix(unquoted(strings.TrimRight(line[4:], "\t\r\n")), "b/")
		case strings.HasPrefix(line, "@@ ") && path != "" && path != "/dev/null":
			if first, n, ok := added(line); ok && n > 0 {
				ranges = append(ranges, Range{path, first, first + n - 1})
			}
		}
	}
	return ranges, nil
}

// added reads the new side of "@@ -1,2 +3,4 @@".
func added(head string) (first, n int, ok bool) {
	_, rest, _ := strings.Cut(head, " +")
	rest, _, ok = strings.Cut(rest, " @@")
	at, count, several := strings.Cut(rest, ",")
	first, err := strconv.Atoi(at)
	n = 1
	if several && err == nil {
		n, err = strconv.Atoi(count)
	}
	return first, n, ok && err == nil
}

// unquoted returns a path that git may have quoted as C does.
func unquoted(path string) string {
	if s, err := strconv.Unquote(path); err == nil && strings.HasPrefix(path, `"`) {
		return s
	}
	return path
}

// Diff returns the changes between two trees as a patch in git's form: from a commit
// to another one; without to, from a commit to the work tree; with staged, from HEAD
// to the index.
func (r *Repo) Diff(ctx context.Context, from, to string, staged bool) ([]byte, error) {
	args := []string{"diff", "-M", "--unified=0", "--no-ext-diff", "--no-textconv", "--no-color", "--src-prefix=a/", "--dst-prefix=b/", "--full-index"}
	switch {
	case staged:
		args = append(args, "--cached")
	case to == "":
		args = append(args, from)
	default:
		args = append(args, from, to)
	}
	return r.git(ctx, append(args, "--")...)
}

// Untracked lists the files that git neither tracks nor ignores.
func (r *Repo) Untracked(ctx context.Context) ([]string, error) {
	out, err := r.git(ctx, "ls-files", "--others", "--exclude-standard", "-z")
	if err != nil {
		return nil, err
	}
	return strings.FieldsFunc(string(out), func(c rune) bool { return c == 0 }), nil
}

// Empty returns whether the repository has no commit yet.
func (r *Repo) Empty(ctx context.Context) bool {
	_, err := r.Commit(ctx, "HEAD")
	return err != nil
}

// CommitInfo is a commit, as a list of them has it.
type CommitInfo struct {
	ID      string
	Time    string // when it was authored, RFC 3339
	Author  string
	Subject string
}

// Log lists commits, the newest first: at most n of those that a revision or range
// names. Merges are left out: they add nothing of their own.
func (r *Repo) Log(ctx context.Context, revisions string, n int) ([]CommitInfo, error) {
	out, err := r.git(ctx, "log", "--no-merges", "-z", "--format=%H%x1f%aI%x1f%an%x1f%s", "-n", strconv.Itoa(n), "--no-ext-diff", "--end-of-options", revisions, "--")
	if err != nil {
		return nil, err
	}
	var all []CommitInfo
	for line := range strings.SplitSeq(strings.TrimRight(string(out), "\x00"), "\x00") {
		if f := strings.SplitN(line, "\x1f", 4); len(f) == 4 {
			all = append(all, CommitInfo{ID: f[0], Time: f[1], Author: f[2], Subject: f[3]})
		}
	}
	return all, nil
}

// MergeBase returns the commit at which two revisions parted.
func (r *Repo) MergeBase(ctx context.Context, a, b string) (string, error) {
	out, err := r.git(ctx, "merge-base", "--end-of-options", a, b)
	return strings.TrimSpace(string(out)), err
}

// Author returns the name that git would give a commit made in a folder; "" if it has none, or
// is not there.
func Author(ctx context.Context, dir string) string {
	out, err := (&Repo{Root: dir}).git(ctx, "config", "user.name")
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(out))
}

// Files lists the files that git tracks at or below a path, which is relative to the root.
// Links and submodules are none.
func (r *Repo) Files(ctx context.Context, path string) ([]string, error) {
	out, err := r.git(ctx, "ls-files", "--stage", "-z", "--", path)
	if err != nil {
		return nil, err
	}
	var names []string
	for entry := range strings.SplitSeq(strings.TrimRight(string(out), "\x00"), "\x00") {
		about, name, ok := strings.Cut(entry, "\t")
		if ok && strings.HasPrefix(about, "100") {
			names = append(names, name)
		}
	}
	return names, nil
}
