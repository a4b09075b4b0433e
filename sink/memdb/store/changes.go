package store

import (
	"context"
	"database/sql"
	"errors"

	"github.com/memscribe/memscribe/internal/sqlitefile"
	"github.com/memscribe/memscribe/sink/memdb/api"
	"github.com/memscribe/memscribe/sink/memdb/chain"
	"github.com/memscribe/memscribe/sink/memdb/record"
)

// Namespaces returns up to most namespaces whose names come after a name, in the order of
// names.
func (s *Store) Namespaces(ctx context.Context, after string, most int) (all []api.Namespace, err error) {
	var found []string
	err = s.look(ctx, func(db chain.DB) (err error) {
		found, err = sqlitefile.Column[string](ctx, db, "SELECT record FROM namespaces WHERE name > ? ORDER BY name LIMIT ?", after, most)
		return err
	})
	for i := 0; i < len(found) && err == nil; i++ {
		var n api.Namespace
		err = api.Decode([]byte(found[i]), &n)
		all = append(all, n)
	}
	return all, problem("list namespaces", err)
}

// Changes returns what was done in a namespace after a position. With Most = 0 it returns only
// the present position, and the namespace must exist.
//
// An answer ends after r.Most changes or [record.PageSize] bytes of records; More is then set
// and Position is that of the last change returned. Otherwise Position is the end of the chain,
// so that a namespace in which nothing happens is not read from its beginning each time.
func (s *Store) Changes(ctx context.Context, r api.ChangesRequest) (a api.Changes, err error) {
	if err = api.CheckNamespaceName(r.Namespace); err != nil {
		return a, err
	}
	err = s.look(ctx, func(db chain.DB) error {
		head, failed := chain.NewSQLite(db).Head(ctx)
		if failed != nil {
			return failed
		}
		if a.Position = head.Length; r.Most == 0 {
			return s.requireNamespace(ctx, db, r.Namespace)
		}
		rows, failed := db.QueryContext(ctx, `SELECT e.seq, e.memory, CAST(e.body AS BLOB), CAST(v.record AS BLOB)
			FROM entries AS e LEFT JOIN versions AS v ON v.seq = e.seq
			WHERE e.namespace = ? AND e.seq > ? ORDER BY e.seq`, r.Namespace, r.After)
		if failed != nil {
			return failed
		}
		return errors.Join(gather(rows, &r, &a), rows.Close())
	})
	return a, problem("read changes", err)
}

// gather reads as many changes as were asked for, or as fill a page.
func gather(rows *sql.Rows, r *api.ChangesRequest, a *api.Changes) error {
	size, last := 0, r.After
	for rows.Next() {
		if len(a.Changes) == r.Most || size > record.PageSize {
			a.Position, a.More = last, true
			return nil
		}
		var (
			c          api.Change
			body, json []byte
		)
		if err := rows.Scan(&c.Position, &c.MemoryID, &body, &json); err != nil {
			return err
		}
		last = c.Position
		e, bad := chain.ParseBody(body)
		if bad != nil {
			continue // left to Verify to name
		}
		c.Action, c.Memory = e.Action, record.Shown(json, r.IncludeNode)
		a.Changes, size = append(a.Changes, c), size+len(json)
	}
	return rows.Err()
}
