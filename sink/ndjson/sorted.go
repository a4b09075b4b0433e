package ndjson

import (
	"bufio"
	"cmp"
	"context"
	"fmt"
	"io"
	"slices"

	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/internal/sink"
)

// Sorted holds lines back until Flush, which writes each id once, its last line,
// in canonical order. Lines wait in a temporary file without a name when they
// are many, so that memory holds little more than their ids.
type Sorted struct {
	out     io.Writer
	spill   spill
	heads   map[head]int32
	order   []head
	kinds   []string
	byID    map[string]int32
	entries []entry
	closed  bool
}

// head is what many lines share.
type head struct {
	source          core.Tool
	session, thread string
}

// entry says where the last line of an id is.
type entry struct {
	head int32
	kind int32
	size int64
	at   int64
	seq  uint64
	id   string
}

// NewSorted returns a Sorted that writes to out, which stays open.
func NewSorted(out io.Writer) *Sorted {
	s := &Sorted{out: out}
	s.reset()
	return s
}

func (s *Sorted) reset() {
	s.heads, s.order = map[head]int32{}, nil
	s.byID, s.entries = map[string]int32{}, nil
}

// Apply implements [sink.Sink].
func (s *Sorted) Apply(_ context.Context, lines []sink.Line) error {
	if s.closed {
		return errClosed
	}
	for i := range lines {
		l := &lines[i]
		at, err := s.spill.add(l.JSON)
		if err != nil {
			return fmt.Errorf("keep lines: %w", err)
		}
		e := entry{
			head: s.head(head{l.Source, l.Session, l.Thread}), size: int64(len(l.JSON)) + 1,
			at: at, seq: l.Seq, kind: s.kind(l.Kind), id: l.ID,
		}
		if n, ok := s.byID[l.ID]; ok {
			s.entries[n] = e
			continue
		}
		s.byID[l.ID] = int32(len(s.entries))
		s.entries = append(s.entries, e)
	}
	return nil
}

// kind is the number of a kind of node. There are a few.
func (s *Sorted) kind(name string) int32 {
	i := slices.Index(s.kinds, name)
	if i < 0 {
		i = len(s.kinds)
		s.kinds = append(s.kinds, name)
	}
	return int32(i)
}

func (s *Sorted) head(h head) int32 {
	n, ok := s.heads[h]
	if !ok {
		n = int32(len(s.order))
		s.heads[h] = n
		s.order = append(s.order, h)
	}
	return n
}

// Flush writes what came since the last Flush. After an error it can be tried
// again; what it had written by then comes twice.
func (s *Sorted) Flush(ctx context.Context) error {
	s.sort()
	if err := s.write(ctx); err != nil {
		for i := range s.entries {
			s.byID[s.entries[i].id] = int32(i) // they have been moved
		}
		return err
	}
	s.reset()
	return s.spill.close()
}

// sort puts the entries in the order of the contract: source, session, thread,
// seq, kind, id. Most lines share their
// head with many others, so that heads are compared once.
func (s *Sorted) sort() {
	byHead := make([]int32, len(s.order))
	for i := range byHead {
		byHead[i] = int32(i)
	}
	slices.SortFunc(byHead, func(i, j int32) int {
		a, b := s.order[i], s.order[j]
		return cmp.Or(cmp.Compare(a.source, b.source), cmp.Compare(a.session, b.session), cmp.Compare(a.thread, b.thread))
	})
	rank := make([]int32, len(byHead))
	for r, i := range byHead {
		rank[i] = int32(r)
	}
	slices.SortFunc(s.entries, func(a, b entry) int {
		if a.head != b.head {
			return cmp.Compare(rank[a.head], rank[b.head])
		}
		if a.seq != b.seq {
			return cmp.Compare(a.seq, b.seq)
		}
		return cmp.Or(cmp.Compare(s.kinds[a.kind], s.kinds[b.kind]), cmp.Compare(a.id, b.id))
	})
}

// together is how many bytes are written at once, of lines that stand one behind
// the other: mostly they leave in the order in which they came.
const together = 1 << 20

func (s *Sorted) write(ctx context.Context) error {
	w := bufio.NewWriterSize(s.out, 256<<10)
	for i := 0; i < len(s.entries); {
		if err := ctx.Err(); err != nil {
			return err
		}
		at, size := s.entries[i].at, s.entries[i].size
		for i++; i < len(s.entries) && s.entries[i].at == at+size && size < together; i++ {
			size += s.entries[i].size
		}
		if err := s.spill.copyTo(w, at, size); err != nil {
			return err
		}
	}
	if err := w.Flush(); err != nil {
		return fmt.Errorf("write lines: %w", err)
	}
	return nil
}

// Close releases the temporary file. What was not flushed is gone, so that a
// capture that was broken off leaves no half of an answer.
func (s *Sorted) Close() error {
	s.closed = true
	s.reset()
	return s.spill.close()
}
