package pgstore

import (
	"context"
	"errors"
	"fmt"

	"github.com/memscribe/memscribe/internal/sink"
	"github.com/memscribe/memscribe/sink/internal/pg"
	"github.com/memscribe/memscribe/sink/memdb/chain"
	"github.com/memscribe/memscribe/sink/memdb/record"
)

// keyChain is the name of the chain whose entries are about keys and not about a namespace. No
// namespace can have this name.
const keyChain = ""

// Rekeyed is the outcome of Rekey.
type Rekeyed struct {
	Entry int64       // of the chain of keys: the mark of the new key
	Heads chain.Heads // of all chains, as the new key has signed them
	// Signed are the heads that the old key vouched for, as far as its folder still
	// says so.
	Signed chain.Heads
	// Kept are the files that the old key left: its last checkpoint and its verifier
	// key.
	Kept []string
}

// Rekey accepts a database as it is, after it was restored from an older copy or the folder of
// this server's key was lost: it makes a new key for this server and appends an entry that says
// so. What the old key signed is kept beside the new one. A database that contradicts itself is
// refused. Other servers have keys of their own and may run; that of this state folder must
// not.
func Rekey(ctx context.Context, dsn string, o Options) (r Rekeyed, err error) {
	dir := o.StateDir
	o.StateDir = ""
	s, err := Open(ctx, dsn, o)
	if err != nil {
		return r, err
	}
	defer func() { err = errors.Join(err, s.Close()) }() //nolint:contextcheck // what was opened is closed also when ctx has ended
	if r, err = s.rekey(ctx, dir); err != nil {
		return r, fmt.Errorf("rekey %s: %w", pg.Shown(dsn), pg.Explain(err))
	}
	return r, nil
}

// rekey appends the entry of the new key before it changes a file. If it is interrupted it can
// be run again: then there are two entries, and the later one counts.
func (s *Store) rekey(ctx context.Context, dir string) (r Rekeyed, err error) {
	report, err := s.Verify(ctx)
	if err != nil {
		return r, err
	}
	if f := report.Fault; f != nil {
		return r, sink.Faultf("the database itself is bad: %s: %s; restore an older copy", f.Reason, f.Detail)
	}
	old, err := chain.ReadRemains(dir)
	if err != nil {
		return r, err
	}
	key, err := chain.NewKey(s.options.Random)
	if err != nil {
		return r, err
	}
	if r.Entry, err = s.mark(ctx, key, &old); err != nil {
		return r, err
	}
	err = s.look(ctx, func(ctx context.Context, tx pg.Tx) (failed error) {
		r.Heads, failed = heads(ctx, tx)
		return failed
	})
	if err != nil {
		return r, err
	}
	r.Signed = old.Heads()
	r.Kept, err = key.Install(dir, old, func(signer *chain.Signer) error { return signer.SaveHeads(dir, r.Heads) })
	return r, err
}

// mark appends the entry of a new key to the chain of keys and returns its place.
func (s *Store) mark(ctx context.Context, key *chain.Key, old *chain.Remains) (place int64, err error) {
	err = s.change(ctx, func(ctx context.Context, tx pg.Tx, _ *pg.Batch) (head, []*chain.Entry, error) {
		h, failed := s.make(ctx, tx, keyChain)
		if failed != nil {
			return h, nil, failed
		}
		place = h.Length + 1
		return h, []*chain.Entry{{
			Action: chain.Rekey, TransactionAt: record.Timestamp(h.at),
			ContentSHA256: key.Sum(), RecordSHA256: chain.Sum([]byte(old.Checkpoint)),
		}}, nil
	})
	return place, err
}
