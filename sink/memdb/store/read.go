package store

import (
	"context"
	"database/sql"
	"errors"

	"github.com/memscribe/memscribe/sink/memdb/api"
	"github.com/memscribe/memscribe/sink/memdb/chain"
	"github.com/memscribe/memscribe/sink/memdb/record"
)

// Kind returns what a Store says of itself.
func (s *Store) Kind() string { return "sqlite" }

// look runs f on what the database holds at one moment: all its questions see the same rows.
func (s *Store) look(ctx context.Context, f func(db chain.DB) error) error {
	if s.readers == nil {
		return errors.New("memories are closed")
	}
	tx, err := s.readers.BeginTx(ctx, &sql.TxOptions{ReadOnly: true})
	if err != nil {
		return err
	}
	return errors.Join(f(tx), tx.Rollback())
}

// Head returns the head of the chain: its number of entries, and the hash of the last one.
func (s *Store) Head(ctx context.Context) (h chain.Head, err error) {
	err = s.look(ctx, func(db chain.DB) (err error) {
		h, err = chain.NewSQLite(db).Head(ctx)
		return err
	})
	return h, problem("read chain", err)
}

// Get returns a memory of a namespace, and what the chain says of it.
func (s *Store) Get(ctx context.Context, namespace, id string) (a api.MemoryAnswer, err error) {
	if err = api.CheckMemory(namespace, id); err != nil {
		return a, err
	}
	err = s.look(ctx, func(db chain.DB) (err error) {
		a, err = get(ctx, db, record.Present{Namespace: namespace, ID: id})
		return err
	})
	return a, problem("read memory", err)
}

// noMemory returns the problem for an id that the namespace does not have.
func noMemory(id string) error {
	return api.NewProblem(api.NotFound, "there is no memory %s in this namespace", id)
}

// get reads a memory with its current version.
//
// A record that cannot be parsed (tampered with) is no error: the answer has its id and
// the verdict, which says so. A forgotten memory is [api.Gone], an unknown one
// [api.NotFound].
func get(ctx context.Context, db chain.DB, p record.Present) (a api.MemoryAnswer, err error) {
	var n sql.NullInt64
	err = db.QueryRowContext(ctx, `SELECT m.n, m.seq, CAST(v.record AS BLOB) FROM memories AS m LEFT JOIN versions AS v ON v.n = m.n
		WHERE m.namespace = ? AND m.id = ?`, p.Namespace, p.ID).Scan(&n, &p.Seq, &p.JSON)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return a, noMemory(p.ID)
	case err != nil:
		return a, err
	case !n.Valid:
		return a, api.NewProblem(api.Gone, "memory %s was forgotten", p.ID)
	}
	r, err := record.Read(p.JSON)
	if err == nil {
		a.Memory = r.Memory
	} else {
		a.Memory = api.Memory{ID: p.ID, Namespace: p.Namespace} // what is there cannot be read
	}
	a.Provenance, err = record.Verdict(ctx, chain.NewSQLite(db), p)
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
	err = s.look(ctx, func(db chain.DB) (err error) {
		all, err = record.Gather(chain.NewSQLite(db).Of(ctx, namespace, id))
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

// HashAt returns the hash of an entry; "" if there is none of that number.
func (s *Store) HashAt(ctx context.Context, seq int64) (hash string, err error) {
	err = s.look(ctx, func(db chain.DB) error {
		e := db.QueryRowContext(ctx, "SELECT hash FROM entries WHERE seq = ?", seq).Scan(&hash)
		if errors.Is(e, sql.ErrNoRows) {
			return nil
		}
		return e
	})
	return hash, problem("read chain", err)
}
