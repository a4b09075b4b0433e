package pgstore

import (
	"context"
	"errors"
	"fmt"
	"iter"

	"github.com/memscribe/memscribe/sink/internal/pg"
	"github.com/memscribe/memscribe/sink/memdb/api"
	"github.com/memscribe/memscribe/sink/memdb/chain"
	"github.com/memscribe/memscribe/sink/memdb/record"
)

// heads returns the ends of all chains as their rows say. They are not checked against the
// entries.
func heads(ctx context.Context, tx pg.Tx) (chain.Heads, error) {
	rows, err := tx.Query(ctx, "SELECT namespace, length, hash FROM chains WHERE length > 0")
	if err != nil {
		return nil, err
	}
	all := chain.Heads{}
	var (
		name string
		h    chain.Head
	)
	err = pg.ForEachRow(rows, []any{&name, &h.Length, &h.Hash}, func() error {
		all[name] = h
		return nil
	})
	return all, err
}

// Head returns one head for all chains: how many entries they have together, and a hash that
// changes with any of them.
func (s *Store) Head(ctx context.Context) (h chain.Head, err error) {
	err = pg.Look(everywhere(ctx), s.pool, func(ctx context.Context, tx pg.Tx) error {
		all, failed := heads(ctx, tx)
		h = all.Head()
		return failed
	})
	return h, problem("read chains", err)
}

// Get returns a memory of a namespace, and what its chain says of it. One that was forgotten is
// the problem Gone.
func (s *Store) Get(ctx context.Context, namespace, id string) (a api.MemoryAnswer, err error) {
	if err = api.CheckMemory(namespace, id); err != nil {
		return a, err
	}
	err = s.look(ctx, func(ctx context.Context, tx pg.Tx) error {
		a, err = get(ctx, tx, record.Present{Namespace: namespace, ID: id})
		return err
	})
	return a, problem("read memory", err)
}

// get reads a memory with its current version in one query. A record that cannot be read is no
// error here: the memory has no content then, and the verdict says what is wrong.
func get(ctx context.Context, tx pg.Tx, p record.Present) (a api.MemoryAnswer, err error) {
	var (
		live bool
		json *string
	)
	err = tx.QueryRow(ctx, `SELECT m.live, m.seq, v.record FROM memories AS m LEFT JOIN versions AS v ON v.namespace = m.namespace AND v.seq = m.seq
		WHERE m.namespace = $1 AND m.id = $2`, p.Namespace, p.ID).Scan(&live, &p.Seq, &json)
	switch {
	case errors.Is(err, pg.ErrNoRows):
		return a, noMemory(p.ID)
	case err != nil:
		return a, err
	case !live:
		return a, api.NewProblem(api.Gone, "memory %s was forgotten", p.ID)
	}
	if json != nil {
		p.JSON = []byte(*json)
	}
	r, err := record.Read(p.JSON)
	if err == nil {
		a.Memory = r.Memory
	} else {
		a.Memory = api.Memory{ID: p.ID, Namespace: p.Namespace} // what is there cannot be read
	}
	a.Provenance, err = record.Verdict(ctx, log{tx, p.Namespace}, p)
	return a, err
}

// Provenance returns the entries of a memory of a namespace, the oldest first, also of one that
// is gone. Entries that cannot be read are left out; Verify names them.
func (s *Store) Provenance(ctx context.Context, namespace, id string) (a api.ProvenanceAnswer, err error) {
	if err = api.CheckMemory(namespace, id); err != nil {
		return a, err
	}
	a = api.ProvenanceAnswer{MemoryID: id, Entries: []api.Entry{}}
	var all []chain.Stored
	err = s.look(ctx, func(ctx context.Context, tx pg.Tx) (err error) {
		all, err = record.Gather(log{tx, namespace}.Of(ctx, namespace, id))
		return err
	})
	if err == nil && len(all) == 0 {
		err = api.NewProblem(api.NotFound, "there is no memory %s in this namespace, and never was", id)
	}
	for _, stored := range all {
		// What cannot be read is left to Verify to name.
		if e, bad := chain.ParseBody(stored.Body); bad == nil {
			e.Hash = stored.Hash
			a.Entries = append(a.Entries, e)
		}
	}
	return a, problem("read provenance", err)
}

// log is the chain of a namespace, as a transaction sees it. It implements [record.Chain].
type log struct {
	tx        pg.Tx
	namespace string
}

// Entries implements [record.Chain], but yields three entries at most: a verdict needs no more,
// and the rest would be sent over the network for nothing.
func (l log) Entries(ctx context.Context, from int64) iter.Seq2[chain.Stored, error] {
	return l.query(ctx, "SELECT seq, body, hash FROM entries WHERE namespace = $1 AND seq >= $2 ORDER BY seq LIMIT 3", l.namespace, from)
}

// Of implements [record.Chain].
func (l log) Of(ctx context.Context, namespace, memoryID string) iter.Seq2[chain.Stored, error] {
	return l.query(ctx, "SELECT seq, body, hash FROM entries WHERE namespace = $1 AND memory = $2 ORDER BY seq", namespace, memoryID)
}

// query yields entries of a chain as the query returns them.
func (l log) query(ctx context.Context, query string, args ...any) iter.Seq2[chain.Stored, error] {
	return func(yield func(chain.Stored, error) bool) {
		rows, err := l.tx.Query(ctx, query, args...)
		if err != nil {
			yield(chain.Stored{}, fmt.Errorf("read chain: %w", err))
			return
		}
		defer rows.Close()
		for rows.Next() {
			var e chain.Stored
			if err := rows.Scan(&e.Place, &e.Body, &e.Hash); err != nil {
				yield(chain.Stored{}, fmt.Errorf("read chain: %w", err))
				return
			}
			if !yield(e, nil) {
				return
			}
		}
		if err := rows.Err(); err != nil {
			yield(chain.Stored{}, fmt.Errorf("read chain: %w", err))
		}
	}
}
