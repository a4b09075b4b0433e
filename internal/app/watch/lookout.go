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

// lookout looks whether the files that a watch writes to are still those that their
// names lead to. A program that has a file open does not see that it was removed.
// The nil lookout looks at nothing.
//
// Its fields below mu are shared by the goroutine that looks and the one that delivers.
type lookout struct {
	state *state
	out   string
	grows bool // out is only ever added to

	mu    sync.Mutex
	began bool
	was   filestate.State // of out: its size is the one when it was last settled
	log   filestate.State // of the log of a database; zero until it is there
}

// glance is how often: what is lost is noticed within a second, and who has nothing to
// do is hardly woken.
const glance = 800 * time.Millisecond

// beside has the lookout at work while something else is done, which it ends with a
// [sink.ErrLost].
//
// do gets a context whose cause says what was lost. An error of do that has another
// cause is returned as it is.
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

// run looks until ctx ends, or something is lost.
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

// begin notes which file the sink has opened.
func (l *lookout) begin() {
	if l != nil {
		l.note()
	}
}

// settled notes how much of the file is safe.
func (l *lookout) settled() {
	if l != nil {
		l.note()
	}
}

// note remembers the state of the output after a delivery. The size only grows,
// because the check may run while a delivery is under way.
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

// look says what is lost, if something is.
//
// Four things count as lost: the state folder or a lock was replaced, the output is
// another file than before, an output that only grows is shorter than what was
// delivered, or the log of a database is gone: SQLite removes it when the last process
// closes the database, and this one has it open. An output that cannot be looked at for another reason than being gone
// counts as there.
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

// logOf returns the write-ahead log of a database.
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

// isGone reports whether no file has this name any more. Other errors count as
// there: the file may only be out of reach.
func isGone(name string) bool {
	_, err := os.Stat(name)
	return errors.Is(err, os.ErrNotExist)
}
