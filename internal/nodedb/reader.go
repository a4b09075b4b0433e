package nodedb

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"sync"

	"github.com/memscribe/memscribe/internal/nodedb/fulltext"
	"github.com/memscribe/memscribe/internal/nodedb/schema"
	"github.com/memscribe/memscribe/internal/search"
	"github.com/memscribe/memscribe/internal/sqlitefile"
)

// ErrSearch is the error of a search for no words at all.
var ErrSearch = errors.New("nothing to search for")

// ErrCursor is the error of a Page.After that no answer has given.
var ErrCursor = errors.New("not a place to go on from")

// ErrSession is the error of a session that is not there, or of the beginning of
// an id that several sessions have.
var ErrSession = errors.New("no such session")

// Reader asks a database. It changes nothing, may be used by several goroutines,
// and does not mind a [Sink] that writes.
type Reader struct {
	path string // of the database that is followed; "" for one that is opened once

	mu   sync.Mutex
	db   *sql.DB     // nil while there is none
	file fs.FileInfo // of db, if it is followed
}

// Open opens the database at path, which must be there.
func Open(ctx context.Context, path string) (*Reader, error) {
	db, err := open(ctx, path)
	if err != nil {
		return nil, err
	}
	return &Reader{db: db}, nil
}

// Follow returns a reader of whatever database is at path when it is asked, for programs
// that outlive one: the database may be created or replaced later. While there is none,
// questions fail with an error that is [Absent].
func Follow(path string) *Reader { return &Reader{path: path} }

// Absent reports whether an error is that of a database that is not there yet.
func Absent(err error) bool { return errors.Is(err, fs.ErrNotExist) || errors.Is(err, schema.ErrEmpty) }

// Ready reports whether there is a database that can be asked.
func (r *Reader) Ready(ctx context.Context) error {
	_, err := r.now(ctx)
	return err
}

// now returns the database that is to be asked. What is being read from one that was
// replaced meanwhile is read to its end.
//
// A file that was replaced is recognised by its identity, not by its time.
func (r *Reader) now(ctx context.Context) (*sql.DB, error) {
	if r.path == "" {
		return r.db, nil
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	info, err := os.Stat(r.path)
	if err == nil && r.db != nil && os.SameFile(info, r.file) {
		return r.db, nil
	}
	if r.db != nil {
		_ = r.db.Close() // it was only read
		r.db = nil
	}
	if err == nil && info.Mode().IsRegular() && info.Size() == 0 {
		return nil, fmt.Errorf("open database %s: %w", r.path, schema.ErrEmpty)
	}
	db, err := open(ctx, r.path)
	if err != nil {
		return nil, err
	}
	r.db, r.file = db, info
	return db, nil
}

// open opens a database for reading. The error says what to do about it, where that is known.
func open(ctx context.Context, path string) (*sql.DB, error) {
	db, err := dial(ctx, path)
	if err != nil {
		return nil, fmt.Errorf("open database %s: %w", path, sqlitefile.Explain(err))
	}
	return db, nil
}

// dial opens a database for reading, with a connection that cannot write, and checks that
// it is one of ours.
func dial(ctx context.Context, path string) (*sql.DB, error) {
	if info, err := os.Stat(path); err != nil {
		return nil, reasonOf(err)
	} else if !info.Mode().IsRegular() {
		return nil, errors.New("it is not a file")
	}
	o := sqlitefile.Options{Connections: 4, ReadOnly: true, Pragmas: []string{"query_only(1)", "cache_size(-32768)", "trusted_schema(0)"}}
	var s schema.Stamp
	db, err := sqlitefile.DialReader(ctx, path, o, func(db *sql.DB) (err error) {
		s, err = schema.ReadStamp(ctx, db)
		return err
	})
	if err != nil {
		return nil, err
	}
	if s.Empty {
		return nil, errors.Join(schema.ErrEmpty, db.Close())
	}
	if err = s.Check(schema.Version()); err == nil && s.Version < schema.OldestRead {
		err = fmt.Errorf("%w: its schema is %d, needed is %d", schema.ErrOlder, s.Version, schema.OldestRead)
	}
	if err == nil {
		err = schema.Check(ctx, db, s.Version)
	}
	if err != nil {
		return nil, errors.Join(err, db.Close())
	}
	return db, nil
}

// reasonOf leaves the path out of an error that is going to name it.
func reasonOf(err error) error {
	if e, ok := errors.AsType[*fs.PathError](err); ok {
		return e.Err
	}
	return err
}

// Close releases the database. Closing twice is safe.
func (r *Reader) Close() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.db == nil {
		return nil
	}
	return r.db.Close()
}

// Decisions returns decisions, bans among them, the newest first.
func (r *Reader) Decisions(ctx context.Context, f Filter, p Page) (Answer, error) {
	return r.newest(ctx, decisions(), f, p)
}

// Bans returns the bans in force, the newest first.
func (r *Reader) Bans(ctx context.Context, f Filter, p Page) (Answer, error) {
	return r.newest(ctx, bans(), f, p)
}

// Episodes returns edits, the newest first.
func (r *Reader) Episodes(ctx context.Context, f Filter, p Page) (Answer, error) {
	return r.newest(ctx, episodes(), f, p)
}

// Newest returns nodes of any kind, the newest first.
func (r *Reader) Newest(ctx context.Context, f Filter, p Page) (Answer, error) {
	return r.newest(ctx, anything(), f, p)
}

// Search returns the nodes that have the words of the filter, the newest first.
func (r *Reader) Search(ctx context.Context, f Filter, p Page) (Answer, error) {
	if fulltext.Match(fulltext.ParseTerms(f.Text)) == "" {
		return Answer{}, fmt.Errorf("search nodes: %w", ErrSearch)
	}
	return r.newest(ctx, anything(), f, p)
}

// File returns the edits of a file, the newest first. A path that is not
// absolute is the end of one. An edit that renamed the file is part of the
// history of both its names.
func (r *Reader) File(ctx context.Context, path string, f Filter, p Page) (Answer, error) {
	return r.newest(ctx, ofFile(path), f, p)
}

// Session returns the nodes of a session in the order of its transcript: the
// main line, then those of subagents. The beginning of an id will do, if it is
// that of one session only.
func (r *Reader) Session(ctx context.Context, id string, f Filter, p Page) (a Answer, err error) {
	err = r.look(ctx, func(v view) error {
		a, err = v.session(ctx, id, f, p)
		return err
	})
	if err != nil {
		return Answer{}, fmt.Errorf("read session %s: %w", id, sqlitefile.Explain(err))
	}
	return a, nil
}

// Node returns the node of an id. It reports false when there is none.
func (r *Reader) Node(ctx context.Context, id string) (n Node, found bool, err error) {
	err = r.look(ctx, func(v view) error {
		nodes, fetchErr := v.fetch(ctx, "id = ?", "n", []any{id})
		if fetchErr != nil || len(nodes) == 0 {
			return fetchErr
		}
		found = true
		if err = v.link(ctx, nodes); err == nil {
			err = v.mark(ctx, nodes)
		}
		n = nodes[0]
		return err
	})
	if err != nil {
		return Node{}, false, fmt.Errorf("read node %s: %w", id, sqlitefile.Explain(err))
	}
	return n, found, nil
}

// Link gives nodes of a [Page] that is bare what they are bound to and what people said
// of them. Of a node it needs the ID and the Kind.
func (r *Reader) Link(ctx context.Context, nodes []Node) error {
	err := r.look(ctx, func(v view) error {
		for i := range nodes {
			nodes[i].Links = nil // a database that was busy is asked again
		}
		if err := v.link(ctx, nodes); err != nil {
			return err
		}
		return v.mark(ctx, nodes)
	})
	if err != nil {
		return fmt.Errorf("read what nodes are bound to: %w", sqlitefile.Explain(err))
	}
	return nil
}

// newest returns one page of a list, newest first.
func (r *Reader) newest(ctx context.Context, l list, f Filter, p Page) (a Answer, err error) {
	err = r.look(ctx, func(v view) error {
		a, err = v.newest(ctx, l, f, p)
		return err
	})
	if err != nil {
		return Answer{}, fmt.Errorf("query %s: %w", l.what, sqlitefile.Explain(err))
	}
	return a, nil
}

// look shows f the database as it is at one moment.
//
// A database that is busy is tried again until the context ends; do must therefore be
// repeatable.
func (r *Reader) look(ctx context.Context, f func(view) error) error {
	db, err := r.now(ctx)
	if err != nil {
		return err
	}
	return sqlitefile.RetryBusy(ctx, func() error {
		tx, err := db.BeginTx(ctx, &sql.TxOptions{ReadOnly: true})
		if err != nil {
			return err
		}
		return errors.Join(f(view{tx}), tx.Rollback())
	})
}

// view is the database at one moment.
type view struct{ schema.Querier }

// Each calls f for every node, in no order that means anything, with the database
// as it is at one moment. JSON is valid during the call.
func (r *Reader) Each(ctx context.Context, f func(id string, json []byte) error) error {
	err := r.look(ctx, func(v view) (err error) {
		rows, err := v.QueryContext(ctx, "SELECT id, json FROM nodes")
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, rows.Close()) }()
		for rows.Next() {
			var id string
			var json sql.RawBytes
			if err := rows.Scan(&id, &json); err != nil {
				return err
			}
			if err := f(id, json); err != nil {
				return err
			}
		}
		return rows.Err()
	})
	if err != nil {
		return fmt.Errorf("read all nodes: %w", sqlitefile.Explain(err))
	}
	return nil
}

// ErrProject is the error of a project that nothing is known of.
var ErrProject = errors.New("no such project")

// KnowsProject returns an ErrProject that names the projects that are called nearly
// so, if there is none of that name.
func (r *Reader) KnowsProject(ctx context.Context, name string) error {
	return r.look(ctx, func(v view) error { return v.knowsProject(ctx, name) })
}

// knowsProject returns an error that names near projects if none has the name.
func (v view) knowsProject(ctx context.Context, name string) error {
	if name == "" {
		return nil
	}
	is, err := v.projects(ctx, name)
	if err != nil || len(is) > 0 {
		return err
	}
	all, err := schema.Collect(ctx, v, schema.Single[string], "SELECT project FROM tally GROUP BY project ORDER BY max(last) DESC, project")
	if err != nil {
		return err
	}
	near := search.NearProjects(name, all)
	if len(near) == 0 {
		return fmt.Errorf("%w: %s; known are %s", ErrProject, name, strings.Join(search.SomeProjects(all), ", "))
	}
	return fmt.Errorf("%w: %s; there is %s", ErrProject, name, strings.Join(near, ", "))
}

// ProjectsOf returns the projects of a name: a folder, with all below it, or the last element
// of one. None is an ErrProject that names what is near.
func (r *Reader) ProjectsOf(ctx context.Context, name string) (all []string, err error) {
	err = r.look(ctx, func(v view) error {
		if err = v.knowsProject(ctx, name); err == nil {
			all, err = v.projects(ctx, name)
		}
		return err
	})
	return all, err
}

// Changes tells whether there may be something in a database that was not there before.
// It is for one goroutine.
//
// It asks SQLite for the version of the data, and the file system whether the path still leads
// to the same file, so that it can be asked many times a second.
type Changes struct {
	r    *Reader
	db   *sql.DB         // the database that seen is about
	seen *schema.Changes // nil before the first
}

// Changes begins to watch for what is written from now on.
func (r *Reader) Changes(ctx context.Context) (*Changes, error) {
	c := &Changes{r: r}
	if _, err := c.Since(ctx); err != nil {
		return nil, err
	}
	return c, nil
}

// Since reports whether something was written since it was called last, or another
// database has taken the place.
func (c *Changes) Since(ctx context.Context) (bool, error) {
	db, err := c.r.now(ctx)
	if err != nil {
		return false, err
	}
	if c.seen != nil && db == c.db {
		return c.seen.Since(ctx)
	}
	seen, err := schema.NewChanges(ctx, db)
	if err != nil {
		return false, err
	}
	_ = c.Close() // nothing was written through it
	c.db, c.seen = db, seen
	return true, nil
}

// Close ends watching.
func (c *Changes) Close() error {
	if c.seen == nil {
		return nil
	}
	return c.seen.Close()
}
