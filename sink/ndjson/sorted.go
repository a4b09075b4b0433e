package ndjson

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"slices"

	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/sink"
)

// Sorted holds lines back until Flush, which writes each id once, its last line,
// in canonical order. Lines wait in a temporary file without a name when they
// are many, so that memory holds little more than their ids.
type Sorted struct {
	out     io.Writer
	spill   spill
	heads   map[head]int32
	order   []head
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
	head     int32
	size     int64
	at       int64
	seq      uint64
	kind, id string
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
			head: s.head(head{l.Source, l.Session, l.Thread}), size: int64(len(l.JSON)),
			at: at, seq: l.Seq, kind: l.Kind, id: l.ID,
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
	slices.SortFunc(s.entries, func(a, b entry) int {
		x, y := s.line(a), s.line(b)
		return sink.Compare(&x, &y)
	})
	if err := s.write(ctx); err != nil {
		for i := range s.entries {
			s.byID[s.entries[i].id] = int32(i) // they have been moved
		}
		return err
	}
	s.reset()
	return s.spill.close()
}

func (s *Sorted) write(ctx context.Context) error {
	w := bufio.NewWriterSize(s.out, 256<<10)
	for _, e := range s.entries {
		if err := ctx.Err(); err != nil {
			return err
		}
		line, err := s.spill.read(e.at, e.size)
		if err != nil {
			return fmt.Errorf("read kept lines: %w", err)
		}
		if _, err = w.Write(line); err == nil {
			err = w.WriteByte('\n')
		}
		if err != nil {
			return fmt.Errorf("write lines: %w", err)
		}
	}
	if err := w.Flush(); err != nil {
		return fmt.Errorf("write lines: %w", err)
	}
	return nil
}

// line is e without its JSON.
func (s *Sorted) line(e entry) sink.Line {
	h := s.order[e.head]
	return sink.Line{ID: e.id, Kind: e.kind, Source: h.source, Session: h.session, Thread: h.thread, Seq: e.seq}
}

// Close releases the temporary file. What was not flushed is gone, so that a
// capture that was broken off leaves no half of an answer.
func (s *Sorted) Close() error {
	s.closed = true
	s.reset()
	return s.spill.close()
}
