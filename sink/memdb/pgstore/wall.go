package pgstore

import (
	"context"
	"strings"

	"github.com/memscribe/memscribe/sink/internal/pg"
	"github.com/memscribe/memscribe/sink/memdb/api"
	"github.com/memscribe/memscribe/sink/memdb/record"
)

// Every transaction says which namespaces its caller's token is for, in a setting of its
// own. Where the owner of the database has put up the second wall
// (docs/postgres/row-security.sql), PostgreSQL then shows and takes no row of any other,
// whatever the statement says. Without the wall the setting changes nothing.

// wallSetting is the setting that the policies read.
const wallSetting = "memscribe.namespaces"

// walled returns a context whose transactions are for the namespaces that its caller's token
// allows; for all of them if it has no bounds.
func walled(ctx context.Context) context.Context {
	names, bounded := record.Bounds(ctx)
	if !bounded {
		return everywhere(ctx)
	}
	var good []string
	for _, n := range names {
		if api.CheckNamespaceName(n) == nil { // the policies tell names by the spaces between
			good = append(good, n)
		}
	}
	return pg.With(ctx, wallSetting, strings.Join(good, " "))
}

// everywhere returns a context whose transactions are for all namespaces: those of the server
// itself, of checks and of copies. It is never used for a client's request.
func everywhere(ctx context.Context) context.Context { return pg.With(ctx, wallSetting, "*") }

// look is [pg.Look] for the caller.
func (s *Store) look(ctx context.Context, f func(ctx context.Context, tx pg.Tx) error) error {
	return pg.Look(walled(ctx), s.pool, f)
}

// transact is [pg.Transact] for the caller.
func (s *Store) transact(ctx context.Context, f func(ctx context.Context, tx pg.Tx) error) error {
	return pg.Transact(walled(ctx), s.pool, f)
}
