package tail

import (
	"cmp"
	"context"
	"errors"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/io/discover"
	"github.com/memscribe/memscribe/io/unpack"
)

const chunkSize = 256 << 10

// file is where Source stands in a file.
//
// The bytes before offset have been taken by the consumer, and they were those
// of the file that info describes.
type file struct {
	path   string
	place  core.Adapter
	info   fs.FileInfo // when it was last read; nil: never
	offset int64
	seen   bool   // by the current scan
	done   bool   // read to its end
	whole  bool   // read from its start whenever it changes
	failed string // what was reported last
}

func (s *Source) file(path string, place core.Adapter) *file {
	f := s.files[path]
	if f == nil {
		f = &file{path: path, place: place}
		s.files[path] = f
	}
	return f
}

// sorted returns the files in the order of their paths.
func (s *Source) sorted() []*file {
	return slices.SortedFunc(maps.Values(s.files), func(a, b *file) int { return cmp.Compare(a.path, b.path) })
}

// chunk completes c.
func (f *file) chunk(c Chunk) Chunk {
	c.File, c.Path, c.Place = f.path, filepath.ToSlash(discover.Plain(f.path)), f.place
	return c
}

func (f *file) isPacked() bool { return discover.Plain(f.path) != f.path }

func (f *file) isUnchanged(now fs.FileInfo) bool {
	return f.info != nil && os.SameFile(f.info, now) && f.done &&
		now.Size() == f.info.Size() && now.ModTime().Equal(f.info.ModTime())
}

// inputError is an error of a file, not of the consumer.
type inputError struct{ err error }

func (e *inputError) Error() string { return e.err.Error() }

// read hands over what is new, up to the size that the file has now.
func (s *Source) read(ctx context.Context, f *file, c Consumer) error {
	r, err := os.Open(f.path)
	if err != nil {
		return &inputError{err}
	}
	defer r.Close()
	info, err := r.Stat()
	if err != nil {
		return &inputError{err}
	}
	if f.isPacked() {
		return s.readPacked(ctx, f, r, info, c)
	}
	fresh := f.info == nil || f.whole || !os.SameFile(f.info, info) || info.Size() < f.offset
	if fresh {
		f.offset = 0
	}
	f.info, f.done = info, false
	if s.buf == nil {
		s.buf = make([]byte, chunkSize)
	}
	for fresh || f.offset < info.Size() {
		n, end := r.ReadAt(s.buf[:min(int64(len(s.buf)), info.Size()-f.offset)], f.offset)
		if end != nil && !errors.Is(end, io.EOF) {
			return &inputError{end}
		}
		if err = c.Take(ctx, f.chunk(Chunk{Fresh: fresh, Bytes: s.buf[:n]})); err != nil {
			return err
		}
		f.offset += int64(n)
		fresh = false
		if end != nil {
			break // it has become shorter meanwhile
		}
	}
	f.done = true
	if f.whole = c.Whole(f.path); f.whole {
		return c.Take(ctx, f.chunk(Chunk{End: true}))
	}
	return nil
}

// readPacked hands over a compressed file.
func (s *Source) readPacked(ctx context.Context, f *file, r io.Reader, info fs.FileInfo, c Consumer) error {
	f.info, f.done = info, true
	fresh := true
	if s.buf == nil {
		s.buf = make([]byte, chunkSize)
	}
	for e, err := range unpack.File(f.path, r, unpack.Standard()) {
		if err != nil {
			return &inputError{err}
		}
		if e.Path != f.path {
			return nil // an archive
		}
		for err == nil {
			var n int
			n, err = e.Body.Read(s.buf)
			if failed := c.Take(ctx, f.chunk(Chunk{Fresh: fresh, Bytes: s.buf[:n]})); failed != nil {
				return failed
			}
			fresh = false
		}
		if !errors.Is(err, io.EOF) {
			return &inputError{err}
		}
	}
	return c.Take(ctx, f.chunk(Chunk{End: true}))
}
