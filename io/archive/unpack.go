// Package archive opens compressed files and archives as streams of the plain files
// in them.
//
// What a file is, its first bytes say and not its name. Compressed files (.zst,
// .gz) keep their path; files of an archive (.tar, .zip) are named
// "archive!/path/inside". Packed files inside an archive are opened too, as far
// as Limits allow. Other forms (.xz, .bz2, .7z, .rar, .lz4) are recognised and come with
// an [ErrForm].
//
// Nothing is read into memory whole and nothing is written to disk, save a ZIP
// archive that comes as a stream or out of another archive: its directory stands
// at its end, so that it goes through a temporary file without a name.
package archive

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"iter"
	"path"
	"strings"
)

// Separator stands between the path of an archive and a path inside it.
const Separator = "!/"

// Peek is how many bytes of an entry can be looked at ahead.
const Peek = 64 << 10

// Entry is one plain file.
type Entry struct {
	Path string
	Size int64 // in bytes; -1 if not known beforehand
	// Body are the bytes, valid until the next entry is asked for. At least Peek
	// of them can be peeked at.
	Body *bufio.Reader
	// Packed says that the bytes are not those of the file itself.
	Packed bool
}

// Limits bound what a hostile archive can cost. They are not reached by real
// transcripts, which shrink to a tenth.
type Limits struct {
	Entries int   // files in all
	Nesting int   // layers of packing around one file
	Bytes   int64 // unpacked bytes that are always allowed
	Ratio   int64 // beyond Bytes: unpacked bytes for each packed one
}

// Standard returns the limits for files of unknown origin.
func Standard() Limits {
	return Limits{Entries: 1 << 20, Nesting: 6, Bytes: 1 << 30, Ratio: 500}
}

// ErrLimit is what an error wraps when a limit was reached.
var ErrLimit = errors.New("more than is sane")

// File yields the plain files in r, which is named name. The order is that of
// the paths for a ZIP archive and the archive's own for a TAR. An entry that
// cannot be opened comes with an error and without a Body; the others follow.
// Reading a Body can fail too, and then concerns this entry alone as far as the
// archive allows.
func File(name string, r io.Reader, limits Limits) iter.Seq2[Entry, error] {
	return new(Opener).File(name, r, limits)
}

// Opener opens files one after the other, in the same memory. The zero Opener is ready.
type Opener struct {
	// Packing is called, if it is set, before a file is unpacked, which may take more
	// memory than to read one. It may wait.
	Packing func()

	body *bufio.Reader
}

// File returns the function of that name. The files that it yielded must have been dealt
// with before the next call.
func (o *Opener) File(name string, r io.Reader, limits Limits) iter.Seq2[Entry, error] {
	return func(yield func(Entry, error) bool) {
		w := &walker{limits: limits, yield: yield, packing: o.Packing, window: maxWindow, index: maxIndex}
		raw := source{Reader: r, walker: w}
		if o.body == nil {
			o.body = bufio.NewReaderSize(nil, Peek)
		}
		o.body.Reset(&raw)
		defer o.body.Reset(nil)
		w.walk(Entry{Path: name, Size: -1, Body: o.body}, r, 0)
	}
}

// walker is one walk through a file and all that is packed in it.
type walker struct {
	limits   Limits
	yield    func(Entry, error) bool
	entries  int
	in, out  int64 // bytes read from the outermost file, and unpacked from it
	finished bool  // the consumer has had enough
	over     bool  // more than is sane was unpacked: nothing that follows is
	packing  func()
	window   uint64 // what the next frame of zstd may ask for
	index    int64  // what is left of maxIndex
}

// source counts what is read of the outermost file.
type source struct {
	io.Reader

	walker *walker
}

// Read counts compressed bytes.
func (s *source) Read(p []byte) (int, error) {
	n, err := s.Reader.Read(p)
	s.walker.in += int64(n)
	return n, err
}

// meter counts unpacked bytes and stops at the limit.
type meter struct {
	io.Reader

	walker *walker
}

// Read counts unpacked bytes and ends with ErrLimit beyond both the size and the
// ratio.
func (m *meter) Read(p []byte) (int, error) {
	n, err := m.Reader.Read(p)
	w := m.walker
	w.out += int64(n)
	if w.out > w.limits.Bytes && w.out/w.limits.Ratio > w.in {
		w.over = true
		return 0, fmt.Errorf("%d bytes out of %d: %w", w.out, w.in, ErrLimit)
	}
	return n, err
}

// unpacked makes an Entry of bytes that come out of something packed.
func (w *walker) unpacked(name string, size int64, r io.Reader) Entry {
	return Entry{Path: name, Size: size, Body: bufio.NewReaderSize(&meter{r, w}, Peek), Packed: true}
}

// walk yields e, or what is in it. Raw is where e's bytes come from when they
// are a file's own, for formats that are not read in one go.
func (w *walker) walk(e Entry, raw io.Reader, depth int) {
	head, err := e.Body.Peek(HeadSize)
	if err != nil && !errors.Is(err, io.EOF) && len(head) == 0 { // else reading on will say so again
		w.fail(e.Path, err)
		return
	}
	form := formOf(head)
	if form != plain && depth == 0 && w.packing != nil {
		w.packing()
	}
	switch {
	case form == plain:
		w.emit(e)
	case form == closed:
		w.fail(e.Path, fmt.Errorf("it is packed with %s, %w", closedForm(head), ErrForm))
	case depth >= w.limits.Nesting:
		w.fail(e.Path, fmt.Errorf("%d layers of packing: %w", depth+1, ErrLimit))
	case form == tarball:
		w.tar(e, depth)
	case form == zipped:
		w.zip(e, raw, depth)
	default:
		w.compressed(e, form, depth)
	}
}

// emit yields a plain file.
func (w *walker) emit(e Entry) { w.give(e, nil) }

// fail yields what is wrong with a file.
func (w *walker) fail(name string, err error) { w.give(Entry{Path: name}, err) }

// give hands an entry to the caller, unless there were too many or the caller wants no more.
func (w *walker) give(e Entry, err error) {
	if w.finished {
		return
	}
	if w.entries++; w.entries > w.limits.Entries {
		w.yield(Entry{Path: e.Path}, fmt.Errorf("%d files: %w", w.entries, ErrLimit))
		w.finished = true
		return
	}
	w.finished = !w.yield(e, err) || w.over
}

// inside names a file of an archive.
func inside(archive, name string) string {
	name = strings.ReplaceAll(name, `\`, "/")
	return archive + Separator + strings.TrimPrefix(path.Clean("/"+name), "/")
}
