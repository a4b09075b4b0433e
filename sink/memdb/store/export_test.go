package store

import (
	"context"
	"fmt"

	"github.com/memscribe/memscribe/sink/memdb/api"
	"github.com/memscribe/memscribe/sink/memdb/chain"
	"github.com/memscribe/memscribe/sink/memdb/store/walk"
)

// VerifyOn is Verify on a connection that may be in a transaction.
func VerifyOn(ctx context.Context, db chain.DB, o VerifyOptions) (api.VerifyReport, error) {
	var err error
	if o.Schema, err = ownSchema(ctx); err != nil {
		return api.VerifyReport{}, err
	}
	return walk.Verify(ctx, o, func(f func(chain.DB) error) error { return f(db) })
}

// LimitPages makes the disk as full as it is with so many pages.
func (s *Store) LimitPages(ctx context.Context, pages int) error {
	_, err := s.writer.conn.ExecContext(ctx, fmt.Sprintf("PRAGMA max_page_count = %d", pages))
	return err
}

// ChangedRows returns how many rows the writer has changed.
func (s *Store) ChangedRows(ctx context.Context) (n int64, err error) {
	return n, s.writer.QueryRowContext(ctx, "SELECT total_changes()").Scan(&n)
}
