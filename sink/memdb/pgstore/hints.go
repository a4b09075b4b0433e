package pgstore

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/memscribe/memscribe/internal/panics"
	"github.com/memscribe/memscribe/sink/internal/pg"
	"github.com/memscribe/memscribe/sink/memdb/record"
)

// channel is where servers before one database tell each other that something was
// done. Whoever may connect to the database can listen there, so what is said names no
// namespace: see [record.Hint].
const channel = "memscribe_memdb"

// The times of hints.
const (
	// between one hint and the next: what is done meanwhile is told together
	hintPause = 50 * time.Millisecond
	hintTime  = pg.Patience // for telling one, also while the database starts again
	// without a word, until it is tried whether the connection still stands
	hearTime = time.Minute
	mostWait = 30 * time.Second // before listening is tried again
)

// crier tells other servers where something was done, after it was done and beside the
// calls: a hint costs a writer nothing, and one that is lost costs a watcher elsewhere
// its next look.
//
// A hint is not part of a transaction. PostgreSQL lets only one transaction that
// notifies commit at a time, and other dialects have no NOTIFY at all.
type crier struct {
	pool  *pg.Pool
	wake  chan struct{} // holds one when there is something to tell
	bye   chan struct{} // closed when it shall end
	ended chan struct{}

	lock  sync.Mutex
	hints map[string]bool
}

// newCrier starts the goroutine that tells other servers what was written. It runs
// until the store is closed.
func newCrier(ctx context.Context, pool *pg.Pool) *crier {
	c := &crier{
		pool: pool, wake: make(chan struct{}, 1), bye: make(chan struct{}), ended: make(chan struct{}), hints: map[string]bool{},
	}
	// it lives as long as the store, not as the call that opens it
	go c.run(context.WithoutCancel(ctx))
	return c
}

// say has other servers told, soon, that something was done in a namespace.
func (c *crier) say(namespace string) {
	c.lock.Lock()
	c.hints[record.Hint(namespace)] = true
	c.lock.Unlock()
	select {
	case c.wake <- struct{}{}:
	default: // it will look anyway
	}
}

// run tells hints until the store closes; then it tells those that are left.
func (c *crier) run(ctx context.Context) {
	defer close(c.ended)
	pause := time.NewTimer(0)
	defer pause.Stop()
	for {
		select {
		case <-c.bye:
			c.tell(ctx)
			return
		case <-c.wake:
			c.tell(ctx)
		}
		pause.Reset(hintPause)
		select {
		case <-pause.C:
		case <-c.bye:
		}
	}
}

// tell tells what has been gathered. What fails is not told again: it is a hint.
func (c *crier) tell(ctx context.Context) {
	c.lock.Lock()
	hints := make([]string, 0, len(c.hints))
	for h := range c.hints {
		hints = append(hints, h)
	}
	clear(c.hints)
	c.lock.Unlock()
	if len(hints) == 0 {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, hintTime)
	defer cancel()
	_ = panics.Caught(func() error {
		return pg.RetryBusy(ctx, func() error {
			return c.pool.Exec(ctx, "SELECT pg_notify($1, h.hint) FROM unnest($2::text[]) AS h (hint)", channel, hints)
		})
	})
}

// close tells what is left, and ends.
func (c *crier) close() {
	close(c.bye)
	<-c.ended
}

// Listen calls ring with the hint of each namespace in which a server before this
// database did something, and with "" when any may have been missed: at first, and
// after the connection broke. It returns when ctx ends, or when the database says
// nothing of the kind.
func (s *Store) Listen(ctx context.Context, ring func(hint string)) {
	wait := time.Second
	for ctx.Err() == nil {
		var heard bool
		err := panics.Caught(func() (failed error) {
			heard, failed = s.listen(ctx, ring)
			return failed
		})
		if pg.Unable(err) {
			return
		}
		if heard {
			wait = time.Second
		}
		timer := time.NewTimer(wait)
		select {
		case <-timer.C:
		case <-ctx.Done():
			timer.Stop()
		}
		wait = min(2*wait, mostWait)
	}
}

// listen listens on a connection of its own until it breaks. heard is true if it stood.
func (s *Store) listen(ctx context.Context, ring func(hint string)) (heard bool, err error) {
	l, err := s.pool.Listen(ctx, channel)
	if err != nil {
		return false, err
	}
	defer l.Close() //nolint:contextcheck // it is closed also when ctx has ended
	ring("")
	for {
		quiet, cancel := context.WithTimeout(ctx, hearTime)
		hint, err := l.Wait(quiet)
		cancel()
		switch {
		case err == nil:
			ring(hint)
		case ctx.Err() != nil || !errors.Is(err, context.DeadlineExceeded):
			return true, err
		default:
			if err = l.Ping(ctx); err != nil {
				return true, err
			}
		}
	}
}
