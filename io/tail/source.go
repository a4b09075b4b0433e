// Package tail follows growing files.
//
// One goroutine does everything. A notification or the clock wakes it; it checks what may
// have changed, reads the new bytes, passes them to its consumer, and sleeps when the
// consumer has settled. A slow consumer slows it down. No file blocks the others: long
// files are read in shares, limited by bytes and by time. Files with a notification come
// before those that a scan has found, but do not block them either.
//
// A file is identified by its path. It is continued as long as the path leads to the same
// file and its beginning has the recorded fingerprint; otherwise it is read from its start.
// Compressed files, and those that the consumer wants whole, are read from their start at
// every change.
//
// What a consumer gets for one file, as the file changes:
//
//	on disk                     calls
//	a.jsonl appears, 10 bytes   Take{Fresh, 10 bytes}  Take{Mark}        Settle
//	12 bytes are appended       Take{12 bytes}         Take{Mark}        Settle
//	it is overwritten           Take{Fresh, …}         Take{Mark}        Settle
//	it is deleted               Take{End, Gone}                          Settle
//	Run ends                    Take{End} for each file still begun      Settle
//
// Begin with [Source], whose Run is the loop, and [Consumer], whose methods it calls. What
// is read of one file at a time is in file.go; scans and notifications are in scan.go and
// watcher.go; databases and folders of files, which are no sequence of bytes, go to a
// [Keeper] (keep.go).
//
// How often everything is scanned, in case a notification was lost: every 30 seconds, and up to
// every two minutes while scans find nothing. Without notifications, as on some network file
// systems, it is every half second, and up to every 30 seconds. A scan that takes long makes
// the next ones rarer, to at most one in 5,000 times its duration, but never more than ten
// minutes apart.
//
// Bounds. At most 8 MiB or a quarter of a second of one file are read before the next one.
// After 32 MiB or 256 files the consumer must settle, so a crash repeats no more than that.
//
// How a file that has grown is checked cheaply: its last 48 bytes are compared, and one block
// of 16 KiB for every MiB that was read since. A file of up to 64 KiB is compared completely.
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

// Chunk is the next bytes of a file, or a change of its state: each field that is set says one
// thing, and the consumer takes them in the order of the fields. Chunks of one file come in
// the order of its bytes, without gaps and without overlap, until one is Fresh.
type Chunk struct {
	File  string // its path
	Path  string // the same with slashes, without the extension of a compressed file
	Place core.Adapter
	Fresh bool   // the file is read from its start; earlier chunks no longer count
	End   bool   // no chunk follows, except perhaps a Fresh one
	Gone  bool   // the file was deleted; End is set too
	Bytes []byte // may be empty; valid until Take returns
	// Mark, if not nil, says that this chunk completes the content of the file with this
	// stamp.
	Mark *discover.Stamp
}

// Consumer receives what a Source reads. Its methods are called on the goroutine of Run.
// After an error nothing more is read, and Run returns the error.
//
// The order is the promise: what Take was given is durable only when the next Settle has
// returned. A process that ends in between reads these bytes again.
type Consumer interface {
	// Take receives a chunk. It need not be durable when it returns.
	Take(ctx context.Context, c Chunk) error
	// Whole reports, when a file was read to its end, whether it is always rewritten as
	// a whole. Then it gets an End, and is read from its start at every change.
	Whole(file string) bool
	// Settle makes durable what was taken. Idle says that there is nothing to read.
	Settle(ctx context.Context, idle bool) error
}

// settleSize and settleFiles are how many bytes, and how many files, are read before the
// consumer must settle: they bound what a crash makes it read again.
const (
	settleSize  = 32 << 20
	settleFiles = 256
)

// Source follows the files below some folders. Its exported fields are set before Run or Once,
// one of which may be called once, and do not change then. Report and Log must not be nil.
type Source struct {
	Roots []discover.Root
	// Report is called for a file that cannot be read. The others are read.
	Report func(file string, err error)
	// Log is for what the system cannot do.
	Log *slog.Logger
	// Wake, if not nil, replaces notifications and the clock: everything is scanned
	// whenever it receives.
	Wake <-chan time.Time
	// FollowLinks says to follow symbolic links out of the Roots.
	FollowLinks bool
	// IsStore, if not nil, reports whether a path is that of a tool's database. A file
	// there that is not one is reported.
	IsStore func(path string) bool
	// Left, if not nil, is called once for each symbolic link that is not followed.
	Left func(path string)
	// Clock, if not nil, limits the time of a share, and makes scans that take long rarer.
	// The result depends on neither.
	Clock func() time.Time
	// Keeper, if not nil, reads some files itself; see [Keeper].
	Keeper Keeper
	// Grace is how long the last Settle may take when Run ends; 0 is no limit.
	Grace time.Duration
	// Rest, if not nil, is called on the goroutine of Run when nothing had to be read for some
	// seconds: once after the first scan, and once after each time that something was read.
	Rest func()
	// Quiet, if not nil, replaces the clock of Rest.
	Quiet <-chan time.Time

	files         map[string]*file
	dirs          map[string]struct{} // folders with files
	walk          *discover.Walk      // of the last scan
	queue         queue
	reportedLinks map[string]struct{} // links that were passed to Left
	watcher       *watcher
	buf           []byte
	seed          maphash.Seed
	read          atomic.Int64
	settled       int64 // value of read at the last Settle
	looks         int   // number of files read since then
	added         bool  // Roots has some that were not scanned

	unpacking *file // the last compressed file that was begun
}

// Add adds a folder. Only the consumer may call it, from its methods. The folder is read
// before the next idle Settle.
func (s *Source) Add(r discover.Root) {
	s.Roots = discover.Include(s.Roots, r)
	s.added = true
}

// Resume declares, before anything is read, that the content of a file with this stamp is
// done. The file is read from its start when it changes, or at once if the stamp is zero. If
// it was deleted, the consumer gets an End.
func (s *Source) Resume(path string, stamp discover.Stamp) {
	if s.files == nil {
		s.files = map[string]*file{}
	}
	s.files[path] = &file{path: path, stamp: stamp, isDone: true}
}

// Again reads a file from its start as soon as possible, if it exists. The consumer may call
// it at any time.
func (s *Source) Again(path string) {
	if f := s.files[path]; f != nil {
		f.release()
		f.isDone = false
		s.queue.push(f, true)
	}
}

// Release frees the memory that is needed to continue a file. It is read from its start when
// it changes. The consumer may call it at any time.
func (s *Source) Release(path string) {
	if f := s.files[path]; f != nil {
		f.release()
	}
}

// BytesRead returns the number of bytes read. It is safe for concurrent use.
func (s *Source) BytesRead() int64 { return s.read.Load() }

// Once reads all files to their end and returns. An error of the consumer or of ctx ends it;
// one of a file is reported, and the file left out.
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

// Run reads all files and then follows them until ctx ends. It returns nil then, after a
// last Settle that may take up to Grace. Any other error is of the consumer, or of the
// folders that are followed.
func (s *Source) Run(ctx context.Context, c Consumer) error {
	err := s.follow(ctx, c)
	if ctx.Err() != nil && (err == nil || errors.Is(err, ctx.Err())) {
		return s.last(context.WithoutCancel(ctx), c)
	}
	return err
}

// last calls finish, within Grace.
func (s *Source) last(ctx context.Context, c Consumer) error {
	if s.Grace > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, s.Grace)
		defer cancel()
	}
	return s.finish(ctx, c)
}

// follow reads all files, then waits for notifications and, in case one was lost, the clock,
// until ctx ends.
func (s *Source) follow(ctx context.Context, c Consumer) error {
	wake, pace := s.Wake, func() {}
	if wake == nil {
		s.watcher = newWatcher(s.Log)
		defer s.watcher.close()
		clock := time.NewTimer(time.Hour)
		defer clock.Stop()
		wake, pace = clock.C, func() { clock.Reset(s.watcher.interval()) }
	}
	r := s.newRest()
	defer r.stop()
	err := s.scan(ctx, c)
	pace()
	for err == nil {
		r.wait(!s.queue.isEmpty())
		if err = s.drain(ctx, c); err != nil {
			break
		}
		select {
		case <-ctx.Done():
			err = ctx.Err()
		case <-wake:
			err = s.scan(ctx, c)
			pace()
		case <-r.quiet:
			r.end()
		case e := <-s.watcher.events():
			err = s.changed(ctx, c, e)
		case lost := <-s.watcher.errors():
			s.watcher.lost(lost)
			err = s.scan(ctx, c)
		}
	}
	return err
}

// drain reads the queued files and those that change meanwhile, until none is left, and settles.
// Notifications are taken in between, so that a busy file is read again only behind others.
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
		s.settled, s.looks = s.BytesRead(), 0
		if err := c.Settle(ctx, true); err != nil || s.queue.isEmpty() {
			return err
		}
	}
}

// next reads a share of the next queued file.
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
	case isInput && errors.Is(input.Err, fs.ErrNotExist): // a scan will find that
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
	s.looks++
	if s.queue.isEmpty() || !last && s.looks < settleFiles && s.BytesRead()-s.settled < settleSize {
		return nil
	}
	s.settled, s.looks = s.BytesRead(), 0
	return c.Settle(ctx, false)
}

// finish ends the files that were read to their end. Their last lines may make the consumer
// ask for other files; these are read and ended too, unless reading was interrupted.
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

// end ends the files that were read to their end.
func (s *Source) end(ctx context.Context, c Consumer) error {
	for _, f := range s.sorted() {
		if f.isKept {
			if err := s.Keeper.End(f.path, false); err != nil {
				return err
			}
		}
		if !f.isDone || !f.isBegun {
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

// failed reports an error of a file once.
func (s *Source) failed(f *file, err error) {
	if f.failed != err.Error() {
		f.failed = err.Error()
		s.Report(f.path, err)
	}
}
