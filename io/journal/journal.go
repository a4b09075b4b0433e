// Package journal stores what tools push as lines of JSON in append-only files, so
// that it can be read like a transcript.
//
// [Journal.Append] returns when the line is on the disk, and then the tool is answered. Many
// processes may append at the same time: every call of a hook is a process that lives for
// milliseconds. Lines that arrive at the same time share one write and one sync.
//
// A journal is a folder of segments, 000001.jsonl and so on. The next writer removes an
// incomplete line that a crash has left. When the folder exceeds its limit, the oldest segments
// are deleted.
//
// Lines must be redacted before they are written. [HookLine] and [Scrubbed] make such lines.
//
// A hook's line, from the process of the hook to a node:
//
//	tool runs "memscribe hook" ─ HookLine ─ Append ─► 000001.jsonl ─► io/tail ─► adapters/hooks
//
// Callers share a write: each adds its lines to the waiting batch and then waits for its turn. The
// first one writes the whole batch, and the others find it written. A caller whose time is over
// stops waiting; its line is still written with the batch.
//
// The folder of a journal:
//
//	000001.jsonl   full: more than 16 MiB
//	000002.jsonl   the newest, which is appended to
//
// With the standard limits the oldest segments are deleted when all have more than 256 MiB. A
// lock on the folder keeps writers apart. If a writer is stopped while it has the lock, others
// write without it after their time is over: a tool must not wait for its hook.
package journal

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/memscribe/memscribe/internal/durable"
)

// Limits bound a journal on the disk.
type Limits struct {
	Segment int64 // bytes after which a new segment begins
	Total   int64 // bytes of all segments over which the oldest are deleted
}

// Standard returns the default limits.
func Standard() Limits { return Limits{Segment: 16 << 20, Total: 256 << 20} }

const suffix = ".jsonl"

// Journal appends to the segments of one folder. It is safe for concurrent use.
type Journal struct {
	dir    string
	limits Limits

	// turn is a lock on writing, with a context for waiting.
	turn chan struct{} // has an element while somebody writes
	// mu guards next.
	mu   sync.Mutex
	next *batch // the waiting batch; nil if nothing waits

	doubt bool // the last sync failed, so the content of the newest segment is unknown
}

// batch is the lines of one write.
type batch struct {
	lines []byte
	done  bool
	err   error
}

// Open returns the journal in a folder. It creates the folder with permissions for the user only.
func Open(dir string, limits Limits) (*Journal, error) {
	if err := durable.Create(dir); err != nil {
		return nil, fmt.Errorf("create journal: %w", err)
	}
	return &Journal{dir: dir, limits: limits, turn: make(chan struct{}, 1)}, nil
}

// Append writes lines, adds a line end to each, and returns when all are durable. After an error
// the caller must regard none as written; some may be there if the write could not be undone.
//
// ctx limits the waiting, not the write: a write that has begun is finished. If the lock of the
// folder is not free in time, the lines are written without it; see appendTo.
func (j *Journal) Append(ctx context.Context, lines ...[]byte) error {
	j.mu.Lock()
	b := j.next
	if b == nil {
		b = &batch{}
		j.next = b
	}
	for _, line := range lines {
		b.lines = append(append(b.lines, line...), '\n')
	}
	j.mu.Unlock()

	// The first caller whose turn it is writes the batch. A caller that stops waiting leaves
	// its line to the others. A free turn is taken even if the time is over.
	select {
	case j.turn <- struct{}{}:
	default:
		select {
		case j.turn <- struct{}{}:
		case <-ctx.Done():
			return fmt.Errorf("append to journal: %w", ctx.Err())
		}
	}
	defer func() { <-j.turn }()
	if b.done {
		return b.err
	}
	j.mu.Lock()
	j.next = nil
	j.mu.Unlock()
	b.err, b.done = j.write(ctx, b.lines), true
	return b.err
}

// write appends lines to the newest segment and syncs it.
func (j *Journal) write(ctx context.Context, lines []byte) error {
	unlock, locked, err := lock(ctx, filepath.Join(j.dir, "lock"))
	if err != nil {
		return fmt.Errorf("lock journal: %w", err)
	}
	defer unlock()
	f, err := j.segment(locked)
	if err != nil {
		return fmt.Errorf("open journal: %w", err)
	}
	err = appendTo(f, lines, locked)
	if err == nil {
		err = f.Sync()
		j.doubt = err != nil
	}
	if err = errors.Join(err, f.Close()); err != nil {
		return fmt.Errorf("write journal: %w", err)
	}
	return nil
}

// appendTo writes lines after the last complete line and cuts off an incomplete one. Without the
// lock another process may be writing that line: then it is ended, not cut off.
func appendTo(f *os.File, lines []byte, locked bool) error {
	size, whole, err := lastLine(f)
	if err != nil {
		return err
	}
	switch {
	case whole == size:
	case locked:
		if err := f.Truncate(whole); err != nil {
			return fmt.Errorf("remove torn line: %w", err)
		}
	default:
		lines = append([]byte{'\n'}, lines...)
	}
	if _, err := f.Write(lines); err != nil {
		if locked {
			err = errors.Join(err, f.Truncate(whole))
		}
		return err
	}
	return nil
}

// lastLine returns the size of a file, and the size of its complete lines.
func lastLine(f *os.File) (size, whole int64, err error) {
	info, err := f.Stat()
	if err != nil {
		return 0, 0, err
	}
	size = info.Size()
	buf := make([]byte, 1)
	for end := size; end > 0; {
		b := buf[:min(int64(len(buf)), end)]
		if _, err := f.ReadAt(b, end-int64(len(b))); err != nil && !errors.Is(err, io.EOF) {
			return 0, 0, err
		}
		if i := bytes.LastIndexByte(b, '\n'); i >= 0 {
			return size, end - int64(len(b)) + int64(i) + 1, nil
		}
		end -= int64(len(b))
		buf = make([]byte, 64<<10) // an incomplete line, which is rare
	}
	return size, 0, nil
}

// segment opens the newest segment for appending. With the lock it begins a new segment if the
// newest is full, and deletes the oldest.
//
// After a failed sync a new segment is begun, since the content of the old one is unknown.
func (j *Journal) segment(locked bool) (*os.File, error) {
	all, err := segments(j.dir)
	if err != nil {
		return nil, err
	}
	number := 1
	if n := len(all); n > 0 {
		number = all[n-1].number
		if locked && (j.doubt || all[n-1].size >= j.limits.Segment) {
			number++
			if err = j.shrink(all); err != nil {
				return nil, err
			}
		}
	}
	path := segmentPath(j.dir, number)
	f, err := os.OpenFile(path, os.O_RDWR|os.O_APPEND, 0)
	if err == nil {
		if err = tighten(f); err != nil {
			return nil, errors.Join(err, f.Close())
		}
	}
	if !errors.Is(err, fs.ErrNotExist) {
		return f, err
	}
	if f, err = os.OpenFile(path, os.O_RDWR|os.O_APPEND|os.O_CREATE, 0o600); err != nil {
		return nil, err
	}
	if err := durable.Sync(j.dir); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

// tighten takes away what others may do with a file that is written to.
func tighten(f *os.File) error {
	const others = 0o077
	info, err := f.Stat()
	if err != nil || runtime.GOOS == "windows" || info.Mode().Perm()&others == 0 {
		return err
	}
	return f.Chmod(info.Mode().Perm() &^ others)
}

// shrink deletes the oldest segments until there is room for a new one.
func (j *Journal) shrink(all []segment) error {
	var total int64
	for _, s := range all {
		total += s.size
	}
	for _, s := range all {
		if total+j.limits.Segment <= j.limits.Total {
			return nil
		}
		if err := os.Remove(s.path); err != nil {
			return err
		}
		total -= s.size
	}
	return nil
}

// segment is a file of a journal.
type segment struct {
	path   string
	number int
	size   int64
}

// segments returns the segments in a folder, the oldest first.
func segments(dir string) ([]segment, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	var all []segment
	for _, e := range entries {
		digits, ok := strings.CutSuffix(e.Name(), suffix)
		n, err := strconv.Atoi(digits)
		if !ok || err != nil || n <= 0 {
			continue
		}
		info, err := e.Info()
		if errors.Is(err, fs.ErrNotExist) {
			continue // it was just deleted
		}
		if err != nil {
			return nil, err
		}
		all = append(all, segment{filepath.Join(dir, e.Name()), n, info.Size()})
	}
	slices.SortStableFunc(all, func(a, b segment) int { return a.number - b.number })
	return all, nil
}

// retry is the time between two attempts to take a lock that another process has.
const retry = time.Millisecond

// lock takes the lock of a journal. If ctx ends first, locked is false and the caller writes
// without it: a stopped process that holds the lock must not block a tool.
func lock(ctx context.Context, path string) (unlock func(), locked bool, err error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, false, err
	}
	tick := time.NewTicker(retry)
	defer tick.Stop()
	for {
		if locked, err = tryLock(f); locked || err != nil {
			break
		}
		select {
		case <-tick.C:
			continue
		case <-ctx.Done():
		}
		break
	}
	if err != nil {
		return nil, false, errors.Join(err, f.Close())
	}
	return func() { f.Close() }, locked, nil // closing it unlocks it
}
