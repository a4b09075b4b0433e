package intake

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/io/discover"
	"github.com/memscribe/memscribe/io/store"
	"github.com/memscribe/memscribe/io/unpack"
)

// isDatabase reports whether an entry is a database.
func (p *Plan) isDatabase(e unpack.Entry) bool {
	if p.options.Layout == nil {
		return false
	}
	head, err := e.Body.Peek(16)
	return err == nil && store.IsDatabase(head)
}

// database yields the conversations of a database. One that does not lie in the
// file system as it is goes through a temporary file; what of it had not been
// written from its log to itself is then not seen.
func (p *Plan) database(ctx context.Context, s *source, e unpack.Entry, yield func(Transcript, error) bool) bool {
	path := s.path
	if e.Packed || s.stream != nil {
		spilled, err := spill(e.Body)
		if err != nil {
			p.found[s.named] = true
			return yield(Transcript{}, NewProblem(e.Path, err))
		}
		defer os.RemoveAll(filepath.Dir(spilled))
		path = spilled
	}
	db, err := store.Open(path, p.choose(e.Path))
	if err != nil {
		p.found[s.named] = true
		return yield(Transcript{}, NewProblem(e.Path, err))
	}
	defer db.Close()
	found := stored{p, s, e, yield}
	for c, err := range db.Changes(ctx) {
		if !found.conversation(db.Adapter(), c, err) {
			return false
		}
	}
	return true
}

// stored is what is found in a database.
type stored struct {
	plan   *Plan
	source *source
	entry  unpack.Entry
	yield  func(Transcript, error) bool
}

// choose says whose database one is that is named name.
func (p *Plan) choose(name string) func(string, core.Schema) (core.Adapter, core.Layout) {
	name = filepath.ToSlash(discover.Plain(name))
	return func(_ string, schema core.Schema) (core.Adapter, core.Layout) {
		as, ok := p.options.As.(core.DatabaseAdapter)
		if p.options.As == nil {
			return p.options.Layout(name, schema)
		}
		if !ok {
			return nil, core.Layout{}
		}
		layout, fit := as.Layout(name, schema)
		if fit == core.NoFit {
			return nil, layout
		}
		return as, layout
	}
}

// conversation yields one, unless nobody wants it.
func (x stored) conversation(a core.Adapter, c store.Conversation, err error) bool {
	p, s, e := x.plan, x.source, x.entry
	archive := e.Path != s.path
	byChance := archive || s.named != s.path
	switch {
	case errors.Is(err, store.ErrUnknown) && byChance, a != nil && p.options.Want != nil && !p.options.Want(a.Tool()):
		p.Skipped++
		p.found[s.named] = p.found[s.named] || !byChance || s.place != nil
		return true
	case errors.Is(err, store.ErrUnknown):
		err = fmt.Errorf("database: %w", ErrUnknown)
	}
	p.found[s.named] = true
	if err != nil {
		return x.yield(Transcript{}, NewProblem(e.Path, err))
	}
	return x.yield(Transcript{
		Adapter: a, File: e.Path, Info: core.StreamInfo{Path: filepath.ToSlash(discover.Plain(e.Path))},
		Archive: archive, Rows: c.Rows, Key: c.Key,
	}, nil)
}

// spill writes a database to a temporary file in a folder of its own.
func spill(r io.Reader) (string, error) {
	dir, err := os.MkdirTemp("", "memscribe-")
	if err != nil {
		return "", err
	}
	f, err := os.OpenFile(filepath.Join(dir, "db"), os.O_CREATE|os.O_WRONLY|os.O_EXCL, 0o600)
	if err == nil {
		_, err = io.Copy(f, r)
		err = errors.Join(err, f.Close())
	}
	if err != nil {
		return "", errors.Join(fmt.Errorf("spill database: %w", err), os.RemoveAll(dir))
	}
	return f.Name(), nil
}

// tree is the conversation of which an entry is the first file, if it is one in
// many files.
func (p *Plan) tree(s *source, t *Transcript, e unpack.Entry) (*store.Tree, bool) {
	a, ok := t.Adapter.(core.TreeAdapter)
	if !ok || e.Packed || s.size < 0 {
		return nil, false
	}
	tree, ok := a.Tree(t.Info.Path)
	return store.NewTree(s.path, tree), ok
}

// conversation yields the conversation of a tree.
func (p *Plan) conversation(t Transcript, tree *store.Tree, yield func(Transcript, error) bool) bool {
	rows, err := tree.Changes()
	if err != nil {
		return yield(Transcript{}, NewProblem(t.File, err))
	}
	t.Rows = rows
	return yield(t, nil)
}
