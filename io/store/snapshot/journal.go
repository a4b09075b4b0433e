package snapshot

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"io/fs"
	"math"
	"os"
)

const (
	journalMagic      = "\xd9\xd5\x05\xf9\x20\xa1\x63\xd7"
	journalHeaderSize = 28
	// What a record of a journal has besides the page: its number before, a sum
	// behind.
	recordNumber, recordSum = 4, 4
)

// journal is a rollback journal: the pages that a transaction changes, as they were before.
// While it exists, the database and the journal together are the state before the transaction.
// Its owner may be writing, or was killed while it wrote. If the magic number is not written
// yet, nothing was written to the database either.
//
//	header ·· sector │ page 7, as it was │ sum │ page 3 │ sum │ ·· sector │ header │ …
//
// A header has the number of the records that follow it, up to the next header. A number with
// all bits set stands for as many records as the file has.
//
// The layout is that of SQLite's file format, section 3, "The Rollback Journal".
type journal struct {
	file     *os.File
	info     fs.FileInfo
	nonce    uint32 // of this transaction
	pages    int64  // of the database before
	sector   int64
	pageSize int64
	before   map[uint32]int64 // where a page as it was lies
}

// errNoJournal says that no transaction is running.
var errNoJournal = errors.New("no journal")

// openJournal reads the journal at a path. It returns errNoJournal if no transaction is
// running, and ErrBusy if the pages of a transaction cannot be read from the journal yet. The
// caller closes its file.
func openJournal(path string) (*journal, error) {
	f, err := openBeside(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, errNoJournal
	}
	if err != nil {
		return nil, err
	}
	j := &journal{file: f}
	if j.info, err = f.Stat(); err == nil {
		err = j.begin()
	}
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return j, nil
}

// begin reads the first header, and the records. The header, in words of four bytes behind the
// magic of eight:
//
//	count │ nonce │ pages before │ sector size │ page size
func (j *journal) begin() error {
	var head [journalHeaderSize]byte
	n, err := j.file.ReadAt(head[:], 0)
	switch {
	case n < len(journalMagic) || !bytes.HasPrefix(head[:], []byte(journalMagic)):
		if err != nil && !errors.Is(err, io.EOF) {
			return err
		}
		return errNoJournal
	case n < journalHeaderSize:
		return ErrBusy // it is just being written
	}
	field := func(i int) int64 { return int64(binary.BigEndian.Uint32(head[8+4*i:])) }
	j.nonce, j.pages, j.sector, j.pageSize = uint32(field(1)), field(2), field(3), field(4)
	isPower := func(n, least int64) bool { return n >= least && n <= 65536 && n&(n-1) == 0 }
	if !isPower(j.sector, 32) || !isPower(j.pageSize, 512) {
		return ErrBusy // no header that SQLite would take
	}
	if tied, err := j.isTied(); err != nil || tied {
		return errors.Join(err, ErrBusy)
	}
	return j.scan()
}

// isTied reports whether the transaction is one over several databases. Another file, the
// super-journal, then decides whether it counts.
func (j *journal) isTied() (bool, error) {
	var end [len(journalMagic)]byte
	at := j.info.Size() - int64(len(end))
	if at < j.sector {
		return false, nil
	}
	if _, err := j.file.ReadAt(end[:], at); err != nil && !errors.Is(err, io.EOF) {
		return false, err
	}
	return string(end[:]) == journalMagic, nil
}

// scan reads all records that are there. The transaction may have ended meanwhile, and have
// removed records; then scan returns errNoJournal, since the records it found may be too few.
func (j *journal) scan() error {
	j.before = map[uint32]int64{}
	if err := j.scanRecords(); err != nil {
		return err
	}
	var head [journalHeaderSize]byte
	if _, err := j.file.ReadAt(head[:], 0); err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	if !bytes.HasPrefix(head[:], []byte(journalMagic)) || binary.BigEndian.Uint32(head[12:]) != j.nonce {
		return errNoJournal
	}
	return nil
}

// scanRecords reads the headers and their records, up to the first incomplete record. If a page
// is there twice, the first record counts, since it is the older state.
func (j *journal) scanRecords() error {
	info, err := j.file.Stat()
	if err != nil {
		return err
	}
	record := recordNumber + j.pageSize + recordSum
	buf := make([]byte, record)
	for at := int64(0); ; {
		var head [journalHeaderSize]byte
		if _, err := j.file.ReadAt(head[:], at); err != nil {
			return ignoreEnd(err)
		}
		if !bytes.HasPrefix(head[:], []byte(journalMagic)) {
			return nil
		}
		count, sum := int64(binary.BigEndian.Uint32(head[8:])), binary.BigEndian.Uint32(head[12:])
		at += j.sector
		if count == math.MaxUint32 {
			count = (info.Size() - at) / record
		}
		for ; count > 0; count-- {
			if _, err := j.file.ReadAt(buf, at); err != nil {
				return ignoreEnd(err)
			}
			if !j.isWhole(buf, sum) {
				return nil
			}
			page := binary.BigEndian.Uint32(buf)
			if page == 0 {
				return nil // here SQLite ends too: what follows may be a hole of any size
			}
			if int64(page) <= j.pages {
				if _, seen := j.before[page]; !seen {
					j.before[page] = at + recordNumber
				}
			}
			at += record
		}
		at = (at + j.sector - 1) / j.sector * j.sector
	}
}

// isWhole reports whether a record was written completely, by its checksum over every 200th
// byte.
func (j *journal) isWhole(record []byte, sum uint32) bool {
	page := record[recordNumber : recordNumber+j.pageSize]
	for i := len(page) - 200; i > 0; i -= 200 {
		sum += uint32(page[i])
	}
	return sum == binary.BigEndian.Uint32(record[recordNumber+j.pageSize:])
}

// ignoreEnd returns nil for the end of a file: its owner may still be writing the rest.
func ignoreEnd(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return nil
	}
	return err
}

// holds reports whether the journal at a path still belongs to the same transaction,
// and keeps none of the pages that were read in place: those may have been written
// meanwhile.
func (j *journal) holds(path string, inPlace map[uint32]struct{}) (bool, error) {
	now, err := openJournal(path)
	if errors.Is(err, errNoJournal) || errors.Is(err, ErrBusy) {
		return false, nil // the transaction has ended
	}
	if err != nil {
		return false, err
	}
	defer now.file.Close()
	if !os.SameFile(now.info, j.info) || now.nonce != j.nonce || now.pages != j.pages {
		return false, nil
	}
	for page := range now.before { // order does not matter: is any in both?
		if _, read := inPlace[page]; read {
			return false, nil
		}
	}
	return true, nil
}
