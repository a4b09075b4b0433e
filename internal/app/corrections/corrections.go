// Package corrections keeps what people say about captured nodes: that a decision is right
// or wrong, a better title, a note, a decision that no transcript contains. Begin with
// [Place.Keep].
//
// What a person says is an annotation. It is stored beside the nodes, in the database and
// in a file next to it that outlives the database; nodes are never changed. Package
// annotate defines how annotations add up.
package corrections

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"

	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/internal/annotate"
	"github.com/memscribe/memscribe/internal/app/setup"
	"github.com/memscribe/memscribe/internal/app/source"
	"github.com/memscribe/memscribe/internal/gitrepo"
	"github.com/memscribe/memscribe/internal/nodedb"
	"github.com/memscribe/memscribe/internal/usage"
	"github.com/memscribe/memscribe/sink/sqlite"
)

// Place says which database is annotated, and by whom.
type Place struct {
	Database string
	By       string // "": the name that git has, else that of the system
}

// Options say what is said about which nodes. Nodes is empty for a decision that is added, and
// Undo does not apply to it.
type Options struct {
	Place

	Kind  annotate.Kind
	Nodes []string // their ids, or the beginnings of those
	Text  string   // of the kinds that have one
	Undo  bool     // take back what was said

	// Of a decision that is added ([annotate.Add]).
	Project string
	IsBan   bool
}

// Say stores one annotation for each node and returns them. A node is named by its id or
// the beginning of it; an id that begins none, or several, is a nodedb.ErrNode, and then
// nothing is stored.
func Say(ctx context.Context, s *setup.Setup, o Options) ([]annotate.Annotation, error) {
	if o.Kind == annotate.Add && !strings.ContainsAny(o.Project, `/\`) {
		var err error
		if o.Project, err = o.folder(ctx); err != nil {
			return nil, err
		}
	}
	said := []annotate.Annotation{{Kind: o.Kind, Text: o.Text, Project: o.Project, IsBan: o.IsBan}}
	if o.Kind != annotate.Add {
		said = nil
		for _, id := range o.Nodes {
			said = append(said, annotate.Annotation{Kind: o.Kind, Node: id, Text: o.Text, Undo: o.Undo})
		}
		if err := exists(o.Database); err != nil {
			return nil, err
		}
	}
	return o.Keep(ctx, s, said...)
}

// folder returns the folder of the one project that has the name. Without a database the name
// stays as it is. If there is no such project the error is a nodedb.ErrProject. A decision that
// is added needs the folder, as annotations outlive the database.
func (o *Options) folder(ctx context.Context) (string, error) {
	r, err := nodedb.Open(ctx, o.Database)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return o.Project, nil
	case err != nil:
		return "", err
	}
	var all []string
	err = r.Snapshot(ctx, func(s nodedb.Snapshot) error {
		all, err = s.Projects(ctx, o.Project)
		return err
	})
	if err = errors.Join(err, r.Close()); err != nil {
		return "", err
	}
	all = slices.DeleteFunc(all, func(p string) bool {
		return !strings.HasSuffix(p, "/"+o.Project) && !strings.HasSuffix(p, `\`+o.Project)
	})
	if len(all) != 1 {
		return "", usage.Errorf("--project %s: %d projects have that name; give the folder", o.Project, len(all))
	}
	return all[0], nil
}

// Keep redacts annotations, signs them with the author and the time, and stores them. It is the
// one way in, also for the page and for agents. The ids in the result are whole, also where
// abbreviated ones were passed. All annotations are stored, or none.
func (p *Place) Keep(ctx context.Context, s *setup.Setup, said ...annotate.Annotation) ([]annotate.Annotation, error) {
	scrub, err := scrubber(s)
	if err != nil {
		return nil, err
	}
	by := p.By
	if by == "" {
		by = author(ctx, s)
	}
	for i := range said {
		said[i].By = by
	}
	if err := s.Private(s.Logger(), p.Database, ""); err != nil {
		return nil, err
	}
	return sqlite.Annotate(ctx, p.Database, scrub, s.Now(), said...)
}

// scrubber redacts by the user's rules, as a capture does.
func scrubber(s *setup.Setup) (core.Scrubber, error) {
	e, err := (&source.Privacy{Rules: &s.Rules}).Encoder()
	if err != nil {
		return nil, err
	}
	return e.Scrubber, nil
}

// author returns the name that git writes into commits of the working folder, else the name of
// the system's user.
func author(ctx context.Context, s *setup.Setup) string {
	if dir, err := os.Getwd(); err == nil {
		if name := gitrepo.Author(ctx, dir); name != "" {
			return name
		}
	}
	for _, name := range []string{"USER", "USERNAME"} {
		if v := s.Variable(name); v != "" {
			return v
		}
	}
	return "somebody"
}

// All returns the annotations of a database, the oldest first. Those that were taken back later
// are among them, and so are those that take them back.
func All(ctx context.Context, p Place) (all []annotate.Annotation, err error) {
	r, err := nodedb.Open(ctx, p.Database)
	if err != nil {
		return nil, err
	}
	all, err = r.Annotations(ctx)
	return all, errors.Join(err, r.Close())
}

// Import stores the annotations of another database, redacted by the rules of this machine, and
// returns how many there are and how many of them are new. name is what errors call the input.
// The input is lines of JSON, as memscribe annotations export writes them.
func Import(ctx context.Context, s *setup.Setup, p Place, name string, in io.Reader) (all, added int, err error) {
	said, err := annotate.Parse(in)
	if err != nil {
		return 0, 0, fmt.Errorf("import annotations %s: %w", name, err)
	}
	scrub, err := scrubber(s)
	if err != nil {
		return 0, 0, err
	}
	for i := range said {
		if said[i], err = said[i].Clean(scrub); err != nil {
			return 0, 0, err
		}
	}
	if err = s.Private(s.Logger(), p.Database, ""); err != nil {
		return 0, 0, err
	}
	added, err = sqlite.ImportAnnotations(ctx, p.Database, said)
	return len(said), added, err
}

// Unjudged returns the decisions that a person has neither accepted nor rejected, the newest
// first: at most limit, or all if that is 0. Decisions that a person added, that a teammate
// shared, or that were superseded are not asked about.
func Unjudged(ctx context.Context, p Place, f nodedb.Filter, limit int) (open []nodedb.Node, err error) {
	if err = exists(p.Database); err != nil {
		return nil, err
	}
	r, err := nodedb.Open(ctx, p.Database)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, r.Close()) }()
	for next := ""; ; {
		a, err := r.Decisions(ctx, f, nodedb.Page{After: next, Limit: nodedb.MaxPage})
		if err != nil {
			return nil, err
		}
		for i := range a.Nodes {
			n := &a.Nodes[i]
			if n.Source == annotate.Person || n.Mark.Shared != nil || n.Mark.Accepted || n.SupersededBy != "" {
				continue
			}
			if open = append(open, *n); len(open) == limit {
				return open, nil
			}
		}
		if next = a.Next; next == "" {
			return open, nil
		}
	}
}

// exists returns an error if there is no database: opening one would create it.
func exists(name string) error {
	if _, err := os.Stat(name); errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("open database %s: there is none; 'memscribe watch --once' makes one", name)
	}
	return nil
}
