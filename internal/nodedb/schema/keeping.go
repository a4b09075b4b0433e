package schema

import (
	"context"
	"database/sql"
	"time"
)

// Horizon is how far back a database goes: from when on it keeps conversations,
// decisions and edits. The zero time is from ever on.
//
// An edit's binding goes with either of its ends. A node without a timestamp has
// no age, and stays.
type Horizon struct{ Conversations, Decisions, Edits time.Time }

// Kinds returns the moments by kind of node.
func (h *Horizon) Kinds() map[string]*time.Time {
	return map[string]*time.Time{"conversation": &h.Conversations, "decision": &h.Decisions, "episode": &h.Edits}
}

// IsZero reports whether everything is kept.
func (h Horizon) IsZero() bool {
	return h.Conversations.IsZero() && h.Decisions.IsZero() && h.Edits.IsZero()
}

// Later has of each moment the later one.
func (h Horizon) Later(other Horizon) Horizon {
	theirs := other.Kinds()
	for kind, t := range h.Kinds() {
		if theirs[kind].After(*t) {
			*t = *theirs[kind]
		}
	}
	return h
}

// IsSince reports whether a timestamp is not before a moment. None is, and everything is
// since the zero time.
func IsSince(timestamp string, begin time.Time) bool {
	if begin.IsZero() {
		return true
	}
	ms, ok := Millis(timestamp)
	return !ok || ms >= begin.UnixMilli()
}

// ReadHorizon reads how far back a database goes.
func ReadHorizon(ctx context.Context, q Querier) (h Horizon, err error) {
	type moment struct {
		kind   string
		before int64
	}
	scan := func(rows *sql.Rows, m *moment) error { return rows.Scan(&m.kind, &m.before) }
	all, err := Collect(ctx, q, scan, "SELECT kind, before FROM horizon")
	moments := h.Kinds()
	for _, m := range all {
		if t := moments[m.kind]; t != nil {
			*t = time.UnixMilli(m.before).UTC()
		}
	}
	return h, err
}

// Pruned counts what Prune deleted.
type Pruned struct{ Conversations, Decisions, Edits, Bindings, Messages int64 }

// Nodes returns how many nodes that are.
func (p Pruned) Nodes() int64 { return p.Conversations + p.Decisions + p.Edits + p.Bindings }

// IsZero reports whether nothing went.
func (p Pruned) IsZero() bool { return p == Pruned{} }

// Add counts n nodes of a kind.
func (p *Pruned) Add(kind string, n int64) {
	*map[string]*int64{
		"conversation": &p.Conversations, "decision": &p.Decisions, "episode": &p.Edits, "binding": &p.Bindings,
	}[kind] += n
}
