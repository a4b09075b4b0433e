// Package journal stores what tools push as lines of JSON in append-only files, so
// that it can be read like a transcript.
//
// Whoever pushes is answered when the line is on the disk, and not before. Many
// processes may append at once: a hook is one that lives for milliseconds.
// Lines that come at the same moment share one write and one sync.
//
// A journal is a folder of segments, 000001.jsonl and on. What a crash left of a
// line is removed by the next writer. When the folder outgrows its bound, the
// oldest segments go.
//
// What is written has been scrubbed before: a journal outlives the moment, and no
// secret may. [HookLine] and [Scrubbed] make such lines.
//
// A hook's line, from the process of the hook to a node:
//
//	tool runs "memscribe hook" ─ HookLine ─ Append ─► 000001.jsonl ─► io/tail ─► adapters/hooks
//
// How callers share a write. Each adds its lines to the batch that waits and then takes
// its turn; the first one whose turn comes writes the whole batch, and the others find
// it done. A caller whose time is over gives up its turn and not its line.
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
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/memscribe/memscribe/internal/durable"
)

// Limits bound a journal on the disk.
type Limits struct {
	Segment int64 // size at which a new segment begins
	Total   int64 // size of all segments at which the oldest ones go
}

// Standard returns the limits unless somebody wants others.
func Standard() Limits { return Limits{Segment: 16 << 20, Total: 256 << 20} }

const suffix = ".jsonl"

// Journal appends to the segments of one folder. Its methods may be called by
// several goroutines.
type Journal struct {
	dir    string
	limits Limits

	// turn is a lock that can be waited for with a context.
	turn chan struct{} // held by who writes
	// mu guards next.
	mu   sync.Mutex
	next *batch // what waits to be written; nil is nothing

	doubt bool // the last sync failed: what the newest segment holds is not known
}

// batch is lines that are written together.
type batch struct {
	lines []byte
	done  bool
	err   error
}

// Open returns the journal in a folder, which it creates for the user alone.
func Open(dir string, limits Limits) (*Journal, error) {
	if err := durable.Create(dir); err != nil {
		return nil, fmt.Errorf("create journal: %w", err)
	}
	return &Journal{dir: dir, limits: limits, turn: make(chan struct{}, 1)}, nil
}

// Append writes lines, to which it adds the ends, and returns when they are
// durable, all of them. After an error none of them counts, though a write that
// could not be undone may leave some there.
//
// ctx bounds the waiting, not the write: a write that has begun is finished. If the
// lock of the folder cannot be had in time, the lines are written without it (see
// appendTo).
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

	// The batch is written by the first of its callers whose turn it is. One that
	// gives up leaves its line to the others; a turn that is free is taken even when
	// the time is over.
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

// write appends lines to the newest segment.
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

// appendTo writes lines behind the last whole one. Without the lock somebody
// else may be writing just now: what is not whole is then left to be a line of
// its own.
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

// lastLine returns the size of a file, and how much of it is whole lines.
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
		buf = make([]byte, 64<<10) // a torn line: rare
	}
	return size, 0, nil
}

// segment opens the newest segment for appending. Under the lock it begins a new
// one where that is due, and lets the oldest ones go.
//
// After a sync that failed a new segment is begun, since what the old one holds is not
// known.
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

// shrink removes the oldest segments until there is room for a new one.
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

type segment struct {
	path   string
	number int
	size   int64
}

// segments lists the segments in a folder, the oldest first.
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
			continue // it has just gone
		}
		if err != nil {
			return nil, err
		}
		all = append(all, segment{filepath.Join(dir, e.Name()), n, info.Size()})
	}
	slices.SortStableFunc(all, func(a, b segment) int { return a.number - b.number })
	return all, nil
}

// retry is how often a lock is tried that another process holds.
const retry = time.Millisecond

// lock takes the lock of a journal. A process that holds it and does not go on
// must not stop whoever is to be answered: when ctx ends, it is done without.
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
