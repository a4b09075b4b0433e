package gitrepo

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// ignoredRevisions is the file of the commits that blame looks through.
const ignoredRevisions = ".git-blame-ignore-revs"

// blamed is where a line is from: a line of a file in a commit. No commit is "".
type blamed struct {
	commit, name string
	line         int
	boundary     bool // it was not followed further back
}

// blame blames revisions of a file, else its work tree, from first to last; 0 and 0 are
// all lines. Changes of space alone do not count, and lines that moved within the file
// keep their commit.
func (r *Repo) blame(ctx context.Context, path string, revisions []string, first, last int) (map[int]blamed, error) {
	args := []string{"blame", "--porcelain", "--no-textconv", "-w", "-M"}
	if first > 0 {
		args = append(args, "-L", fmt.Sprintf("%d,%d", first, last))
	}
	if _, err := os.Stat(filepath.Join(r.Root, ignoredRevisions)); err == nil {
		args = append(args, "--ignore-revs-file", ignoredRevisions)
	}
	out, err := r.git(ctx, append(append(args, revisions...), "--", path)...)
	if err != nil {
		return nil, err
	}
	return porcelain(string(out)), nil
}

// porcelain reads what blame prints: for each line "commit line-there line-here", with
// what is to say of a commit at its first line, and the text behind a tab.
func porcelain(out string) map[int]blamed {
	all := map[int]blamed{}
	commits := map[string]*blamed{} // what was said of a commit
	var current *blamed
	for line := range strings.Lines(out) {
		key, rest, _ := strings.Cut(strings.TrimRight(line, "\n"), " ")
		switch {
		case strings.HasPrefix(line, "\t"):
		case key == "boundary" && current != nil:
			current.boundary = true
		case key == "filename" && current != nil:
			current.name = unquoted(rest)
		case len(key) >= 40:
			if current = commits[key]; current == nil {
				current = &blamed{commit: key}
				commits[key] = current
			}
			if there, here, ok := places(rest); ok {
				all[here] = blamed{commit: key, line: there}
			}
		}
	}
	for n, b := range all {
		said := commits[b.commit]
		b.name, b.boundary = said.name, said.boundary
		if strings.Trim(b.commit, "0") == "" {
			b.commit = "" // not committed yet
		}
		all[n] = b
	}
	return all
}

// places reads "line-there line-here" and whatever follows.
func places(s string) (there, here int, ok bool) {
	a, b, _ := strings.Cut(s, " ")
	b, _, _ = strings.Cut(b, " ")
	there, err1 := strconv.Atoi(a)
	here, err2 := strconv.Atoi(b)
	return there, here, err1 == nil && err2 == nil
}
