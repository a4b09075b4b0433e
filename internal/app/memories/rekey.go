package memories

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"os"

	"github.com/memscribe/memscribe/internal/app/host"
	"github.com/memscribe/memscribe/internal/app/setup"
	"github.com/memscribe/memscribe/internal/app/target"
	"github.com/memscribe/memscribe/io/checkpoint"
	"github.com/memscribe/memscribe/sink/memdb/pgstore"
	"github.com/memscribe/memscribe/sink/memdb/store"
)

// Rekeyed says what [Rekey] did.
type Rekeyed struct {
	Database string // as a person may see it
	Where    string // the entry of the chain that records it
	Signed   int64  // entries that the old key had signed
	Found    int64  // entries that were there
	Kept     []string
}

// Rekey accepts a database as it is, replaces its key and appends an entry that says so to
// the chain. The last checkpoint of the old key is kept in the files of Kept. A database
// that contradicts itself is refused. It holds the lock of the state folder, so a running
// watch is an error.
func Rekey(ctx context.Context, s *setup.Setup, p target.MemoryPlace) (done Rekeyed, err error) {
	database, state, err := p.Resolve(s.Machine)
	if err != nil {
		return done, err
	}
	if _, err = os.Stat(state); err != nil && !pgstore.IsURL(database) {
		// Without a key there must be a database: opening one would create it.
		if _, err = os.Stat(database); err != nil {
			return done, fmt.Errorf("rekey memories: %w", err)
		}
	}
	dir, err := s.StateDir(p.StateDir)
	if err != nil {
		return done, fmt.Errorf("find state folder: %w", err)
	}
	lock, err := checkpoint.Acquire(dir)
	if err != nil {
		return done, err
	}
	if !pgstore.IsURL(database) {
		err = s.Private(s.Logger(), database, "")
	}
	if err == nil {
		done, err = rekey(ctx, s.Machine, database, state)
	}
	return done, errors.Join(err, lock.Release())
}

// rekey replaces the key of a file or of a PostgreSQL database.
func rekey(ctx context.Context, m host.Machine, database, state string) (Rekeyed, error) {
	if pgstore.IsURL(database) {
		r, err := pgstore.Rekey(ctx, database, pgstore.Options{Now: m.Now, Random: rand.Reader, StateDir: state})
		where := fmt.Sprintf("entry %d of its chain of keys", r.Entry)
		return Rekeyed{Shown(database), where, r.Signed.Head().Length, r.Heads.Head().Length - 1, r.Kept}, err
	}
	r, err := store.Rekey(ctx, database, store.Options{Now: m.Now, Random: rand.Reader, StateDir: state})
	return Rekeyed{database, fmt.Sprintf("entry %d of its chain", r.Head.Length), r.Signed.Length, r.Head.Length - 1, r.Kept}, err
}
