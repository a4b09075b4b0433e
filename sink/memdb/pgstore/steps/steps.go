// Package steps reads what was done in chains of PostgreSQL, for answers that are kept.
//
// Package answers keeps the answers of searches, each with the heads of the chains that it has
// seen. Here a transaction tells it where the chains stand now ([Log.Stamp]), and which entries
// were added since a head ([Log.Since]), so that it can tell whether an answer still holds.
package steps

import (
	"context"

	"github.com/memscribe/memscribe/sink/internal/pg"
	"github.com/memscribe/memscribe/sink/memdb/answers"
	"github.com/memscribe/memscribe/sink/memdb/chain"
)

// Log is the chains of namespaces, as a transaction sees them. It is an [answers.Log].
type Log struct {
	Tx         pg.Tx
	Namespaces []string
	Model      string // whose vectors are searched; "" is none
}

// Stamp implements [answers.Log].
func (l Log) Stamp(ctx context.Context) (stamp answers.Stamp, err error) {
	rows, err := l.Tx.Query(ctx, "SELECT namespace, length, hash FROM chains WHERE namespace = ANY ($1::text[])", l.Namespaces)
	if err != nil {
		return stamp, err
	}
	stamp.Heads = chain.Heads{}
	var (
		name string
		h    chain.Head
	)
	err = pg.ForEachRow(rows, []any{&name, &h.Length, &h.Hash}, func() error {
		stamp.Heads[name] = h
		return nil
	})
	if err == nil && l.Model != "" {
		err = l.Tx.QueryRow(ctx, "SELECT coalesce(sum(filled)::bigint, 0) FROM spaces WHERE namespace = ANY ($1::text[]) AND model = $2",
			l.Namespaces, l.Model).Scan(&stamp.Filled)
	}
	return stamp, err
}

// Since implements [answers.Log].
func (l Log) Since(ctx context.Context, name string, from chain.Head, most int) (all []answers.Step, ok bool, err error) {
	rows, err := l.Tx.Query(ctx, `SELECT e.seq, e.hash, e.memory, e.action, v.record
		FROM entries AS e LEFT JOIN versions AS v ON v.namespace = e.namespace AND v.seq = e.seq
		WHERE e.namespace = $1 AND e.seq >= $2 ORDER BY e.seq LIMIT $3`, name, from.Length, most+1)
	if err != nil {
		return nil, false, err
	}
	var (
		at   chain.Head
		step = answers.Step{Namespace: name}
	)
	err = pg.ForEachRow(rows, []any{&at.Length, &at.Hash, &step.MemoryID, &step.Action, &step.Record}, func() error {
		if at.Length == from.Length {
			ok = at == from
		} else if ok {
			all = append(all, step)
		}
		return nil
	})
	return all, ok, err
}
