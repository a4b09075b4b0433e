// Package tail follows growing files.
//
// One goroutine does everything: it is woken by a notification or by the clock,
// looks at what may have changed, reads the new bytes and hands them to its
// consumer, and goes back to sleep when the consumer has settled. A consumer
// that is slow is what slows it down. No file keeps the others waiting: what is
// much is read in shares, of so many bytes or so much time, and files for which a
// notification has come are read before those that a scan has found; one of these is
// read now and then all the same.
//
// A file is what its path leads to. It continues as long as that is the same file
// and begins with the bytes that were read of it, whose fingerprint is
// kept; else it is read again from its start. Compressed files, and those of
// which the consumer says so, are read whole whenever they change.
package tail

import (
	"context"
	"errors"
	"hash/maphash"
	"io/fs"
	"log/slog"
	"sync/atomic"
	"time"

	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/io/discover"
)

// Chunk is what was read of a file: the bytes that follow those of the chunk
// before.
type Chunk struct {
	File  string // as it was found
	Path  string // the same with slashes, without the suffix of compression
	Place core.Adapter
	Fresh bool   // the bytes are the first ones; what was read before counts no more
	End   bool   // no more will follow, but perhaps a Fresh one
	Gone  bool   // the file is not there any more; an End too
	Bytes []byte // may be empty; valid until Take returns
	// Mark, if not nil, says that with this chunk all has been handed over that
	// the file held when it looked so.
	Mark *discover.Stamp
}

// Consumer takes what a Source reads. Its methods are called on one goroutine,
// that of Run. After an error nothing more is read.
type Consumer interface {
	// Take takes in a chunk. It need not be durable yet.
	Take(ctx context.Context, c Chunk) error
	// Whole reports, when a file was read to its end for now, whether it is one
	// that is rewritten whole: it then gets its End, and is read from its start
	// whenever it changes.
	Whole(file string) bool
	// Settle makes durable what was taken; only then positions are final. Idle
	// says that there is nothing to read for the moment.
	Settle(ctx context.Context, idle bool) error
}

// settleSize and settleFiles are how much is read at most, and of how many files,
// before the consumer has to settle.
const (
	settleSize  = 32 << 20
	settleFiles = 256
)

// Source follows the files below some folders. Run or Once may be called once.
type Source struct {
	Roots []discover.Root
	// Report hears of a file that cannot be read; the others are.
	Report func(file string, err error)
	// Log gets what the machine cannot do.
	Log *slog.Logger
	// Wake, if not nil, stands for notifications and the clock: Source looks at
	// everything whenever it receives.
	Wake <-chan time.Time
	// FollowLinks has symbolic links followed out of the Roots.
	FollowLinks bool
	// IsStore, if not nil, says by its path whether a tool keeps a database there: what
	// stands there and is none is reported.
	IsStore func(path string) bool
	// Left, if not nil, hears once of each symbolic link that is not followed.
	Left func(path string)
	// Clock, if not nil, ends a share of a file when it has taken long, whatever its
	// bytes. Which shares a file is read in changes nothing of what is read.
	Clock func() time.Time
	// Keeper, if not nil, reads some files itself.
	Keeper Keeper
	// Grace is how long the last Settle may take when Run ends; 0 is as long as
	// it wants.
	Grace time.Duration

	files   map[string]*file
	dirs    map[string]struct{} // the folders below which files lie
	walk    *discover.Walk      // of the last scan
	queue   queue
	left    map[string]struct{} // links that are not followed
	watcher *watcher
	buf     []byte
	seed    maphash.Seed
	read    atomic.Int64
	settled int64 // value of read at the last Settle
	taken   int   // so many looks at files since then
	added   bool  // Roots has some that were never looked at

	unpacking *file // the last one whose unpacking began
}

// Add has another folder followed. Only the consumer may call it, from within its
// methods: what lies there is read before the consumer settles for long.
func (s *Source) Add(r discover.Root) {
	s.Roots = discover.Include(s.Roots, r)
	s.added = true
}

// Resume says, before anything is read, that all has been dealt with that a file
// held when it looked so: it is not read until it changes, and then from its
// start; with no stamp, at once. If it is not there any more, the consumer hears
// of it.
func (s *Source) Resume(path string, stamp discover.Stamp) {
	if s.files == nil {
		s.files = map[string]*file{}
	}
	s.files[path] = &file{path: path, stamp: stamp, done: true}
}

// Again has a file read from its start as soon as possible, if it is there. The
// consumer may call it at any time.
func (s *Source) Again(path string) {
	if f := s.files[path]; f != nil {
		f.release()
		f.done = false
		s.queue.push(f, true)
	}
}

// Release has a file read from its start when it changes, and frees the memory
// that is needed to read on. The consumer may call it at any time.
func (s *Source) Release(path string) {
	if f := s.files[path]; f != nil {
		f.release()
	}
}

// BytesRead is how much has been read of files. Any goroutine may ask.
func (s *Source) BytesRead() int64 { return s.read.Load() }

// Once reads everything there is and returns.
func (s *Source) Once(ctx context.Context, c Consumer) error {
	err := s.scan(ctx, c)
	for err == nil && !s.queue.isEmpty() {
		err = s.next(ctx, c)
	}
	if err != nil {
		return err
	}
	return s.finish(ctx, c)
}

// Run reads everything there is and then what comes, until ctx ends. It returns
// nil then, after a last Settle.
func (s *Source) Run(ctx context.Context, c Consumer) error {
	err := s.follow(ctx, c)
	if ctx.Err() != nil && (err == nil || errors.Is(err, ctx.Err())) {
		return s.last(context.WithoutCancel(ctx), c)
	}
	return err
}

// last finishes within Grace.
func (s *Source) last(ctx context.Context, c Consumer) error {
	if s.Grace > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, s.Grace)
		defer cancel()
	}
	return s.finish(ctx, c)
}

// follow reads what there is, then waits for notifications and, in case one was lost, for
// the clock, until the context ends.
func (s *Source) follow(ctx context.Context, c Consumer) error {
	wake, pace := s.Wake, func() {}
	if wake == nil {
		s.watcher = newWatcher(s.Log)
		defer s.watcher.close()
		clock := time.NewTimer(time.Hour)
		defer clock.Stop()
		wake, pace = clock.C, func() { clock.Reset(s.watcher.interval()) }
	}
	err := s.scan(ctx, c)
	pace()
	for err == nil {
		if err = s.drain(ctx, c); err != nil {
			break
		}
		select {
		case <-ctx.Done():
			err = ctx.Err()
		case <-wake:
			err = s.scan(ctx, c)
			pace()
		case e := <-s.watcher.events():
			err = s.changed(ctx, c, e)
		case lost := <-s.watcher.errors():
			s.watcher.lost(lost)
			err = s.scan(ctx, c)
		}
	}
	return err
}

// drain reads what waits, and what comes meanwhile, and settles.
func (s *Source) drain(ctx context.Context, c Consumer) error {
	for {
		for !s.queue.isEmpty() {
			if err := s.next(ctx, c); err != nil {
				return err
			}
			select {
			case e := <-s.watcher.events():
				if err := s.changed(ctx, c, e); err != nil {
					return err
				}
			default:
			}
		}
		s.settled, s.taken = s.BytesRead(), 0
		if err := c.Settle(ctx, true); err != nil || s.queue.isEmpty() {
			return err
		}
	}
}

// next reads a share of the next file that waits.
func (s *Source) next(ctx context.Context, c Consumer) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	f, last := s.queue.pop()
	if f == nil {
		return nil
	}
	more, err := s.takeOrLook(ctx, f, c)
	input, isInput := errors.AsType[*InputError](err)
	switch {
	case isInput && errors.Is(input.Err, fs.ErrNotExist): // a scan will say so
		return nil
	case isInput:
		s.failed(f, input.Err)
		return nil
	case err != nil:
		return err
	}
	f.failed = ""
	if more {
		s.queue.push(f, false)
	}
	if s.added {
		if err := s.scan(ctx, c); err != nil {
			return err
		}
	}
	s.taken++
	if s.queue.isEmpty() || !last && s.taken < settleFiles && s.BytesRead()-s.settled < settleSize {
		return nil
	}
	s.settled, s.taken = s.BytesRead(), 0
	return c.Settle(ctx, false)
}

// finish ends the files that were read to their end. By what the last lines say the
// consumer may find that it needs others: unless there was more to read anyway,
// they are read and ended too.
func (s *Source) finish(ctx context.Context, c Consumer) error {
	interrupted := !s.queue.isEmpty()
	for {
		if err := s.end(ctx, c); err != nil {
			return err
		}
		if interrupted || s.queue.isEmpty() {
			return c.Settle(ctx, true)
		}
		for !s.queue.isEmpty() {
			if err := s.next(ctx, c); err != nil {
				return err
			}
		}
	}
}

// end ends the files that were read to their end, and were not ended since.
func (s *Source) end(ctx context.Context, c Consumer) error {
	for _, f := range s.sorted() {
		if f.kept {
			if err := s.Keeper.End(f.path, false); err != nil {
				return err
			}
		}
		if !f.done || !f.begun {
			f.packed.close()
			continue
		}
		f.release()
		if err := c.Take(ctx, f.chunk(Chunk{End: true})); err != nil {
			return err
		}
	}
	return nil
}

// failed reports an error of a file, but not again and again.
func (s *Source) failed(f *file, err error) {
	if f.failed != err.Error() {
		f.failed = err.Error()
		s.Report(f.path, err)
	}
}
