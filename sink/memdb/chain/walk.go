package chain

import (
	"fmt"
	"iter"

	"github.com/memscribe/memscribe/sink/memdb/api"
)

// The reasons why an entry is bad.
const (
	HashMismatch = "hash_mismatch" // its hash is not that of its bytes
	Gap          = "gap"           // entries before it are missing
	Reorder      = "reorder"       // it is in place of another entry
	// its prev_hash is not the hash of the entry before it
	Fork = "fork"
	// it is the first entry, and its prev_hash is not Genesis
	BadGenesis         = "genesis"
	Truncated          = "truncated"           // entries that a checkpoint covers are missing
	CheckpointMismatch = "checkpoint_mismatch" // a checkpoint has another hash for it
)

// Fault is the first bad entry and why it is bad.
type Fault = api.Fault

// Stored is an entry in a log, before it is verified.
type Stored struct {
	Place int64 // from 1
	Body  []byte
	Hash  string
}

// Walker checks entries one after the other. The zero Walker is before the first one.
type Walker struct {
	head   Head
	before string // hash of the entry before the last
}

// Head returns the head of the entries that were checked.
func (w *Walker) Head() Head { return w.head }

// Next checks the next entry. With a fault, the returned entry has what could be read of it.
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

// Walk checks a whole chain and stops at the first bad entry. It reads one entry at a time. The
// entries that checkpoints cover must be there; checkpoints need not be sorted. The error is one of
// reading.
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

// against compares an entry with the checkpoints of its place.
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

// Against compares the last entry with the checkpoints of its place.
func (w *Walker) Against(e *Entry, checkpoints ...Head) *Fault { return against(checkpoints, e) }

// Short returns a fault if the walk has fewer entries than a checkpoint covers.
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
