package commits

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sort"

	"github.com/memscribe/memscribe/internal/blame"
	"github.com/memscribe/memscribe/internal/gitrepo"
	"github.com/memscribe/memscribe/internal/nodedb"
)

// ShareSchema names the form of what is printed as JSON.
const ShareSchema = "memscribe.share/v1"

// Shares say where the lines of files come from.
type Shares struct {
	Schema string  `json:"schema"`
	Target string  `json:"target"`
	Lines  Origin  `json:"lines"`
	Files  []Share `json:"files"` // those with most lines first
}

// Share says where the lines of a file come from.
type Share struct {
	File  string `json:"file"`
	Lines Origin `json:"lines"`
}

// Agents returns how many lines are agents' for certain.
func (s *Share) Agents() int { return s.Lines.Decided + s.Lines.Edited }

// maxFiles is how many files a share lists.
const maxFiles = 20_000

// ShareOf answers for a file or a folder as it is, or for what a range of commits added.
func ShareOf(ctx context.Context, r *nodedb.Reader, o Options) (*Shares, error) {
	s := &Shares{Schema: ShareSchema, Target: o.Revisions, Files: []Share{}}
	name := o.Revisions
	if !filepath.IsAbs(name) {
		name = filepath.Join(o.Dir, name)
	}
	var err error
	switch info, failed := os.Stat(name); {
	case failed != nil || info == nil: // a commit, or nothing
		err = s.ask(ctx, r, &o, o.Revisions)
	case info.IsDir():
		err = s.folder(ctx, r, &o, name)
	default:
		err = s.ask(ctx, r, &o, name)
	}
	sort.SliceStable(s.Files, func(i, j int) bool {
		a, b := &s.Files[i], &s.Files[j]
		return cmp.Or(cmp.Compare(b.Lines.All(), a.Lines.All()), cmp.Compare(b.Agents(), a.Agents())) < 0
	})
	return s, err
}

// folder asks for every file below a folder that git tracks and that is text.
//
// Files that git does not track, binary files and files above 16 MiB are left out; more
// than 20,000 files are an error.
func (s *Shares) folder(ctx context.Context, r *nodedb.Reader, o *Options, dir string) error {
	repo, err := gitrepo.Open(ctx, dir)
	if err != nil {
		return err
	}
	below, err := filepath.Rel(repo.Root, dir)
	if real, failed := filepath.EvalSymlinks(dir); failed == nil {
		if below, err = filepath.Rel(repo.Root, real); err != nil || !filepath.IsLocal(below) {
			below, err = filepath.Rel(repo.Root, dir)
		}
	}
	if err != nil {
		return fmt.Errorf("%s: %w", o.Revisions, err)
	}
	names, err := repo.Files(ctx, filepath.ToSlash(below))
	if err != nil {
		return err
	}
	if len(names) > maxFiles {
		return fmt.Errorf("%s has %d files, more than %d: name a folder in it", o.Revisions, len(names), maxFiles)
	}
	for _, name := range names {
		path := filepath.Join(repo.Root, filepath.FromSlash(name))
		text, err := isText(path)
		if errors.Is(err, os.ErrNotExist) || err == nil && !text {
			continue // it is deleted in the work tree, or has no lines
		}
		if err != nil {
			return err
		}
		if err := s.ask(ctx, r, o, path); err != nil {
			return err
		}
	}
	return nil
}

// isText reports whether a file is one of lines that can be looked at.
func isText(path string) (bool, error) {
	const most = 16 << 20
	f, err := os.Open(path)
	if err != nil {
		return false, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil || !info.Mode().IsRegular() || info.Size() > most {
		return false, err
	}
	head := make([]byte, 8000) // as much as git looks at
	n, err := io.ReadFull(f, head)
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return false, err
	}
	return !bytes.Contains(head[:n], []byte{0}), nil
}

// ask counts the lines of a file, or those that commits added.
func (s *Shares) ask(ctx context.Context, r *nodedb.Reader, o *Options, target string) error {
	found, err := blame.Ask(ctx, r, blame.Options{Target: target, Dir: o.Dir, Project: o.Project, NoCommits: true})
	if err != nil {
		return err
	}
	for i := range found {
		n := len(s.Files)
		if n == 0 || s.Files[n-1].File != found[i].File {
			s.Files = append(s.Files, Share{File: found[i].File})
			n++
		}
		s.Lines.count(found[i].Status)
		s.Files[n-1].Lines.count(found[i].Status)
	}
	return nil
}

// Known reports whether an agent is known to have written any of it.
func (s *Shares) Known() bool {
	return s.Lines.Decided+s.Lines.Edited+s.Lines.Hand+s.Lines.Ambiguous > 0
}

// WriteJSON prints one object.
func (s *Shares) WriteJSON(w io.Writer) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	return e.Encode(s)
}
