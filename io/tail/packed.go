package tail

import (
	"context"
	"errors"
	"io"
	"iter"

	"github.com/memscribe/memscribe/io/archive"
)

// packed is a compressed file that is being read in shares. It stays open until its end, so
// that it is read as it was; a later check sees whether it has changed.
type packed struct {
	next  func() (archive.Entry, error, bool)
	stop  func()
	file  io.Closer
	body  io.Reader // of the only entry; nil until it is reached
	taken bool      // the consumer has its first bytes
}

// unpacking begins to read a compressed file and takes over r.
func unpacking(path string, r counted) *packed {
	next, stop := iter.Pull2(archive.File(path, r, archive.Standard()))
	return &packed{next: next, stop: stop, file: r}
}

// close ends reading and closes the file.
func (p *packed) close() {
	if p != nil {
		p.stop()
		_ = p.file.Close() // was only read
	}
}

// isUnpacking reports whether a compressed file is being read.
func (s *Source) isUnpacking() bool { return s.unpacking != nil && s.unpacking.packed != nil }

// takePacked passes the next share of a compressed file to the consumer. It reports whether
// there is more.
func (s *Source) takePacked(ctx context.Context, f *file, c Consumer) (more bool, err error) {
	p := f.packed
	defer func() {
		if !more {
			p.close()
			if f.packed == p {
				f.packed = nil
			}
		}
	}()
	if p.body == nil {
		e, wrong, ok := p.next()
		if wrong != nil {
			f.isDone = true // until it changes
			return false, &InputError{wrong}
		}
		if p.body = e.Body; !ok {
			p.body = eof{}
		} else if e.Path != f.path {
			f.isDone = true
			return false, &InputError{errArchive}
		}
	}
	for turn := s.newShare(); err == nil; {
		var n int
		n, err = fill(s.buf, p.body)
		if failed := c.Take(ctx, f.chunk(Chunk{Fresh: !p.taken, Bytes: s.buf[:n]})); failed != nil {
			return false, failed
		}
		p.taken = true
		switch {
		case !f.isBegun:
			return false, nil // the consumer wants it from its start
		case err == nil && turn.isOver(n):
			return true, nil
		}
	}
	f.isDone = true
	if errors.Is(err, io.EOF) {
		_, err, _ = p.next() // an error at the end
	}
	if err != nil {
		return false, &InputError{err}
	}
	return false, c.Take(ctx, f.chunk(Chunk{Mark: &f.stamp, End: true}))
}

// errArchive is the error of a compressed file with several files in it.
var errArchive = errors.New("it is an archive, which is not followed; memscribe replay reads it")

// eof is an empty reader.
type eof struct{}

// Read returns the end at once.
func (eof) Read([]byte) (int, error) { return 0, io.EOF }

// fill reads until b is full or the reader returns an error.
func fill(b []byte, r io.Reader) (n int, err error) {
	for n < len(b) && err == nil {
		var k int
		k, err = r.Read(b[n:])
		n += k
	}
	return n, err
}
