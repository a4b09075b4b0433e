package main

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"github.com/memscribe/memscribe/io/checkpoint"
	"github.com/memscribe/memscribe/sink/memdb/store"
)

func (a *app) newMemDBRekey() *cobra.Command {
	var p memdbPlace
	cmd := &cobra.Command{
		Use:   "rekey",
		Short: "Accept a restored database of memories and sign it with a new key",
		Long: `Rekey accepts a database of memories as it is: one that was restored from an older
copy, that was deleted, or that has lost the folder of its key. It makes a new key
and appends an entry to the chain that says so, for everybody to see. The last
checkpoint of the old key is kept beside the new one. It cannot tell a copy that
you restored from one that somebody cut: look at what is missing first. A database
that is bad in itself is refused. Stop watch and memdb serve before.`,
		Example: `  memscribe memdb rekey
  memscribe memdb rekey --db team.db`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return a.rekeyMemDB(cmd.Context(), p) },
	}
	p.addFlags(cmd)
	return cmd
}

func (a *app) rekeyMemDB(ctx context.Context, p memdbPlace) error {
	database, state, err := p.resolve(a)
	if err != nil {
		return err
	}
	if _, err = os.Stat(state); err != nil {
		// Nothing was ever signed here: a database that is made by mistake would be.
		if _, err = os.Stat(database); err != nil {
			return fmt.Errorf("rekey memories: %w", err)
		}
	}
	dir, err := a.StateDir(p.stateDir)
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
	return a.printRekeyed(database, &r)
}

func (a *app) printRekeyed(database string, r *store.Rekeyed) error {
	_, err := a.Stdout.Printf("%s has a new key; entry %d of its chain says so\n", database, r.Head.Length)
	if err == nil && r.Signed.Length > 0 {
		_, err = a.Stdout.Printf("the old key had signed %d entries; %d were there\n", r.Signed.Length, r.Head.Length-1)
	}
	for _, name := range r.Kept {
		if err == nil {
			_, err = a.Stdout.Printf("kept %s\n", name)
		}
	}
	return err
}
