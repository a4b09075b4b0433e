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
	"slices"
	"strings"

	"github.com/memscribe/memscribe/cmd/memscribe/internal/console"
	"github.com/memscribe/memscribe/cmd/memscribe/internal/lines"
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

// agents is how many lines are agents' for certain.
func (s *Share) agents() int { return s.Lines.Decided + s.Lines.Edited }

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
	slices.SortStableFunc(s.Files, func(a, b Share) int {
		return cmp.Or(cmp.Compare(b.Lines.All(), a.Lines.All()), cmp.Compare(b.agents(), a.agents()))
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
	found, err := lines.Ask(ctx, r, lines.Options{Target: target, Dir: o.Dir, Project: o.Project, NoCommits: true})
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

// fewFiles is how many files a person is shown.
const fewFiles = 20

// Write prints shares for a person.
func (s *Shares) Write(w io.Writer) error {
	all := s.Lines.All()
	if _, err := console.Fprintf(w, "%s\n", s.Lines.words()); err != nil {
		return err
	}
	if all == 0 {
		return nil
	}
	for _, p := range []struct {
		n    int
		what string
	}{
		{s.Lines.Decided, "agent, decided"},
		{s.Lines.Edited, "agent, no decision known"},
		{s.Lines.Hand, "changed by hand after"},
		{s.Lines.Ambiguous, "not certain"},
		{s.Lines.None, "by no recorded edit"},
	} {
		bar := strings.Repeat("#", (p.n*40+all-1)/all)
		if _, err := console.Fprintf(w, "%6.1f %%  %-25s %s\n", 100*float64(p.n)/float64(all), p.what, bar); err != nil {
			return err
		}
	}
	for i := range s.Files {
		if len(s.Files) == 1 {
			break
		}
		if i == fewFiles {
			_, err := console.Fprintf(w, "… %d more files\n", len(s.Files)-i)
			return err
		}
		f := &s.Files[i]
		if _, err := console.Fprintf(w, "%6.1f %% of %5d  %s\n", 100*float64(f.agents())/float64(max(f.Lines.All(), 1)), f.Lines.All(), f.File); err != nil {
			return err
		}
	}
	return nil
}

// WriteJSON prints one object.
func (s *Shares) WriteJSON(w io.Writer) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	return e.Encode(s)
}
