// Package forgetting deletes a project, a session, a node or old data from every store
// and keeps it from being captured again. Begin with [Prepare].
//
// It has two parts. A tombstone, a line in the data folder that holds hashes only,
// makes every later run reject what it describes; it is written first. Then every store
// is worked through:
//
//	database      nodes, messages, token counts, annotations, and their bytes in the file
//	lines         NDJSON files
//	memdb         the store of this machine, or the server of the settings
//	spool         memories that wait for a server
//	refused       memories that a server has refused
//	journals      what hooks and telemetry have pushed
//	checkpoints   which transcripts were read, by name
//	git           cached data about commits
//
// The transcripts of the tools are left alone. If one store fails, the report names it,
// the others are still done, and the whole can be repeated.
package forgetting

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"time"

	"github.com/memscribe/memscribe/internal/app/retention"
	"github.com/memscribe/memscribe/internal/app/setup"
	"github.com/memscribe/memscribe/internal/app/source"
	"github.com/memscribe/memscribe/internal/app/target"
	"github.com/memscribe/memscribe/internal/forget"
	"github.com/memscribe/memscribe/internal/nodedb"
	"github.com/memscribe/memscribe/internal/nodedb/removal"
	"github.com/memscribe/memscribe/internal/usage"
	"github.com/memscribe/memscribe/sink/postgres"
)

// Schema names the form of what is printed as JSON.
const Schema = "memscribe.forget/v1"

// Options say what is forgotten, and where the stores are. The conditions must all hold: what
// is deleted matches each one that is set. Node and Excluded stand alone. At least one of
// Project, Session, Node, Before and Excluded must be set.
type Options struct {
	Project string // a folder with everything below it, or a name
	Session string // an id, or the beginning of one
	Node    string // an id, or the beginning of one
	Before  time.Time
	// Excluded, if not nil, selects everything that these settings exclude from capture.
	Excluded *source.Privacy

	Database string
	Out      []string // NDJSON files besides the usual one
	MemDB    target.MemDB
	Postgres string // the PostgreSQL database of watch, as a person may see it; "": there is none
	StateDir string
}

// Report says what was deleted, or what would be. It is what memscribe forget prints with
// --json.
//
//	{"schema":"memscribe.forget/v1","dry_run":true,"stores":[{"store":"database","path":"n.db",
//	 "removed":12,"what":"2 conversations, 2 decisions, 2 edits, 2 bindings, 4 messages, …"},…]}
type Report struct {
	Schema string `json:"schema"`
	DryRun bool   `json:"dry_run"`
	// The ids of the tombstones that were written, separated by ", ".
	Tombstone string  `json:"tombstone,omitempty"`
	Stores    []Store `json:"stores"`
	// files that may be copies of a store; they are left alone
	Untouched []string `json:"untouched"`
}

// Store is one place from which data was deleted.
type Store struct {
	Store   string `json:"store"` // its kind, as in the package comment
	Path    string `json:"path"`
	Removed int    `json:"removed"`
	What    string `json:"what"`            // the same in words
	Error   string `json:"error,omitempty"` // why data is left in it
}

// IsEmpty reports whether the store had nothing to delete. Commands leave such stores out of
// what they print.
func (s *Store) IsEmpty() bool { return s.Removed == 0 && s.Error == "" && s.What == nothing }

// Err returns an error if a store still holds data that was to be deleted. The entries of the
// report name the stores and say why.
func (r *Report) Err() error {
	if !r.Failed() {
		return nil
	}
	return fmt.Errorf("%w: stop what uses it, or delete it there, and forget again (a project by its folder, a session by its whole id)", errKept)
}

// Failed reports whether a store still holds data.
func (r *Report) Failed() bool {
	return slices.ContainsFunc(r.Stores, func(s Store) bool { return s.Error != "" })
}

var (
	errKept     = errors.New("not everything was forgotten")
	errNotHeld  = errors.New("nothing of what exclude leaves out is held")
	errPostgres = errors.New("forget does not reach PostgreSQL: what stands there stays, and has to be deleted there")
)

// Work is what is to be forgotten, worked out against the database. It may be previewed
// and done once, by one goroutine.
type Work struct {
	parts []*part
}

// Prepare works out what the options mean and changes nothing.
//
// What is excluded becomes up to two parts, one of whole projects and one of single edits in
// other projects: a tombstone that names both would match neither. An abbreviated id or a
// project's name is resolved against the database here, so that the preview and the deletion
// mean the same.
func Prepare(ctx context.Context, s *setup.Setup, o Options) (*Work, error) {
	if postgres.IsURL(o.Database) {
		return nil, usage.Errorf("--db %s: %w", postgres.Shown(o.Database), errPostgres)
	}
	if o.Excluded != nil {
		return prepareExcluded(ctx, s, o)
	}
	p, err := newPart(ctx, s, o)
	if err != nil {
		return nil, err
	}
	return &Work{[]*part{p}}, nil
}

// Preview counts what Do would delete.
func (w *Work) Preview(ctx context.Context) *Report {
	r := w.report()
	r.DryRun = true
	for _, p := range w.parts {
		r.Stores = append(r.Stores, p.run(ctx, true)...)
	}
	return r
}

// Do forgets. The tombstone is written before anything is deleted, so that nothing is captured
// again meanwhile; if it cannot be written, nothing is deleted. An error of one store does not
// stop the others; see [Report.Err].
func (w *Work) Do(ctx context.Context) (*Report, error) {
	r := w.report()
	var stones []string
	for _, p := range w.parts {
		if err := p.bury(); err != nil {
			return nil, err
		}
		stones = append(stones, p.stone.ID)
		r.Stores = append(r.Stores, p.run(ctx, false)...)
	}
	r.Tombstone = strings.Join(stones, ", ")
	return r, nil
}

// report returns a report without stores.
func (w *Work) report() *Report {
	return &Report{Schema: Schema, Untouched: w.parts[0].untouched()}
}

// prepareExcluded works out what of the database the settings exclude by now.
func prepareExcluded(ctx context.Context, s *setup.Setup, o Options) (*Work, error) {
	r, err := nodedb.Open(ctx, o.Database)
	if err != nil {
		return nil, err
	}
	held, err := o.Excluded.Held(ctx, r)
	var sessions []string
	if err == nil {
		sessions, err = removal.SessionsOf(ctx, r, held.Projects)
	}
	if err = errors.Join(err, r.Close()); err != nil {
		return nil, err
	}
	if held.IsNothing() {
		return nil, errNotHeld
	}
	var w Work
	for _, what := range []forget.What{{Projects: held.Projects}, {IDs: held.Edits}} {
		if what.IsZero() {
			continue
		}
		p := &part{Options: o, setup: s, what: what}
		if len(what.Projects) > 0 {
			p.sessions = sessions
		}
		if err = p.prepare(); err != nil {
			return nil, err
		}
		w.parts = append(w.parts, p)
	}
	return &w, nil
}

// part is what one tombstone stands for. It is made by newPart or prepareExcluded and not
// changed afterwards.
type part struct {
	Options

	setup    *setup.Setup
	what     forget.What
	stone    forget.Tombstone
	book     *forget.Book // holds stone alone: it judges lines of JSON
	sessions []string     // that are deleted whole
	words    string       // of a node: its text
	file     string       // of the tombstones
}

// newPart looks up the ids of the nodes, sessions and projects that the options name. At
// least one condition must be set.
func newPart(ctx context.Context, s *setup.Setup, o Options) (*part, error) {
	p := &part{Options: o, setup: s, what: forget.What{Before: o.Before}}
	if o.Project == "" && o.Session == "" && o.Node == "" && o.Before.IsZero() {
		return nil, usage.Errorf("say what is forgotten: --project, --session, --node, --before or --excluded")
	}
	if err := inThePast(ctx, s.Now(), &o); err != nil {
		return nil, err
	}
	r, err := nodedb.Open(ctx, o.Database)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		err = p.withoutDatabase()
	case err == nil:
		err = errors.Join(p.resolve(ctx, r), r.Close())
	}
	if err != nil {
		return nil, err
	}
	return p, p.prepare()
}

// inThePast refuses a time that is still to come, also by a clock that is far ahead of what was
// captured: the tombstone would keep out all that is captured until then.
func inThePast(ctx context.Context, now time.Time, o *Options) error {
	if o.Before.After(now.AddDate(0, 0, 1)) { // the end of today may be meant
		return usage.Errorf("--before: %s is still to come, and what is captured until then would be left out", o.Before.Format(time.RFC3339))
	}
	if o.Before.IsZero() {
		return nil
	}
	latest, leapt, err := retention.Leapt(ctx, o.Database, now)
	if err != nil || !leapt || o.Before.Before(latest.AddDate(0, 0, 2)) {
		return err
	}
	return usage.Errorf("--before: by the clock it is %s, but the latest that was captured is of %s. If the clock is right, name a time up to %s",
		now.Format(time.DateOnly), latest.Format(time.DateOnly), latest.AddDate(0, 0, 1).Format(time.DateOnly))
}

// prepare makes the tombstone; it is not written yet.
func (p *part) prepare() (err error) {
	if p.file, err = p.setup.ForgottenFile(); err != nil {
		return err
	}
	if p.stone, err = forget.New(p.what, p.setup.Now()); err != nil {
		return err
	}
	p.book = forget.Of(p.stone)
	return nil
}

// withoutDatabase takes the names as they are given. Without a database nothing can
// complete an abbreviated id, so ids must be whole.
func (p *part) withoutDatabase() error {
	p.Database = ""
	if p.Project != "" {
		if !strings.ContainsAny(p.Project, `/\`) {
			return usage.Errorf("--project %s: without a database a project is named by its folder", p.Project)
		}
		p.what.Projects = []string{p.Project}
	}
	p.what.Session = p.Session
	if p.Session != "" {
		p.sessions = []string{p.Session}
	}
	if p.Node != "" {
		p.what.IDs = []string{p.Node}
	}
	return nil
}

// resolve looks up in the database what the options name.
//
// A project that is named by its folder gets that folder on its tombstone even if the
// database does not know it: other stores may have it, and tools may still write there.
func (p *part) resolve(ctx context.Context, r *nodedb.Reader) (err error) {
	if p.Project != "" {
		p.what.Projects, err = r.ProjectsOf(ctx, p.Project)
		if errors.Is(err, nodedb.ErrProject) && strings.ContainsAny(p.Project, `/\`) {
			p.what.Projects, err = nil, nil
		}
		if err != nil {
			return err
		}
		if strings.ContainsAny(p.Project, `/\`) {
			p.what.Projects = append(p.what.Projects, p.Project)
		}
		if p.sessions, err = removal.SessionsOf(ctx, r, p.what.Projects); err != nil {
			return err
		}
	}
	if p.Session != "" {
		if p.what.Session, err = r.SessionID(ctx, p.Session); errors.Is(err, nodedb.ErrSession) && len(p.Session) >= 32 {
			p.what.Session, err = p.Session, nil // a whole id, of another store
		}
		p.sessions = []string{p.what.Session}
	}
	if p.Node != "" && err == nil {
		var id string
		if id, err = r.NodeID(ctx, p.Node); err == nil {
			p.what.IDs, p.words, err = removal.Said(ctx, r, id)
		}
	}
	return err
}

// bury appends the tombstone to the file of tombstones.
func (p *part) bury() error {
	book, err := forget.Read(p.file)
	if err != nil {
		return err
	}
	return forget.Write(p.file, append(book.Stones(), p.stone))
}

// Tombstones returns all tombstones of this user.
func Tombstones(s *setup.Setup) (*forget.Book, error) {
	file, err := s.ForgottenFile()
	if err != nil {
		return nil, err
	}
	return forget.Read(file)
}

// Undo removes a tombstone. What it stood for is captured again when it is next read. What was
// deleted is not restored by this. An unknown id is a usage error.
func Undo(s *setup.Setup, id string) error {
	book, err := Tombstones(s)
	if err != nil {
		return err
	}
	stones := book.Stones()
	left := slices.DeleteFunc(slices.Clone(stones), func(t forget.Tombstone) bool { return t.ID == id })
	if len(left) == len(stones) {
		return usage.Errorf("there is no tombstone %s; --list names those that there are", id)
	}
	file, err := s.ForgottenFile()
	if err != nil {
		return err
	}
	return forget.Write(file, left)
}
