package input

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/io/archive"
	"github.com/memscribe/memscribe/io/discover"
	"github.com/memscribe/memscribe/io/store"
	"github.com/memscribe/memscribe/io/store/snapshot"
)

// isDatabase reports whether an entry is a database of SQLite.
func (p *Plan) isDatabase(e archive.Entry) bool {
	if p.options.Layout == nil {
		return false
	}
	head, err := e.Body.Peek(16)
	return err == nil && snapshot.IsDatabase(head)
}

// isBroken reports whether an entry has the name of a tool's database and is no database.
func (p *Plan) isBroken(t *Transcript, e archive.Entry) bool {
	if p.options.IsStore == nil || p.options.As != nil || !p.options.IsStore(t.Info.Path) {
		return false
	}
	head, _ := e.Body.Peek(16) // an empty file is just being created
	return len(head) > 0 && !snapshot.IsDatabase(head)
}

// isPart reports whether an entry that is packed or a stream is a database or its log. They must
// be written to files beside each other to be read.
func (p *Plan) isPart(e archive.Entry, s *source) bool {
	if e.Path != s.path && p.options.Single {
		return false
	}
	return p.isDatabase(e) || p.options.Layout != nil && snapshot.LogOf(plainName(e.Path)) != "" && isLog(e)
}

// isLog reports whether an entry is a log or a journal of a database, and is not empty.
func isLog(e archive.Entry) bool {
	head, err := e.Body.Peek(8)
	return err == nil && snapshot.IsLog(head)
}

// plainName returns the name of an entry without the extension of a compressed file.
func plainName(name string) string { return discover.Plain(name) }

// found is a database: its name in provenance, and the path of the file.
type found struct{ name, path string }

// spilled is the databases and logs of one archive, in temporary files.
type spilled struct {
	dir   string
	files []found
}

// add writes an entry to a temporary file.
func (x *spilled) add(e archive.Entry) error {
	if x.dir == "" {
		dir, err := os.MkdirTemp("", "memscribe-")
		if err != nil {
			return err
		}
		x.dir = dir
	}
	to := found{e.Path, filepath.Join(x.dir, strconv.Itoa(len(x.files)))}
	f, err := os.OpenFile(to.path, os.O_CREATE|os.O_WRONLY|os.O_EXCL, 0o600)
	if err == nil {
		_, err = io.Copy(f, e.Body)
		err = errors.Join(err, f.Close())
	}
	if err != nil {
		return fmt.Errorf("spill database: %w", err)
	}
	x.files = append(x.files, to)
	return nil
}

// databases renames every log so that it is beside its database, and returns the databases. A log
// without a database is a problem.
func (x *spilled) databases() (all []found, problems []error) {
	paths := map[string]string{}
	for _, f := range x.files {
		if snapshot.LogOf(plainName(f.name)) == "" {
			paths[plainName(f.name)] = f.path
			all = append(all, f)
		}
	}
	for _, f := range x.files {
		name := plainName(f.name)
		database := snapshot.LogOf(name)
		if database == "" {
			continue
		}
		err := ErrLogAlone
		if path, ok := paths[database]; ok {
			err = os.Rename(f.path, path+strings.TrimPrefix(name, database))
		}
		if err != nil {
			problems = append(problems, NewProblem(f.name, err))
		}
	}
	return all, problems
}

// remove deletes the temporary files.
func (x *spilled) remove() {
	if x.dir != "" {
		_ = os.RemoveAll(x.dir)
	}
}

// database yields the conversations of a database.
func (p *Plan) database(ctx context.Context, s *source, f found, yield func(Transcript, error) bool) bool {
	p.onlyOne()
	db, err := store.Open(f.path, p.choose(f.name))
	if err != nil {
		p.found[s.named] = true
		return yield(Transcript{}, NewProblem(f.name, err))
	}
	defer db.Close()
	db.SetMost(p.options.MaxConversation)
	in := stored{p, s, f.name, yield}
	for c, err := range db.Changes(ctx) {
		if errors.Is(err, store.ErrUnknown) {
			err = in.unknown(ctx, db, err)
		}
		if !in.conversation(db.Adapter(), c, err) {
			return false
		}
	}
	return true
}

// stored yields the conversations of one database.
type stored struct {
	plan   *Plan
	source *source
	name   string
	yield  func(Transcript, error) bool
}

// unknown returns the error for a database whose tables no adapter knows: that it is damaged, if
// it has the name of a tool's database, or that it should be known, if it is where a tool keeps
// one.
func (x stored) unknown(ctx context.Context, db *store.Database, err error) error {
	p := x.plan
	if p.options.IsStore == nil || !p.options.IsStore(filepath.ToSlash(discover.Plain(x.name))) {
		return err
	}
	switch tables, wrong := db.Check(ctx); {
	case wrong != nil:
		return wrong
	case tables && x.source.place != nil:
		return fmt.Errorf("database: %w", ErrUnknown)
	default:
		return err
	}
}

// choose returns a function that finds the adapter of a database by its name and its schema.
func (p *Plan) choose(name string) func(string, core.Schema) (core.Adapter, core.Layout) {
	name = filepath.ToSlash(discover.Plain(name))
	return func(_ string, schema core.Schema) (core.Adapter, core.Layout) {
		as, ok := p.options.As.(core.DatabaseAdapter)
		if p.options.As == nil {
			a, layout := p.options.Layout(name, schema)
			if a == nil && (p.options.IsStore == nil || !p.options.IsStore(name)) {
				layout.Missing = nil
			}
			return a, layout
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

// conversation yields a conversation, unless its tool is not wanted.
func (x stored) conversation(a core.Adapter, c store.Conversation, err error) bool {
	p, s := x.plan, x.source
	archive := x.name != s.path
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
		return x.yield(Transcript{}, NewProblem(x.name, err))
	}
	return x.yield(Transcript{
		Source: s.number, Adapter: a, File: x.name, Info: core.StreamInfo{Path: filepath.ToSlash(discover.Plain(x.name))},
		Archive: archive, Rows: c.Rows, Key: c.Key,
	}, nil)
}

// tree returns the conversation in many files that begins with an entry, and whether there is one.
func (p *Plan) tree(s *source, t *Transcript, e archive.Entry) (*store.Tree, bool) {
	a, ok := t.Adapter.(core.TreeAdapter)
	if !ok || e.Packed || s.size < 0 {
		return nil, false
	}
	tree, ok := a.Tree(t.Info.Path)
	conversation := store.NewTree(s.path, tree, p.strays)
	conversation.SetMost(p.options.MaxConversation)
	return conversation, ok
}

// conversation yields a conversation in many files.
func (p *Plan) conversation(t Transcript, tree *store.Tree, yield func(Transcript, error) bool) bool {
	p.onlyOne()
	rows, err := tree.Changes()
	if err != nil {
		return yield(Transcript{}, NewProblem(t.File, err))
	}
	t.Rows = rows
	return yield(t, nil)
}
