package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"

	"github.com/memscribe/memscribe/internal/sqlitefile"
	"github.com/memscribe/memscribe/sink/memdb/api"
	"github.com/memscribe/memscribe/sink/memdb/chain"
	"github.com/memscribe/memscribe/sink/memdb/record"
)

// Forget takes away what a memory said. That it was there, and the hashes of it,
// stay.
//
// Forgetting twice is no error and adds no entry. An id that never was is
// [api.NotFound]. On return the text is no longer in the database file: deleted pages
// are overwritten (secure_delete), the pieces of the word index are merged without it, and the log is
// truncated. If another process reads the database just then, the log is truncated with a
// later change; [Store.Wiped] tells.
func (s *Store) Forget(ctx context.Context, namespace, id string) error {
	if err := api.CheckMemory(namespace, id); err != nil {
		return err
	}
	unknown, err := s.forget(ctx, namespace, []string{id})
	switch {
	case err == nil && unknown > 0:
		err = noMemory(id)
	case err == nil:
		err = s.vacuum(ctx)
	}
	return problem("forget memory", err)
}

// forgetAtOnce is how many memories are forgotten in one transaction.
const forgetAtOnce = 500

// ForgetAll is [Store.Forget] for many memories, and returns how many of them are forgotten. Taking
// the words out of the index, whose cost grows with the index, is done once for all. An id
// that never was is passed over.
func (s *Store) ForgetAll(ctx context.Context, namespace string, ids []string) (n int, err error) {
	for some := range slices.Chunk(ids, forgetAtOnce) {
		unknown, err := s.forget(ctx, namespace, some)
		if err != nil {
			return n, problem("forget memories", err)
		}
		n += len(some) - unknown
	}
	return n, problem("forget memories", s.vacuum(ctx))
}

// forget erases memories in one transaction, and returns how many of them never were.
func (s *Store) forget(ctx context.Context, namespace string, ids []string) (unknown int, err error) {
	err = s.change(ctx, func(ctx context.Context, at int64) (entries []*chain.Entry, err error) {
		unknown = 0
		head, err := chain.NewSQLite(s.writer).Head(ctx)
		if err != nil {
			return nil, err
		}
		for _, id := range ids {
			var old held
			err = s.writer.QueryRowContext(ctx, "SELECT n, digest FROM memories WHERE namespace = ? AND id = ?", namespace, id).Scan(&old.n, &old.digest)
			if errors.Is(err, sql.ErrNoRows) {
				unknown++
				continue
			}
			if err != nil {
				return nil, err
			}
			if !old.n.Valid {
				continue
			}
			e, failed := s.erase(ctx, chain.Entry{Namespace: namespace, MemoryID: id, Action: chain.Forget, TransactionAt: record.Timestamp(at)})
			if failed != nil {
				return nil, failed
			}
			entries = append(entries, e)
			_, err = s.writer.ExecContext(ctx, "UPDATE memories SET seq = ?, n = NULL, digest = x'' WHERE namespace = ? AND id = ?",
				head.Length+int64(len(entries)), namespace, id)
			if err != nil {
				return nil, err
			}
		}
		return entries, nil
	})
	if err != nil {
		return 0, err
	}
	for _, id := range ids {
		s.cache.Drop(namespace, id)
	}
	return unknown, nil
}

// erase deletes the versions of the memory that an entry names, and completes
// the entry, which says so.
//
// All versions go, not only the present one. The entries that wrote them stay, with the
// hashes of what they said; a new entry with the hash of nothing says that it is gone.
func (s *Store) erase(ctx context.Context, e chain.Entry) (*chain.Entry, error) {
	numbers, err := sqlitefile.Column[int64](ctx, s.writer, `SELECT v.n FROM entries AS e JOIN versions AS v USING (seq)
		WHERE e.memory = ? AND e.namespace = ? ORDER BY v.n`, e.MemoryID, e.Namespace)
	if err != nil {
		return nil, err
	}
	s.wiped = false
	for _, n := range numbers {
		for _, statement := range []string{"DELETE FROM words WHERE rowid = ?", "DELETE FROM links WHERE n = ?", "DELETE FROM embeddings WHERE n = ?", "DELETE FROM versions WHERE n = ?"} {
			if _, err = s.writer.ExecContext(ctx, statement, n); err != nil {
				return nil, fmt.Errorf("erase %s: %w", e.MemoryID, err)
			}
		}
	}
	e.ContentSHA256, e.RecordSHA256 = chain.Sum(nil), chain.Sum(nil)
	return &e, nil
}

// vacuum takes what was deleted off the disk: out of the index of words, where
// it is only marked, and out of the log that is ahead of the file. Of those who
// wait for it at the same time, the first does it for all.
func (s *Store) vacuum(ctx context.Context) error {
	s.writing.Lock()
	defer s.writing.Unlock()
	if s.wiped {
		return nil
	}
	return s.wipe(ctx)
}

// wipe is vacuum, whether anything is known to be deleted or not. Where nothing is, it costs
// next to nothing. The caller holds s.writing.
func (s *Store) wipe(ctx context.Context) error {
	if _, err := s.writer.ExecContext(ctx, "INSERT INTO words (words) VALUES ('optimize')"); err != nil {
		return err
	}
	if err := s.emptyLog(ctx); err != nil {
		return err
	}
	s.wiped = true
	return nil
}

// emptyLog truncates the log, or notes that a reader holds it. The caller holds s.writing.
func (s *Store) emptyLog(ctx context.Context) error {
	var busy, pages, done int
	if err := s.writer.conn.QueryRowContext(ctx, "PRAGMA wal_checkpoint(TRUNCATE)").Scan(&busy, &pages, &done); err != nil {
		return err
	}
	s.held = busy != 0
	return nil
}

// ErrHeld says that another process reads the database, and keeps what was forgotten in its
// write-ahead log until it has ended.
var ErrHeld = errors.New("another process keeps the log of the memories: stop it and forget again")

// Wiped makes sure that what was forgotten is in neither the index nor the log any more, also if
// the process that forgot it has died before it could. It returns [ErrHeld] if it is in the log.
func (s *Store) Wiped(ctx context.Context) error {
	s.writing.Lock()
	defer s.writing.Unlock()
	if err := s.wipe(ctx); err != nil {
		return sqlitefile.Explain(err)
	}
	if s.held {
		return ErrHeld
	}
	return nil
}
