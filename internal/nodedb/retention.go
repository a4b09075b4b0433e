package nodedb

import (
	"context"
	"database/sql"
	"fmt"
	"math"
	"time"

	"github.com/memscribe/memscribe/internal/lite"
	"github.com/memscribe/memscribe/internal/nodedb/schema"
)

// Horizon is how far back the database goes.
func (r *Reader) Horizon(ctx context.Context) (schema.Horizon, error) {
	h, err := schema.ReadHorizon(ctx, r.db)
	if err != nil {
		return h, fmt.Errorf("read horizon: %w", lite.Explain(err))
	}
	return h, nil
}

// Older counts what Prune with a horizon would let go.
func (r *Reader) Older(ctx context.Context, h schema.Horizon) (p schema.Pruned, err error) {
	bound := func(t time.Time) int64 {
		if t.IsZero() {
			return 0
		}
		return t.UnixMilli() << schema.SlotBits
	}
	is, err := r.Horizon(ctx)
	if err != nil {
		return p, err
	}
	h = h.Later(is)
	const old = `SELECT id FROM nodes WHERE n >= 0 AND
		(kind = 'conversation' AND n < ?1 OR kind = 'decision' AND n < ?2 OR kind = 'episode' AND n < ?3)`
	err = r.db.QueryRowContext(ctx, `WITH old AS MATERIALIZED (`+old+`)
		SELECT (SELECT count(*) FROM old WHERE id LIKE 'conversation:%'), (SELECT count(*) FROM old WHERE id LIKE 'decision:%'),
		  (SELECT count(*) FROM old WHERE id LIKE 'episode:%'),
		  (SELECT count(*) FROM nodes WHERE kind = 'binding' AND (from_id IN old OR to_id IN old)),
		  (SELECT count(*) FROM messages WHERE n >= 0 AND n < ?1)`,
		bound(h.Conversations), bound(h.Decisions), bound(h.Edits)).Scan(&p.Conversations, &p.Decisions, &p.Edits, &p.Bindings, &p.Messages)
	if err != nil {
		return p, fmt.Errorf("count old nodes: %w", lite.Explain(err))
	}
	return p, nil
}

// LatestDays are the beginnings of the latest days (UTC) with nodes in the database,
// at most n, the newest first.
func (r *Reader) LatestDays(ctx context.Context, n int) (days []time.Time, err error) {
	before := int64(math.MaxInt64)
	for len(days) < n {
		var at sql.NullInt64
		if err := r.db.QueryRowContext(ctx, "SELECT max(n) FROM nodes WHERE n >= 0 AND n < ?", before).Scan(&at); err != nil {
			return nil, fmt.Errorf("read latest days: %w", lite.Explain(err))
		}
		if !at.Valid {
			break
		}
		day := time.UnixMilli(at.Int64 >> schema.SlotBits).UTC().Truncate(24 * time.Hour)
		days, before = append(days, day), day.UnixMilli()<<schema.SlotBits
	}
	return days, nil
}
