package bancheck

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/bluekeyes/go-gitdiff/gitdiff"

	"github.com/memscribe/memscribe/internal/check"
	"github.com/memscribe/memscribe/internal/gitrepo"
	"github.com/memscribe/memscribe/internal/nodedb"
	"github.com/memscribe/memscribe/internal/why"
)

// changesOf reads the changes that are asked for from a repository:
//
//	Range     git diff A B
//	Staged    the index against HEAD
//	neither   the work tree against HEAD, and files that git does not track yet
//
// A repository without a commit has everything staged or untracked. More than 1,000
// untracked files are an error; of a larger or binary file only its name counts.
func changesOf(ctx context.Context, repo *gitrepo.Repo, o *Options) ([]check.Change, error) {
	var from, to string
	var err error
	switch {
	case o.Range != "":
		from, to, err = ranged(ctx, repo, o.Range)
	case !o.Staged && !repo.Empty(ctx):
		from = "HEAD"
	}
	if err != nil {
		return nil, err
	}
	patch, err := repo.Diff(ctx, from, to, from == "")
	if err != nil {
		return nil, err
	}
	files, _, err := gitdiff.Parse(bytes.NewReader(patch))
	if err != nil {
		return nil, fmt.Errorf("read what git says of the changes: %w", err)
	}
	var all []check.Change
	for _, f := range files {
		all = append(all, changed(f))
	}
	if o.Range != "" || o.Staged {
		return all, nil
	}
	created, err := untracked(ctx, repo)
	return append(all, created...), err
}

// changed converts a file of a git diff to a change.
func changed(f *gitdiff.File) check.Change {
	c := check.Change{Path: f.NewName, Status: check.Modified}
	switch {
	case f.IsNew:
		c.Status = check.Added
	case f.IsDelete:
		c.Status, c.Path = check.Deleted, f.OldName
	case f.IsRename:
		c.Status, c.OldPath = check.Renamed, f.OldName
	}
	for _, h := range f.TextFragments {
		was, is := int(h.OldPosition), int(h.NewPosition)
		for _, l := range h.Lines {
			text := strings.TrimRight(l.Line, "\r\n")
			switch l.Op {
			case gitdiff.OpAdd:
				c.Added = append(c.Added, check.Line{Number: is, Text: text})
				is++
			case gitdiff.OpDelete:
				c.Removed = append(c.Removed, check.Line{Number: was, Text: text})
				was++
			default:
				was++
				is++
			}
		}
	}
	return c
}

// The bounds of what is read of files that git does not track yet.
const (
	maxUntracked = 1000
	maxFile      = 1 << 20
)

// untracked reads the files that would be added.
func untracked(ctx context.Context, repo *gitrepo.Repo) ([]check.Change, error) {
	names, err := repo.Untracked(ctx)
	if err != nil {
		return nil, err
	}
	if len(names) > maxUntracked {
		return nil, fmt.Errorf("%d files are not tracked, more than %d: --staged checks what is going to be committed", len(names), maxUntracked)
	}
	var all []check.Change
	for _, name := range names {
		c := check.Change{Path: name, Status: check.Added}
		if content, ok := readText(filepath.Join(repo.Root, filepath.FromSlash(name))); ok {
			c.Added = numbered(content)
		}
		all = append(all, c)
	}
	return all, nil
}

// readText reads a file if it is one and is text of a size that people write.
func readText(path string) (string, bool) {
	info, err := os.Lstat(path)
	if err != nil || !info.Mode().IsRegular() || info.Size() > maxFile {
		return "", false
	}
	f, err := os.Open(path)
	if err != nil {
		return "", false
	}
	defer f.Close()
	b, err := io.ReadAll(io.LimitReader(f, maxFile))
	return string(b), err == nil && bytes.IndexByte(b, 0) < 0
}

// numbered returns the lines of a new file, all of them added.
func numbered(content string) []check.Line {
	var all []check.Line
	for l := range strings.Lines(content) {
		all = append(all, check.Line{Number: len(all) + 1, Text: strings.TrimRight(l, "\r\n")})
	}
	return all
}

// changeOf reads a recorded edit.
func changeOf(n *nodedb.Node) (check.Change, error) {
	var node struct {
		Diff struct {
			Unified string `json:"unified"`
			Change  string `json:"change"`
		} `json:"diff"`
	}
	if err := json.Unmarshal(n.JSON, &node); err != nil {
		return check.Change{}, fmt.Errorf("read %s: %w", n.ID, err)
	}
	c := check.Change{Path: below(n.Project, n.Path), Status: check.Modified}
	switch node.Diff.Change {
	case "create":
		c.Status = check.Added
	case "delete":
		c.Status = check.Deleted
	case "rename", "move":
		c.Status, c.OldPath = check.Renamed, below(n.Project, n.OldPath)
	}
	for _, h := range why.Hunks(node.Diff.Unified) {
		at := h.NewStart
		for _, l := range h.Lines {
			text := strings.TrimRight(l.Text, "\r\n")
			switch l.Mark {
			case '+':
				c.Added = append(c.Added, check.Line{Number: at, Text: text})
				at++
			case '-':
				c.Removed = append(c.Removed, check.Line{Text: text})
			default:
				at++
			}
		}
	}
	return c, nil
}

// below returns a path below its project, with slashes.
func below(project, path string) string {
	path, project = strings.ReplaceAll(path, `\`, "/"), strings.ReplaceAll(project, `\`, "/")
	if rest, ok := strings.CutPrefix(path, strings.TrimRight(project, "/")+"/"); ok && project != "" {
		return rest
	}
	return path
}
