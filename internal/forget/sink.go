package forget

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/memscribe/memscribe/internal/sink"
)

// Sink keeps forgotten lines out of another sink. It reads the tombstones again when their file
// changes, so that one that is added during a watch counts from the next delivery on.
type Sink struct {
	inner sink.Sink
	file  string
	is    os.FileInfo // of the file when it was read; nil: it was not there
	book  *Book
	left  int64
	lines []sink.Line
}

// Keep returns a sink before another, with the tombstones of a file, which need not be
// there yet.
func Keep(inner sink.Sink, file string) (*Sink, error) {
	s := &Sink{inner: inner, file: file, book: Of()}
	return s, s.look()
}

// look reads the file if it has changed.
func (s *Sink) look() error {
	info, err := os.Stat(s.file)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		s.is, s.book = nil, Of()
		return nil
	case err != nil:
		return fmt.Errorf("read what is forgotten: %w", err)
	case s.is != nil && os.SameFile(s.is, info) && s.is.Size() == info.Size() && s.is.ModTime().Equal(info.ModTime()):
		return nil
	}
	book, err := Read(s.file)
	if err == nil {
		s.is, s.book = info, book
	}
	return err
}

// LeftOut returns how many lines were kept out.
func (s *Sink) LeftOut() int64 { return s.left }

// Apply implements [sink.Sink].
func (s *Sink) Apply(ctx context.Context, lines []sink.Line) error {
	if err := s.look(); err != nil {
		return err
	}
	if s.book.IsEmpty() {
		return s.inner.Apply(ctx, lines)
	}
	s.lines = s.lines[:0]
	for i := range lines {
		gone, err := s.book.Line(lines[i].JSON)
		if err != nil {
			return err
		}
		if gone {
			s.left++
		} else {
			s.lines = append(s.lines, lines[i])
		}
	}
	return s.inner.Apply(ctx, s.lines)
}

// Flush implements [sink.Sink].
func (s *Sink) Flush(ctx context.Context) error { return s.inner.Flush(ctx) }

// Close implements [sink.Sink].
func (s *Sink) Close() error { return s.inner.Close() }

// Mark implements [sink.Marker]. It is empty if the sink has no mark.
func (s *Sink) Mark() string {
	if m, ok := s.inner.(sink.Marker); ok {
		return m.Mark()
	}
	return ""
}

// Holds implements [sink.Marker].
func (s *Sink) Holds(mark string) bool {
	m, ok := s.inner.(sink.Marker)
	return ok && m.Holds(mark)
}

// Tidy implements [sink.Tidier].
func (s *Sink) Tidy(ctx context.Context) error {
	if t, ok := s.inner.(sink.Tidier); ok {
		return t.Tidy(ctx)
	}
	return nil
}
