// Package transfer copies all memories from one store to another, with their chain.
//
// A file has one chain over all namespaces, PostgreSQL one for each. So an entry keeps its id,
// its time and its content, and gets the position and the hash that it has in the chain of the
// target:
//
//	file        1 a/x   2 b/y   3 a/z        one chain
//	PostgreSQL  a: 1 x, 2 z     b: 1 y       two chains
//
// What both stores share is the view of each namespace as a chain of its own. Its head is a
// hash over every entry, and so over every memory; it is compared before and after ([Heads]).
package transfer

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"maps"
	"slices"

	"github.com/memscribe/memscribe/sink/memdb/chain"
	"github.com/memscribe/memscribe/sink/memdb/record"
)

// Source is a store that is copied.
type Source interface {
	// Carried are all entries with what belongs to them, as they are at one moment.
	Carried(ctx context.Context) iter.Seq2[record.Carried, error]
}

// Target is a store that is copied to.
type Target interface {
	Source
	// Receive adds entries with what belongs to them, all of a namespace or none.
	Receive(ctx context.Context, all []record.Carried) error
}

// ErrDiffers is the error of a target that holds something else than the beginning of
// the source. Nothing is copied then.
var ErrDiffers = errors.New("the target holds something else")

// One transaction takes at most manyEntries entries and about manyBytes bytes of memories.
const (
	manyEntries = 500
	manyBytes   = 4 << 20
)

// Result says what was copied.
type Result struct {
	Heads  chain.Heads // of each namespace, as a chain of its own: in both stores
	Copied int64       // entries
	Before int64       // entries that the target had already
}

// Copy copies what the target lacks. A copy that was interrupted continues when Copy is called
// again. If the target is not the beginning of the source, the error is [ErrDiffers] and
// nothing is copied. Nothing else may write to the target meanwhile.
func Copy(ctx context.Context, from Source, to Target) (r Result, err error) {
	has, err := Heads(ctx, to)
	if err != nil {
		return r, fmt.Errorf("look at the target: %w", err)
	}
	if err = begins(ctx, from, has); err != nil {
		return r, err
	}
	r.Before = has.Head().Length
	p := parcel{to: to, result: &r}
	at := chain.Heads{}
	for c, err := range from.Carried(ctx) {
		if err != nil {
			return r, err
		}
		if err = follow(at, &c); err != nil {
			return r, err
		}
		if at[c.Entry.Namespace].Length <= has[c.Entry.Namespace].Length {
			continue
		}
		if err = p.add(ctx, c); err != nil {
			return r, err
		}
	}
	if err = p.send(ctx); err != nil {
		return r, err
	}
	return r, proven(ctx, to, at, &r)
}

// proven makes sure that the target now has the chains of the source.
func proven(ctx context.Context, to Target, want chain.Heads, r *Result) error {
	var err error
	if r.Heads, err = Heads(ctx, to); err != nil {
		return fmt.Errorf("look at the target: %w", err)
	}
	for _, name := range slices.Sorted(maps.Keys(r.Heads)) {
		if r.Heads[name] != want[name] {
			return fmt.Errorf("%w in namespace %s than what was copied: something wrote to it meanwhile", ErrDiffers, name)
		}
	}
	return nil
}

// parcel gathers what is sent together.
type parcel struct {
	to     Target
	result *Result
	all    []record.Carried
	bytes  int
}

// add adds an entry and sends the parcel once it is full.
func (p *parcel) add(ctx context.Context, c record.Carried) error {
	p.all, p.bytes = append(p.all, c), p.bytes+len(c.JSON)
	if len(p.all) < manyEntries && p.bytes < manyBytes {
		return nil
	}
	return p.send(ctx)
}

// send sends what was collected.
func (p *parcel) send(ctx context.Context) error {
	if len(p.all) == 0 {
		return nil
	}
	if err := p.to.Receive(ctx, p.all); err != nil {
		return err
	}
	p.result.Copied += int64(len(p.all))
	p.all, p.bytes = nil, 0
	return nil
}

// Heads returns the ends of the namespaces of a store, each seen as a chain of its own.
func Heads(ctx context.Context, s Source) (chain.Heads, error) {
	all := chain.Heads{}
	for c, err := range s.Carried(ctx) {
		if err == nil {
			err = follow(all, &c)
		}
		if err != nil {
			return nil, err
		}
	}
	return all, nil
}

// follow adds an entry to the chain of its namespace.
func follow(all chain.Heads, c *record.Carried) error {
	e := c.Entry
	if _, err := chain.Seal(&e, all[e.Namespace]); err != nil {
		return err
	}
	all[e.Namespace] = chain.Head{Length: e.Seq, Hash: e.Hash}
	return nil
}

// begins makes sure that a source begins with what the target has.
func begins(ctx context.Context, from Source, has chain.Heads) error {
	at, found := chain.Heads{}, 0
	for c, err := range from.Carried(ctx) {
		if err == nil {
			err = follow(at, &c)
		}
		if err != nil {
			return err
		}
		name := c.Entry.Namespace
		switch is, want := at[name], has[name]; {
		case is == want:
			found++
		case is.Length == want.Length:
			return fmt.Errorf("%w: entry %d of namespace %s is not that of the source; copy into an empty database", ErrDiffers, is.Length, name)
		}
	}
	if found == len(has) {
		return nil
	}
	for _, name := range slices.Sorted(maps.Keys(has)) {
		if at[name].Length < has[name].Length {
			return fmt.Errorf("%w: namespace %s has %d entries there, and %d in the source; copy into an empty database",
				ErrDiffers, name, has[name].Length, at[name].Length)
		}
	}
	return nil
}
