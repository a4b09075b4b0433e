package store

import (
	"context"

	"github.com/memscribe/memscribe/sink/memdb/api"
	"github.com/memscribe/memscribe/sink/memdb/chain"
)

// VerifyOn is Verify on a connection that may be in a transaction.
func VerifyOn(ctx context.Context, db chain.DB, o VerifyOptions) (api.VerifyReport, error) {
	return verifyIn(ctx, o, func(f func(chain.DB) error) error { return f(db) })
}
