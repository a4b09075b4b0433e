package gitwrite

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// The lines of a hook that are ours stand between these.
const (
	hookBegin = "# memscribe trailers: begin"
	hookEnd   = "# memscribe trailers: end"
)

// ErrHook is the error of a hook that cannot be added to.
var ErrHook = errors.New("it is no shell script: call 'memscribe trailers message \"$1\"' from it yourself")

// hookPath returns the file of the hook that may change the message of a commit: where git
// looks for it in this repository.
func (r *Repo) hookPath(ctx context.Context) (string, error) {
	dir, err := r.asked(ctx, "rev-parse", "--git-path", "hooks")
	if err != nil {
		return "", err
	}
	if !filepath.IsAbs(dir) {
		dir = filepath.Join(r.Root, dir)
	}
	return filepath.Join(dir, "prepare-commit-msg"), nil
}

// InstallHook has the repository run a command line before the message of a commit is edited,
// after what its hook does already, and reports whether that is new. The line gets the file of
// the message as "$1". A failure of it stops no commit.
//
// A hook that is no shell script is left alone, and is an [ErrHook]. What is added to a script
// stands between two marks, by which RemoveHook finds it:
//
//	# memscribe trailers: begin
//	memscribe trailers message "$1" || :
//	# memscribe trailers: end
func (r *Repo) InstallHook(ctx context.Context, line string) (name string, changed bool, err error) {
	if name, err = r.hookPath(ctx); err != nil {
		return "", false, err
	}
	was, err := os.ReadFile(name)
	isNew := errors.Is(err, fs.ErrNotExist)
	switch {
	case isNew:
		was = []byte("#!/bin/sh\n")
	case err != nil:
		return name, false, fmt.Errorf("install hook: %w", err)
	case bytes.Contains(was, []byte(hookBegin)):
		return name, false, nil
	case !isShell(was):
		return name, false, fmt.Errorf("install hook %s: %w", name, ErrHook)
	}
	// The line end in front belongs to ours: without it, what was there ends as it did.
	is := append(bytes.Clone(was), "\n"+hookBegin+"\n"+line+" || :\n"+hookEnd+"\n"...)
	mode := fs.FileMode(0o755)
	if info, failed := os.Stat(name); failed == nil {
		mode = info.Mode().Perm() | 0o100
	}
	return name, true, write(name, is, mode)
}

// isShell reports whether the first line of a script names a shell, as #!/bin/sh or
// #!/usr/bin/env bash.
func isShell(script []byte) bool {
	first, _, _ := strings.Cut(string(script[:min(len(script), 200)]), "\n")
	line, ok := strings.CutPrefix(first, "#!")
	for word := range strings.FieldsSeq(line) {
		switch word[strings.LastIndexByte(word, '/')+1:] {
		case "sh", "bash", "dash", "zsh", "ksh":
			return ok
		}
	}
	return false
}

// RemoveHook takes our lines out again, so that the file is byte for byte what it was before,
// and reports whether there were any. A hook that holds nothing else is deleted. If the second
// mark is missing the file is left as it is, with an error.
func (r *Repo) RemoveHook(ctx context.Context) (name string, changed bool, err error) {
	if name, err = r.hookPath(ctx); err != nil {
		return "", false, err
	}
	was, err := os.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		return name, false, nil
	}
	if err != nil {
		return name, false, fmt.Errorf("remove hook: %w", err)
	}
	before, rest, ok := bytes.Cut(was, []byte("\n"+hookBegin+"\n"))
	_, after, closed := bytes.Cut(rest, []byte(hookEnd+"\n"))
	switch {
	case !ok:
		return name, false, nil
	case !closed:
		return name, false, fmt.Errorf("remove hook %s: the line %q is missing: take the lines out by hand", name, hookEnd)
	}
	left := append(bytes.Clone(before), after...)
	if string(left) == "#!/bin/sh\n" {
		return name, true, os.Remove(name)
	}
	info, err := os.Stat(name)
	if err != nil {
		return name, false, fmt.Errorf("remove hook: %w", err)
	}
	return name, true, write(name, left, info.Mode().Perm())
}

// write replaces a file, with these permissions, in one step: a commit that starts meanwhile
// runs the old hook or the new one. A link is followed, and stays a link.
func write(name string, content []byte, mode fs.FileMode) error {
	if real, err := filepath.EvalSymlinks(name); err == nil {
		name = real
	}
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil { //nolint:gosec // a folder of the repository, as git makes it
		return fmt.Errorf("write hook: %w", err)
	}
	f, err := os.CreateTemp(filepath.Dir(name), ".prepare-commit-msg.*")
	if err != nil {
		return fmt.Errorf("write hook: %w", err)
	}
	_, err = f.Write(content)
	err = errors.Join(err, f.Chmod(mode), f.Close())
	if err == nil {
		err = os.Rename(f.Name(), name)
	}
	if err != nil {
		return errors.Join(fmt.Errorf("write hook %s: %w", name, err), os.Remove(f.Name()))
	}
	return nil
}

// AddTrailers adds to the file of a message those trailers that it does not have, where git
// puts trailers.
func (r *Repo) AddTrailers(ctx context.Context, file string, trailers []string) error {
	args := []string{"interpret-trailers", "--in-place", "--if-exists", "addIfDifferent"}
	for _, t := range trailers {
		args = append(args, "--trailer", t)
	}
	_, err := r.git(ctx, "", append(args, "--", file)...)
	return err
}
