package store

import (
	"context"
	"database/sql"
	"errors"
	"iter"

	"github.com/memscribe/memscribe/sink/memdb/chain"
	"github.com/memscribe/memscribe/sink/memdb/record"
)

// Carried returns all entries with what belongs to them, as they are at one moment, in the
// order of the chain. If it yields an error, that is the last.
func (s *Store) Carried(ctx context.Context) iter.Seq2[record.Carried, error] {
	return func(yield func(record.Carried, error) bool) {
		err := s.look(ctx, func(db chain.DB) error { return carried(ctx, db, yield) })
		if err != nil {
			yield(record.Carried{}, problem("read memories", err))
		}
	}
}

// carried yields every entry in the order of the chain with the version that it
// wrote.
//
// Rows are read while the caller writes them elsewhere, so a transfer needs memory for
// one entry only. yield may end it early.
func carried(ctx context.Context, db chain.DB, yield func(record.Carried, error) bool) error {
	rows, err := db.QueryContext(ctx, `SELECT CAST(e.body AS BLOB), CAST(v.record AS BLOB), CAST(s.record AS BLOB)
		FROM entries AS e LEFT JOIN versions AS v ON v.seq = e.seq LEFT JOIN namespaces AS s ON s.name = e.namespace AND e.memory = ''
		ORDER BY e.seq`)
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

// Receive adds what another store carried, in this order, all or none. Entries keep
// their ids and times, and get the places and the hashes that they have in this chain.
//
// The chain of this database continues: places and hashes are new, and the hashes that
// the entries had elsewhere are not kept. The caller has verified the other chain.
func (s *Store) Receive(ctx context.Context, all []record.Carried) error {
	s.writing.Lock()
	defer s.writing.Unlock()
	return problem("receive memories", s.transact(ctx, func(ctx context.Context) error {
		head, err := chain.NewSQLite(s.writer).Head(ctx)
		if err != nil {
			return err
		}
		// The chain first: a memory is erased by its entries.
		entries := make([]*chain.Entry, len(all))
		for i := range all {
			entries[i] = &all[i].Entry
		}
		if err = chain.NewSQLite(s.writer).Append(ctx, entries...); err != nil {
			return err
		}
		w := write{store: s, db: s.writer, held: map[string]held{}}
		for i := range all {
			if err = w.receive(ctx, &all[i], head.Length+int64(i)+1); err != nil {
				return err
			}
		}
		return w.index(ctx)
	}))
}

// receive does again what an entry of another store says was done. Actions that change nothing
// here, as that of a new key, only add their entry.
func (w *write) receive(ctx context.Context, c *record.Carried, seq int64) (err error) {
	e := &c.Entry
	switch {
	case c.Writes():
		return w.receiveVersion(ctx, c, seq)
	case e.Action == chain.Forget || e.Action == chain.Purge:
		if err = w.index(ctx); err != nil { // only what is in the index can be taken out
			return err
		}
		if _, err = w.store.erase(ctx, *e); err != nil {
			return err
		}
		if e.Action == chain.Purge {
			_, err = w.db.ExecContext(ctx, "DELETE FROM memories WHERE namespace = ? AND id = ?", e.Namespace, e.MemoryID)
			return err
		}
		_, err = w.db.ExecContext(ctx, `INSERT INTO memories (id, namespace, seq, n, digest) VALUES (?, ?, ?, NULL, x'')
			ON CONFLICT (namespace, id) DO UPDATE SET seq = excluded.seq, n = NULL, digest = excluded.digest`, e.MemoryID, e.Namespace, seq)
	case e.Action == chain.PutNamespace && c.JSON != nil:
		_, err = w.db.ExecContext(ctx, "INSERT INTO namespaces (name, record) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET record = excluded.record",
			e.Namespace, string(c.JSON))
	case e.Action == chain.DeleteNamespace:
		if _, err = w.db.ExecContext(ctx, "DELETE FROM spaces WHERE namespace = ?", e.Namespace); err == nil {
			_, err = w.db.ExecContext(ctx, "DELETE FROM namespaces WHERE name = ?", e.Namespace)
		}
	}
	return err
}

// receiveVersion stores a version that another database wrote. It ends the version before it
// and becomes the current one.
func (w *write) receiveVersion(ctx context.Context, c *record.Carried, seq int64) error {
	r, err := record.Read(c.JSON)
	if err != nil {
		return err
	}
	var old held
	err = w.db.QueryRowContext(ctx, "SELECT n, digest FROM memories WHERE namespace = ? AND id = ?", c.Entry.Namespace, c.Entry.MemoryID).
		Scan(&old.n, &old.digest)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return err
	}
	w.at = record.Millis(c.Entry.TransactionAt)
	return w.keep(ctx, r, old, seq)
}
