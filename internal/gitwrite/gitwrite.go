// Package gitwrite writes notes about commits and a hook into a repository, when its user asks
// for it. Nothing else in the program writes to a repository.
//
// Everything is done by git itself, so locks, worktrees and the format of references are git's
// concern. While it runs, no hook of the repository runs, nothing is fetched, and no password
// is asked for.
//
//	refs/notes/memscribe                     one note per commit (Note)
//	.git/config: notes.rewriteRef            notes follow rebases (FollowRewrites)
//	.git/hooks/prepare-commit-msg            a block between two marks (InstallHook)
//	the message file of a commit             trailers (AddTrailers)
//
// Every method changes nothing if what it would write is there already, and says so.
package gitwrite

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
)

// NotesRef is where notes about commits lie.
const NotesRef = "refs/notes/memscribe"

// Repo is the work tree that is written to.
type Repo struct {
	Root string // its top folder
}

// git runs a command that changes the repository, with an input, and returns what it printed.
// Hooks of the repository are not run.
func (r *Repo) git(ctx context.Context, in string, args ...string) (string, error) {
	return r.run(ctx, in, append([]string{"-c", "core.hooksPath=" + os.DevNull}, args...)...)
}

// asked runs a command that asks git how the repository is set up, where its hooks lie among
// that, and returns what it printed without the line end.
func (r *Repo) asked(ctx context.Context, args ...string) (string, error) {
	out, err := r.run(ctx, "", args...)
	return strings.TrimRight(out, "\r\n"), err
}

// run runs git in the repository and returns what it printed. It never asks for a password,
// fetches nothing and starts no file watcher. The error has the first three arguments and the
// first line of what git said, in English.
func (r *Repo) run(ctx context.Context, in string, args ...string) (string, error) {
	safe := []string{"--no-pager", "-c", "core.fsmonitor=false", "-c", "protocol.allow=never"}
	cmd := exec.CommandContext(ctx, "git", append(safe, args...)...)
	cmd.Dir = r.Root
	cmd.Env = append(os.Environ(), "GIT_TERMINAL_PROMPT=0", "GIT_NO_LAZY_FETCH=1", "LC_ALL=C")
	cmd.Stdin = strings.NewReader(in)
	var out, said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &said
	if err := cmd.Run(); err != nil {
		reason, _, _ := strings.Cut(strings.TrimSpace(said.String()), "\n")
		return "", fmt.Errorf("git %s: %w: %s", strings.Join(args[:min(len(args), 3)], " "), err, reason)
	}
	return out.String(), nil
}

// Note writes the note about a commit in [NotesRef], in place of one that is there, and reports
// whether that changed it.
func (r *Repo) Note(ctx context.Context, commit, text string) (changed bool, err error) {
	if was, none := r.git(ctx, "", "notes", "--ref", NotesRef, "show", commit); none == nil && strings.TrimSpace(was) == strings.TrimSpace(text) {
		return false, nil
	}
	_, err = r.git(ctx, text, "notes", "--ref", NotesRef, "add", "-f", "-F", "-", commit)
	return err == nil, err
}

// FollowRewrites has git copy notes to the commits that a rebase or an amend makes, and
// reports whether it did not before. Only the settings of this repository change.
func (r *Repo) FollowRewrites(ctx context.Context) (changed bool, err error) {
	const key = "notes.rewriteRef"
	was, _ := r.git(ctx, "", "config", "--local", "--get-all", key) // it fails if there is none
	if slices.Contains(strings.Fields(was), NotesRef) {
		return false, nil
	}
	_, err = r.git(ctx, "", "config", "--local", "--add", key, NotesRef)
	return err == nil, err
}
