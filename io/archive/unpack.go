// Package archive opens compressed files and archives as streams of the plain files
// in them.
//
// A format is recognised by the first bytes of a file, not by its name:
//
//	.zst .gz                     the content, under the path of the file
//	.tar .zip                    each file in it, as "archive!/path/inside"
//	.xz .bz2 .7z .rar .lz4       an error that wraps [ErrForm]
//
// Packed files inside of an archive are opened, too, within the [Limits].
//
// No file is held in memory as a whole. Nothing is written to disk, except a ZIP archive that
// comes as a stream or from another archive: its directory is at its end, so it is copied to a
// temporary file.
//
// An example. The archive backup.tar.gz has a transcript that is itself compressed:
//
//	backup.tar.gz
//	  .claude/projects/p/a.jsonl.zst
//	  .codex/history.jsonl
//
//	→ "backup.tar.gz!/.claude/projects/p/a.jsonl.zst"   the unpacked lines, Packed
//	  "backup.tar.gz!/.codex/history.jsonl"             the lines, Packed
//
// What stops a hostile archive. The standard limits are 1,048,576 files, 6 layers around one
// file, and 1 GiB of unpacked bytes, or 500 bytes for each packed byte if that is more. A ZIP
// bomb whose files share bytes is recognised by its directory: the compressed sizes add up to
// more than the file has. An exceeded limit ends the walk with [ErrLimit]; what was yielded
// before stands.
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

// Separator is between the path of an archive and a path inside of it.
const Separator = "!/"

// Peek is how many bytes of an entry can be peeked at.
const Peek = 64 << 10

// Entry is one plain file.
type Entry struct {
	Path string
	Size int64 // in bytes; -1 if it is not known beforehand
	// Body has the bytes. It is valid until the next entry is yielded. At least Peek of
	// them can be peeked at.
	Body *bufio.Reader
	// Packed says that the bytes were unpacked: offsets are not offsets in the file.
	Packed bool
}

// Limits bound the cost of a hostile archive. Real transcripts, which compress to a tenth, do
// not reach them.
type Limits struct {
	Entries int   // number of files
	Nesting int   // layers of compression and archives around one file
	Bytes   int64 // unpacked bytes that are always allowed
	Ratio   int64 // unpacked bytes for each packed byte that are allowed beyond Bytes
}

// Standard returns the limits for files of unknown origin.
func Standard() Limits {
	return Limits{Entries: 1 << 20, Nesting: 6, Bytes: 1 << 30, Ratio: 500}
}

// ErrLimit is wrapped by an error if one of the Limits was exceeded.
var ErrLimit = errors.New("more than is sane")

// File yields the plain files in r, whose name is name: those of a ZIP archive sorted by path,
// those of a TAR archive in its order. An entry that cannot be opened has an error and no Body;
// the others follow. An error of reading a Body concerns that entry only, as far as the format
// allows.
func File(name string, r io.Reader, limits Limits) iter.Seq2[Entry, error] {
	return new(Opener).File(name, r, limits)
}

// Opener opens files one after the other and reuses memory. The zero Opener is ready.
type Opener struct {
	// Packing, if not nil, is called before a file is unpacked, which takes more memory
	// than reading one. It may wait until there is memory.
	Packing func()

	body *bufio.Reader
}

// File is the function [File] with the memory of the Opener. The sequence becomes invalid with
// the next call.
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

// walker is a walk through one file and everything packed in it.
type walker struct {
	limits   Limits
	yield    func(Entry, error) bool
	entries  int
	in, out  int64 // bytes read from the outermost file, and unpacked from it
	finished bool  // the consumer wants no more entries
	over     bool  // a limit was exceeded: nothing more is unpacked
	packing  func()
	window   uint64 // bytes of memory that the next zstd frame may ask for
	index    int64  // the rest of maxIndex
}

// source counts the bytes read from the outermost file.
type source struct {
	io.Reader

	walker *walker
}

// Read implements io.Reader.
func (s *source) Read(p []byte) (int, error) {
	n, err := s.Reader.Read(p)
	s.walker.in += int64(n)
	return n, err
}

// meter counts unpacked bytes and stops at the limits.
type meter struct {
	io.Reader

	walker *walker
}

// Read implements io.Reader. It returns ErrLimit when both Limits.Bytes and Limits.Ratio are
// exceeded.
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

// unpacked returns an Entry for bytes that were unpacked.
func (w *walker) unpacked(name string, size int64, r io.Reader) Entry {
	return Entry{Path: name, Size: size, Body: bufio.NewReaderSize(&meter{r, w}, Peek), Packed: true}
}

// walk yields e if it is a plain file, else the files in it. raw is the file that the bytes of
// e come from, for formats that need access to any offset; it may be nil.
func (w *walker) walk(e Entry, raw io.Reader, depth int) {
	head, err := e.Body.Peek(HeadSize)
	if err != nil && !errors.Is(err, io.EOF) && len(head) == 0 { // otherwise the next read returns it again
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

// fail yields an error of a file.
func (w *walker) fail(name string, err error) { w.give(Entry{Path: name}, err) }

// give yields an entry, unless there were too many or the caller wants no more.
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

// inside returns the path of a file in an archive.
func inside(archive, name string) string {
	name = strings.ReplaceAll(name, `\`, "/")
	return archive + Separator + strings.TrimPrefix(path.Clean("/"+name), "/")
}
