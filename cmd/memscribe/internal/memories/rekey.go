package memories

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"os"

	"github.com/memscribe/memscribe/cmd/memscribe/internal/cli"
	"github.com/memscribe/memscribe/cmd/memscribe/internal/console"
	"github.com/memscribe/memscribe/internal/app/target"
	"github.com/memscribe/memscribe/io/checkpoint"
	"github.com/memscribe/memscribe/sink/memdb/pgstore"
	"github.com/memscribe/memscribe/sink/memdb/store"
)

// Rekey accepts a database as it is and signs it with a new key.
func Rekey(ctx context.Context, a *cli.App, p target.MemoryPlace) error {
	database, state, err := p.Resolve(a.Machine)
	if err != nil {
		return err
	}
	if _, err = os.Stat(state); err != nil && !pgstore.IsURL(database) {
		// Nothing was ever signed here: a database that is made by mistake would be.
		if _, err = os.Stat(database); err != nil {
			return fmt.Errorf("rekey memories: %w", err)
		}
	}
	dir, err := a.StateDir(p.StateDir)
	if err != nil {
		return fmt.Errorf("find state folder: %w", err)
	}
	lock, err := checkpoint.Acquire(dir)
	if err != nil {
		return err
	}
	r, err := rekey(ctx, a, database, state)
	if err = errors.Join(err, lock.Release()); err != nil {
		return err
	}
	return printRekeyed(a.Stdout, database, &r)
}

// rekeyed is what was done, in a file or in PostgreSQL.
type rekeyed struct {
	where         string // the entry that says so
	signed, there int64  // entries
	kept          []string
}

// rekey replaces the key of a database and returns where in the chain that is
// recorded.
func rekey(ctx context.Context, a *cli.App, database, state string) (rekeyed, error) {
	if pgstore.IsURL(database) {
		r, err := pgstore.Rekey(ctx, database, pgstore.Options{Now: a.Now, Random: rand.Reader, StateDir: state})
		where := fmt.Sprintf("entry %d of its chain of keys", r.Entry)
		return rekeyed{where, r.Signed.Head().Length, r.Heads.Head().Length - 1, r.Kept}, err
	}
	r, err := store.Rekey(ctx, database, store.Options{Now: a.Now, Random: rand.Reader, StateDir: state})
	return rekeyed{fmt.Sprintf("entry %d of its chain", r.Head.Length), r.Signed.Length, r.Head.Length - 1, r.Kept}, err
}

// printRekeyed prints what the new key accepts and what was kept of the old one.
func printRekeyed(out *console.Printer, database string, r *rekeyed) error {
	_, err := out.Printf("%s has a new key; %s says so\n", shown(database), r.where)
	if err == nil && r.signed > 0 {
		_, err = out.Printf("the old key had signed %d entries; %d were there\n", r.signed, r.there)
	}
	for _, name := range r.kept {
		if err == nil {
			_, err = out.Printf("kept %s\n", name)
		}
	}
	return err
}
