package watch

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/memscribe/memscribe/internal/filestate"
	"github.com/memscribe/memscribe/internal/panics"
	"github.com/memscribe/memscribe/internal/sink"
)

// lookout checks whether the paths of the output and the state folder still lead to the files
// that the watch has open. Without it, a program does not notice that an open file was removed:
// it would write to a file without a name. A nil lookout checks nothing.
//
// The fields after mu are shared by the goroutine that checks and the one that delivers.
type lookout struct {
	state *state
	out   string
	grows bool // out is only appended to

	mu    sync.Mutex
	began bool
	was   filestate.State // of out; the size is that after the last flush
	log   filestate.State // of a database's log; zero until it exists
}

// glance is the time between two checks: a loss is noticed within a second, and an idle program
// is rarely woken.
const glance = 800 * time.Millisecond

// beside runs do while the lookout checks. If something is lost, it cancels the context of do and
// returns [sink.ErrLost].
//
// The cause of that context says what was lost. Other errors of do are returned unchanged.
func (l *lookout) beside(ctx context.Context, do func(context.Context) error) error {
	if l == nil {
		return do(ctx)
	}
	inner, stop := context.WithCancelCause(ctx)
	done := make(chan struct{})
	go func() {
		defer close(done)
		stop(panics.Caught(func() error { return l.run(inner) }))
	}()
	err := do(inner)
	stop(nil)
	<-done
	if cause := context.Cause(inner); ctx.Err() == nil && errors.Is(cause, sink.ErrLost) {
		return cause
	}
	return err
}

// run checks until ctx ends or something is lost.
func (l *lookout) run(ctx context.Context) error {
	again := time.NewTicker(glance)
	defer again.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-again.C:
			if err := l.look(); err != nil {
				return err
			}
		}
	}
}

// begin records which file the sink has opened.
func (l *lookout) begin() {
	if l != nil {
		l.note()
	}
}

// settled records the size of the file after a flush.
func (l *lookout) settled() {
	if l != nil {
		l.note()
	}
}

// note records the state of the output after a delivery. The recorded size never shrinks, since
// a check may run during a delivery.
func (l *lookout) note() {
	is, ok := stampOf(l.out)
	log, hasLog := stampOf(logOf(l.out))
	l.mu.Lock()
	defer l.mu.Unlock()
	if hasLog && l.log == (filestate.State{}) {
		l.log = log
	}
	switch {
	case !ok:
	case !l.began:
		l.began, l.was = true, is
	case is.SameFile(l.was):
		l.was.Size = max(l.was.Size, is.Size)
	}
}

// look returns an error that says what is lost, or nil.
//
// Four things count as lost:
//
//	the state folder or a lock was replaced
//	the output is another file than before
//	the output is only appended to and is shorter than what was delivered
//	the log of the database is gone; SQLite removes it when the last process closes the
//	database, and this process has it open
//
// An output that cannot be examined for another reason counts as present.
func (l *lookout) look() error {
	if err := l.state.lost(); err != nil {
		return fmt.Errorf("%w: %w", sink.ErrLost, err)
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.began {
		return nil
	}
	is, ok := stampOf(l.out)
	switch {
	case ok && !is.SameFile(l.was):
		return fmt.Errorf("%s: %w: it was replaced", l.out, sink.ErrLost)
	case ok && l.grows && is.Size < l.was.Size:
		return fmt.Errorf("%s: %w: it was cut to %d bytes of %d", l.out, sink.ErrLost, is.Size, l.was.Size)
	case !ok && isGone(l.out):
		return fmt.Errorf("%s: %w: it was moved or removed", l.out, sink.ErrLost)
	case l.log == (filestate.State{}):
		return nil
	}
	switch log, ok := stampOf(logOf(l.out)); {
	case ok && !log.SameFile(l.log):
		return fmt.Errorf("%s: %w: it was replaced", logOf(l.out), sink.ErrLost)
	case !ok && isGone(logOf(l.out)):
		return fmt.Errorf("%s: %w: it was removed", logOf(l.out), sink.ErrLost)
	}
	return nil
}

// logOf returns the path of the write-ahead log of a database.
func logOf(out string) string {
	if real, err := filepath.EvalSymlinks(out); err == nil {
		out = real
	}
	return out + "-wal"
}

// stampOf returns the state of a file; false if there is none.
func stampOf(name string) (filestate.State, bool) {
	info, err := os.Stat(name)
	if err != nil {
		return filestate.State{}, false
	}
	return filestate.Of(name, info)
}

// isGone reports whether no file has this name. With another error the file counts as present:
// it may only be out of reach.
func isGone(name string) bool {
	_, err := os.Stat(name)
	return errors.Is(err, os.ErrNotExist)
}
