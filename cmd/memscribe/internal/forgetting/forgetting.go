// Package forgetting implements the command forget: it deletes a project, a session,
// a node or old data from every store and prevents its capture from then on.
//
// Forgetting has two parts. A tombstone, a line in the data folder with hashes only,
// keeps what it names from being stored again by any later run; it is written first.
// Then every store is gone through:
//
//	database      nodes, messages, token counts, annotations, and their bytes in the file
//	lines         files of NDJSON
//	memdb         the store of this machine, or the server of the settings
//	spool         memories that wait for a server, and those it has refused
//	journals      what hooks and telemetry have pushed
//	checkpoints   which transcripts were read, by name
//	git           what was kept of commits
//
// The tools' own transcripts are left alone. A store that fails is named, the others
// are done, and the command can be repeated.
package forgetting

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"
	"time"

	"golang.org/x/term"

	"github.com/memscribe/memscribe/cmd/memscribe/internal/cli"
	"github.com/memscribe/memscribe/internal/app/report"
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

// Options say what is forgotten, and where it may be.
type Options struct {
	Project string // a folder, or its name
	Session string // an id, or the beginning of one
	Node    string // an id, or the beginning of one
	Before  time.Time
	// Excluded, if not nil, has what is left out by now forgotten, and nothing else.
	Excluded *source.Privacy

	Database string
	Out      []string // files of lines of JSON besides the usual one
	MemDB    target.MemDB
	Postgres string // where watch keeps nodes in PostgreSQL, for people; "" is nowhere
	StateDir string

	DryRun bool
	Yes    bool // do not ask
	JSON   bool
}

// Report is what forget says. Its JSON is what --json prints.
type Report struct {
	Schema string `json:"schema"`
	DryRun bool   `json:"dry_run"`
	// The ids of the tombstones that were written, separated by ", ".
	Tombstone string   `json:"tombstone,omitempty"`
	Stores    []Store  `json:"stores"`
	Untouched []string `json:"untouched"` // files that may have a copy, and were left alone
}

// Store is a place from which something was taken away.
type Store struct {
	Store   string `json:"store"`
	Path    string `json:"path"`
	Removed int    `json:"removed"`
	What    string `json:"what"`
	Error   string `json:"error,omitempty"` // why it still has something
}

// errKept says that a store still has something. Which, has been said.
var errKept = errors.New("not everything was forgotten")

// errNotHeld says that --excluded has nothing to do.
var errNotHeld = errors.New("nothing of what exclude leaves out is held")

// errPostgres says that a store is beyond forget.
var errPostgres = errors.New("forget does not reach PostgreSQL: what stands there stays, and has to be deleted there")

// Run forgets.
//
// The dry run comes first in any case, for the report that a person agrees to. Errors:
// usage errors if nothing is named or the person does not agree, and errKept if a store
// still holds something.
func Run(ctx context.Context, a *cli.App, o Options) error {
	if postgres.IsURL(o.Database) { // before anything is buried
		return usage.Errorf("--db %s: %w", postgres.Shown(o.Database), errPostgres)
	}
	all, err := newPlans(ctx, a, o)
	if err != nil {
		return err
	}
	r := Report{Schema: Schema, DryRun: true, Untouched: all[0].untouched()}
	for _, p := range all {
		r.Stores = append(r.Stores, p.run(ctx, true)...)
	}
	if o.DryRun {
		return r.write(a, o.JSON)
	}
	if err := all[0].agreed(&r); err != nil {
		return err
	}
	var stones []string
	r.DryRun, r.Stores = false, nil
	for _, p := range all {
		// First what keeps it out, so that nothing comes in again meanwhile.
		if err := p.bury(); err != nil {
			return err
		}
		stones = append(stones, p.stone.ID)
		r.Stores = append(r.Stores, p.run(ctx, false)...)
	}
	r.Tombstone = strings.Join(stones, ", ")
	if err := r.write(a, o.JSON); err != nil {
		return err
	}
	if r.failed() {
		return fmt.Errorf("%w: stop what uses it, or delete it there, and forget again", errKept)
	}
	return nil
}

// failed reports whether a store still has something.
func (r *Report) failed() bool {
	return slices.ContainsFunc(r.Stores, func(s Store) bool { return s.Error != "" })
}

// newPlans works out what is meant: one plan, or of what is left out by now one for
// whole projects and one for edits of files in others.
//
// A condition that names both a project and single edits would be met by neither, so
// these are two tombstones.
func newPlans(ctx context.Context, a *cli.App, o Options) ([]*plan, error) {
	if o.Excluded == nil {
		p, err := newPlan(ctx, a, o)
		return []*plan{p}, err
	}
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
	var all []*plan
	for _, what := range []forget.What{{Projects: held.Projects}, {IDs: held.Edits}} {
		if what.IsZero() {
			continue
		}
		p := &plan{Options: o, app: a, what: what}
		if len(what.Projects) > 0 {
			p.sessions = sessions
		}
		if err = p.prepare(); err != nil {
			return nil, err
		}
		all = append(all, p)
	}
	return all, nil
}

// plan is what is forgotten, worked out.
type plan struct {
	Options

	app      *cli.App
	what     forget.What
	stone    forget.Tombstone
	book     *forget.Book // of the stone alone
	sessions []string     // that go whole
	words    string       // of a node
	file     string       // of the tombstones
}

// newPlan collects what the options name: the ids of nodes, sessions and projects
// that are to go. At least one condition must be given.
func newPlan(ctx context.Context, a *cli.App, o Options) (*plan, error) {
	p := &plan{Options: o, app: a, what: forget.What{Before: o.Before}}
	if o.Project == "" && o.Session == "" && o.Node == "" && o.Before.IsZero() && o.Excluded == nil {
		return nil, usage.Errorf("say what is forgotten: --project, --session, --node, --before or --excluded")
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

// prepare makes the tombstone of what is forgotten.
func (p *plan) prepare() (err error) {
	if p.file, err = p.app.ForgottenFile(); err != nil {
		return err
	}
	if p.stone, err = forget.New(p.what, p.app.Now()); err != nil {
		return err
	}
	p.book = forget.Of(p.stone)
	return nil
}

// withoutDatabase takes names as they are: nothing can complete them.
//
// Ids must then be given whole.
func (p *plan) withoutDatabase() error {
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

// resolve finds what is meant in the database.
//
// A project that is named by its folder is buried under that name too, even where the
// database has nothing of it: tools may still write there.
func (p *plan) resolve(ctx context.Context, r *nodedb.Reader) (err error) {
	if p.Project != "" {
		p.what.Projects, err = r.ProjectsOf(ctx, p.Project)
		if errors.Is(err, nodedb.ErrProject) && strings.ContainsAny(p.Project, `/\`) {
			p.what.Projects, err = nil, nil // other stores may have it, and tools may yet
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

// bury writes the tombstone behind those that there are.
func (p *plan) bury() error {
	book, err := forget.Read(p.file)
	if err != nil {
		return err
	}
	return forget.Write(p.file, append(book.Stones(), p.stone))
}

// agreed has the person agree: on a terminal by an answer, else by --yes.
func (p *plan) agreed(r *Report) error {
	if p.Yes {
		return nil
	}
	in, ok := p.app.Stdin.(*os.File)
	if !ok || !term.IsTerminal(int(in.Fd())) || p.JSON {
		return usage.Errorf("nothing was forgotten: --yes does it, --dry-run says what would go")
	}
	if err := r.write(p.app, false); err != nil {
		return err
	}
	p.app.Stdout.Printf("Forget this for good? [y/N] ")
	answer, err := bufio.NewReader(in).ReadString('\n')
	if err != nil {
		return fmt.Errorf("read answer: %w", err)
	}
	if a := strings.ToLower(strings.TrimSpace(answer)); a != "y" && a != "yes" {
		return usage.Errorf("nothing was forgotten")
	}
	return nil
}

// writes what was forgotten, store by store, as JSON or as text.
func (r *Report) write(a *cli.App, asJSON bool) error {
	if asJSON {
		return a.Stdout.JSON(r)
	}
	for _, s := range r.Stores {
		if s.Removed == 0 && s.Error == "" && s.What == noLines {
			continue
		}
		a.Stdout.Printf("%-12s %s: %s\n", s.Store, s.Path, s.What)
		if s.Error != "" {
			a.Stdout.Printf("%-12s   %s\n", "", s.Error)
		}
	}
	for _, name := range r.Untouched {
		a.Stdout.Printf("%-12s %s: it may have a copy, and is left alone\n", "not touched", name)
	}
	end := "it is not taken in again (" + r.Tombstone + ", see --list). The tools' own transcripts are as they were"
	switch {
	case r.DryRun:
		end = "would be forgotten; nothing was changed"
	case !r.failed():
		end = "forgotten; " + end
	}
	_, err := a.Stdout.Printf("%s\n", end)
	return err
}

// List prints the tombstones.
func List(a *cli.App, asJSON bool) error {
	file, err := a.ForgottenFile()
	if err != nil {
		return err
	}
	book, err := forget.Read(file)
	if err != nil {
		return err
	}
	e := json.NewEncoder(a.Stdout.Text())
	for _, t := range book.Stones() {
		if asJSON {
			if err = e.Encode(t); err != nil {
				return fmt.Errorf("print tombstones: %w", err)
			}
			continue
		}
		what := []string{}
		if n := len(t.Projects); n > 0 {
			what = append(what, fmt.Sprintf("%d folders", n))
		}
		if t.Session != "" {
			what = append(what, "a session")
		}
		if n := len(t.IDs); n > 0 {
			what = append(what, fmt.Sprintf("%d nodes and messages", n))
		}
		if t.Before != "" {
			what = append(what, "before "+t.Before)
		}
		a.Stdout.Printf("%s  %s  %s\n", t.ID, t.At, strings.Join(what, ", "))
	}
	if book.IsEmpty() {
		a.Stderr.Printf("nothing is forgotten\n")
		return report.ErrIncomplete
	}
	return nil
}

// Undo takes a tombstone away: what it stood for is taken in again when it is read again.
func Undo(a *cli.App, id string) error {
	file, err := a.ForgottenFile()
	if err != nil {
		return err
	}
	book, err := forget.Read(file)
	if err != nil {
		return err
	}
	stones := book.Stones()
	left := slices.DeleteFunc(slices.Clone(stones), func(t forget.Tombstone) bool { return t.ID == id })
	if len(left) == len(stones) {
		return usage.Errorf("there is no tombstone %s; --list names those that there are", id)
	}
	if err = forget.Write(file, left); err != nil {
		return err
	}
	_, err = a.Stdout.Printf("what %s stood for is taken in again; 'memscribe replay --sink sqlite' brings what transcripts still have\n", id)
	return err
}
