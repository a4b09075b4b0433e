// Package frame splits the bytes of a transcript into records.
//
// The caller feeds bytes in chunks of any size. However a stream is cut into chunks, the same
// lines are emitted with the same offsets.
//
//	chunk      chunk           chunk
//	├──────────┼───────────────┼───────────┤
//	{"a":1}⏎   {"b":  2}⏎{"c":3}⏎⏎ {"d"
//	╰──┬──╯    ╰───┬────╯╰──┬──╯    ╰┬╯
//	aliases    copied once  aliases  waits for its end
//
// These are not part of any line:
//
//	a byte order mark at the start
//	\r before \n, as Windows ends lines
//	blank lines; they count for Line.Number
//	NUL bytes, where a machine lost power during a write. JSON has none, so they separate
//	two lines, but do not count for Line.Number.
//
// [Lines] is for transcripts with a record in each line, [Document] for those that are one
// record.
//
// Limits. A line of more than 64 MiB is emitted with its first 64 KiB, Cut, and its whole Size,
// so that a reader can say what was lost; a document may have twice as much. The memory for a
// long line is given back when the next lines are shorter, down to 8 MiB.
//
// Use Room to avoid a copy: bytes that are read into its memory and then fed are already where
// an incomplete line needs them.
//
//	n, err := file.Read(f.Room(64 << 10))
//	f.Feed(room[:n], emit)
package frame

import "bytes"

// MaxLine is the default of Lines.Max. It bounds the memory that a line without an end can
// take.
const MaxLine = 64 << 20

// CutHead is how many bytes are kept of a line that is too long.
const CutHead = 64 << 10

// keepRest is how many bytes of memory are kept for the next line after a long one.
const keepRest = 8 << 20

// Line is one line of a stream, or a part of one between NUL bytes. It is not blank, unless it
// is cut.
type Line struct {
	Bytes  []byte // without the line end; valid until emit returns
	Offset int64  // offset of the first byte in the stream
	Number int64  // number of the line, from 1
	Cut    bool   // the line is longer than Max; Bytes has its first CutHead bytes
	Size   int64  // length of the whole line without its end, even if Cut
}

// Framer splits the bytes of one stream. Feed calls emit for each record that the chunk
// completes, Flush for the rest when the stream has ended. Neither keeps the chunk.
type Framer interface {
	Feed(chunk []byte, emit func(Line))
	Flush(emit func(Line))
	// Room returns memory for n bytes, directly after the incomplete line: bytes
	// that are read into it and then fed are not copied again. It is valid
	// until the next call of any method.
	Room(n int) []byte
	// Number returns the number of the incomplete line, from 1.
	Number() int64
	// Limit returns the length in bytes of the longest line that is not cut.
	Limit() int
}

// Lines splits one stream into lines. The zero Lines is ready.
//
// Between calls, rest has the bytes since the last line end or NUL. Its first byte has the
// offset start in the stream. If overlong is set, rest has only the first CutHead of them, and
// size is the number of all.
type Lines struct {
	Max int // length in bytes of the longest line that is kept whole; 0 is MaxLine

	start    int64
	size     int64 // length of the incomplete line; len(rest) unless overlong
	ended    int64 // number of line ends so far
	rest     []byte
	overlong bool
}

// Feed takes the next bytes of the stream and calls emit for each line that they complete. The
// chunk is not kept.
func (l *Lines) Feed(chunk []byte, emit func(Line)) {
	for {
		i := bytes.IndexByte(chunk, 0)
		if i < 0 {
			l.lines(chunk, emit)
			return
		}
		l.lines(chunk[:i], emit)
		l.end(l.rest, emit)
		for i < len(chunk) && chunk[i] == 0 {
			i++
			l.start++
		}
		chunk = chunk[i:]
	}
}

// lines is Feed for bytes without a NUL.
func (l *Lines) lines(chunk []byte, emit func(Line)) {
	for {
		i := bytes.IndexByte(chunk, '\n')
		if i < 0 {
			l.keep(chunk)
			return
		}
		line := chunk[:i]
		if l.size > 0 {
			l.keep(line)
			line = l.rest
		} else {
			l.size = int64(i)
		}
		l.end(line, emit)
		l.start++
		l.ended++
		chunk = chunk[i+1:]
	}
}

// Room implements [Framer].
func (l *Lines) Room(n int) []byte {
	l.reserve(len(l.rest) + n)
	return l.rest[len(l.rest) : len(l.rest)+n]
}

// Limit returns the length of the longest line that is kept whole.
func (l *Lines) Limit() int {
	if l.Max > 0 {
		return l.Max
	}
	return MaxLine
}

// Reset prepares l for another stream. Memory of usual size is kept.
func (l *Lines) Reset() {
	const most = 1 << 20
	rest := l.rest[:0]
	if cap(rest) > most {
		rest = nil
	}
	*l = Lines{Max: l.Max, rest: rest}
}

// Flush calls emit for the bytes after the last line end. The stream must have ended: further
// bytes would be another line.
func (l *Lines) Flush(emit func(Line)) {
	l.end(l.rest, emit)
}

// Pending returns the number of bytes of the incomplete line.
func (l *Lines) Pending() int64 { return l.size }

// Number returns the number of the incomplete line.
func (l *Lines) Number() int64 { return l.ended + 1 }

// Offset returns how many bytes have been fed.
func (l *Lines) Offset() int64 { return l.start + l.size }

// keep appends bytes to the incomplete line.
func (l *Lines) keep(b []byte) {
	l.size += int64(len(b))
	if l.overlong || len(b) == 0 {
		return
	}
	if l.size > int64(l.Limit()) {
		l.overlong = true
		room := max(min(CutHead, l.Limit())-len(l.rest), 0)
		if b = b[:min(len(b), room)]; len(b) == 0 {
			return
		}
	}
	n := len(l.rest)
	l.reserve(n + len(b))
	l.rest = l.rest[:n+len(b)]
	if &l.rest[n] != &b[0] { // if equal, they were read into Room
		copy(l.rest[n:], b)
	}
}

// spare is room behind the longest line, for what is read together with its end.
const spare = 1 << 20

// reserve gives rest a capacity of at least need bytes.
func (l *Lines) reserve(need int) {
	if need <= cap(l.rest) {
		return
	}
	// The capacity doubles, up to the longest line: for a line of n bytes at most 2n bytes are
	// copied, and at most 3n bytes are in use at a time.
	bigger := make([]byte, len(l.rest), max(need, min(2*cap(l.rest), l.Limit()+spare)))
	copy(bigger, l.rest)
	l.rest = bigger
}

// end emits the incomplete line, which has just been completed. line has its bytes, or the first
// of them if it is overlong.
func (l *Lines) end(line []byte, emit func(Line)) {
	const mark = "\xef\xbb\xbf"
	out := Line{Bytes: line, Offset: l.start, Number: l.ended + 1, Size: l.size, Cut: l.size > int64(l.Limit())}
	if out.Cut {
		out.Bytes = line[:min(len(line), CutHead, l.Limit())]
	} else if n := len(line); n > 0 && line[n-1] == '\r' {
		out.Bytes = line[:n-1]
	}
	if out.Offset == 0 && bytes.HasPrefix(out.Bytes, []byte(mark)) {
		out.Bytes, out.Offset = out.Bytes[len(mark):], int64(len(mark))
	}
	if out.Cut || !blank(out.Bytes) {
		emit(out)
	}
	l.start += l.size
	l.size, l.overlong, l.rest = 0, false, l.rest[:0]
	if cap(l.rest) > keepRest {
		l.rest = nil
	}
}

// blank reports whether a line is only white space.
func blank(b []byte) bool {
	for _, c := range b {
		if c != ' ' && c != '\t' && c != '\r' {
			return false
		}
	}
	return true
}
