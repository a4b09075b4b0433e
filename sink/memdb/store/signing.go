package store

import (
	"context"
	"errors"
	"fmt"

	"github.com/memscribe/memscribe/internal/sink"
	"github.com/memscribe/memscribe/internal/sqlitefile"
	"github.com/memscribe/memscribe/sink/memdb/chain"
	"github.com/memscribe/memscribe/sink/memdb/record"
)

// ErrBroken is the error of a chain that is not the one that was signed before. It
// is not signed again.
var ErrBroken = errors.New("the chain is not the one that was signed")

// ErrUnsigned is the error of a chain whose key or checkpoint is gone. A new key
// would vouch for whatever is there, also for a chain that was cut.
var ErrUnsigned = errors.New("the chain cannot be held to what was signed")

// unsigned returns an ErrUnsigned that names what is missing, and what to do.
func unsigned(dir, what string) error {
	return sink.Faultf("%w: %s is not in %s; if the state folder was lost or the database was moved, bring that folder back,"+
		" or accept the database as it is: 'memscribe memdb rekey'", ErrUnsigned, what, dir)
}

// broken returns an ErrBroken that names what was signed and what is there.
func broken(is, signed chain.Head) error {
	what := fmt.Sprintf("and there are %d", is.Length)
	if is.Length >= signed.Length {
		what = fmt.Sprintf("and entry %d is another one than then", signed.Length)
	}
	return sink.Faultf("%w: %d entries were signed, %s; 'memscribe memdb verify' looks at all of it; if you restored an older copy or"+
		" deleted the database, accept what is there: 'memscribe memdb rekey'", ErrBroken, signed.Length, what)
}

// openSigner reads the key and holds the chain to what was signed with it. A key
// is made only where nothing was ever entered or signed.
//
// What the state folder holds, and what follows:
//
//	key      checkpoint   chain        result
//	none     none         empty        a key is made, and a checkpoint of nothing
//	none     any          any other    ErrUnsigned
//	there    none         empty        the making was interrupted: a checkpoint of nothing
//	there    none         not empty    ErrUnsigned
//	there    forged       any          ErrUnsigned
//	there    good         continues    opened
//	there    good         differs      ErrBroken
func (s *Store) openSigner(ctx context.Context) error {
	dir := s.options.StateDir
	if dir == "" {
		return nil
	}
	// The head first: whoever entered something has made the key before.
	head, err := chain.NewSQLite(s.writer).Head(ctx)
	if err != nil {
		return err
	}
	if !chain.HasSigner(dir) && (head.Length > 0 || chain.HasTraces(dir)) {
		return unsigned(dir, "the signing key, memdb.key,")
	}
	if s.signer, err = chain.OpenSigner(dir, s.options.Random); err != nil {
		return err
	}
	v, err := chain.OpenVerifier(dir)
	if err != nil {
		return err
	}
	signed, ok, err := v.Load(dir)
	switch {
	case errors.Is(err, chain.ErrForged):
		return sink.Faultf("%w: %w; bring back memdb.checkpoint in %s, or accept the database as it is: 'memscribe memdb rekey'", ErrUnsigned, err, dir)
	case err != nil:
		return err
	case !ok && head.Length > 0:
		return unsigned(dir, "the last checkpoint, memdb.checkpoint,")
	case !ok:
		// Making the key was interrupted before its first checkpoint.
		return s.signer.Save(dir, chain.Head{})
	}
	if err = s.continues(ctx, signed); err != nil {
		return err
	}
	s.signed = signed
	named, err := lastKey(ctx, s.writer)
	if err == nil && named != "" && named != v.Sum() {
		err = unsigned(dir, "the key that the chain names")
	}
	return err
}

// Checkpoint signs the head of the chain, if it has changed. Entries after the last checkpoint
// could be cut off without a trace; whoever must be able to prove that none were calls it after
// each write.
func (s *Store) Checkpoint(ctx context.Context) error {
	s.writing.Lock()
	defer s.writing.Unlock()
	if s.signer == nil || s.writer == nil {
		return nil
	}
	head, err := chain.NewSQLite(s.writer).Head(ctx)
	if err != nil || head == s.signed {
		return err
	}
	if err := s.continues(ctx, s.signed); err != nil {
		return err
	}
	if err := s.signer.Save(s.options.StateDir, head); err != nil {
		return err
	}
	s.signed = head
	return nil
}

// continues returns [ErrBroken] if the entry that was signed as the head is not there, or has
// another hash. Its hash covers all entries before it, and [Store.Verify] recomputes those.
func (s *Store) continues(ctx context.Context, signed chain.Head) error {
	if signed.Length == 0 {
		return nil
	}
	log := chain.NewSQLite(s.writer)
	for e, err := range log.Entries(ctx, signed.Length) {
		if err != nil {
			return err
		}
		if e.Place == signed.Length && e.Hash == signed.Hash {
			return nil
		}
		break
	}
	head, err := log.Head(ctx)
	if err != nil {
		return err
	}
	return broken(head, signed)
}

// Rekeyed is the outcome of Rekey.
type Rekeyed struct {
	Head chain.Head // of the chain, with the mark of the new key
	// Signed is what the old key vouched for, as far as its folder still says so.
	Signed chain.Head
	// Kept are the files that the old key left: its last checkpoint and its verifier
	// key.
	Kept []string
}

// Rekey accepts a database as it is, after it was restored from an older copy or the folder of
// its key was lost. It makes a new key and appends an entry that says so. What the old key
// signed is kept beside the new one. A database that contradicts itself is refused. Nothing
// else may have the database open.
func Rekey(ctx context.Context, path string, o Options) (r Rekeyed, err error) {
	dir := o.StateDir
	o.StateDir = ""
	s, err := Open(ctx, path, o)
	if err != nil {
		return r, err
	}
	defer func() { err = errors.Join(err, s.Close()) }() //nolint:contextcheck // what was opened is closed also when ctx has ended
	if r, err = s.rekey(ctx, dir); err != nil {
		return r, fmt.Errorf("rekey %s: %w", path, sqlitefile.Explain(err))
	}
	return r, nil
}

// rekey appends the entry of the new key before it changes a file. If it is interrupted it can
// be run again: then there are two entries, and the later one counts.
func (s *Store) rekey(ctx context.Context, dir string) (r Rekeyed, err error) {
	report, err := verify(ctx, s.readers, VerifyOptions{Pages: true})
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
	err = s.change(ctx, func(_ context.Context, at int64) ([]*chain.Entry, error) {
		return []*chain.Entry{{
			Action: chain.Rekey, TransactionAt: record.Timestamp(at),
			ContentSHA256: key.Sum(), RecordSHA256: chain.Sum([]byte(old.Checkpoint)),
		}}, nil
	})
	if err != nil {
		return r, err
	}
	if r.Head, err = chain.NewSQLite(s.writer).Head(ctx); err != nil {
		return r, err
	}
	r.Signed = old.Head()
	r.Kept, err = key.Install(dir, old, func(s *chain.Signer) error { return s.Save(dir, r.Head) })
	return r, err
}

// lastKey returns the hash of the verifier key that the chain says signs it; "" if it
// never was given another key.
func lastKey(ctx context.Context, db chain.DB) (sum string, err error) {
	for stored, err := range chain.NewSQLite(db).Of(ctx, "", "") {
		if err != nil {
			return "", err
		}
		e, err := chain.ParseBody(stored.Body)
		if err != nil {
			return "", err
		}
		if e.Action == chain.Rekey {
			sum = e.ContentSHA256
		}
	}
	return sum, nil
}
