package memories

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"os"

	"github.com/memscribe/memscribe/cmd/memscribe/internal/cli"
	"github.com/memscribe/memscribe/cmd/memscribe/internal/console"
	"github.com/memscribe/memscribe/cmd/memscribe/internal/target"
	"github.com/memscribe/memscribe/io/checkpoint"
	"github.com/memscribe/memscribe/sink/memdb/pgstore"
	"github.com/memscribe/memscribe/sink/memdb/store"
)

// Rekey accepts a database as it is and signs it with a new key.
func Rekey(ctx context.Context, a *cli.App, p target.MemoryPlace) error {
	database, state, err := p.Resolve(a.Env)
	if err != nil {
		return err
	}
	if pgstore.IsURL(database) {
		return cli.Usagef("rekey is for a database in a file; a server of PostgreSQL whose state folder is empty makes a key")
	}
	if _, err = os.Stat(state); err != nil {
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
	r, err := store.Rekey(ctx, database, store.Options{Now: a.Now, Random: rand.Reader, StateDir: state})
	if err = errors.Join(err, lock.Release()); err != nil {
		return err
	}
	return printRekeyed(a.Stdout, database, &r)
}

func printRekeyed(out *console.Printer, database string, r *store.Rekeyed) error {
	_, err := out.Printf("%s has a new key; entry %d of its chain says so\n", database, r.Head.Length)
	if err == nil && r.Signed.Length > 0 {
		_, err = out.Printf("the old key had signed %d entries; %d were there\n", r.Signed.Length, r.Head.Length-1)
	}
	for _, name := range r.Kept {
		if err == nil {
			_, err = out.Printf("kept %s\n", name)
		}
	}
	return err
}
