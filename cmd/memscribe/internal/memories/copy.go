package memories

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/memscribe/memscribe/cmd/memscribe/internal/cli"
	"github.com/memscribe/memscribe/cmd/memscribe/internal/console"
	"github.com/memscribe/memscribe/internal/app/target"
	"github.com/memscribe/memscribe/internal/usage"
	"github.com/memscribe/memscribe/sink/memdb/pgstore"
	"github.com/memscribe/memscribe/sink/memdb/store"
	"github.com/memscribe/memscribe/sink/memdb/transfer"
)

// CopyOptions say which database is copied, and into which.
type CopyOptions struct {
	target.MemoryPlace

	To string // a file, or the URL of a PostgreSQL
}

// Copy copies a database of memories that is good into another one, and checks what
// came of it.
func Copy(ctx context.Context, a *cli.App, o CopyOptions) error {
	if o.To == "" {
		return usage.Errorf("--out says where the copy goes: a file, or postgres://user@host/name")
	}
	database, state, err := o.Resolve(a.Machine)
	if err != nil {
		return err
	}
	toPlace := target.MemoryPlace{Database: o.To, StateDir: o.StateDir}
	_, toState, err := toPlace.Resolve(a.Machine)
	if err != nil {
		return err
	}
	if toState == state {
		return usage.Errorf("%s cannot be copied into itself", shown(database))
	}
	if err = good(ctx, database, state); err != nil {
		return err
	}
	if !pgstore.IsURL(o.To) {
		if err = a.Private(a.Logger(), o.To, ""); err != nil {
			return err
		}
	}
	r, err := copyAll(ctx, a, guarded{database: database}, guarded{database: o.To, state: toState})
	if err != nil {
		return fmt.Errorf("copy memories of %s into %s: %w", shown(database), shown(o.To), err)
	}
	if err = good(ctx, o.To, toState); err != nil {
		return err
	}
	return printCopied(a.Stdout, o.To, &r)
}

// good makes sure that a database is what was written.
func good(ctx context.Context, database, state string) error {
	report, err := verify(ctx, VerifyOptions{}, database, state)
	if err == nil && !report.OK {
		err = fmt.Errorf("%s is bad: %s: %s; 'memscribe memdb verify' says more", shown(database), report.Fault.Reason, report.Fault.Detail)
	}
	return err
}

// carried is a store that is copied, from or to.
type carried interface {
	transfer.Target
	Close() error
}

// copyAll signs nothing of the source: its folder of state is not given.
func copyAll(ctx context.Context, a *cli.App, from, to guarded) (r transfer.Result, err error) {
	source, err := openCarried(ctx, a, from)
	if err != nil {
		return r, err
	}
	destination, err := openCarried(ctx, a, to)
	if err != nil {
		return r, errors.Join(err, source.Close())
	}
	r, err = transfer.Copy(ctx, source, destination)
	return r, errors.Join(err, destination.Close(), source.Close())
}

// openCarried opens a database whose memories have been scrubbed when they were
// written.
func openCarried(ctx context.Context, a *cli.App, g guarded) (carried, error) {
	if pgstore.IsURL(g.database) {
		return pgstore.Open(ctx, g.database, pgstore.Options{Now: a.Now, Random: rand.Reader, StateDir: g.state})
	}
	return store.Open(ctx, g.database, store.Options{Now: a.Now, Random: rand.Reader, StateDir: g.state})
}

// printCopied prints how much was copied, and the head of each namespace, which is
// the same in both databases.
func printCopied(out *console.Printer, to string, r *transfer.Result) error {
	if _, err := out.Printf("copied %d entries into %s, which had %d of them\n", r.Copied, shown(to), r.Before); err != nil {
		return err
	}
	for _, name := range slices.Sorted(maps.Keys(r.Heads)) {
		h := r.Heads[name]
		if _, err := out.Printf("%s: %d entries, head %s\n", name, h.Length, h); err != nil {
			return err
		}
	}
	return nil
}
