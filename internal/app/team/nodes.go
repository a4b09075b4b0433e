package team

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"math"

	"github.com/memscribe/memscribe/internal/nodedb"
	"github.com/memscribe/memscribe/internal/nodedb/schema"
	"github.com/memscribe/memscribe/internal/sink"
	"github.com/memscribe/memscribe/internal/sqlitefile"
)

// nodes are those of a project, in the database that watch keeps: what a person rejected is
// none of them.
type nodes struct {
	r       *nodedb.Reader // nil: there is no database, or nothing of the project in it
	folders []string       // of the project
	list    string         // the same, as JSON
}

// openNodes finds the nodes of a project's folder and of all folders below it.
func openNodes(ctx context.Context, database, project string) (*nodes, error) {
	r, err := nodedb.Open(ctx, database)
	if errors.Is(err, fs.ErrNotExist) {
		return &nodes{}, nil
	}
	if err != nil {
		return nil, err
	}
	n := &nodes{r: r}
	n.folders, err = r.ProjectsOf(ctx, project)
	if errors.Is(err, nodedb.ErrProject) {
		return &nodes{}, r.Close()
	}
	if err == nil {
		n.list, err = schema.JSONList(n.folders)
	}
	if err != nil {
		return nil, errors.Join(err, r.Close())
	}
	return n, nil
}

// close closes the database, if it was opened.
func (n *nodes) close() error {
	if n.r == nil {
		return nil
	}
	return n.r.Close()
}

// accepted is which nodes leave a machine: a decision that was rejected does not, nor does what
// says which edits carry it out, nor what others have shared.
const accepted = `NOT EXISTS (SELECT * FROM received WHERE received.id = nodes.id) AND id NOT IN (SELECT id FROM marks WHERE rejected) AND coalesce(from_id, '') NOT IN (SELECT id FROM marks WHERE rejected)`

// captured is which nodes of a project were captured here, also those that were rejected: they may
// have been shared before.
const captured = " FROM nodes WHERE project IN (SELECT value FROM json_each(?)) AND NOT EXISTS (SELECT * FROM received WHERE received.id = nodes.id)"

// shared is which nodes of a project are shared.
const shared = " FROM nodes WHERE project IN (SELECT value FROM json_each(?)) AND " + accepted

// count says how many there are of each kind.
func (n *nodes) count(ctx context.Context) (of map[string]int, err error) {
	of = map[string]int{}
	err = n.query(ctx, "SELECT kind, count(*)"+shared+" GROUP BY kind", nil, func(rows *sql.Rows) error {
		var kind string
		var many int
		if failed := rows.Scan(&kind, &many); failed != nil {
			return failed
		}
		of[kind] = many
		return nil
	})
	return of, err
}

// each calls do for each node that is shared, in the order of time; see [inPages].
func (n *nodes) each(ctx context.Context, do func(*sink.Line) error) error {
	return inPages(ctx, n.query, shared, do)
}

// eachCaptured calls do for each node that is or may have been shared; see [inPages].
func (n *nodes) eachCaptured(ctx context.Context, do func(*sink.Line) error) error {
	return inPages(ctx, n.query, captured, do)
}

// page is how many nodes are read at a time: the database is not held while they are sent.
const page = 500

// inPages calls do for each node of a clause that ends in a condition, in the order of time.
//
// The database is read in pages of 500 nodes, each in a transaction of its own; nodes
// that are written meanwhile may or may not be among them, and the next call has them.
func inPages(ctx context.Context, query func(ctx context.Context, statement string, args []any, scan func(*sql.Rows) error) error, from string,
	do func(*sink.Line) error,
) error {
	for last := int64(math.MinInt64); ; {
		var some []sink.Line
		err := query(ctx, "SELECT n, id, kind, json"+from+" AND n > ? ORDER BY n LIMIT ?", []any{last, page}, func(rows *sql.Rows) error {
			var l sink.Line
			err := rows.Scan(&last, &l.ID, &l.Kind, &l.JSON)
			some = append(some, l)
			return err
		})
		if err != nil {
			return err
		}
		for i := range some {
			if err = do(&some[i]); err != nil {
				return err
			}
		}
		if len(some) < page {
			return nil
		}
	}
}

// query asks for nodes of the project.
func (n *nodes) query(ctx context.Context, statement string, more []any, scan func(*sql.Rows) error) error {
	if n.r == nil {
		return nil
	}
	err := n.r.Snapshot(ctx, func(s nodedb.Snapshot) (err error) {
		if err = s.Newest(ctx); err != nil {
			return err
		}
		rows, err := s.QueryContext(ctx, statement, append([]any{n.list}, more...)...)
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, rows.Close()) }()
		for rows.Next() {
			if err := scan(rows); err != nil {
				return err
			}
		}
		return rows.Err()
	})
	if err != nil {
		return fmt.Errorf("read nodes of a project: %w", sqlitefile.Explain(err))
	}
	return nil
}
