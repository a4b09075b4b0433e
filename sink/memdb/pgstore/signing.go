package pgstore

import (
	"context"
	"errors"

	"github.com/memscribe/memscribe/internal/sink"
	"github.com/memscribe/memscribe/sink/internal/pg"
	"github.com/memscribe/memscribe/sink/memdb/chain"
)

// ErrBroken is the error of chains that are not those that were signed before. They
// are not signed again.
var ErrBroken = errors.New("a chain is not the one that was signed")

// ErrUnsigned is the error of a state folder that has lost its key or its checkpoint. A
// new key would vouch for whatever is there, also for chains that were cut.
var ErrUnsigned = errors.New("the chains cannot be held to what was signed")

// unsigned returns an ErrUnsigned that names what is missing, and what to do.
func unsigned(dir, what string) error {
	return sink.Faultf("%w: %s is not in %s; bring that folder back, or accept the database as it is: 'memscribe memdb rekey'", ErrUnsigned, what, dir)
}

// openSigner reads the key in the state folder and checks that what was signed with it is still
// in the chains. In an empty folder it makes a key, this server's own, and signs what it finds
// there from then on. A folder that has lost a part is [ErrUnsigned].
func (s *Store) openSigner(ctx context.Context) error {
	dir := s.options.StateDir
	if dir == "" {
		return nil
	}
	if !chain.HasSigner(dir) && chain.HasTraces(dir) {
		return unsigned(dir, "the signing key, memdb.key,")
	}
	signer, err := chain.OpenSigner(dir, s.options.Random)
	if err != nil {
		return err
	}
	v, err := chain.OpenVerifier(dir)
	if err != nil {
		return err
	}
	signed, ok, err := v.LoadHeads(dir)
	switch {
	case errors.Is(err, chain.ErrForged):
		return sink.Faultf("%w: %w; bring back memdb.checkpoint in %s, or accept the database as it is:"+
			" 'memscribe memdb rekey'", ErrUnsigned, err, dir)
	case err != nil:
		return err
	case !ok:
		return unsigned(dir, "the last checkpoint, memdb.checkpoint,")
	}
	s.signing.Lock()
	defer s.signing.Unlock()
	s.signer, s.signed = signer, signed
	return s.look(ctx, func(ctx context.Context, tx pg.Tx) error { return continues(ctx, tx, signed) })
}

// Checkpoint signs the heads of all chains, if any of them has changed. Entries after the last
// checkpoint could be cut off without a trace; whoever must be able to prove that none were
// calls it after each write.
func (s *Store) Checkpoint(ctx context.Context) error {
	s.signing.Lock()
	defer s.signing.Unlock()
	if s.signer == nil || s.pool == nil {
		return nil
	}
	return s.look(ctx, func(ctx context.Context, tx pg.Tx) error {
		all, err := heads(ctx, tx)
		if err != nil || all.Head() == s.signed.Head() {
			return err
		}
		if err := continues(ctx, tx, s.signed); err != nil {
			return err
		}
		if err := s.signer.SaveHeads(s.options.StateDir, all); err != nil {
			return err
		}
		s.signed = all
		return nil
	})
}

// continues returns [ErrBroken] if an entry that was the head of a chain when it was signed is
// not there, or has another hash. Since each hash covers the entry before, the whole chain up
// to it is then the one that was signed.
func continues(ctx context.Context, tx pg.Tx, signed chain.Heads) error {
	var names, hashes []string
	var lengths []int64
	for name, h := range signed {
		names, hashes, lengths = append(names, name), append(hashes, h.Hash), append(lengths, h.Length)
	}
	var name string
	var length int64
	err := tx.QueryRow(ctx, `SELECT s.name, s.length FROM unnest($1::text[], $2::bigint[], $3::text[]) AS s (name, length, hash)
		LEFT JOIN entries AS e ON e.namespace = s.name AND e.seq = s.length
		WHERE e.hash IS NULL OR e.hash <> s.hash ORDER BY s.name LIMIT 1`, names, lengths, hashes).Scan(&name, &length)
	if errors.Is(err, pg.ErrNoRows) {
		return nil
	}
	if err != nil {
		return err
	}
	return sink.Faultf("%w: of namespace %s, %d entries were signed, and entry %d is not there or another one than then;"+
		" 'memscribe memdb verify' looks at all of it; if you restored an older copy, accept what is there: 'memscribe memdb rekey'",
		ErrBroken, name, length, length)
}
