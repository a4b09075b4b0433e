package pgstore

import (
	"context"
	"iter"

	"github.com/memscribe/memscribe/sink/internal/pg"
	"github.com/memscribe/memscribe/sink/memdb/chain"
	"github.com/memscribe/memscribe/sink/memdb/pgstore/words"
	"github.com/memscribe/memscribe/sink/memdb/record"
)

const carryQuery = `SELECT e.body, v.record, c.record
	FROM entries AS e LEFT JOIN versions AS v ON v.namespace = e.namespace AND v.seq = e.seq
	LEFT JOIN chains AS c ON c.namespace = e.namespace AND e.memory = ''
	ORDER BY e.namespace, e.seq`

// Carried returns all entries with what belongs to them, as they are at one moment, one chain
// after another. If it yields an error, that is the last.
func (s *Store) Carried(ctx context.Context) iter.Seq2[record.Carried, error] {
	return func(yield func(record.Carried, error) bool) {
		err := pg.LookOnce(everywhere(ctx), s.pool, func(ctx context.Context, tx pg.Tx) error { return carried(ctx, tx, yield) })
		if err != nil {
			yield(record.Carried{}, problem("read memories", err))
		}
	}
}

// carried yields every entry of the database in the order of the chains, with the version that
// it wrote if that is still there. It has no time limit: it is as fast as the store that
// receives.
func carried(ctx context.Context, tx pg.Tx, yield func(record.Carried, error) bool) error {
	// It takes as long as the other store takes.
	if _, err := tx.Exec(ctx, "SET LOCAL statement_timeout = 0"); err != nil {
		return err
	}
	rows, err := tx.Query(ctx, carryQuery)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var body, version, namespace []byte
		if err = rows.Scan(&body, &version, &namespace); err != nil {
			return err
		}
		c, ok, err := record.Carry(body, version, namespace)
		if err != nil {
			return err
		}
		if ok && !yield(c, nil) {
			return nil
		}
	}
	return rows.Err()
}

// Receive adds what another store carried, each namespace in the order given, all of it or
// nothing. Entries keep their ids and times, and get new places and hashes, those of this
// chain.
func (s *Store) Receive(ctx context.Context, all []record.Carried) error {
	var names []string
	of := map[string][]record.Carried{}
	for i := range all {
		name := all[i].Entry.Namespace
		if of[name] == nil {
			names = append(names, name)
		}
		of[name] = append(of[name], all[i])
	}
	for _, name := range names {
		err := s.transact(ctx, func(ctx context.Context, tx pg.Tx) error { return s.receive(ctx, tx, of[name]) })
		if err != nil {
			return problem("receive memories", err)
		}
	}
	return nil
}

// receive adds entries of one namespace after those that are there, as part of a transaction.
func (s *Store) receive(ctx context.Context, tx pg.Tx, all []record.Carried) error {
	name := all[0].Entry.Namespace
	h, err := s.make(ctx, tx, name)
	if err != nil {
		return err
	}
	var r receiver
	entries := make([]*chain.Entry, len(all))
	for i := range all {
		entries[i] = &all[i].Entry
		if err = r.queue(&all[i], h.Length+int64(i)+1); err != nil {
			return err
		}
	}
	h.at = record.Millis(all[len(all)-1].Entry.TransactionAt)
	if err = s.enter(&r.batch, h, entries); err != nil {
		return err
	}
	return tx.Send(ctx, &r.batch)
}

// receiver queues the statements that do again what entries of another store say was done.
type receiver struct {
	batch  pg.Batch
	scopes record.Scopes
}

// queue queues the statements for one entry, which gets the place seq.
func (r *receiver) queue(c *record.Carried, seq int64) error {
	e := &c.Entry
	switch {
	case c.Writes():
		return r.queueVersion(c, seq)
	case e.Action == chain.Forget:
		queueErase(&r.batch, e.Namespace, e.MemoryID)
		r.batch.Queue(`INSERT INTO memories (namespace, id, seq, live, digest) VALUES ($1, $2, $3, false, '')
			ON CONFLICT (namespace, id) DO UPDATE SET seq = excluded.seq, live = false, digest = excluded.digest`, e.Namespace, e.MemoryID, seq)
	case e.Action == chain.Purge:
		queueErase(&r.batch, e.Namespace, e.MemoryID)
		r.batch.Queue("DELETE FROM memories WHERE namespace = $1 AND id = $2", e.Namespace, e.MemoryID)
	case e.Action == chain.PutNamespace && c.JSON != nil:
		r.batch.Queue("UPDATE chains SET record = $2 WHERE namespace = $1", e.Namespace, string(c.JSON))
	case e.Action == chain.DeleteNamespace:
		r.batch.Queue("DELETE FROM spaces WHERE namespace = $1", e.Namespace)
		r.batch.Queue("UPDATE chains SET record = NULL WHERE namespace = $1", e.Namespace)
	}
	return nil
}

// queueVersion queues the statements for a written version: it ends the version before it and
// becomes the current one.
func (r *receiver) queueVersion(c *record.Carried, seq int64) error {
	v, err := record.Read(c.JSON)
	if err != nil {
		return err
	}
	m := &v.Memory
	r.batch.Queue("UPDATE versions SET until = $3 WHERE namespace = $1 AND memory = $2 AND until IS NULL", m.Namespace, m.ID, v.Learnt)
	r.batch.Queue(`INSERT INTO versions (namespace, seq, memory, learnt, valid, invalid, superseded, record, words)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9::text::tsvector)`,
		m.Namespace, seq, m.ID, v.Learnt, v.Valid, null(v.Invalid), null(m.SupersededBy), string(c.JSON), words.Vector(m, &r.scopes))
	r.batch.Queue(`INSERT INTO memories (namespace, id, seq, live, digest) VALUES ($1, $2, $3, true, $4)
		ON CONFLICT (namespace, id) DO UPDATE SET seq = excluded.seq, live = true, digest = excluded.digest`, m.Namespace, m.ID, seq, v.Digest)
	return nil
}
