package store

import (
	"context"
	"database/sql"
	"errors"

	"github.com/memscribe/memscribe/internal/sqlitefile"
	"github.com/memscribe/memscribe/sink/memdb/api"
	"github.com/memscribe/memscribe/sink/memdb/chain"
	"github.com/memscribe/memscribe/sink/memdb/record"
)

// noNamespace returns the problem for a namespace that does not exist.
func noNamespace(name string) error {
	return api.NewProblem(api.NotFound, "there is no namespace %s", name)
}

// requireNamespace returns a problem if a namespace does not exist.
func (s *Store) requireNamespace(ctx context.Context, db chain.DB, name string) error {
	var there bool
	if err := db.QueryRowContext(ctx, "SELECT EXISTS (SELECT * FROM namespaces WHERE name = ?)", name).Scan(&there); err != nil {
		return err
	}
	if !there {
		return noNamespace(name)
	}
	return nil
}

// readNamespace reads a namespace; known is false if there is none.
func readNamespace(ctx context.Context, db chain.DB, name string) (n api.Namespace, known bool, err error) {
	var json []byte
	err = db.QueryRowContext(ctx, "SELECT CAST(record AS BLOB) FROM namespaces WHERE name = ?", name).Scan(&json)
	if errors.Is(err, sql.ErrNoRows) {
		return n, false, nil
	}
	if err != nil {
		return n, false, err
	}
	return n, true, api.Decode(json, &n)
}

// PutNamespace creates a namespace, or gives an existing one the description that is asked for.
// created says which.
//
// The same description as before changes nothing and adds no entry. The description is redacted
// like a memory; a name that looks like a secret is refused.
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
	err = s.change(ctx, func(ctx context.Context, at int64) ([]*chain.Entry, error) {
		var known bool
		n, known, err = readNamespace(ctx, s.writer, name)
		if err != nil || known && n.Description == description {
			return nil, err
		}
		created = !known
		if created {
			n = api.Namespace{Name: name, CreatedAt: record.Timestamp(at)}
		}
		n.Description, n.UpdatedAt = description, record.Timestamp(at)
		return s.saveNamespace(ctx, &n)
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
	err = s.change(ctx, func(ctx context.Context, at int64) ([]*chain.Entry, error) {
		var known bool
		n, known, err = readNamespace(ctx, s.writer, name)
		if err != nil || known && n.Description == description {
			return nil, err
		}
		if !known {
			return nil, noNamespace(name)
		}
		n.Description, n.UpdatedAt = description, record.Timestamp(at)
		return s.saveNamespace(ctx, &n)
	})
	return n, problem("patch namespace", err)
}

// saveNamespace stores a namespace and appends its entry to the chain.
func (s *Store) saveNamespace(ctx context.Context, n *api.Namespace) ([]*chain.Entry, error) {
	json, err := api.Append(nil, n)
	if err != nil {
		return nil, err
	}
	_, err = s.writer.ExecContext(ctx, "INSERT INTO namespaces (name, record) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET record = excluded.record",
		n.Name, string(json))
	return []*chain.Entry{{
		Namespace: n.Name, Action: chain.PutNamespace, TransactionAt: n.UpdatedAt,
		ContentSHA256: chain.Sum([]byte(n.Description)), RecordSHA256: chain.Sum(json),
	}}, err
}

// change runs f, a change, in a transaction and appends the entries that it returns, which
// change gives their ids. No entries mean that nothing changed. The audit log gets its lines
// after the commit.
func (s *Store) change(ctx context.Context, f func(ctx context.Context, at int64) ([]*chain.Entry, error)) error {
	s.writing.Lock()
	defer s.writing.Unlock()
	var entries []*chain.Entry
	err := s.transact(ctx, func(ctx context.Context) error {
		at, err := s.moment(ctx)
		if err != nil {
			return err
		}
		if entries, err = f(ctx, at); err != nil || len(entries) == 0 {
			return err
		}
		for _, e := range entries {
			if e.EntryID, err = s.ids.New(at); err != nil {
				return err
			}
		}
		return chain.NewSQLite(s.writer).Append(ctx, entries...)
	})
	if err != nil || len(entries) == 0 {
		return err
	}
	record.Audit(ctx, s.options.Audit, entries)
	return nil
}

// DeleteNamespace removes a namespace. One that holds memories is removed only with purge,
// which deletes them, and is refused with [api.NamespaceNotEmpty] without. The ids of purged
// memories may be used again, except those that were forgotten before: what a person had
// forgotten stays forgotten in a namespace of the same name.
func (s *Store) DeleteNamespace(ctx context.Context, name string, purge bool) error {
	if err := api.CheckNamespaceName(name); err != nil {
		return err
	}
	err := s.change(ctx, func(ctx context.Context, at int64) ([]*chain.Entry, error) {
		if err := s.requireNamespace(ctx, s.writer, name); err != nil {
			return nil, err
		}
		entries, err := s.emptyNamespace(ctx, name, purge, at)
		if err != nil {
			return nil, err
		}
		if _, err = s.writer.ExecContext(ctx, "DELETE FROM spaces WHERE namespace = ?", name); err != nil {
			return nil, err
		}
		_, err = s.writer.ExecContext(ctx, "DELETE FROM namespaces WHERE name = ?", name)
		empty := chain.Sum(nil)
		return append(entries, &chain.Entry{
			Namespace: name, Action: chain.DeleteNamespace, TransactionAt: record.Timestamp(at), ContentSHA256: empty, RecordSHA256: empty,
		}), err
	})
	if err == nil && purge {
		s.cache.Drop(name, "")
		err = s.vacuum(ctx)
	}
	return problem("delete namespace", err)
}

// emptyNamespace purges the memories of a namespace, or refuses if there are any.
// What was forgotten before stays so.
func (s *Store) emptyNamespace(ctx context.Context, name string, purge bool, at int64) ([]*chain.Entry, error) {
	ids, err := sqlitefile.Column[string](ctx, s.writer, "SELECT id FROM memories WHERE namespace = ? AND n IS NOT NULL", name)
	if err != nil {
		return nil, err
	}
	if len(ids) > 0 && !purge {
		return nil, api.NewProblem(api.NamespaceNotEmpty, "namespace %s holds %d memories; purge=true removes them too", name, len(ids))
	}
	entries := make([]*chain.Entry, 0, len(ids)+1)
	for _, id := range ids {
		e, err := s.erase(ctx, chain.Entry{Namespace: name, MemoryID: id, Action: chain.Purge, TransactionAt: record.Timestamp(at)})
		if err != nil {
			return nil, err
		}
		entries = append(entries, e)
		if _, err := s.writer.ExecContext(ctx, "DELETE FROM memories WHERE namespace = ? AND id = ?", name, id); err != nil {
			return nil, err
		}
	}
	return entries, nil
}

// EnsureNamespace creates a namespace if it does not exist. One that does stays as it is.
func (s *Store) EnsureNamespace(ctx context.Context, name string) error {
	known := false
	err := s.look(ctx, func(db chain.DB) (err error) {
		_, known, err = readNamespace(ctx, db, name)
		return err
	})
	if err != nil || known {
		return problem("read namespace", err)
	}
	_, _, err = s.PutNamespace(ctx, name, api.NamespacePut{Description: "what was captured"})
	return err
}
