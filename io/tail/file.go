package tail

import (
	"cmp"
	"context"
	"errors"
	"hash/maphash"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/io/archive"
	"github.com/memscribe/memscribe/io/discover"
)

const (
	chunkSize = 256 << 10
	// shareSize is how much is read of a file before it is another's turn, and
	// shareTime how long that may take, to the end of a chunk.
	shareSize = 8 << 20
	shareTime = 250 * time.Millisecond
)

// share says when a file has had its turn.
type share struct {
	clock func() time.Time
	end   time.Time
	left  int
}

// newShare is the share of one file: it is read up to shareSize bytes or for shareTime, so
// that one long file does not hold up the others.
func (s *Source) newShare() share {
	sh := share{clock: s.Clock, left: shareSize}
	if s.Clock != nil {
		sh.end = s.Clock().Add(shareTime)
	}
	return sh
}

// isOver reports whether a share has ended with n bytes more.
func (sh *share) isOver(n int) bool {
	sh.left -= n
	return sh.left <= 0 || sh.clock != nil && !sh.clock().Before(sh.end)
}

// errIrregular says that something took the place of a file.
var errIrregular = errors.New("not a regular file")

// file is where Source stands in a file.
//
// The bytes before offset have been taken by the consumer, and they were those
// of the file that stamp describes. A file that is not begun is read from its
// start when it changes.
type file struct {
	path    string
	place   core.Adapter
	allowed discover.Stamp // of the file to which no link leads from outside the roots
	stamp   discover.Stamp // when it was last read
	offset  int64
	print   *fingerprint // of the bytes before offset
	queued  bool
	seen    bool    // by the current scan
	begun   bool    // the consumer has its first offset bytes
	done    bool    // all that it held when stamp was made has been dealt with
	whole   bool    // read from its start whenever it changes, as all that is packed
	linked  bool    // it has, or may have, other names
	failed  string  // what was reported last
	asked   bool    // the keeper knows of it
	kept    bool    // and reads it
	packed  *packed // that was read in part; nil if none is
}

// file is what is known of a path; new ones are known from then on.
func (s *Source) file(path string, place core.Adapter) *file {
	f := s.files[path]
	if f == nil {
		f = &file{path: path}
		s.files[path] = f
	}
	if f.place == nil {
		f.place = place
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

func (f *file) isCalledPacked() bool { return discover.Plain(f.path) != f.path }

// isPacked reports whether a file has to be unpacked. Its name or its first bytes say so: what
// is packed is no text under any name.
func (f *file) isPacked(r io.ReaderAt) (bool, error) {
	if f.isCalledPacked() {
		return true, nil
	}
	head := make([]byte, archive.HeadSize)
	n, err := r.ReadAt(head, 0)
	if errors.Is(err, io.EOF) {
		err = nil
	}
	return archive.IsPacked(head[:n]), err
}

// restart forgets what was read.
func (f *file) restart(seed maphash.Seed) {
	f.begun, f.done, f.whole, f.offset, f.print = true, false, false, 0, newFingerprint(seed)
}

// release frees what is only needed to read on.
func (f *file) release() {
	f.begun, f.print, f.offset = false, nil, 0
	f.packed.close()
	f.packed = nil
}

// counted is a file that counts how much is read of it.
type counted struct {
	*os.File

	source *Source
}

// Read counts the bytes that were read.
func (c counted) Read(b []byte) (int, error) {
	n, err := c.File.Read(b)
	c.source.read.Add(int64(n))
	return n, err
}

// ReadAt counts the bytes that were read.
func (c counted) ReadAt(b []byte, at int64) (int, error) {
	n, err := c.File.ReadAt(b, at)
	c.source.read.Add(int64(n))
	return n, err
}

// take hands over what is new, a share of it at most, up to the size that the
// file has now. It reports whether there is more.
func (s *Source) take(ctx context.Context, f *file, c Consumer) (more bool, err error) {
	if f.packed != nil {
		return s.takePacked(ctx, f, c)
	}
	r, now, err := s.open(f)
	if err != nil {
		return false, &InputError{err}
	}
	keep := false
	defer func() {
		if !keep {
			r.Close()
		}
	}()
	if s.buf == nil {
		s.buf, s.seed = make([]byte, chunkSize), maphash.MakeSeed()
	}
	same, err := f.goesOn(counted{r, s}, now)
	packed := false
	if err == nil && !same {
		packed, err = f.isPacked(r)
	}
	if err != nil {
		return false, &InputError{err}
	}
	if packed && s.isUnpacking() {
		return true, nil // the other first: an unpacker may take much memory
	}
	if packed {
		keep = true
		s.unpacking = f
		f.stamp, f.begun, f.done, f.whole = now, true, false, true
		f.packed = unpacking(f.path, counted{r, s})
		return s.takePacked(ctx, f, c)
	}
	if !same {
		f.restart(s.seed)
	}
	f.stamp, f.done = now, false
	return s.takeNew(ctx, f, counted{r, s}, !same, c)
}

// open opens a file, unless a link on the way to it leads out of the roots: what was no link
// when the file was found may be one by now.
func (s *Source) open(f *file) (*os.File, discover.Stamp, error) {
	r, err := discover.OpenRegular(f.path)
	if err != nil {
		return nil, discover.Stamp{}, err
	}
	now, info, err := discover.StampOpen(r)
	if err == nil && !info.Mode().IsRegular() {
		err = errIrregular
	}
	if err == nil && (f.allowed == discover.Stamp{} || !f.allowed.SameFile(now)) {
		err = s.walk.Check(f.path, info)
	}
	if err != nil {
		return nil, now, errors.Join(err, r.Close())
	}
	f.allowed = now
	return r, now, nil
}

// goesOn reports whether a file holds what was read of it, and perhaps more.
func (f *file) goesOn(r io.ReaderAt, now discover.Stamp) (bool, error) {
	switch {
	case !f.begun || f.whole || !f.stamp.SameFile(now) || now.Size < f.offset:
		return false, nil
	case now.Size > f.offset:
		return f.print.glance(r)
	case now == f.stamp:
		return true, nil
	default: // it was written to and has not grown
		return f.print.matches(r)
	}
}

// takeNew hands over what follows offset.
func (s *Source) takeNew(ctx context.Context, f *file, r io.ReaderAt, fresh bool, c Consumer) (more bool, err error) {
	turn := s.newShare()
	end := min(f.stamp.Size, f.offset+shareSize)
	for fresh || f.offset < end {
		n, err := r.ReadAt(s.buf[:min(int64(len(s.buf)), end-f.offset)], f.offset)
		if err != nil && !errors.Is(err, io.EOF) {
			return false, &InputError{err}
		}
		short := err != nil && f.offset+int64(n) < end
		if err := c.Take(ctx, f.chunk(Chunk{Fresh: fresh, Bytes: s.buf[:n]})); err != nil {
			return false, err
		}
		if !f.begun {
			return false, nil // the consumer wants it from its start
		}
		f.print.add(s.buf[:n])
		f.offset += int64(n)
		fresh = false
		if short {
			return true, nil // it has become shorter meanwhile
		}
		if turn.isOver(n) && f.offset < f.stamp.Size {
			return true, nil
		}
	}
	if f.offset < f.stamp.Size {
		return true, nil
	}
	f.done = true
	f.whole = c.Whole(f.path)
	return false, c.Take(ctx, f.chunk(Chunk{Mark: &f.stamp, End: f.whole}))
}
