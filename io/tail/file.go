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
	// shareSize and shareTime limit how much is read of a file before the next one: a file of
	// gigabytes delays the others by a quarter of a second at most.
	shareSize = 8 << 20
	shareTime = 250 * time.Millisecond
)

// share limits one turn of a file.
type share struct {
	clock func() time.Time
	end   time.Time
	left  int
}

// newShare begins a share.
func (s *Source) newShare() share {
	sh := share{clock: s.Clock, left: shareSize}
	if s.Clock != nil {
		sh.end = s.Clock().Add(shareTime)
	}
	return sh
}

// isOver reports whether a share is used up after n more bytes.
func (sh *share) isOver(n int) bool {
	sh.left -= n
	return sh.left <= 0 || sh.clock != nil && !sh.clock().Before(sh.end)
}

// errIrregular is the error of a path that is no longer a regular file.
var errIrregular = errors.New("not a regular file")

// file is the state of a file.
//
// The consumer has the bytes before offset; they are those of the file that stamp describes.
// A file that is not begun is read from its start when it changes.
//
//	         begin             read to the end
//	new ────────────▶ begun ───────────────────▶ begun, done
//	 ▲                  ▲                           │  │
//	 │ release          └───────────────────────────┘  │ changed, other beginning
//	 └─────────────────────────────────────────────────┘   (restart: Fresh)
//
// isQueued and isSeen belong to the queue and to the scan at hand. isJudged and isKept say
// whose file it is: once the keeper has been asked, the answer stays.
type file struct {
	path        string
	place       core.Adapter
	allowed     [2]uint64      // device and inode of the file that was found not to be outside of the roots
	stamp       discover.Stamp // when it was last read
	offset      int64
	fingerprint *fingerprint // of the bytes before offset
	isQueued    bool
	isSeen      bool    // by the current scan
	isBegun     bool    // the consumer has its first offset bytes
	isDone      bool    // the content at stamp is done
	isWhole     bool    // read from its start at every change, like compressed files
	isLinked    bool    // it may have other names
	isJudged    bool    // the keeper was asked
	isKept      bool    // the keeper reads it
	failed      string  // the last reported error
	packed      *packed // a compressed file that was read in part
}

// file returns the state of a path, and adds it if it is new.
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

// sorted returns the files by path.
func (s *Source) sorted() []*file {
	return slices.SortedFunc(maps.Values(s.files), func(a, b *file) int { return cmp.Compare(a.path, b.path) })
}

// chunk fills in the file's fields of a chunk.
func (f *file) chunk(c Chunk) Chunk {
	c.File, c.Path, c.Place = f.path, filepath.ToSlash(discover.Plain(f.path)), f.place
	return c
}

// isCalledPacked reports whether the name of a file says that it is compressed: a.jsonl.gz.
func (f *file) isCalledPacked() bool { return discover.Plain(f.path) != f.path }

// isPacked reports whether a file is compressed, by its name or its first bytes.
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

// restart resets a file to its start, for the consumer to get it as Fresh.
func (f *file) restart(seed maphash.Seed) {
	f.isBegun, f.isDone, f.isWhole, f.offset, f.fingerprint = true, false, false, 0, newFingerprint(seed)
}

// release frees what is needed to continue a file. The stamp stays, so that a file that does
// not change is not read again.
func (f *file) release() {
	f.isBegun, f.fingerprint, f.offset = false, nil, 0
	f.packed.close()
	f.packed = nil
}

// counted is an open file that counts the bytes read.
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

// take passes new bytes to the consumer, at most a share. It reports whether there is more.
// An error of the file is an [*InputError]; any other is the consumer's.
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
	same, err := f.isContinued(counted{r, s}, now)
	packed := false
	if err == nil && !same {
		packed, err = f.isPacked(r)
	}
	if err != nil {
		return false, &InputError{err}
	}
	if packed && s.isUnpacking() {
		return true, nil // one at a time, since decompression may need much memory
	}
	if packed {
		keep = true
		s.unpacking = f
		f.stamp, f.isBegun, f.isDone, f.isWhole = now, true, false, true
		f.packed = unpacking(f.path, counted{r, s})
		return s.takePacked(ctx, f, c)
	}
	if !same {
		f.restart(s.seed)
	}
	f.stamp, f.isDone = now, false
	return s.takeNew(ctx, f, counted{r, s}, !same, c)
}

// open opens a file and checks that no link on its path leads out of the roots, which may
// have changed since the file was found.
func (s *Source) open(f *file) (*os.File, discover.Stamp, error) {
	r, err := discover.OpenRegular(f.path)
	if err != nil {
		return nil, discover.Stamp{}, err
	}
	now, info, err := discover.StampOpen(r)
	if err == nil && !info.Mode().IsRegular() {
		err = errIrregular
	}
	id := [2]uint64{now.Device, now.Inode}
	if err == nil && (f.allowed == [2]uint64{} || f.allowed != id) {
		err = s.walk.Check(f.path, info)
	}
	if err != nil {
		return nil, now, errors.Join(err, r.Close())
	}
	f.allowed = id
	return r, now, nil
}

// isContinued reports whether a file still begins with the bytes that were read. The cheap
// answers come first:
//
//	another file, or a shorter one     no
//	longer                             its last read bytes are compared, and a block now and then
//	nothing changed                    yes
//	written, same length               all of it is compared
func (f *file) isContinued(r io.ReaderAt, now discover.Stamp) (bool, error) {
	switch {
	case !f.isBegun || f.isWhole || !f.stamp.SameFile(now) || now.Size < f.offset:
		return false, nil
	case now.Size > f.offset:
		return f.fingerprint.seemsSame(r)
	case now == f.stamp:
		return true, nil
	default: // it was written but has not grown
		return f.fingerprint.matches(r)
	}
}

// takeNew passes the bytes after offset to the consumer.
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
		if !f.isBegun {
			return false, nil // the consumer wants it from its start
		}
		f.fingerprint.add(s.buf[:n])
		f.offset += int64(n)
		fresh = false
		if short {
			return true, nil // it was truncated meanwhile
		}
		if turn.isOver(n) && f.offset < f.stamp.Size {
			return true, nil
		}
	}
	if f.offset < f.stamp.Size {
		return true, nil
	}
	f.isDone = true
	f.isWhole = c.Whole(f.path)
	return false, c.Take(ctx, f.chunk(Chunk{Mark: &f.stamp, End: f.isWhole}))
}
