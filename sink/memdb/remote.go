package memdb

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"path/filepath"
	"sync"
	"time"

	"github.com/memscribe/memscribe/internal/panics"
	"github.com/memscribe/memscribe/internal/sink"
	"github.com/memscribe/memscribe/sink/memdb/api"
	"github.com/memscribe/memscribe/sink/memdb/client"
	"github.com/memscribe/memscribe/sink/memdb/spool"
)

// RemoteOptions say to which server a [Remote] sink sends memories.
type RemoteOptions struct {
	Client    *client.Client
	Namespace string       // made if it is not there
	Dir       string       // of the spool and the dead letters
	Log       *slog.Logger // gets what somebody should look at; must not be nil

	// Patience, if it is not 0, has Flush wait until the server has everything;
	// if it gets nothing through for so long, that is an error. Else Flush returns
	// when everything is in the spool.
	Patience time.Duration
	// Pause is how long the first wait after a failure is, and MaxPause how long
	// one can become; 0 is a quarter of a second, and a minute.
	Pause, MaxPause time.Duration
	// Glance is how often the server is asked whether it still has what it took while
	// nothing is sent; 0 is a minute.
	Glance time.Duration
}

// Remote is a [sink.Sink] that sends memories to a server. Everything is stored in a spool on
// disk until the server has it, so an outage loses nothing and does not block the caller.
//
// Apply, Flush and Close are called by one goroutine. Sending runs on another one, which Close
// ends. The fields below setAside and lock are shared by the two.
type Remote struct {
	options RemoteOptions
	spool   *spool.Spool
	pending pending
	mark    string
	kept    kept

	setAside sync.Mutex
	dead     *deadLetters

	// Signals between the two goroutines. Each holds at most one, and sending never
	// blocks.
	wake    chan struct{} // that there is something to send
	hurry   chan struct{} // that somebody waits: try again now
	went    chan struct{} // that something was sent, or could not be
	stop    context.CancelFunc
	sending sync.WaitGroup

	lock sync.Mutex
	// Attempts to send are numbered: the latest that began, the latest that failed, and why
	// the last one did, if it did.
	began, failed int
	failing       error

	ready  bool // the namespace is there
	closed bool
}

// OpenRemote opens the spool and begins to send what waits in it.
func OpenRemote(ctx context.Context, o RemoteOptions) (*Remote, error) {
	if o.Pause == 0 {
		o.Pause = 250 * time.Millisecond
	}
	if o.MaxPause == 0 {
		o.MaxPause = time.Minute
	}
	if o.Glance == 0 {
		o.Glance = time.Minute
	}
	dead, err := openDead(filepath.Join(o.Dir, "memdb.dead.ndjson"), o.Log)
	if err != nil {
		return nil, err
	}
	s, err := spool.Open(ctx, filepath.Join(o.Dir, "memdb.spool"))
	if err != nil {
		return nil, err
	}
	id, err := s.ID(ctx)
	if err != nil {
		return nil, errors.Join(err, s.Close())
	}
	r := &Remote{
		options: o, spool: s, mark: id + " " + o.Namespace, dead: dead, kept: kept{client: o.Client, spool: s, log: o.Log},
		wake: make(chan struct{}, 1), hurry: make(chan struct{}, 1), went: make(chan struct{}, 1),
	}
	// Sending continues after the context that the sink was opened with has ended.
	own, stop := context.WithCancel(context.WithoutCancel(ctx))
	r.stop = stop
	r.sending.Go(func() { r.send(own) })
	return r, nil
}

// Apply implements [sink.Sink].
//
// It fails only if the disk of the spool fails, if the context ends, or if the server has lost
// what it had ([sink.ErrLost]). An unreachable server is no error.
func (r *Remote) Apply(ctx context.Context, lines []sink.Line) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if r.closed {
		return errors.New("send memories: the sink is closed")
	}
	if err := r.lost(); err != nil {
		return err
	}
	for i := range lines {
		if m, refused := r.pending.add(&lines[i]); refused != nil {
			if err := r.aside(&m, refused); err != nil {
				return err
			}
		}
	}
	if r.pending.bytes < enough {
		return nil
	}
	return r.put(ctx)
}

// aside stores a memory that the server refused, with the reason, in a file of its
// own. It would be refused again.
func (r *Remote) aside(m *api.MemoryWrite, reason error) error {
	r.setAside.Lock()
	defer r.setAside.Unlock()
	return r.dead.add(m, reason)
}

// asideItem stores a refused item of the spool. An item that cannot be decoded is
// stored under its number.
func (r *Remote) asideItem(item *spool.Item, reason error) error {
	var m api.MemoryWrite
	if err := api.Decode(item.Body, &m); err != nil {
		m.ID = fmt.Sprint("item ", item.Seq, " of the spool") // damaged there
	}
	return r.aside(&m, reason)
}

// put writes the pending memories to the spool.
func (r *Remote) put(ctx context.Context) error {
	if len(r.pending.memories) == 0 {
		return nil
	}
	if err := r.spool.Put(ctx, r.pending.memories); err != nil {
		return err
	}
	r.pending.clear()
	signal(r.wake)
	return nil
}

// signal wakes a receiver that waits on c. It never blocks.
func signal(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default: // it is known already
	}
}

// Flush implements [sink.Sink].
func (r *Remote) Flush(ctx context.Context) error {
	if r.closed {
		return errors.New("send memories: the sink is closed")
	}
	if len(r.pending.memories) > 0 {
		if err := r.put(ctx); err != nil {
			return err
		}
		if err := r.spool.Sync(ctx); err != nil {
			return err
		}
	}
	if r.options.Patience == 0 {
		return r.lost()
	}
	return r.await(ctx, r.options.Patience, false)
}

// await waits until the spool is empty. It gives up after patience without progress, or, with
// impatient, as soon as an attempt fails that began after the wait did. An earlier attempt does
// not count: the server may have returned since.
func (r *Remote) await(ctx context.Context, patience time.Duration, impatient bool) error {
	began, _, _ := r.attempts()
	signal(r.hurry)
	patient := time.NewTimer(patience)
	defer patient.Stop()
	for before := int64(-1); ; {
		left, err := r.spool.Len(ctx)
		if err != nil || left == 0 {
			return err
		}
		_, failed, failing := r.attempts()
		if left != before {
			patient.Reset(patience)
		} else if impatient && failed > began {
			return r.waiting(left, failing)
		}
		before = left
		select {
		case <-r.went:
		case <-patient.C:
			return r.waiting(left, failing)
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// waiting returns the error that says how many memories are still in the spool, and
// why.
func (r *Remote) waiting(left int64, err error) error {
	if err == nil {
		err = errors.New("the server is slow")
	}
	return fmt.Errorf("%d memories wait in %s and will be sent by the next run: %w", left, filepath.Join(r.options.Dir, "memdb.spool"), err)
}

// attempts returns the numbers of the latest attempt that began and of the latest that
// failed, and why the last one did, if it did.
func (r *Remote) attempts() (began, failed int, last error) {
	r.lock.Lock()
	defer r.lock.Unlock()
	return r.began, r.failed, r.failing
}

// closeTime is how long Close continues to send while the server accepts it.
const closeTime = 5 * time.Second

// Close implements [sink.Sink]. It flushes first. What the server does not accept within a few
// seconds stays in the spool for the next run.
func (r *Remote) Close() error {
	if r.closed {
		return nil
	}
	ctx := context.Background()
	err := r.put(ctx)
	if err == nil {
		err = r.spool.Sync(ctx)
	}
	r.closed = true
	if err == nil {
		if late := r.await(ctx, closeTime, true); late != nil {
			r.options.Log.Warn("not everything was sent", slog.Any("error", late))
		}
	}
	r.stop()
	r.sending.Wait()
	r.options.Client.Close()
	return errors.Join(err, r.spool.Close())
}

// Mark implements [sink.Marker].
func (r *Remote) Mark() string { return r.mark }

// Holds implements [sink.Marker]: everything that was put into this spool either was sent and
// is still on the server, or still waits here. A server that does not answer counts as having
// it until it answers.
func (r *Remote) Holds(mark string) bool {
	if mark != r.mark {
		return false
	}
	r.glance(context.Background())
	return r.lost() == nil
}

// lost returns an error if the server has lost memories and the caller can deliver them again.
// A sink that waits until everything has arrived (Patience) delivers everything in any case.
func (r *Remote) lost() error {
	if r.options.Patience == 0 && r.kept.lost.Load() {
		return fmt.Errorf("send memories: %w: the server holds an older copy", sink.ErrLost)
	}
	return nil
}

// How much is sent at a time.
const (
	sendMost  = api.MaxBatch
	sendBytes = 8 << 20
)

// send sends the content of the spool in its order until ctx ends. It runs on a goroutine of
// its own, for which Close waits.
//
// An error doubles the pause, up to MaxPause; success or an empty spool resets it.
func (r *Remote) send(ctx context.Context) {
	pause := r.options.Pause
	for ctx.Err() == nil {
		var sent int
		r.begin()
		err := panics.Caught(func() (err error) {
			sent, err = r.sendNext(ctx)
			return err
		})
		r.note(ctx, err)
		signal(r.went)
		switch {
		case err != nil:
			wait(ctx, jitter(pause), r.hurry)
			pause = min(2*pause, r.options.MaxPause)
		case sent == 0:
			pause = r.options.Pause
			if !wait(ctx, r.options.Glance, r.wake) {
				r.glance(ctx)
			}
		default:
			pause = r.options.Pause
		}
	}
}

// jitter returns a duration between one half and the whole of a pause, so that clients which
// lost a server together do not all return at the same time.
func jitter(pause time.Duration) time.Duration { return pause/2 + rand.N(pause/2+1) }

// wait waits for d, and reports whether wake ended it earlier.
func wait(ctx context.Context, d time.Duration, wake <-chan struct{}) (woken bool) {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return false
	case <-wake:
	case <-ctx.Done():
	}
	return true
}

// glance checks whether the server still has what it accepted. A server that does not answer
// counts as having it.
func (r *Remote) glance(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, askTime)
	defer cancel()
	if err := r.kept.look(ctx); err != nil {
		r.options.Log.Debug("cannot ask what the server holds", slog.Any("error", err))
	}
}

// Tidy implements [sink.Tidier]. It reports a server that has lost memories even if nothing
// more is delivered.
func (r *Remote) Tidy(context.Context) error { return r.lost() }

// begin counts an attempt to send.
func (r *Remote) begin() {
	r.lock.Lock()
	defer r.lock.Unlock()
	r.began++
}

// note records the result of the last attempt, and logs when that changes.
func (r *Remote) note(ctx context.Context, err error) {
	r.lock.Lock()
	defer r.lock.Unlock()
	was := r.failing
	if r.failing = err; err != nil {
		r.failed = r.began
	}
	switch {
	case ctx.Err() != nil:
	case err != nil && was == nil:
		r.options.Log.Error("cannot send memories; they wait in the spool", slog.Any("error", err))
	case err == nil && was != nil:
		r.options.Log.Info("sending memories again")
	}
}

// sendNext sends the next batch of the spool and returns its number of items. An item leaves
// the spool only after the server has answered for it.
func (r *Remote) sendNext(ctx context.Context) (sent int, err error) {
	items, err := r.spool.Next(ctx, sendMost, sendBytes)
	if err != nil || len(items) == 0 {
		return 0, err
	}
	if err = r.ensureNamespace(ctx); err != nil {
		return 0, err
	}
	if err = divide(ctx, items, r.write, r.asideItem); err != nil {
		return 0, err
	}
	if err = r.spool.Done(ctx, items); err != nil {
		return 0, err
	}
	return len(items), r.kept.look(ctx)
}

// ensureNamespace creates the namespace once per connection.
func (r *Remote) ensureNamespace(ctx context.Context) error {
	if r.ready {
		return nil
	}
	err := r.options.Client.EnsureNamespace(ctx, r.options.Namespace, api.NamespacePut{Description: "what was captured"})
	r.ready = err == nil
	return err
}

// write sends memories. If the namespace no longer exists, the memories are not to blame: the
// next attempt creates it first.
func (r *Remote) write(ctx context.Context, items []spool.Item) error {
	memories := make([][]byte, len(items))
	for i := range items {
		memories[i] = items[i].Body
	}
	_, err := r.options.Client.WriteEncoded(ctx, r.options.Namespace, memories)
	if api.IsKind(err, api.NotFound) {
		r.ready = false
		return fmt.Errorf("write memories: namespace %s is gone", r.options.Namespace)
	}
	return err
}
