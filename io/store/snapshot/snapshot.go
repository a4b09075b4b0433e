package snapshot

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"slices"
)

const (
	headSize      = 100
	magic         = "SQLite format 3\x00"
	counterOffset = 24 // of the count of changes, in the head
	formatOffset  = 18 // of the two bytes that say whether there is a log
)

// ErrNotSQLite says that a file is not an SQLite database, or no longer one.
var ErrNotSQLite = errors.New("not a database of SQLite")

// IsDatabase reports whether a file that begins with head is a database.
func IsDatabase(head []byte) bool {
	return len(head) >= len(magic) && string(head[:len(magic)]) == magic
}

// ErrBusy says that a transaction is running which this package cannot look behind: its journal
// is not complete yet, or it is one over several databases.
var ErrBusy = errors.New("in the middle of a transaction")

// Snapshot is a database as of one moment. It also knows what has changed between two moments;
// they are counted from 1.
//
// The way of a page: SQLite asks for page 7. The snapshot takes it from the last frame of the
// log that belongs to a complete transaction, else from the journal, else from the database. It
// adds 7 to touched, and also to inPlace unless the page came from the log. After the reading,
// Holds asks whether a page of inPlace may have been overwritten meanwhile; if so, everything
// that was read is discarded.
//
// The formats are described in SQLite's file format, "The Write-Ahead Log" and "The Rollback
// Journal".
type Snapshot struct {
	path      string
	main, log *os.File // open while looking; log is nil if there is none
	info      fs.FileInfo
	logInfo   fs.FileInfo
	head      [headSize]byte
	wal       *wal     // nil: there is no log
	journal   *journal // of a transaction that has not ended; nil if there is none
	pageSize  int64
	pages     int64

	// What has changed since which moment. A page that is not in changed was not
	// written as far as the log tells; unknown is the last moment of which the log does
	// not tell.
	moment  uint64
	changed map[uint32]uint64 // when a page was last written
	unknown uint64            // when pages were last written and it is not known which
	amid    bool              // the last view was taken amid a transaction

	// What the current reading has looked at.
	// counts readings, so that nothing is remembered from one to the next
	epoch   uint32
	touched map[uint32]struct{} // pages that the current reading looked at
	inPlace map[uint32]struct{} // those of them that did not come from the log
}

// New returns a snapshot of the database at a path. No file is open yet.
func New(path string) *Snapshot { return &Snapshot{path: path, changed: map[uint32]uint64{}} }

// IsOpen reports whether the files are open: after Take, until Release.
func (v *Snapshot) IsOpen() bool { return v.main != nil }

// Moment returns the number of the moment that the snapshot shows. It grows with every Take,
// and when Holds finds new transactions.
func (v *Snapshot) Moment() uint64 { return v.moment }

// Readings returns how many readings were begun.
func (v *Snapshot) Readings() uint32 { return v.epoch }

// Pages returns the number of pages of the database.
func (v *Snapshot) Pages() int64 { return v.pages }

// Take opens the files as they are now, and begins a reading. It returns [ErrBusy] during a
// transaction that no journal describes yet, and [ErrNotSQLite] if the file is no database.
// After an error no file is open.
func (v *Snapshot) Take() error {
	v.Release()
	v.moment++
	err := v.takeMain()
	if err == nil {
		err = v.takeLog()
	}
	if err == nil && v.wal == nil {
		err = v.takeJournal()
	}
	if err == nil && v.journal == nil && v.pages == 0 && v.info.Size() > 0 {
		// SQLite takes this for a new database. A tool never leaves one like it.
		err = fmt.Errorf("database is cut short: %d bytes are left", v.info.Size())
	}
	if err != nil {
		v.Release()
		return err
	}
	v.Begin()
	return nil
}

// takeMain opens the database and reads its header, which changes with every transaction in
// place.
func (v *Snapshot) takeMain() error {
	f, err := open(v.path)
	if err != nil {
		return err
	}
	v.main = f
	before, head := v.info, v.head
	if v.info, err = f.Stat(); err != nil {
		return err
	}
	v.head = [headSize]byte{}
	if _, err = f.ReadAt(v.head[:], 0); err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	same := before != nil && os.SameFile(before, v.info)
	if !same || v.amid || v.wal == nil && (isRewritten(before, v.info) || head != v.head) {
		v.unknown = v.moment // the end of a transaction alone changes neither time nor head
	}
	v.amid = false
	if !same {
		v.wal = nil
	}
	v.pageSize = int64(binary.BigEndian.Uint16(v.head[16:]))
	if v.pageSize == 1 {
		v.pageSize = 65536
	}
	return nil
}

// isRewritten reports whether a file may have another content than before.
func isRewritten(before, now fs.FileInfo) bool {
	return before.Size() != now.Size() || !before.ModTime().Equal(now.ModTime())
}

// takeLog opens the log and reads what is new in it.
func (v *Snapshot) takeLog() error {
	f, err := openBeside(v.path + "-wal")
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err == nil {
		v.log = f
		if v.logInfo, err = f.Stat(); err != nil {
			return err
		}
		err = v.readLog()
	}
	switch {
	case err == nil:
	case errors.Is(err, errNoLog) || errors.Is(err, fs.ErrNotExist):
		if v.wal != nil {
			v.unknown = v.moment
		}
		v.wal = nil
	default:
		return fmt.Errorf("read log: %w", err)
	}
	return v.measure()
}

// measure sets the length of the database.
func (v *Snapshot) measure() error {
	if v.wal != nil && v.wal.pages > 0 {
		v.pageSize, v.pages = v.wal.pageSize, v.wal.pages
		return nil
	}
	if v.pageSize < 512 || v.pageSize&(v.pageSize-1) != 0 || !bytes.HasPrefix(v.head[:], []byte(magic)) {
		if v.info.Size() == 0 {
			v.pageSize, v.pages = 4096, 0
			return nil
		}
		return ErrNotSQLite
	}
	v.pages = v.info.Size() / v.pageSize
	return nil
}

// readLog continues to read the log, or begins with a new one.
func (v *Snapshot) readLog() error {
	now, err := openWAL(v.log)
	if err != nil {
		return err
	}
	old := v.wal
	if old != nil && old.header == now.header {
		return v.readOn(old)
	}
	changed, err := now.scan(v.log)
	if err != nil {
		return err
	}
	v.wal = now
	v.note(changed)
	if old == nil || !now.follows(old) {
		v.unknown = v.moment
		return nil
	}
	return v.readOn(old)
}

// readOn reads what was added to a log since it was last read.
func (v *Snapshot) readOn(w *wal) error {
	changed, err := w.scan(v.log)
	v.note(changed)
	return err
}

// note records that pages were written at the present moment.
func (v *Snapshot) note(changed []uint32) {
	for _, page := range changed {
		v.changed[page] = v.moment
	}
}

// takeJournal opens the journal of a database without a log, if there is one. Its pages replace
// those of the database.
func (v *Snapshot) takeJournal() error {
	j, err := openJournal(v.path + "-journal")
	if errors.Is(err, errNoJournal) {
		return nil
	}
	if err != nil {
		return err
	}
	v.journal, v.amid = j, true
	if at, kept := j.before[1]; kept {
		if _, err := j.file.ReadAt(v.head[:], at); errors.Is(err, io.EOF) {
			return ErrBusy // the transaction has ended
		} else if err != nil {
			return err
		}
	}
	v.pageSize, v.pages = j.pageSize, j.pages
	v.unknown = v.moment // the times of the files tell nothing now
	return nil
}

// Begin begins a reading: from now on, the pages that are read are recorded.
func (v *Snapshot) Begin() {
	v.epoch++
	v.touched, v.inPlace = map[uint32]struct{}{}, map[uint32]struct{}{}
}

// Holds reports whether everything that was read since Begin is of one moment. It also reads
// the transactions that were added to the log meanwhile, and counts them as a later moment.
func (v *Snapshot) Holds() (bool, error) {
	if now, err := os.Stat(v.path); err != nil || !os.SameFile(now, v.info) {
		return false, ignoreMissing(err)
	}
	if v.wal == nil {
		return v.isUntouched()
	}
	if now, err := os.Stat(v.path + "-wal"); err != nil || !os.SameFile(now, v.logInfo) {
		return false, ignoreMissing(err)
	}
	now, err := openWAL(v.log)
	if err != nil || now.header != v.wal.header {
		return false, nil //nolint:nilerr // the owner is just starting a new one
	}
	changed, err := v.wal.scan(v.log)
	if err != nil {
		return false, err
	}
	if len(changed) == 0 {
		return true, nil
	}
	holds := true
	for _, page := range changed {
		_, read := v.inPlace[page]
		holds = holds && !read
	}
	// What was read stands for the moment before; these pages are later.
	v.moment++
	v.note(changed)
	return holds, v.measure()
}

// isUntouched reports whether a database without a log is unchanged.
func (v *Snapshot) isUntouched() (bool, error) {
	if v.journal != nil {
		return v.journal.holds(v.path+"-journal", v.inPlace)
	}
	switch j, err := openJournal(v.path + "-journal"); {
	case err == nil: // a transaction began
		return false, j.file.Close()
	case !errors.Is(err, errNoJournal):
		return false, nil // one is just beginning
	}
	if info, err := os.Stat(v.path + "-wal"); err == nil && info.Size() > 0 {
		return false, nil
	}
	now, err := v.main.Stat()
	if err != nil {
		return false, err
	}
	var head [headSize]byte
	if _, err := v.main.ReadAt(head[:], 0); err != nil && !errors.Is(err, io.EOF) {
		return false, err
	}
	return !isRewritten(v.info, now) && head == v.head, nil
}

// openBeside opens a log or a journal beside the database. If there is something else than a
// regular file, SQLite did not make it, and it counts as missing.
func openBeside(path string) (*os.File, error) {
	info, err := os.Lstat(path)
	if err == nil && !info.Mode().IsRegular() {
		err = &fs.PathError{Op: "open", Path: path, Err: fs.ErrNotExist}
	}
	if err != nil {
		return nil, err
	}
	return open(path)
}

// ignoreMissing returns nil for the error that a file does not exist.
func ignoreMissing(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// Release closes the files.
func (v *Snapshot) Release() {
	for _, f := range []*os.File{v.main, v.log} {
		if f != nil {
			_ = f.Close() // was only read
		}
	}
	if v.journal != nil {
		_ = v.journal.file.Close() // was only read
	}
	v.main, v.log, v.journal = nil, nil, nil
}

// Looked returns the pages that were read since Begin, without page 1. Every reading needs page
// 1 for the schema, and every transaction that makes the database longer writes it, so with it
// everything would always be stale.
func (v *Snapshot) Looked() []uint32 {
	delete(v.touched, 1)
	return slices.Sorted(maps.Keys(v.touched))
}

// IsStale reports whether one of the pages has been written since a moment. Known is false if
// that cannot be said, because a log ended without having been read to its end.
func (v *Snapshot) IsStale(pages []uint32, since uint64) (stale, known bool) {
	for _, page := range pages {
		if v.changed[page] > since {
			return true, true
		}
	}
	return false, v.unknown <= since
}

// Size returns the length of the database in bytes.
func (v *Snapshot) Size() int64 { return v.pages * v.pageSize }

// ReadAt implements [io.ReaderAt] for SQLite. A read may span pages; behind the last page it
// returns [io.EOF].
func (v *Snapshot) ReadAt(p []byte, off int64) (int, error) {
	done := 0
	for done < len(p) {
		at := off + int64(done)
		page := uint32(at/v.pageSize) + 1
		if int64(page) > v.pages {
			return done, io.EOF
		}
		in := at % v.pageSize
		piece := p[done:min(len(p), done+int(v.pageSize-in))]
		if err := v.readPage(piece, page, in); err != nil {
			return done, err
		}
		if page == 1 {
			v.disguise(piece, in)
		}
		done += len(piece)
	}
	return done, nil
}

// readPage reads a part of a page in its present state: from the log, which has the newest;
// else from the journal, which has the state before an unfinished transaction; else from the
// database.
func (v *Snapshot) readPage(p []byte, page uint32, in int64) error {
	v.touched[page] = struct{}{}
	if v.wal != nil {
		if offset, ok := v.wal.frames[page]; ok {
			_, err := v.log.ReadAt(p, offset+in)
			return err
		}
	}
	if v.journal != nil {
		if offset, ok := v.journal.before[page]; ok {
			_, err := v.journal.file.ReadAt(p, offset+in)
			return err
		}
	}
	v.inPlace[page] = struct{}{}
	_, err := v.main.ReadAt(p, int64(page-1)*v.pageSize+in)
	return err
}

// disguise changes two fields of the header for SQLite. The format says that there is no log,
// since the log is already applied. The change counter differs in each reading, so that SQLite
// drops its cached pages.
func (v *Snapshot) disguise(p []byte, in int64) {
	put := func(offset int64, b ...byte) {
		for i, c := range b {
			if at := offset + int64(i) - in; at >= 0 && at < int64(len(p)) {
				p[at] = c
			}
		}
	}
	put(formatOffset, 1, 1)
	put(counterOffset, binary.BigEndian.AppendUint32(nil, v.epoch)...)
}
