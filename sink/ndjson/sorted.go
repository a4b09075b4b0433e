package ndjson

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/internal/sink"
)

// Sorted collects lines until Flush, which writes the last line of each id, in canonical order. If
// there are many, the lines and the entries by which they are sorted are in temporary files
// without names, so that memory does not grow with their number.
//
//	Apply ── bytes ──▶ spill                  appended in the order of arrival
//	      └─ entry ──▶ lines, by id and place
//	Flush    lines ── the last of each id ──▶ sorter, in canonical order ──▶ out
type Sorted struct {
	out    io.Writer
	spill  spill
	heads  map[head]uint32 // numbers of heads
	order  []head          // heads by number
	kinds  []string        // kinds by number
	lines  sorter          // by id, and by place for one id
	closed bool
}

// head is the first keys of the canonical order, which many lines share.
type head struct {
	source          core.Tool
	session, thread string
}

// NewSorted returns a Sorted that writes to out. It does not close out.
func NewSorted(out io.Writer) *Sorted {
	s := &Sorted{out: out}
	s.reset()
	return s
}

// reset removes all lines.
func (s *Sorted) reset() {
	s.heads, s.order = map[head]uint32{}, nil
	s.lines = sorter{compare: func(a, b entry) int {
		if n := bytes.Compare(a.id[:], b.id[:]); n != 0 {
			return n
		}
		return cmp.Compare(a.at, b.at)
	}}
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
		err = s.lines.add(entry{
			id: keyOf(l.ID), at: at, size: int64(len(l.JSON)) + 1, seq: l.Seq,
			head: s.head(head{l.Source, l.Session, l.Thread}), kind: s.kind(l.Kind),
		})
		if err != nil {
			return fmt.Errorf("keep order of lines: %w", err)
		}
	}
	return nil
}

// keyOf returns an id as 16 bytes, which sort like the ids of one kind.
func keyOf(id string) (key core.NodeKey) {
	if len(id) <= len(key) {
		copy(key[:], id)
		return key
	}
	return core.NodeKeyOf(id)
}

// kind returns the number of a kind of node.
func (s *Sorted) kind(name string) uint32 {
	i := slices.Index(s.kinds, name)
	if i < 0 {
		i = len(s.kinds)
		s.kinds = append(s.kinds, name)
	}
	return uint32(i)
}

// head returns the number of a head.
func (s *Sorted) head(h head) uint32 {
	n, ok := s.heads[h]
	if !ok {
		n = uint32(len(s.order))
		s.heads[h] = n
		s.order = append(s.order, h)
	}
	return n
}

// Flush writes the lines since the last Flush. After an error it may be called again; then lines
// that were already written are written twice.
func (s *Sorted) Flush(ctx context.Context) error {
	sorted := sorter{compare: s.canonical()}
	defer sorted.close()
	if err := s.last(&sorted); err != nil {
		return fmt.Errorf("sort lines: %w", err)
	}
	if err := s.write(ctx, &sorted); err != nil {
		return err
	}
	err := s.lines.close()
	s.reset()
	return errors.Join(err, s.spill.close())
}

// last adds the last line of each id to a sorter.
func (s *Sorted) last(to *sorter) error {
	var before entry
	for e, err := range s.lines.all() {
		if err != nil {
			return err
		}
		if before.size > 0 && before.id != e.id {
			if err = to.add(before); err != nil {
				return err
			}
		}
		before = e
	}
	if before.size == 0 {
		return nil
	}
	return to.add(before)
}

// canonical returns the canonical order: source, session, thread, seq, kind, id. Heads are ranked
// once, so that only their ranks are compared.
func (s *Sorted) canonical() func(a, b entry) int {
	rank := ranks(s.order, func(a, b head) int {
		return cmp.Or(cmp.Compare(a.source, b.source), cmp.Compare(a.session, b.session), cmp.Compare(a.thread, b.thread))
	})
	kinds := ranks(s.kinds, strings.Compare)
	return func(a, b entry) int {
		if a.head != b.head {
			return cmp.Compare(rank[a.head], rank[b.head])
		}
		if a.seq != b.seq {
			return cmp.Compare(a.seq, b.seq)
		}
		if a.kind != b.kind {
			return cmp.Compare(kinds[a.kind], kinds[b.kind])
		}
		return bytes.Compare(a.id[:], b.id[:])
	}
}

// ranks returns the rank of each element of a list in an order.
func ranks[T any](list []T, compare func(a, b T) int) []uint32 {
	order := make([]uint32, len(list))
	for i := range order {
		order[i] = uint32(i)
	}
	slices.SortFunc(order, func(i, j uint32) int { return compare(list[i], list[j]) })
	rank := make([]uint32, len(list))
	for r, i := range order {
		rank[i] = uint32(r)
	}
	return rank
}

// together is how many bytes are copied at once if lines that follow each other in the output also
// follow each other in spill, as most do.
const together = 1 << 20

// write writes the lines in order, read from spill.
func (s *Sorted) write(ctx context.Context, sorted *sorter) error {
	w := bufio.NewWriterSize(s.out, 256<<10)
	at, size := int64(0), int64(0)
	for e, err := range sorted.all() {
		if err = cmp.Or(err, ctx.Err()); err != nil {
			return fmt.Errorf("sort lines: %w", err)
		}
		if e.at == at+size && size < together {
			size += e.size
			continue
		}
		if err := s.spill.copyTo(w, at, size); err != nil {
			return err
		}
		at, size = e.at, e.size
	}
	if err := s.spill.copyTo(w, at, size); err != nil {
		return err
	}
	if err := w.Flush(); err != nil {
		return fmt.Errorf("write lines: %w", err)
	}
	return nil
}

// Close removes the temporary files. Lines that were not flushed are dropped, so an interrupted
// capture writes nothing.
func (s *Sorted) Close() error {
	s.closed = true
	err := s.lines.close()
	s.reset()
	return errors.Join(err, s.spill.close())
}
