package chain

import (
	"fmt"
	"iter"

	"github.com/memscribe/memscribe/sink/memdb/api"
)

// The reasons for which an entry is bad.
const (
	HashMismatch       = "hash_mismatch"       // its bytes are not those that were hashed
	Gap                = "gap"                 // entries before it are missing
	Reorder            = "reorder"             // it stands in another's place
	Fork               = "fork"                // it follows another entry than the one before it
	BadGenesis         = "genesis"             // it is the first, and follows something
	Truncated          = "truncated"           // entries that a checkpoint vouches for are missing
	CheckpointMismatch = "checkpoint_mismatch" // a checkpoint vouches for another entry
)

// Fault is the first bad entry and why it is bad.
type Fault = api.Fault

// Stored is an entry as a log holds it: in a place, with a hash that may be
// right.
type Stored struct {
	Place int64 // from 1
	Body  []byte
	Hash  string
}

// Walker checks entries one after another. The zero Walker stands before the
// first.
type Walker struct {
	head   Head
	before string // hash of the entry before the last
}

// Head returns how far the walk has come.
func (w *Walker) Head() Head { return w.head }

// Next checks the entry that follows. With a fault comes what could be read of
// the entry.
func (w *Walker) Next(s Stored) (Entry, *Fault) {
	e, err := ParseBody(s.Body)
	e.Hash = s.Hash
	bad := func(reason, format string, args ...any) (Entry, *Fault) {
		return e, &Fault{Seq: s.Place, EntryID: e.EntryID, MemoryID: e.MemoryID, Reason: reason, Detail: fmt.Sprintf(format, args...)}
	}
	want := w.head.Length + 1
	switch {
	case s.Place > want:
		return bad(Gap, "entry %d is missing", want)
	case s.Place < want:
		return bad(Fork, "there are two entries %d", s.Place)
	case err != nil:
		return bad(HashMismatch, "%v", err)
	case Sum(s.Body) != s.Hash:
		return bad(HashMismatch, "the hash of its bytes is %s, not %s", Sum(s.Body), s.Hash)
	case e.Schema != Schema:
		return bad(HashMismatch, "its schema is %q", e.Schema)
	case e.Seq != want:
		return bad(Reorder, "entry %d stands in the place of entry %d", e.Seq, want)
	case want == 1 && e.PrevHash != Genesis():
		return bad(BadGenesis, "the first entry follows %s", e.PrevHash)
	case e.PrevHash == w.before && want > 2:
		return bad(Fork, "it follows entry %d, as entry %d does", want-2, want-1)
	case e.PrevHash != w.head.hash():
		return bad(Fork, "it follows %s, and the entry before it is %s", e.PrevHash, w.head.hash())
	}
	w.before = w.head.hash()
	w.head = Head{want, e.Hash}
	return e, nil
}

// Walk checks a whole chain, an entry at a time, and stops at the first bad one.
// What a checkpoint vouches for must be there; checkpoints need not be in order.
// The error is one of reading.
func Walk(entries iter.Seq2[Stored, error], checkpoints ...Head) (Head, *Fault, error) {
	var w Walker
	for s, err := range entries {
		if err != nil {
			return w.head, nil, err
		}
		e, fault := w.Next(s)
		if fault != nil {
			return w.head, fault, nil
		}
		if fault := against(checkpoints, &e); fault != nil {
			return w.head, fault, nil
		}
	}
	return w.head, w.Short(checkpoints...), nil
}

// against holds an entry to the checkpoints that end with it.
func against(checkpoints []Head, e *Entry) *Fault {
	for _, c := range checkpoints {
		if c.Length == e.Seq && c.Hash != e.Hash {
			return &Fault{
				Seq: e.Seq, EntryID: e.EntryID, MemoryID: e.MemoryID, Reason: CheckpointMismatch,
				Detail: fmt.Sprintf("the checkpoint vouches for %s, and the entry is %s", c.Hash, e.Hash),
			}
		}
	}
	return nil
}

// Against holds the last entry to the checkpoints that end with it.
func (w *Walker) Against(e *Entry, checkpoints ...Head) *Fault { return against(checkpoints, e) }

// Short reports whether the walk has ended before a checkpoint did.
func (w *Walker) Short(checkpoints ...Head) *Fault {
	for _, c := range checkpoints {
		if c.Length > w.head.Length {
			return &Fault{
				Seq: w.head.Length + 1, Reason: Truncated,
				Detail: fmt.Sprintf("a checkpoint vouches for %d entries, and there are %d", c.Length, w.head.Length),
			}
		}
	}
	return nil
}
