package ndjson

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/memscribe/memscribe/internal/durable"
	"github.com/memscribe/memscribe/internal/filestate"
	"github.com/memscribe/memscribe/internal/lock"
	"github.com/memscribe/memscribe/internal/sink"
)

// Log appends lines to a file or a stream. A line that is equal to the last line of its id is not
// written again.
//
// A Log in a file knows what earlier runs wrote, and no other process may write to the file. A
// write that fails half way is undone; an incomplete line after a crash is removed when the file is
// opened again. If the file is not as the Log left it, Apply and Flush return [sink.ErrLost].
//
// It must be used by one goroutine. A lock keeps another process from opening the file as a Log.
type Log struct {
	out    io.Writer
	path   string
	file   *os.File        // out, if it is a regular file; else nil
	name   lock.File       // the lock on file
	end    place           // after the last complete line
	stamp  filestate.State // state of the file when it ended at end
	known  place           // the place of the mark with which the file was opened
	held   map[sum]sum     // by digest of an id: digest of its last line
	buf    []byte
	broken error // if not nil, nothing more can be written
	unread bool  // the file was not read yet, so held is incomplete
	vain   vain  // how often the times of the file changed without its lines
}

// vain counts readings of the file that found no change, by the time that had changed.
type vain struct{ modified, changed int }

// maxVain is how often a log is read because only its time has changed. On some network file
// systems the time of a file changes without a write.
const maxVain = 3

// errClosed is the error of Apply after Close.
var errClosed = errors.New("sink is closed")

// sum is a digest of 16 bytes, enough to distinguish texts.
type sum [16]byte

// sumOf returns the digest of a line, the first half of its SHA-256.
func sumOf(b []byte) sum {
	h := sha256.Sum256(b)
	return sum(h[:16])
}

// NewLog returns a Log that writes to out. It does not close out, and knows nothing about its
// content.
func NewLog(out io.Writer) *Log { return &Log{out: out, held: map[sum]sum{}} }

// Open returns a Log in the file at path. It creates the file and its folder, with permissions for
// the user only. An existing file must be a log, or what a power failure has left of one.
func Open(path string) (*Log, error) { return Resume(path, "") }

// Resume is Open for a log with a known mark. If the file was not written to since, it is read at
// the first Apply, else at once.
//
// The mark is the result of [Log.Mark] after a Flush. If identity, size and times of the file are
// those of the mark, opening costs a stat only.
func Resume(path, mark string) (*Log, error) {
	l, err := open(path, mark)
	if errors.Is(err, errStrange) && isHollow(path) {
		// Nothing in it can be read, and it may belong to another program.
		if err = os.Rename(path, path+".damaged"); err == nil {
			l, err = open(path, "")
		}
	}
	if err != nil {
		return nil, fmt.Errorf("open log %s: %w", path, err)
	}
	return l, nil
}

// open opens a log for appending and locks it. Up to mark its lines are known.
func open(path, mark string) (*Log, error) {
	if err := durable.Create(filepath.Dir(path)); err != nil {
		return nil, err
	}
	f, err := lock.OpenLog(path)
	if err != nil {
		return nil, err
	}
	l := NewLog(f.File)
	l.path = path
	l.name = f
	info, err := f.Stat()
	if err == nil && !info.Mode().IsRegular() {
		return l, nil // a pipe or a device
	}
	l.file = f.File
	if err == nil {
		err = l.find(mark)
	}
	if err = errors.Join(err, durable.Sync(filepath.Dir(path))); err != nil {
		return nil, errors.Join(err, l.file.Close())
	}
	return l, nil
}

// find reads what is needed to know the content of the file, and whether it matches a mark.
func (l *Log) find(mark string) error {
	was, looked, ok := parseMark(mark)
	is, _, err := filestate.Open(l.file)
	if ok && err == nil && is == looked && is.Size == was.size {
		l.end, l.known, l.stamp, l.unread = was, was, is, true
		_, err = l.file.Seek(was.size, io.SeekStart)
		return err
	}
	f, err := l.learn(was)
	if err == nil && ok && f.known {
		l.known = was
	}
	return err
}

// isHollow reports whether a file begins with NULs, which a power failure leaves, or like a log.
func isHollow(path string) bool {
	f, err := os.Open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	first := make([]byte, len(nodeStart))
	n, err := io.ReadFull(f, first)
	return n > 0 && (first[0] == 0 || err == nil && looksBegun(first))
}

// learn reads the file, compares it with a place, and repairs what a crash has left.
func (l *Log) learn(was place) (found, error) {
	size, err := l.file.Seek(0, io.SeekEnd)
	if err != nil {
		return found{}, err
	}
	clear(l.held)
	f, err := readLog(io.NewSectionReader(l.file, 0, size), l.held, was)
	if err != nil {
		return f, err
	}
	if err = l.mend(f, size); err != nil {
		return f, err
	}
	if _, err = l.file.Seek(l.end.size, io.SeekStart); err != nil {
		return f, err
	}
	return f, l.look()
}

// look returns an error if the file does not end where this Log left it.
//
// It is called before and after each write, so that nothing is written after the bytes of another
// program. It costs an fstat.
func (l *Log) look() (err error) {
	is, info, err := filestate.Open(l.file)
	if info == nil {
		return err
	}
	switch l.stamp = is; { // some systems tell no identity
	case is.Size < l.end.size:
		return fmt.Errorf("%s: %w: it was cut to %d bytes of %d", l.path, sink.ErrLost, is.Size, l.end.size)
	case is.Size > l.end.size:
		return fmt.Errorf("%s: %w: somebody else has written to it", l.path, sink.ErrLost)
	}
	return nil
}

// check returns an error if another program has written to the file. If the size or a time has
// changed, every line is read again. A program that restores a file can restore its modification
// time, but not the change time of the inode; that one also changes with links and permissions.
func (l *Log) check() error {
	was := l.stamp
	if err := l.look(); err != nil {
		return err
	}
	modified := l.stamp.Modified != was.Modified && l.vain.modified < maxVain
	changed := l.stamp.Modified == was.Modified && l.stamp.Changed != was.Changed && l.vain.changed < maxVain
	if l.unread || !modified && !changed {
		return nil
	}
	err := l.read()
	switch {
	case err != nil:
	case modified:
		l.vain.modified++
	default:
		l.vain.changed++
	}
	return err
}

// Tidy implements [sink.Tidier]. It checks that no other program has written to the file.
func (l *Log) Tidy(context.Context) error {
	if l.broken == nil && l.file != nil {
		l.broken = l.check()
	}
	return l.broken
}

// Apply implements [sink.Sink].
//
// After an error none of the lines counts as held, so the batch can be applied again.
func (l *Log) Apply(_ context.Context, lines []sink.Line) error {
	if l.broken != nil {
		return l.broken
	}
	if l.unread && len(lines) > 0 {
		if err := l.read(); err != nil {
			l.broken = fmt.Errorf("read log: %w", err)
			return l.broken
		}
	}
	type change struct{ id, line sum }
	var changes []change
	l.buf = l.buf[:0]
	to := l.end
	fresh := map[sum]sum{} // of this batch
	for i := range lines {
		c := change{sumOf([]byte(lines[i].ID)), sumOf(lines[i].JSON)}
		old, ok := fresh[c.id]
		if !ok {
			old, ok = l.held[c.id]
		}
		if ok && old == c.line {
			continue
		}
		fresh[c.id] = c.line
		changes = append(changes, c)
		l.buf = append(append(l.buf, lines[i].JSON...), '\n')
		to = to.behind(c.line, len(lines[i].JSON)+1)
	}
	if err := l.write(to); err != nil {
		return err
	}
	for _, c := range changes {
		l.held[c.id] = c.line
	}
	return nil
}

// read reads a file that was not read when it was opened.
func (l *Log) read() error {
	was := l.end
	f, err := l.learn(was)
	switch {
	case errors.Is(err, errNoNode), errors.Is(err, errStrange):
		err = fmt.Errorf("%s: %w: %w", l.path, sink.ErrLost, err)
	case err == nil && (!f.known || l.end != was):
		err = fmt.Errorf("%s: %w: it has other lines", l.path, sink.ErrLost)
	}
	l.unread = err != nil
	return err
}

// write writes the whole buffer or, as far as possible, nothing. to is the place after it.
func (l *Log) write(to place) error {
	if len(l.buf) == 0 {
		return nil
	}
	if l.file != nil {
		if l.broken = l.check(); l.broken != nil {
			return l.broken
		}
	}
	_, err := l.out.Write(l.buf)
	switch {
	case err == nil && l.file == nil:
		return nil
	case err == nil:
		l.end = to
		l.broken = l.look()
		return l.broken
	case l.file == nil:
		l.broken = fmt.Errorf("write log: %w", err)
		return l.broken
	}
	err = fmt.Errorf("write log: %w", err)
	if undo := l.undo(); undo != nil {
		l.broken = errors.Join(err, undo)
		return l.broken
	}
	return err
}

// undo truncates the file to where it ended before a failed write. A file that is shorter is left
// as it is: extending it would add NULs.
func (l *Log) undo() error {
	if lost := l.look(); lost != nil && l.stamp.Size < l.end.size {
		return lost
	}
	_, seek := l.file.Seek(l.end.size, io.SeekStart)
	return errors.Join(l.file.Truncate(l.end.size), seek, l.look())
}

// Flush implements [sink.Sink]. After a failed Flush the state on disk is unknown: the Log accepts
// nothing more and must be opened again.
func (l *Log) Flush(context.Context) error {
	if l.broken != nil || l.path == "" {
		return l.broken
	}
	if l.file != nil {
		if err := l.file.Sync(); err != nil {
			l.broken = fmt.Errorf("sync log: %w", err)
			return l.broken
		}
		l.broken = l.check()
	}
	if l.broken == nil {
		if lost := l.name.Lost(); lost != nil {
			l.broken = fmt.Errorf("%w: %w", sink.ErrLost, lost)
		}
	}
	return l.broken
}

// Close implements [sink.Sink]. It flushes a file, unless that has failed before.
func (l *Log) Close() error {
	var err error
	if l.file != nil && l.broken == nil {
		err = l.Flush(context.Background())
	}
	if l.name.File != nil {
		err = errors.Join(err, l.name.Close())
	}
	l.file, l.name = nil, lock.File{}
	l.broken = errClosed
	return err
}
