package record

import (
	"context"
	"iter"
	"slices"

	"github.com/memscribe/memscribe/sink/memdb/api"
	"github.com/memscribe/memscribe/sink/memdb/chain"
)

// Chain is what Verdict reads of the chain that a memory belongs to. [chain.Log] implements it.
type Chain interface {
	// Entries are those from a place on, in the order of their places.
	Entries(ctx context.Context, from int64) iter.Seq2[chain.Stored, error]
	// Of are the entries of a memory, in the order of their places.
	Of(ctx context.Context, namespace, memoryID string) iter.Seq2[chain.Stored, error]
}

// Present is the present version of a memory.
type Present struct {
	Namespace, ID string
	Seq           int64 // of its last entry
	JSON          []byte
}

// Verdict compares a memory with its entry in the chain, and the entry with the entries beside
// it. It reads a few entries, not the chain; [chain.Walk] does that.
func Verdict(ctx context.Context, log Chain, p Present) (api.Verdict, error) {
	entries, err := Gather(log.Of(ctx, p.Namespace, p.ID))
	if err != nil {
		return api.Verdict{}, err
	}
	if len(entries) == 0 {
		return api.Verdict{Status: api.Unverified, Reason: "no_entry", Detail: "the chain has no entry of this memory"}, nil
	}
	last := entries[len(entries)-1]
	tampered := func(reason, detail string) (api.Verdict, error) {
		return api.Verdict{Status: api.Tampered, Reason: reason, Detail: detail}, nil
	}
	e, err := chain.ParseBody(last.Body)
	switch {
	case err != nil || chain.Sum(last.Body) != last.Hash:
		return tampered(chain.HashMismatch, "the entry is not what was hashed")
	case e.MemoryID != p.ID || e.Namespace != p.Namespace || last.Place != p.Seq || e.Seq != p.Seq:
		return tampered(chain.Reorder, "the last entry of the memory is another")
	case e.RecordSHA256 != chain.Sum(p.JSON):
		return tampered(Mismatch, "the memory is not what was entered")
	}
	around, err := Gather(log.Entries(ctx, max(p.Seq-1, 1)), 3)
	if err != nil {
		return api.Verdict{}, err
	}
	for i, s := range around {
		next, err := chain.ParseBody(s.Body)
		if err != nil || s.Place == p.Seq+1 && next.PrevHash != last.Hash || s.Place == p.Seq && i == 1 && next.PrevHash != around[0].Hash {
			return tampered(chain.Fork, "the entry is not linked to its neighbours")
		}
	}
	if around[0].Place != max(p.Seq-1, 1) {
		return tampered(chain.Gap, "the entry before it is missing")
	}
	return api.Verdict{Status: api.Verified, EntryID: e.EntryID}, nil
}

// Gather returns stored entries from a sequence, at most as many as given.
func Gather(entries func(func(chain.Stored, error) bool), most ...int) (all []chain.Stored, err error) {
	for e, err := range entries {
		if err != nil {
			return nil, err
		}
		e.Body = slices.Clone(e.Body)
		if all = append(all, e); len(most) > 0 && len(all) == most[0] {
			break
		}
	}
	return all, nil
}
