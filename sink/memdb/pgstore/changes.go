package pgstore

import (
	"context"
	"errors"

	"github.com/memscribe/memscribe/sink/internal/pg"
	"github.com/memscribe/memscribe/sink/memdb/api"
	"github.com/memscribe/memscribe/sink/memdb/record"
)

// Namespaces returns up to most namespaces whose names come after a name, in the order of
// names.
func (s *Store) Namespaces(ctx context.Context, after string, most int) (all []api.Namespace, err error) {
	var found []string
	err = s.look(ctx, func(ctx context.Context, tx pg.Tx) error {
		rows, failed := tx.Query(ctx, "SELECT record FROM chains WHERE namespace > $1 AND record IS NOT NULL ORDER BY namespace LIMIT $2", after, most)
		if failed == nil {
			found, failed = pg.Texts(rows)
		}
		return failed
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
func (s *Store) Changes(ctx context.Context, r api.ChangesRequest) (a api.Changes, err error) {
	if err = api.CheckNamespaceName(r.Namespace); err != nil {
		return a, err
	}
	err = s.look(ctx, func(ctx context.Context, tx pg.Tx) (failed error) {
		a = api.Changes{} // it may be tried again
		var there bool
		failed = tx.QueryRow(ctx, "SELECT length, record IS NOT NULL FROM chains WHERE namespace = $1", r.Namespace).Scan(&a.Position, &there)
		if errors.Is(failed, pg.ErrNoRows) || failed == nil && !there && r.Most == 0 {
			return noNamespace(r.Namespace)
		}
		if failed != nil || a.Position <= r.After || r.Most == 0 {
			return failed
		}
		rows, failed := tx.Query(ctx, `SELECT e.seq, e.memory, e.action, v.record
			FROM entries AS e LEFT JOIN versions AS v ON v.namespace = e.namespace AND v.seq = e.seq
			WHERE e.namespace = $1 AND e.seq > $2 AND e.seq <= $3 ORDER BY e.seq LIMIT $4`, r.Namespace, r.After, a.Position, r.Most+1)
		if failed != nil {
			return failed
		}
		return gather(rows, &r, &a)
	})
	return a, problem("read changes", err)
}

// gather reads as many changes as were asked for, or as fill a page of record.PageSize bytes.
// If there are more, Position is that of the last one that was read.
func gather(rows *pg.Rows, r *api.ChangesRequest, a *api.Changes) error {
	defer rows.Close()
	size, last := 0, r.After
	for rows.Next() {
		if len(a.Changes) == r.Most || size > record.PageSize {
			a.Position, a.More = last, true
			return nil
		}
		var (
			c    api.Change
			json []byte
		)
		if err := rows.Scan(&c.Position, &c.MemoryID, &c.Action, &json); err != nil {
			return err
		}
		last, c.Memory = c.Position, record.Shown(json, r.IncludeNode)
		a.Changes, size = append(a.Changes, c), size+len(json)
	}
	return rows.Err()
}
