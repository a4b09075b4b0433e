package snapshot

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"strings"
)

const (
	walHeaderSize   = 32
	frameHeaderSize = 24
	walVersion      = 3007000
	walMagic        = 0x377f0682 // the last bit says in which order checksums are taken
)

// wal is a write-ahead log: the offset of the newest committed version of each page in it.
// Frames are read once; a later scan continues after the last transaction.
//
//	header   magic │ version │ page size │ checkpoints │ salt 1 │ salt 2 │ sum 1 │ sum 2
//	frame    page │ pages of the database, or 0 │ salt 1 │ salt 2 │ sum 1 │ sum 2 │ the page
//
// A frame is valid if its salts are those of the header and its sums follow from all bytes
// before it. A frame whose second word is not 0 ends a transaction. The layout is that of
// SQLite's file format, section 4, "The Write-Ahead Log".
type wal struct {
	header   [walHeaderSize]byte
	pageSize int64
	order    binary.ByteOrder // of the words that are summed
	end      int64            // behind the last committed frame
	reached  int64            // behind the last frame of this log, committed or not
	sum      [2]uint32        // over everything before end
	frames   map[uint32]int64 // where the content of a page lies
	pages    int64            // of the database after the last transaction
}

// LogOf returns the name of the database that a log or a journal belongs to, by the name of
// that file; "" for other files.
func LogOf(name string) string {
	for _, suffix := range []string{"-wal", "-journal"} {
		if database, ok := strings.CutSuffix(name, suffix); ok {
			return database
		}
	}
	return ""
}

// IsLog reports whether a file that begins with head is a log, or the journal of a transaction
// that has not ended.
func IsLog(head []byte) bool {
	return len(head) >= 4 && binary.BigEndian.Uint32(head)&^1 == walMagic || bytes.HasPrefix(head, []byte(journalMagic))
}

// errNoLog says that a file is not a valid log. SQLite would ignore it, too.
var errNoLog = errors.New("no write-ahead log")

// openWAL reads the header of a log. It returns errNoLog for a log that SQLite would ignore.
func openWAL(r io.ReaderAt) (*wal, error) {
	w := &wal{frames: map[uint32]int64{}, end: walHeaderSize, reached: walHeaderSize, order: binary.LittleEndian}
	if _, err := r.ReadAt(w.header[:], 0); err != nil {
		if errors.Is(err, io.EOF) {
			return nil, errNoLog
		}
		return nil, err
	}
	field := func(i int) uint32 { return binary.BigEndian.Uint32(w.header[4*i:]) }
	if field(0)&1 == 1 {
		w.order = binary.BigEndian
	}
	w.pageSize = int64(field(2))
	sum := w.add([2]uint32{}, w.header[:24])
	isPower := w.pageSize >= 512 && w.pageSize <= 65536 && w.pageSize&(w.pageSize-1) == 0
	if field(0)&^1 != walMagic || field(1) != walVersion || !isPower || sum != [2]uint32{field(6), field(7)} {
		return nil, errNoLog
	}
	w.sum = sum
	return w, nil
}

// add continues a checksum over b, whose length is a multiple of 8.
func (w *wal) add(sum [2]uint32, b []byte) [2]uint32 {
	s0, s1 := sum[0], sum[1]
	for ; len(b) >= 8; b = b[8:] {
		s0 += w.order.Uint32(b) + s1
		s1 += w.order.Uint32(b[4:]) + s0
	}
	return [2]uint32{s0, s1}
}

// frame is one page in a log.
type frame struct {
	page   uint32
	offset int64 // of its content
}

// scan reads the transactions that were added since the last scan, and returns the pages that
// they wrote, in the order of the frames. Frames after the last complete transaction are read
// again by the next scan.
func (w *wal) scan(r io.ReaderAt) ([]uint32, error) {
	var (
		changed []uint32
		pending []frame
		in      = bufio.NewReaderSize(io.NewSectionReader(r, w.end, 1<<62), 256<<10)
		buf     = make([]byte, frameHeaderSize+w.pageSize)
		at, sum = w.end, w.sum
	)
	w.reached = w.end
	for {
		if _, err := io.ReadFull(in, buf); err != nil {
			if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
				return changed, nil
			}
			return changed, err
		}
		page, commit, ok := w.check(buf, &sum)
		if !ok {
			return changed, nil
		}
		pending = append(pending, frame{page, at + frameHeaderSize})
		at += int64(len(buf))
		w.reached = at
		if commit == 0 {
			continue
		}
		for _, f := range pending {
			w.frames[f.page] = f.offset
			changed = append(changed, f.page)
		}
		pending = pending[:0]
		w.end, w.sum, w.pages = at, sum, int64(commit)
	}
}

// check checks a frame, b, which is its header and its page. Ok is false if it belongs to an
// earlier log, or was not written completely. Sum is the checksum of everything before it, and
// is updated.
func (w *wal) check(b []byte, sum *[2]uint32) (page, commit uint32, ok bool) {
	page, commit = binary.BigEndian.Uint32(b), binary.BigEndian.Uint32(b[4:])
	if page == 0 || string(b[8:16]) != string(w.header[16:24]) {
		return 0, 0, false
	}
	*sum = w.add(w.add(*sum, b[:8]), b[frameHeaderSize:])
	return page, commit, *sum == [2]uint32{binary.BigEndian.Uint32(b[16:]), binary.BigEndian.Uint32(b[20:])}
}

// follows reports whether this log was begun directly after old, and has not yet overwritten a
// frame that old has not seen.
func (w *wal) follows(old *wal) bool {
	field := func(w *wal, i int) uint32 { return binary.BigEndian.Uint32(w.header[4*i:]) }
	return w.pageSize == old.pageSize && field(w, 3) == field(old, 3)+1 && field(w, 4) == field(old, 4)+1 &&
		w.reached+frameHeaderSize+w.pageSize <= old.end
}
