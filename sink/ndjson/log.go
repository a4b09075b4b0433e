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

// Log appends lines as they come, but for those that it holds already in just
// these words.
//
// A Log in a file knows what earlier runs wrote, and is the only one to write there.
// A write that fails half way is undone; what a crash left of a line is removed when
// the file is opened again. When the file is not what the Log has left there, Apply
// and Flush say so with a [sink.ErrLost].
//
// It belongs to one goroutine. Another process that opens the file as a Log is refused
// by a lock.
type Log struct {
	out    io.Writer
	path   string
	file   *os.File        // out, if it is a file that can be truncated and synced
	name   lock.File       // file, as whoever keeps others out of it
	end    place           // of its last whole line
	stamp  filestate.State // of the file when end was its end
	known  place           // one before end that was asked for when the file was read
	held   map[sum]sum
	buf    []byte
	broken error // why nothing more can be written
	unread bool  // what the file held when it was last confirmed is not in held
	vain   vain  // how often the file's times changed, and its lines had not
}

// vain counts the readings of a log that found nothing, by the time that they were made for.
type vain struct{ modified, changed int }

// maxVain is how often a log is read because of its time alone. On some network file
// systems the time of a file changes with nothing written to it.
const maxVain = 3

// errClosed is the error of lines that come after Close.
var errClosed = errors.New("sink is closed")

// sum is enough of a hash to tell one text from another.
type sum [16]byte

// sumOf returns the digest of a line, the first half of its SHA-256.
func sumOf(b []byte) sum {
	h := sha256.Sum256(b)
	return sum(h[:16])
}

// NewLog returns a Log that writes to out, which stays open. It knows nothing of
// what out holds.
func NewLog(out io.Writer) *Log { return &Log{out: out, held: map[sum]sum{}} }

// Open returns a Log in the file at path and creates it, with its folder, for
// the user alone. An existing file must be such a log, or what the loss of power
// has left of one.
func Open(path string) (*Log, error) { return Resume(path, "") }

// Resume is Open for a log whose state at a mark is known. If it was not
// written to since, it is read when something is first applied to it, else at once.
//
// The mark is the one that [Log.Mark] gave after a Flush. If the file's identity, size
// and times are still those of the mark, opening costs a stat and not a reading.
func Resume(path, mark string) (*Log, error) {
	l, err := open(path, mark)
	if errors.Is(err, errStrange) && isHollow(path) {
		// Nothing in it can be read any more, and it may be somebody else's.
		if err = os.Rename(path, path+".damaged"); err == nil {
			l, err = open(path, "")
		}
	}
	if err != nil {
		return nil, fmt.Errorf("open log %s: %w", path, err)
	}
	return l, nil
}

// opens a log for appending and locks it. mark says up to where its lines are known.
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
		return l, nil // a pipe or a device: written to, as long as the name leads to it
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

// find finds out what the file holds, and whether that is what it held at a mark.
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

// isHollow reports whether a file begins with what never reached the disk, or as
// a log does.
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

// learn reads the file, looks whether it is what it was at a place, and repairs its
// end.
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

// look makes sure that the file ends where this Log has left it.
//
// It is the guard against writing behind somebody else's bytes: asked before and after
// each write, for the price of an fstat.
func (l *Log) look() (err error) {
	is, info, err := filestate.Open(l.file)
	if info == nil {
		return err
	}
	switch l.stamp = is; { // without an identity, if the system does not tell it
	case is.Size < l.end.size:
		return fmt.Errorf("%s: %w: it was cut to %d bytes of %d", l.path, sink.ErrLost, is.Size, l.end.size)
	case is.Size > l.end.size:
		return fmt.Errorf("%s: %w: somebody else has written to it", l.path, sink.ErrLost)
	}
	return nil
}

// check makes sure that nothing was written to the file since this Log did so: its size
// or one of its times would be another, and then every line is looked at again. Whoever
// restores a file can give it back the time of its content, and not that of its inode; which also
// changes with a link to it or its permissions.
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

// Tidy implements [sink.Tidier]: it looks whether somebody else has written to the file.
func (l *Log) Tidy(context.Context) error {
	if l.broken == nil && l.file != nil {
		l.broken = l.check()
	}
	return l.broken
}

// Apply implements [sink.Sink].
//
// Lines of a batch that was written in part are not remembered, so they can be applied
// again.
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

// read reads what was taken for known when the file was opened.
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

// write writes the buffer whole or, as far as it can, not at all. The place behind it
// is to.
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

// undo takes back what was written of a buffer. A file that is shorter than before
// is not made longer: what it would gain is no lines.
func (l *Log) undo() error {
	if lost := l.look(); lost != nil && l.stamp.Size < l.end.size {
		return lost
	}
	_, seek := l.file.Seek(l.end.size, io.SeekStart)
	return errors.Join(l.file.Truncate(l.end.size), seek, l.look())
}

// Flush implements [sink.Sink]. What a failed Flush leaves on disk is not known;
// after it the Log takes nothing more and must be opened again.
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

// Close implements [sink.Sink]. A Log in a file flushes, unless it was said before why it
// cannot.
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
