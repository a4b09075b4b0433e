package pgstore

import (
	"context"
	"errors"

	"github.com/memscribe/memscribe/sink/internal/pg"
	"github.com/memscribe/memscribe/sink/memdb/api"
	"github.com/memscribe/memscribe/sink/memdb/chain"
	"github.com/memscribe/memscribe/sink/memdb/record"
)

// change runs f, a change in a namespace, in a transaction. What f queues and the entries that
// it returns are committed together; without entries nothing is written. After the commit
// watchers are told and the audit log gets the entries. f may run more than once.
func (s *Store) change(ctx context.Context, f func(ctx context.Context, tx pg.Tx, b *pg.Batch) (head, []*chain.Entry, error)) error {
	var entries []*chain.Entry
	err := s.transact(ctx, func(ctx context.Context, tx pg.Tx) error {
		var (
			b   pg.Batch
			h   head
			err error
		)
		if h, entries, err = f(ctx, tx, &b); err != nil || len(entries) == 0 {
			return err
		}
		if err = s.enter(&b, h, entries); err != nil {
			return err
		}
		return tx.Send(ctx, &b)
	})
	if err == nil && len(entries) > 0 {
		s.crier.say(entries[0].Namespace)
		record.Audit(ctx, s.options.Audit, entries)
	}
	return err
}

// PutNamespace creates a namespace, or gives an existing one the description that is asked for.
// created says which.
func (s *Store) PutNamespace(ctx context.Context, name string, put api.NamespacePut) (n api.Namespace, created bool, err error) {
	if err = errors.Join(api.CheckNamespaceName(name), put.Validate()); err != nil {
		return n, false, err
	}
	if err = s.preparer.CheckName(name); err != nil {
		return n, false, err
	}
	description, err := s.preparer.Describe(put.Description)
	if err != nil {
		return n, false, err
	}
	err = s.change(ctx, func(ctx context.Context, tx pg.Tx, b *pg.Batch) (head, []*chain.Entry, error) {
		h, failed := s.make(ctx, tx, name)
		if failed != nil {
			return h, nil, failed
		}
		n, created = api.Namespace{Name: name, CreatedAt: record.Timestamp(h.at)}, h.record == nil
		return s.describe(b, h, &n, description)
	})
	return n, created, problem("put namespace", err)
}

// PatchNamespace changes the description of an existing namespace.
func (s *Store) PatchNamespace(ctx context.Context, name string, patch api.NamespacePatch) (n api.Namespace, err error) {
	if err = errors.Join(api.CheckNamespaceName(name), patch.Validate()); err != nil {
		return n, err
	}
	description, err := s.preparer.Describe(*patch.Description)
	if err != nil {
		return n, err
	}
	err = s.change(ctx, func(ctx context.Context, tx pg.Tx, b *pg.Batch) (head, []*chain.Entry, error) {
		h, failed := s.lockThere(ctx, tx, name)
		if failed != nil {
			return h, nil, failed
		}
		return s.describe(b, h, &n, description)
	})
	return n, problem("patch namespace", err)
}

// describe queues what gives a namespace its description, and sets n to the namespace as it is
// then. A description that is there already changes nothing.
func (s *Store) describe(b *pg.Batch, h head, n *api.Namespace, description string) (head, []*chain.Entry, error) {
	if h.record != nil {
		if err := api.Decode([]byte(*h.record), n); err != nil || n.Description == description {
			return h, nil, err
		}
	}
	n.Description, n.UpdatedAt = description, record.Timestamp(h.at)
	json, err := api.Append(nil, n)
	if err != nil {
		return h, nil, err
	}
	b.Queue("UPDATE chains SET record = $2 WHERE namespace = $1", n.Name, string(json))
	return h, []*chain.Entry{{
		Namespace: n.Name, Action: chain.PutNamespace, TransactionAt: n.UpdatedAt,
		ContentSHA256: chain.Sum([]byte(n.Description)), RecordSHA256: chain.Sum(json),
	}}, nil
}

// DeleteNamespace removes a namespace. One that holds memories is removed only with purge,
// which deletes them; their ids may be used again. Its chain stays.
func (s *Store) DeleteNamespace(ctx context.Context, name string, purge bool) error {
	if err := api.CheckNamespaceName(name); err != nil {
		return err
	}
	err := s.change(ctx, func(ctx context.Context, tx pg.Tx, b *pg.Batch) (head, []*chain.Entry, error) {
		h, err := s.lockThere(ctx, tx, name)
		if err != nil {
			return h, nil, err
		}
		rows, err := tx.Query(ctx, "SELECT id FROM memories WHERE namespace = $1 AND live ORDER BY id", name)
		if err != nil {
			return h, nil, err
		}
		ids, err := pg.Texts(rows)
		if err != nil {
			return h, nil, err
		}
		if len(ids) > 0 && !purge {
			return h, nil, api.NewProblem(api.NamespaceNotEmpty, "namespace %s holds %d memories; purge=true removes them too", name, len(ids))
		}
		// What was forgotten before stays so.
		b.Queue("DELETE FROM embeddings WHERE namespace = $1", name)
		b.Queue("DELETE FROM spaces WHERE namespace = $1", name)
		b.Queue("DELETE FROM versions WHERE namespace = $1", name)
		b.Queue("DELETE FROM memories WHERE namespace = $1 AND live", name)
		b.Queue("UPDATE chains SET record = NULL WHERE namespace = $1", name)
		entries := make([]*chain.Entry, 0, len(ids)+1)
		for _, id := range ids {
			entries = append(entries, gone(name, id, chain.Purge, h.at))
		}
		return h, append(entries, gone(name, "", chain.DeleteNamespace, h.at)), nil
	})
	if err == nil {
		s.cache.Drop(name, "")
	}
	return problem("delete namespace", err)
}

// gone returns the entry of something that has no content any more: its hashes are those of
// nothing.
func gone(namespace, id, action string, at int64) *chain.Entry {
	empty := chain.Sum(nil)
	return &chain.Entry{
		Namespace: namespace, MemoryID: id, Action: action, TransactionAt: record.Timestamp(at), ContentSHA256: empty, RecordSHA256: empty,
	}
}

// Forget deletes what a memory said, in all versions. That it was there, and the hashes of what
// it said, stay in the chain. To forget twice is no error.
func (s *Store) Forget(ctx context.Context, namespace, id string) error {
	if err := api.CheckMemory(namespace, id); err != nil {
		return err
	}
	err := s.change(ctx, func(ctx context.Context, tx pg.Tx, b *pg.Batch) (head, []*chain.Entry, error) {
		h, known, err := s.lock(ctx, tx, namespace)
		if err == nil && !known {
			err = noMemory(id)
		}
		if err != nil {
			return h, nil, err
		}
		var live bool
		err = tx.QueryRow(ctx, "SELECT live FROM memories WHERE namespace = $1 AND id = $2", namespace, id).Scan(&live)
		if errors.Is(err, pg.ErrNoRows) {
			return h, nil, noMemory(id)
		}
		if err != nil || !live {
			return h, nil, err
		}
		queueErase(b, namespace, id)
		b.Queue("UPDATE memories SET seq = $3, live = false, digest = '' WHERE namespace = $1 AND id = $2", namespace, id, h.Length+1)
		return h, []*chain.Entry{gone(namespace, id, chain.Forget, h.at)}, nil
	})
	if err == nil {
		s.cache.Drop(namespace, id)
	}
	return problem("forget memory", err)
}

// queueErase queues what deletes the versions of a memory, and their vectors.
func queueErase(b *pg.Batch, namespace, id string) {
	b.Queue(`DELETE FROM embeddings WHERE namespace = $1
		AND seq IN (SELECT v.seq FROM versions AS v WHERE v.namespace = $1 AND v.memory = $2)`, namespace, id)
	b.Queue("DELETE FROM versions WHERE namespace = $1 AND memory = $2", namespace, id)
}

// noMemory returns the problem for an id that the namespace does not have.
func noMemory(id string) error {
	return api.NewProblem(api.NotFound, "there is no memory %s in this namespace", id)
}
