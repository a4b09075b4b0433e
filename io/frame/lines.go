// Package frame splits the bytes of a transcript into records.
//
// It reads nothing itself: whoever has bytes feeds them, in pieces of any size,
// and however they are cut, the same lines come out at the same offsets.
//
//	chunk      chunk           chunk
//	├──────────┼───────────────┼───────────┤
//	{"a":1}⏎   {"b":  2}⏎{"c":3}⏎⏎ {"d"
//	╰──┬──╯    ╰───┬────╯╰──┬──╯    ╰┬╯
//	aliases    copied once  aliases  waits for its end
//
// What tools leave in their files besides lines is dealt with here: a byte order
// mark at the start, line ends of Windows, blank lines, and runs of NUL bytes
// where a machine lost power in the middle of a write. No byte of a JSON text is
// NUL, so that a run of them ends one piece and begins another, like a line end
// that does not count.
//
// [Lines] is for transcripts of a record a line, [Document] for those that are
// one record.
package frame

import "bytes"

// MaxLine is the length beyond which a line is cut, unless Lines.Max says
// otherwise. It bounds the memory that an endless line can take.
const MaxLine = 64 << 20

// CutHead is how much is kept of a line that is too long.
const CutHead = 64 << 10

// keepRest is the most memory that is kept from one long line for the next.
const keepRest = 8 << 20

// Line is one line of a stream, or one of the pieces into which NUL bytes part
// it. It is never blank, unless it is cut.
type Line struct {
	Bytes  []byte // without the line's end; valid during the call that hands it over
	Offset int64  // of the first byte, from the start of the stream
	Number int64  // of the line, from 1
	Cut    bool   // longer than Max: Bytes are its first CutHead bytes
	Size   int64  // of all of it, without the line's end
}

// Framer cuts the bytes of one stream. Feed calls emit for everything that the
// chunk completes, Flush for what is left when no more bytes will come.
type Framer interface {
	Feed(chunk []byte, emit func(Line))
	Flush(emit func(Line))
	// Room is memory for n more bytes, right behind what waits for its end: bytes
	// that are read into it, and fed from there, are not moved again. It is valid
	// until the next call of any method.
	Room(n int) []byte
	// Number is the number of the line that has not ended, from 1.
	Number() int64
	// Limit is the length beyond which a line is cut.
	Limit() int
}

// Lines is the state of cutting one stream. The zero Lines is at its start.
//
// Between calls, rest holds the bytes since the last line end or NUL, which
// stand at offset start; if overlong is set, only the first of them, and the others are
// gone.
type Lines struct {
	Max int // longest line that is kept whole; 0 is MaxLine

	start    int64
	size     int64 // of what has not ended; len(rest) unless overlong
	ended    int64 // line ends so far
	rest     []byte
	overlong bool
}

// Feed takes in the next bytes of the stream and calls emit for every line that
// they end. The chunk is not kept.
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

// lines takes in bytes without a NUL among them.
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

// Reset puts l to the start of another stream. It keeps the memory, if that is
// not more than most streams need.
func (l *Lines) Reset() {
	const most = 1 << 20
	rest := l.rest[:0]
	if cap(rest) > most {
		rest = nil
	}
	*l = Lines{Max: l.Max, rest: rest}
}

// Flush calls emit for what stands after the last line end. It is for a stream
// that has ended: what follows would count as a line of its own.
func (l *Lines) Flush(emit func(Line)) {
	l.end(l.rest, emit)
}

// Pending returns the number of bytes that wait for the end of their line.
func (l *Lines) Pending() int64 { return l.size }

// Number returns the number of the line that has not ended.
func (l *Lines) Number() int64 { return l.ended + 1 }

// Offset returns how many bytes have been fed.
func (l *Lines) Offset() int64 { return l.start + l.size }

// keep adds to the line that has not ended.
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
	if &l.rest[n] != &b[0] { // else they were read into Room
		copy(l.rest[n:], b)
	}
}

// reserve makes rest able to hold need bytes.
func (l *Lines) reserve(need int) {
	if need <= cap(l.rest) {
		return
	}
	// Twice as much each time: a line of n bytes costs at most 2n of copying
	// and 3n of memory for a moment.
	bigger := make([]byte, len(l.rest), max(need, 2*cap(l.rest)))
	copy(bigger, l.rest)
	l.rest = bigger
}

// end emits the bytes since the last line end or NUL, which are line or, if they
// are too many, begin with it.
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

// blank reports whether a line has nothing but white space.
func blank(b []byte) bool {
	for _, c := range b {
		if c != ' ' && c != '\t' && c != '\r' {
			return false
		}
	}
	return true
}
