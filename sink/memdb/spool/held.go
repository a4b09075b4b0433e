package spool

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"github.com/memscribe/memscribe/internal/sqlitefile"
)

// Held is the head of the server's chain after it had accepted a batch. The zero Held means
// that it is not known.
type Held struct {
	Length int64
	Hash   string // of the entry of that number
}

// heldTable has one row at most. Spools of earlier versions get it, too.
const heldTable = "CREATE TABLE IF NOT EXISTS held (one INTEGER PRIMARY KEY CHECK (one = 1), length INTEGER NOT NULL, hash TEXT NOT NULL) STRICT"

// Held returns what was kept by [Spool.Keep].
func (s *Spool) Held(ctx context.Context) (h Held, err error) {
	err = s.db.QueryRowContext(ctx, "SELECT length, hash FROM held").Scan(&h.Length, &h.Hash)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return Held{}, fmt.Errorf("read spool: %w", sqlitefile.Explain(err))
	}
	return h, nil
}

// Keep stores the head of the server's chain.
func (s *Spool) Keep(ctx context.Context, h Held) error {
	_, err := s.db.ExecContext(ctx, "INSERT INTO held VALUES (1, ?, ?) ON CONFLICT (one) DO UPDATE SET length = excluded.length, hash = excluded.hash", h.Length, h.Hash)
	if err != nil {
		return fmt.Errorf("write spool: %w", sqlitefile.Explain(err))
	}
	return nil
}

// Renew gives the spool another id, because the server has lost memories that were sent from
// it. Waiting memories stay.
func (s *Spool) Renew(ctx context.Context) error {
	_, err := s.db.ExecContext(ctx, "BEGIN IMMEDIATE; UPDATE identity SET id = lower(hex(randomblob(16))); DELETE FROM held; COMMIT")
	if err != nil {
		return fmt.Errorf("write spool: %w", sqlitefile.Explain(err))
	}
	return nil
}
