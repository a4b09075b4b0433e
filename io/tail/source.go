// Package tail follows files while they grow.
//
// One goroutine does everything: it is woken by a notification or by the clock,
// looks at what may have changed, reads the new bytes and hands them to its
// consumer, and goes back to sleep when the consumer has settled. A consumer
// that is slow is what slows it down.
//
// A file that became shorter, or another one under the same name, is read again
// from its start. Compressed files, and those of which the consumer says so, are
// read whole whenever they change.
package tail

import (
	"context"
	"errors"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"time"

	"github.com/fsnotify/fsnotify"

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
	Bytes []byte // may be empty; valid until Take returns
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
	// Settle makes durable what was taken. It is called when there is nothing
	// to read for the moment; only then positions are final.
	Settle(ctx context.Context) error
}

// How often everything is looked at, notified or not.
const (
	notified   = 30 * time.Second // notifications get lost
	unnotified = 2 * time.Second
)

// Source follows the files below some folders. Run may be called once.
type Source struct {
	Roots []discover.Root
	// Report is told of a file that cannot be read; the others are.
	Report func(file string, err error)
	// Log gets what the machine cannot do.
	Log *slog.Logger
	// Wake, if not nil, stands for notifications and the clock: Source looks at
	// everything whenever it receives.
	Wake <-chan time.Time

	files   map[string]*file
	watcher *watcher
	buf     []byte
	added   bool // Roots has some that were never looked at
}

// Add has another folder followed. Only the consumer may call it, from within its
// methods: what lies there is read before it is next asked to settle.
func (s *Source) Add(r discover.Root) {
	s.Roots = append(s.Roots, r)
	s.added = true
}

// Once reads everything there is and returns.
func (s *Source) Once(ctx context.Context, c Consumer) error {
	if err := s.scan(ctx, c); err != nil {
		return err
	}
	return s.finish(ctx, c)
}

// Run reads everything there is and then what comes, until ctx ends. It returns
// nil then, after a last Settle.
func (s *Source) Run(ctx context.Context, c Consumer) error {
	err := s.follow(ctx, c)
	if ctx.Err() != nil {
		return s.finish(context.WithoutCancel(ctx), c)
	}
	return err
}

func (s *Source) follow(ctx context.Context, c Consumer) error {
	wake, pace := s.Wake, func() {}
	if wake == nil {
		s.watcher = newWatcher(s.Log)
		defer s.watcher.close()
		clock := time.NewTicker(notified)
		defer clock.Stop()
		wake, pace = clock.C, func() { clock.Reset(s.watcher.interval()) }
	}
	err := s.scan(ctx, c)
	for err == nil {
		pace()
		if err = c.Settle(ctx); err != nil {
			break
		}
		select {
		case <-ctx.Done():
			err = ctx.Err()
		case <-wake:
			err = s.scan(ctx, c)
		case e := <-s.watcher.events():
			err = s.changed(ctx, c, e)
		case lost := <-s.watcher.errors():
			s.Log.Debug("notifications were lost", slog.Any("error", lost))
			err = s.scan(ctx, c)
		}
	}
	return err
}

// finish ends the files that were read to their end.
func (s *Source) finish(ctx context.Context, c Consumer) error {
	for _, f := range s.sorted() {
		if !f.done {
			continue
		}
		if err := c.Take(ctx, f.chunk(Chunk{End: true})); err != nil {
			return err
		}
	}
	return c.Settle(ctx)
}

// scan looks at everything, and at what the consumer adds meanwhile.
func (s *Source) scan(ctx context.Context, c Consumer) error {
	for {
		s.added = false
		if err := s.scanRoots(ctx, c); err != nil || !s.added {
			return err
		}
	}
}

func (s *Source) scanRoots(ctx context.Context, c Consumer) error {
	if s.files == nil {
		s.files = map[string]*file{}
	}
	for _, f := range s.files {
		f.seen = false
	}
	var w discover.Walk
	for i := range s.Roots {
		if err := s.scanRoot(ctx, &w, &s.Roots[i], c); err != nil {
			return err
		}
	}
	return s.gone(ctx, c)
}

func (s *Source) scanRoot(ctx context.Context, w *discover.Walk, r *discover.Root, c Consumer) error {
	s.watcher.addExisting(r.Dir)
	w.Enter = func(path, rel string) bool {
		if !r.Enter(rel) {
			return false
		}
		s.watcher.add(path) // before it is read, so that nothing is missed
		return true
	}
	for f, err := range w.Files(r.Dir) {
		if err != nil {
			s.unreadable(f, err)
			continue
		}
		if !r.Holds(f.Rel) {
			continue
		}
		if err := s.look(ctx, s.file(f.Path, r.Adapter), f.Info, c); err != nil {
			return err
		}
	}
	return nil
}

func (s *Source) unreadable(f discover.File, err error) {
	if f.Rel == "." && errors.Is(err, fs.ErrNotExist) {
		return // the tool is not used here, or not yet
	}
	s.failed(s.file(f.Path, nil), err)
}

// failed reports an error of a file, but not again and again.
func (s *Source) failed(f *file, err error) {
	f.seen = true
	if f.failed != err.Error() {
		f.failed = err.Error()
		s.Report(f.path, err)
	}
}

// gone ends files that are no longer there.
func (s *Source) gone(ctx context.Context, c Consumer) error {
	for _, f := range s.sorted() {
		if f.seen {
			continue
		}
		if err := c.Take(ctx, f.chunk(Chunk{End: true})); err != nil {
			return err
		}
		delete(s.files, f.path)
	}
	return nil
}

// changed looks at the files of which notifications have come.
func (s *Source) changed(ctx context.Context, c Consumer, first fsnotify.Event) error {
	for _, path := range s.watcher.paths(first) {
		f := s.files[path]
		if f == nil && !s.concerns(path) {
			continue
		}
		info, err := os.Stat(path)
		if f == nil || err != nil || !info.Mode().IsRegular() {
			return s.scan(ctx, c) // something came or went
		}
		if err := s.look(ctx, f, info, c); err != nil {
			return err
		}
	}
	if s.added {
		return s.scan(ctx, c)
	}
	return nil
}

// concerns reports whether a path that is not known may lead to a transcript.
func (s *Source) concerns(path string) bool {
	for i := range s.Roots {
		r := &s.Roots[i]
		if within(path, r.Dir) {
			return true // a root, or what lies above one
		}
		rel, err := filepath.Rel(r.Dir, path)
		if rel = filepath.ToSlash(rel); err == nil && (r.Holds(rel) || r.Enter(rel)) {
			return true
		}
	}
	return false
}

// within reports whether path is dir or lies below it.
func within(dir, path string) bool {
	rel, err := filepath.Rel(dir, path)
	return err == nil && filepath.IsLocal(rel)
}

// look reads what is new in a file.
func (s *Source) look(ctx context.Context, f *file, info fs.FileInfo, c Consumer) error {
	f.seen = true
	if f.isUnchanged(info) {
		return nil
	}
	err := s.read(ctx, f, c)
	if input, ok := errors.AsType[*inputError](err); ok {
		s.failed(f, input.err)
		return nil
	}
	f.failed = ""
	return err
}
