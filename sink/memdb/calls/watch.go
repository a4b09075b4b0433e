package calls

import (
	"context"
	"sync"
	"time"

	"github.com/memscribe/memscribe/sink/memdb/access"
	"github.com/memscribe/memscribe/sink/memdb/api"
	"github.com/memscribe/memscribe/sink/memdb/record"
)

const (
	// lookEvery is how long another server's write may go unseen where nothing hints at
	// it.
	lookEvery = time.Second
	// sayEvery is how often a watcher hears that nothing is newer.
	sayEvery = 30 * time.Second
	// patience is how long a watcher may take for one message.
	patience = 10 * time.Second
	// atOnce is how many changes are read at a time.
	atOnce = 100
)

// Watching says which changes a watcher wants.
type Watching struct {
	Namespace string
	// After is the position behind which to begin; nil: what is done from now on.
	After *int64
	Node  bool // with the nodes that memories carry
}

// Watch calls send with every change in a namespace, in order and each once, until ctx ends. A
// change without an action says that the watcher has seen everything up to its position:
//
//	write d1      {position 12, upsert, d1}
//	write d2      {position 15, write, d2}
//	nothing new   {position 15}                 every 30 s, so that both sides notice a dead connection
//
// Nothing is buffered for a watcher outside of the database. A watcher that takes more than ten
// seconds for a message gets an error, and can continue behind its last position.
func (c *Calls) Watch(ctx context.Context, w Watching, send func(*api.Change) error) (err error) {
	c.note(ctx, about{call: "WatchMemories", namespace: w.Namespace}, new(may(ctx, access.Read, w.Namespace)))
	if err = may(ctx, access.Read, w.Namespace); err != nil {
		return err
	}
	at, err := c.begin(ctx, &w)
	if err != nil {
		return err
	}
	v := watch{calls: c, namespace: w.Namespace, node: w.Node, at: at, send: send}
	look := time.NewTicker(c.lookEvery)
	defer look.Stop()
	for {
		rung := c.bells.next(w.Namespace) // asked for before the look, so that no ring is missed
		if err := v.catchUp(ctx); err != nil {
			return err
		}
		select {
		case <-rung:
		case <-look.C:
		case <-c.ended:
			return api.NewProblem(api.Unavailable, "the server stops; watch again after %d", v.at)
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// begin returns the position at which a watch begins. The namespace must exist.
func (c *Calls) begin(ctx context.Context, w *Watching) (int64, error) {
	found, err := c.store.Changes(ctx, api.ChangesRequest{Namespace: w.Namespace})
	if err != nil || w.After == nil {
		return found.Position, err
	}
	if *w.After < 0 || *w.After > found.Position {
		return 0, api.NewProblem(api.BadRequest, "after is %d, and the chain ends at %d", *w.After, found.Position)
	}
	return *w.After, nil
}

// watch is one watcher.
type watch struct {
	calls     *Calls
	namespace string
	node      bool
	at        int64     // what it has seen
	said      time.Time // when it heard last
	caught    bool      // it has seen all that was there when it began
	send      func(*api.Change) error
}

// catchUp sends the changes since the last message.
func (v *watch) catchUp(ctx context.Context) error {
	if err := stillMay(ctx, access.Read, v.namespace); err != nil {
		return err
	}
	for {
		found, err := v.calls.store.Changes(ctx, api.ChangesRequest{Namespace: v.namespace, After: v.at, Most: atOnce, IncludeNode: v.node})
		if err != nil {
			return err
		}
		for i := range found.Changes {
			if err := v.give(&found.Changes[i]); err != nil {
				return err
			}
		}
		v.at = found.Position
		if !found.More {
			break
		}
	}
	if now := v.calls.now(); !v.caught || now.Sub(v.said) >= sayEvery {
		v.caught = true
		return v.give(&api.Change{Position: v.at})
	}
	return nil
}

// give sends one message. A watcher that takes too long for it gets an error.
func (v *watch) give(c *api.Change) error {
	begun := v.calls.now()
	if err := v.send(c); err != nil {
		return err
	}
	v.at, v.said = c.Position, v.calls.now()
	if took := v.said.Sub(begun); took > patience {
		return api.NewProblem(api.TooManyRequests, "the watcher took %s for one message, and may take %s; it can watch again after %d", took.Round(time.Second), patience, v.at)
	}
	return nil
}

// listener is a store that is notified of writes through other servers.
type listener interface {
	// Listen calls ring with the [record.Hint] of each namespace in which something was
	// done, and with "" when it may have been in any, until ctx ends.
	Listen(ctx context.Context, ring func(hint string))
}

// LookEvery sets how often a watcher looks for writes that no notification announced. It must
// be called before the first call.
func (c *Calls) LookEvery(d time.Duration) { c.lookEvery = d }

// Listen wakes watchers for writes through other servers, until ctx ends, if the store is
// notified of them.
func (c *Calls) Listen(ctx context.Context) {
	if s, ok := c.store.(listener); ok {
		s.Listen(ctx, c.bells.strike)
	}
}

// bells wake watchers when something was written. They are only hints: a watcher that misses
// one looks a second later.
type bells struct {
	lock    sync.Mutex
	waiting map[string]chan struct{} // by hint of the namespace
}

// next returns a channel that is closed at the next write in a namespace.
func (b *bells) next(namespace string) <-chan struct{} {
	b.lock.Lock()
	defer b.lock.Unlock()
	hint := record.Hint(namespace)
	if b.waiting[hint] == nil {
		b.waiting[hint] = make(chan struct{})
	}
	return b.waiting[hint]
}

// ring wakes the watchers of a namespace.
func (b *bells) ring(namespace string) { b.strike(record.Hint(namespace)) }

// strike is ring by the hint of a namespace, as another server sends it; "" wakes all watchers.
func (b *bells) strike(hint string) {
	b.lock.Lock()
	defer b.lock.Unlock()
	for h, c := range b.waiting {
		if h == hint || hint == "" {
			close(c)
			delete(b.waiting, h)
		}
	}
}
