package store

import (
	"context"
	"database/sql"
	"errors"
	"slices"

	"github.com/memscribe/memscribe/sink/memdb/api"
	"github.com/memscribe/memscribe/sink/memdb/chain"
	"github.com/memscribe/memscribe/sink/memdb/record"
)

// Kind is what a Store says of itself.
func (s *Store) Kind() string { return "sqlite" }

// look runs f on what the database holds at one moment.
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

// Head is the end of the chain.
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
		a, err = get(ctx, db, present{namespace: namespace, id: id})
		return err
	})
	return a, problem("read memory", err)
}

// present is the present state of a memory.
type present struct {
	namespace, id string
	seq           int64 // of its last entry
	json          []byte
}

func noMemory(id string) error {
	return api.NewProblem(api.NotFound, "there is no memory %s in this namespace", id)
}

func get(ctx context.Context, db chain.DB, p present) (a api.MemoryAnswer, err error) {
	var n sql.NullInt64
	err = db.QueryRowContext(ctx, `SELECT m.n, m.seq, CAST(v.record AS BLOB) FROM memories AS m LEFT JOIN versions AS v ON v.n = m.n
		WHERE m.namespace = ? AND m.id = ?`, p.namespace, p.id).Scan(&n, &p.seq, &p.json)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return a, noMemory(p.id)
	case err != nil:
		return a, err
	case !n.Valid:
		return a, api.NewProblem(api.Gone, "memory %s was forgotten", p.id)
	}
	r, err := record.Read(p.json)
	if err == nil {
		a.Memory = r.Memory
	} else {
		a.Memory = api.Memory{ID: p.id, Namespace: p.namespace} // what is there cannot be read
	}
	a.Provenance, err = verdict(ctx, db, p)
	return a, err
}

// verdict holds a memory to its entry, and the entry to its neighbours.
func verdict(ctx context.Context, db chain.DB, p present) (api.Verdict, error) {
	log := chain.NewSQLite(db)
	entries, err := gather(log.Of(ctx, p.namespace, p.id))
	if err != nil {
		return api.Verdict{}, err
	}
	if len(entries) == 0 {
		return api.Verdict{Status: api.Unverified, Reason: "no_entry", Detail: "the chain has no entry of this memory"}, nil
	}
	last := entries[len(entries)-1]
	tampered := func(reason, detail string) (api.Verdict, error) {
		return api.Verdict{Status: api.Tampered, Reason: reason, Detail: detail}, nil
	}
	e, err := chain.ParseBody(last.Body)
	switch {
	case err != nil || chain.Sum(last.Body) != last.Hash:
		return tampered(chain.HashMismatch, "the entry is not what was hashed")
	case e.MemoryID != p.id || e.Namespace != p.namespace || last.Place != p.seq || e.Seq != p.seq:
		return tampered(chain.Reorder, "the last entry of the memory is another")
	case e.RecordSHA256 != chain.Sum(p.json):
		return tampered(recordMismatch, "the memory is not what was entered")
	}
	around, err := gather(log.Entries(ctx, max(p.seq-1, 1)), 3)
	if err != nil {
		return api.Verdict{}, err
	}
	for i, s := range around {
		next, err := chain.ParseBody(s.Body)
		if err != nil || s.Place == p.seq+1 && next.PrevHash != last.Hash || s.Place == p.seq && i == 1 && next.PrevHash != around[0].Hash {
			return tampered(chain.Fork, "the entry is not linked to its neighbours")
		}
	}
	if around[0].Place != max(p.seq-1, 1) {
		return tampered(chain.Gap, "the entry before it is missing")
	}
	return api.Verdict{Status: api.Verified, EntryID: e.EntryID}, nil
}

// Provenance returns the entries of a memory of a namespace, also of one that is
// gone.
func (s *Store) Provenance(ctx context.Context, namespace, id string) (a api.ProvenanceAnswer, err error) {
	if err = api.CheckMemory(namespace, id); err != nil {
		return a, err
	}
	a = api.ProvenanceAnswer{MemoryID: id, Entries: []api.Entry{}}
	var all []chain.Stored
	err = s.look(ctx, func(db chain.DB) (err error) {
		all, err = gather(chain.NewSQLite(db).Of(ctx, namespace, id))
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

// gather takes stored entries out of a sequence, at most so many.
func gather(entries func(func(chain.Stored, error) bool), most ...int) (all []chain.Stored, err error) {
	for e, err := range entries {
		if err != nil {
			return nil, err
		}
		e.Body = slices.Clone(e.Body)
		if all = append(all, e); len(most) > 0 && len(all) == most[0] {
			break
		}
	}
	return all, nil
}

// HashAt is the hash of an entry; "" if there is none of that number.
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
