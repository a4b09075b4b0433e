package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"

	"github.com/memscribe/memscribe/internal/nodedb/removal"
	"github.com/memscribe/memscribe/internal/nodedb/schema"
	"github.com/memscribe/memscribe/internal/sink"
	"github.com/memscribe/memscribe/internal/sqlitefile"
)

// Origin is a namespace of a server that nodes are received from.
type Origin struct{ Server, Namespace string }

// Shared is a node that somebody shared.
type Shared struct {
	sink.Line

	By string // who shared it, as the server says
}

// Receipt says what became of nodes that were received.
type Receipt struct {
	Taken     []string // the ids of those that are in the database now as received
	Own       int      // captured here too: they stay as they are here
	Elsewhere []string // the ids of those that another origin has given; they stay, too
}

// Receive stores nodes that others shared, beside those that are captured here. They are
// marked as received in the transaction before the one that stores them, so that a node
// of others is never taken for one of one's own, which would be shared again.
//
// A node that is captured here later, by [Sink.Apply], becomes one's own.
//
// What Receive took is durable when it returns.
func (s *Sink) Receive(ctx context.Context, from Origin, nodes []Shared) (r Receipt, err error) {
	if len(nodes) == 0 {
		return r, nil
	}
	var lines []sink.Line
	err = s.conn.Transact(ctx, func(ctx context.Context) (bool, error) {
		r, lines = Receipt{}, nil
		if failed := s.checkVersion(ctx); failed != nil {
			return false, failed
		}
		held, failed := s.heldFrom(ctx, nodes)
		if failed != nil {
			return false, failed
		}
		for i := range nodes {
			n := &nodes[i]
			switch origin, there := held[n.ID]; {
			case there && origin == Origin{}:
				r.Own++
				continue
			case there && origin != from:
				r.Elsewhere = append(r.Elsewhere, n.ID)
				continue
			}
			if _, failed = s.conn.Exec(ctx, "INSERT INTO received VALUES (?, ?, ?, ?) ON CONFLICT DO UPDATE SET shared_by = excluded.shared_by",
				n.ID, from.Server, from.Namespace, n.By); failed != nil {
				return false, failed
			}
			lines, r.Taken = append(lines, n.Line), append(r.Taken, n.ID)
		}
		return len(lines) > 0, nil
	})
	if err == nil && len(lines) > 0 {
		s.receives = true
		err = s.Apply(ctx, lines)
		s.receives = false
	}
	if err == nil {
		err = s.Flush(ctx)
	}
	if err != nil {
		return r, fmt.Errorf("receive nodes: %w", sqlitefile.Explain(err))
	}
	return r, nil
}

// heldFrom returns where those of some nodes that the database has come from. The zero
// Origin is this machine.
func (s *Sink) heldFrom(ctx context.Context, nodes []Shared) (map[string]Origin, error) {
	ids := make([]string, len(nodes))
	for i := range nodes {
		ids[i] = nodes[i].ID
	}
	list, err := schema.JSONList(ids)
	if err != nil {
		return nil, err
	}
	type one struct {
		Origin

		id string
	}
	scan := func(rows *sql.Rows, o *one) error { return rows.Scan(&o.id, &o.Server, &o.Namespace) }
	all, err := schema.Collect(ctx, s.conn, scan, `SELECT nodes.id, coalesce(server, ''), coalesce(namespace, '')
		FROM json_each(?) AS asked CROSS JOIN nodes ON nodes.id = asked.value LEFT JOIN received ON received.id = nodes.id`, list)
	held := make(map[string]Origin, len(all))
	for _, o := range all {
		held[o.id] = o.Origin
	}
	return held, err
}

// ForgetReceived forgets the nodes that were received from some origins, or from any if none is
// named, but for those to keep. Where another process has the database open their bytes
// stay in its log until that has ended, which is no error.
func ForgetReceived(ctx context.Context, path string, keep map[string]bool, from ...Origin) (forgotten int, err error) {
	var gone []string
	err = using(ctx, path, func(s *Sink) error {
		type one struct {
			Origin

			id string
		}
		scan := func(rows *sql.Rows, o *one) error { return rows.Scan(&o.id, &o.Server, &o.Namespace) }
		all, failed := schema.Collect(ctx, s.conn, scan, "SELECT id, server, namespace FROM received")
		for _, o := range all {
			if !keep[o.id] && (len(from) == 0 || slices.Contains(from, o.Origin)) {
				gone = append(gone, o.id)
			}
		}
		return failed
	})
	if err != nil || len(gone) == 0 {
		return 0, err
	}
	if _, err = Forget(ctx, path, removal.Request{IDs: gone}); errors.Is(err, ErrHeld) {
		err = nil
	}
	return len(gone), err
}
