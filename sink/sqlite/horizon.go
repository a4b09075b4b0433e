package sqlite

import (
	"context"
	"database/sql"
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/memscribe/memscribe/internal/sink"
	"github.com/memscribe/memscribe/sink/internal/lite"
)

// Horizon is how far back a database goes: from when on it keeps conversations,
// decisions and edits. The zero time is from ever on.
//
// An edit's binding goes with either of its ends. A node without a timestamp has
// no age, and stays.
type Horizon struct{ Conversations, Decisions, Edits time.Time }

// kinds are the moments by kind of node.
func (h *Horizon) kinds() map[string]*time.Time {
	return map[string]*time.Time{"conversation": &h.Conversations, "decision": &h.Decisions, "episode": &h.Edits}
}

// IsZero reports whether everything is kept.
func (h Horizon) IsZero() bool {
	return h.Conversations.IsZero() && h.Decisions.IsZero() && h.Edits.IsZero()
}

// later has of each moment the later one.
func (h Horizon) later(other Horizon) Horizon {
	theirs := other.kinds()
	for kind, t := range h.kinds() {
		if theirs[kind].After(*t) {
			*t = *theirs[kind]
		}
	}
	return h
}

// keeps reports whether a node belongs into a database with this horizon. It is a
// function of the node alone, so that whatever delivers it, and in what order,
// the same nodes are there.
func (h *Horizon) keeps(r *row) bool {
	switch r.kind {
	case "conversation", "user", "assistant", "command": // the latter are messages
		return isSince(r.timestamp, h.Conversations)
	case "decision":
		return isSince(r.timestamp, h.Decisions)
	case "episode":
		return isSince(r.timestamp, h.Edits)
	}
	from := h.Decisions
	if strings.HasPrefix(r.from, "conversation:") {
		from = h.Conversations
	}
	return isSince(r.used, from) && isSince(r.generated, h.Edits)
}

func isSince(timestamp string, begin time.Time) bool {
	if begin.IsZero() {
		return true
	}
	ms, ok := millis(timestamp)
	return !ok || ms >= begin.UnixMilli()
}

// readHorizon reads what another process may have changed.
func (s *Sink) readHorizon(ctx context.Context) error {
	st, err := s.stmt(ctx, horizonSQL)
	if err != nil {
		return err
	}
	s.horizon, err = scanHorizon(st.QueryContext(ctx))
	return err
}

const horizonSQL = "SELECT kind, before FROM horizon"

func scanHorizon(rows *sql.Rows, err error) (Horizon, error) {
	var h Horizon
	if err != nil {
		return h, err
	}
	defer rows.Close()
	moments := h.kinds()
	for rows.Next() {
		var (
			kind   string
			before int64
		)
		if err := rows.Scan(&kind, &before); err != nil {
			return h, err
		}
		if t := moments[kind]; t != nil {
			*t = time.UnixMilli(before).UTC()
		}
	}
	return h, rows.Err()
}

// LeftOut is how many lines were not taken in because they are older than what
// the database keeps.
func (s *Sink) LeftOut() int64 { return s.leftOut }

// Horizon is how far back the database goes.
func (r *Reader) Horizon(ctx context.Context) (Horizon, error) {
	h, err := scanHorizon(r.db.QueryContext(ctx, horizonSQL))
	if err != nil {
		return h, fmt.Errorf("read horizon: %w", lite.Explain(err))
	}
	return h, nil
}

// Readmit takes the horizon away: what is older than it is taken in again when it
// is delivered. What is gone stays so until then.
func (s *Sink) Readmit(ctx context.Context) error {
	err := s.transact(ctx, func(ctx context.Context) (bool, error) {
		_, err := s.exec(ctx, "DELETE FROM horizon")
		return true, err
	})
	if err == nil {
		err = s.sync(ctx)
	}
	if err != nil {
		return fmt.Errorf("take horizon away: %w", lite.Explain(err))
	}
	return nil
}

// Keeps reports whether a database with this horizon takes a node in.
func (h Horizon) Keeps(node []byte) (bool, error) {
	var p rowReader
	id, err := idOf(&p, node)
	if err != nil {
		return false, err
	}
	r, err := p.read(&sink.Line{ID: id, JSON: node}, digest{})
	if err != nil {
		return false, err
	}
	return h.keeps(r), nil
}

func idOf(p *rowReader, node []byte) (string, error) {
	if _, err := p.doc.Parse(node); err != nil {
		return "", fmt.Errorf("read node: %w", err)
	}
	return p.doc.Root().Get("id").Str(), nil
}

// Older counts what Prune with a horizon would let go.
func (r *Reader) Older(ctx context.Context, h Horizon) (p Pruned, err error) {
	bound := func(t time.Time) int64 {
		if t.IsZero() {
			return 0
		}
		return t.UnixMilli() << slotBits
	}
	is, err := r.Horizon(ctx)
	if err != nil {
		return p, err
	}
	h = h.later(is)
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
		day := time.UnixMilli(at.Int64 >> slotBits).UTC().Truncate(24 * time.Hour)
		days, before = append(days, day), day.UnixMilli()<<slotBits
	}
	return days, nil
}
