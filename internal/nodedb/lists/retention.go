package lists

import (
	"context"
	"database/sql"
	"fmt"
	"math"
	"time"

	"github.com/memscribe/memscribe/internal/nodedb"
	"github.com/memscribe/memscribe/internal/nodedb/schema"
)

// Horizon returns the moments before which the database keeps nothing, by kind of node.
func Horizon(ctx context.Context, r *nodedb.Reader) (h schema.Horizon, err error) {
	err = r.Snapshot(ctx, func(s nodedb.Snapshot) error {
		h, err = schema.ReadHorizon(ctx, s)
		return err
	})
	if err != nil {
		return h, fmt.Errorf("read horizon: %w", err)
	}
	return h, nil
}

// Older counts what Prune with this horizon would delete now, and deletes nothing. It counts
// what is older than the later of the two horizons, the given one and the database's own: a
// horizon never moves back.
func Older(ctx context.Context, r *nodedb.Reader, h schema.Horizon) (p schema.Pruned, err error) {
	bound := func(t time.Time) int64 {
		if t.IsZero() {
			return 0
		}
		return t.UnixMilli() << schema.SlotBits
	}
	const old = `SELECT id FROM nodes WHERE n >= 0 AND
		(kind = 'conversation' AND n < ?1 OR kind = 'decision' AND n < ?2 OR kind = 'episode' AND n < ?3)`
	count := func(rows *sql.Rows, p *schema.Pruned) error {
		return rows.Scan(&p.Conversations, &p.Decisions, &p.Edits, &p.Bindings, &p.Messages)
	}
	err = r.Snapshot(ctx, func(s nodedb.Snapshot) error {
		is, failed := schema.ReadHorizon(ctx, s)
		if failed != nil {
			return failed
		}
		h = h.Later(is)
		counts, failed := schema.Collect(ctx, s, count, `WITH old AS MATERIALIZED (`+old+`)
			SELECT (SELECT count(*) FROM old WHERE id LIKE 'conversation:%'), (SELECT count(*) FROM old WHERE id LIKE 'decision:%'),
			  (SELECT count(*) FROM old WHERE id LIKE 'episode:%'),
			  (SELECT count(*) FROM nodes WHERE kind = 'binding' AND (from_id IN old OR to_id IN old)),
			  (SELECT count(*) FROM messages WHERE n >= 0 AND n < ?1)`,
			bound(h.Conversations), bound(h.Decisions), bound(h.Edits))
		if failed == nil {
			p = counts[0]
		}
		return failed
	})
	if err != nil {
		return p, fmt.Errorf("count old nodes: %w", err)
	}
	return p, nil
}

// LatestDays returns the beginnings of the latest days (UTC) that have nodes, newest first, at
// most n. It asks for the newest node before each day, so that its cost depends on n and not on
// the number of nodes.
func LatestDays(ctx context.Context, r *nodedb.Reader, n int) (days []time.Time, err error) {
	err = r.Snapshot(ctx, func(s nodedb.Snapshot) error {
		for before := int64(math.MaxInt64); len(days) < n; {
			latest, failed := schema.Collect(ctx, s, schema.Single[sql.NullInt64], "SELECT max(n) FROM nodes WHERE n >= 0 AND n < ?", before)
			if failed != nil || !latest[0].Valid {
				return failed
			}
			day := time.UnixMilli(latest[0].Int64 >> schema.SlotBits).UTC().Truncate(24 * time.Hour)
			days, before = append(days, day), day.UnixMilli()<<schema.SlotBits
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("read latest days: %w", err)
	}
	return days, nil
}
