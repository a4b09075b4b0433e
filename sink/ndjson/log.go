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
	"github.com/memscribe/memscribe/internal/sink"
)

// Log appends lines as they come, but for those that it holds already in just
// these words.
//
// A Log in a file knows what earlier runs wrote. A write that fails half way is
// undone; what a crash left of a line is removed when the file is opened again.
type Log struct {
	out    io.Writer
	path   string
	file   *os.File // out, if it is a file that can be truncated and synced
	size   int64    // of the file up to its last whole line
	held   map[sum]sum
	edge   []byte // the last bytes before size
	buf    []byte
	broken error // why nothing more can be written
	unread bool  // what the file held when it was last confirmed is not in held
}

// errClosed is the error of lines that come after Close.
var errClosed = errors.New("sink is closed")

// sum is enough of a hash to tell one text from another.
type sum [16]byte

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

// Resume is Open for a log of which it is known what it was: one that holds what
// it held at a mark is read only from there on, and the rest when something is
// first applied to it.
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

func open(path, mark string) (*Log, error) {
	if err := durable.Create(filepath.Dir(path)); err != nil {
		return nil, err
	}
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	l := NewLog(f)
	l.file, l.path = f, path
	info, err := f.Stat()
	switch {
	case err != nil:
	case !info.Mode().IsRegular():
		l.file = nil // a pipe or a device: written to, and that is all
		return l, nil
	default:
		if l.size = info.Size(); l.Holds(mark) {
			l.unread = true
			err = l.learn(sizeOf(mark))
		} else {
			err = l.learn(0)
		}
	}
	if err = errors.Join(err, durable.Sync(filepath.Dir(path))); err != nil {
		return nil, errors.Join(err, l.file.Close())
	}
	return l, nil
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

// learn reads what the file holds behind a point at which a line ends, and
// repairs its end.
func (l *Log) learn(from int64) error {
	size, err := l.file.Seek(0, io.SeekEnd)
	if err != nil {
		return err
	}
	clear(l.held)
	f, err := readLog(io.NewSectionReader(l.file, from, size-from), l.held)
	if err != nil && (from == 0 || !errors.Is(err, errStrange)) {
		return err
	}
	f.end += from
	for i := range f.holes {
		f.holes[i].from += from
		f.holes[i].to += from
	}
	l.size = 0
	if err = l.mend(f, size); err != nil {
		return err
	}
	l.edge = make([]byte, min(l.size, edgeSize))
	if _, err = l.file.ReadAt(l.edge, l.size-int64(len(l.edge))); err != nil {
		return err
	}
	_, err = l.file.Seek(l.size, io.SeekStart)
	return err
}

// Apply implements [sink.Sink].
func (l *Log) Apply(_ context.Context, lines []sink.Line) error {
	if l.broken != nil {
		return l.broken
	}
	if l.unread && len(lines) > 0 {
		if err := l.learn(0); err != nil {
			l.broken = fmt.Errorf("read log: %w", err)
			return l.broken
		}
		l.unread = false
	}
	type change struct{ id, line sum }
	var changes []change
	l.buf = l.buf[:0]
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
	}
	if err := l.write(); err != nil {
		return err
	}
	for _, c := range changes {
		l.held[c.id] = c.line
	}
	return nil
}

// write writes the buffer whole or, as far as it can, not at all.
func (l *Log) write() error {
	if len(l.buf) == 0 {
		return nil
	}
	_, err := l.out.Write(l.buf)
	switch {
	case err == nil:
		l.size += int64(len(l.buf))
		l.edge = append(l.edge, l.buf[max(0, len(l.buf)-edgeSize):]...)
		l.edge = l.edge[max(0, len(l.edge)-edgeSize):]
		return nil
	case l.file == nil:
		l.broken = fmt.Errorf("write log: %w", err)
		return l.broken
	}
	err = fmt.Errorf("write log: %w", err)
	_, seek := l.file.Seek(l.size, io.SeekStart)
	if undo := errors.Join(l.file.Truncate(l.size), seek); undo != nil {
		l.broken = errors.Join(err, undo)
	}
	return err
}

// Flush implements [sink.Sink]. What a failed Flush leaves on disk is not known;
// after it the Log takes nothing more and must be opened again.
func (l *Log) Flush(context.Context) error {
	if l.broken != nil || l.file == nil {
		return l.broken
	}
	if err := l.file.Sync(); err != nil {
		l.broken = fmt.Errorf("sync log: %w", err)
	}
	return l.broken
}

// Close implements [sink.Sink]. A Log in a file flushes.
func (l *Log) Close() error {
	var err error
	if l.file != nil {
		err = errors.Join(l.Flush(context.Background()), l.file.Close())
		l.file = nil
	}
	l.broken = errClosed
	return err
}
