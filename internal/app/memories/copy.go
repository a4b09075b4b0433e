package memories

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"

	"github.com/memscribe/memscribe/internal/app/host"
	"github.com/memscribe/memscribe/internal/app/setup"
	"github.com/memscribe/memscribe/internal/app/target"
	"github.com/memscribe/memscribe/internal/usage"
	"github.com/memscribe/memscribe/sink/memdb/pgstore"
	"github.com/memscribe/memscribe/sink/memdb/store"
	"github.com/memscribe/memscribe/sink/memdb/transfer"
)

// CopyOptions say which database is copied, and where to.
type CopyOptions struct {
	target.MemoryPlace

	To string // a file, or the URL of a PostgreSQL
}

// Copy copies all memories with their chain. The source is verified before and the copy
// afterwards; a source that is bad is not copied. A copy that was interrupted continues
// when it is run again.
func Copy(ctx context.Context, s *setup.Setup, o CopyOptions) (r transfer.Result, err error) {
	if o.To == "" {
		return r, usage.Errorf("--out says where the copy goes: a file, or postgres://user@host/name")
	}
	database, state, err := o.Resolve(s.Machine)
	if err != nil {
		return r, err
	}
	toPlace := target.MemoryPlace{Database: o.To, StateDir: o.StateDir}
	_, toState, err := toPlace.Resolve(s.Machine)
	if err != nil {
		return r, err
	}
	if toState == state {
		return r, usage.Errorf("%s cannot be copied into itself", Shown(database))
	}
	if err = good(ctx, database, state); err != nil {
		return r, err
	}
	if !pgstore.IsURL(o.To) {
		if err = s.Private(s.Logger(), o.To, ""); err != nil {
			return r, err
		}
	}
	r, err = copyAll(ctx, s.Machine, guarded{database: database}, guarded{database: o.To, state: toState})
	if err != nil {
		return r, fmt.Errorf("copy memories of %s into %s: %w", Shown(database), Shown(o.To), err)
	}
	return r, good(ctx, o.To, toState)
}

// good returns an error if a database does not hold what was written to it.
func good(ctx context.Context, database, state string) error {
	report, err := verify(ctx, VerifyOptions{}, database, state)
	if err == nil && !report.OK {
		err = fmt.Errorf("%s is bad: %s: %s; 'memscribe memdb verify' says more", Shown(database), report.Fault.Reason, report.Fault.Detail)
	}
	return err
}

// carried is a store that is copied from or to.
type carried interface {
	transfer.Target
	Close() error
}

// copyAll copies everything. The source is opened without a state folder, so that nothing is
// signed for it.
func copyAll(ctx context.Context, m host.Machine, from, to guarded) (r transfer.Result, err error) {
	source, err := openCarried(ctx, m, from)
	if err != nil {
		return r, err
	}
	destination, err := openCarried(ctx, m, to)
	if err != nil {
		return r, errors.Join(err, source.Close())
	}
	r, err = transfer.Copy(ctx, source, destination)
	return r, errors.Join(err, destination.Close(), source.Close())
}

// openCarried opens a store without a scrubber: its memories were redacted when they were
// written, and their digests must not change.
func openCarried(ctx context.Context, m host.Machine, g guarded) (carried, error) {
	if pgstore.IsURL(g.database) {
		return pgstore.Open(ctx, g.database, pgstore.Options{Now: m.Now, Random: rand.Reader, StateDir: g.state})
	}
	return store.Open(ctx, g.database, store.Options{Now: m.Now, Random: rand.Reader, StateDir: g.state})
}
