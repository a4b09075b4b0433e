package chain

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"iter"
)

// Tables creates the table of a [SQLite] log. Triggers refuse statements that change or delete
// entries, so that a program does not do it by mistake.
const Tables = `
CREATE TABLE entries (
  seq       INTEGER PRIMARY KEY,
  namespace TEXT NOT NULL, -- of the memory
  memory    TEXT NOT NULL, -- the memory's id
  body      TEXT NOT NULL, -- canonical JSON
  hash      TEXT NOT NULL  -- of body
) STRICT;
CREATE INDEX entries_memory ON entries(memory, namespace);
CREATE TRIGGER entries_stay BEFORE DELETE ON entries BEGIN SELECT RAISE(ABORT, 'entries are never deleted'); END;
CREATE TRIGGER entries_stand BEFORE UPDATE ON entries BEGIN SELECT RAISE(ABORT, 'entries are never changed'); END;
`

// DB runs statements: a database, a connection of it, or a transaction.
type DB interface {
	ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error)
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}

// SQLite is a Log in a table of a database. Its statements belong to the transaction that db is
// in, so an entry and the memory that it is about are committed together. Append must not run
// concurrently.
type SQLite struct{ db DB }

// NewSQLite returns the Log of a database that has its [Tables].
func NewSQLite(db DB) *SQLite { return &SQLite{db} }

// Head implements [Log].
func (s *SQLite) Head(ctx context.Context) (h Head, err error) {
	err = s.db.QueryRowContext(ctx, "SELECT seq, hash FROM entries ORDER BY seq DESC LIMIT 1").Scan(&h.Length, &h.Hash)
	if errors.Is(err, sql.ErrNoRows) {
		return Head{}, nil
	}
	if err != nil {
		return Head{}, fmt.Errorf("read head of chain: %w", err)
	}
	return h, nil
}

// Append implements [Log]. The caller's transaction makes it all or none.
func (s *SQLite) Append(ctx context.Context, entries ...*Entry) error {
	head, err := s.Head(ctx)
	if err != nil {
		return err
	}
	sealed, _, err := sealAll(ctx, entries, head)
	if err != nil {
		return err
	}
	for i, e := range sealed {
		_, err := s.db.ExecContext(ctx, "INSERT INTO entries (seq, namespace, memory, body, hash) VALUES (?, ?, ?, ?, ?)",
			e.Place, entries[i].Namespace, entries[i].MemoryID, string(e.Body), e.Hash)
		if err != nil {
			return fmt.Errorf("append to chain: %w", err)
		}
	}
	return nil
}

// Entries implements [Log].
func (s *SQLite) Entries(ctx context.Context, from int64) iter.Seq2[Stored, error] {
	return s.query(ctx, "SELECT seq, CAST(body AS BLOB), hash FROM entries WHERE seq >= ? ORDER BY seq", from)
}

// Of implements [Log].
func (s *SQLite) Of(ctx context.Context, namespace, memoryID string) iter.Seq2[Stored, error] {
	return s.query(ctx, "SELECT seq, CAST(body AS BLOB), hash FROM entries WHERE memory = ? AND namespace = ? ORDER BY seq", memoryID, namespace)
}

// query yields entries as the query returns them.
func (s *SQLite) query(ctx context.Context, query string, args ...any) iter.Seq2[Stored, error] {
	return func(yield func(Stored, error) bool) {
		rows, err := s.db.QueryContext(ctx, query, args...)
		if err != nil {
			yield(Stored{}, fmt.Errorf("read chain: %w", err))
			return
		}
		defer rows.Close()
		for rows.Next() {
			var e Stored
			if err := rows.Scan(&e.Place, &e.Body, &e.Hash); err != nil {
				yield(Stored{}, fmt.Errorf("read chain: %w", err))
				return
			}
			if !yield(e, nil) {
				return
			}
		}
		if err := rows.Err(); err != nil {
			yield(Stored{}, fmt.Errorf("read chain: %w", err))
		}
	}
}
