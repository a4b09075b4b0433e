// Package httpbody reads request bodies in bounded memory, so that slow clients
// cannot block others.
//
// A server that gives a request one of its places before the body is there can be
// shut by a few clients that send a byte now and then. A server that reads first
// and gives places later needs a bound on what it has read: this is it. When it is
// reached, the body that comes slowest is given up, so that whoever sends slowly
// can only be in the way of others who do.
package httpbody

import (
	"errors"
	"io"
	"net/http"
	"sync"
	"time"
)

// Pool bounds the bodies that are being read. It may be used by several
// goroutines.
type Pool struct {
	limits Limits
	lock   sync.Mutex
	bytes  int64
	open   map[*Body]struct{}
}

// Limits are those of a [Pool].
type Limits struct {
	Bytes int64 // that have been read of all bodies together
	Most  int   // bodies at a time
	Now   func() time.Time
}

// New returns a Pool.
func New(l Limits) *Pool { return &Pool{limits: l, open: map[*Body]struct{}{}} }

// Body is one that is being read. It counts until it is closed.
type Body struct {
	pool    *Pool
	from    io.Reader
	give    func(time.Time) error // ends a read that waits
	begun   time.Time
	read    int64
	evicted bool
}

// ErrSlow is the error of a body that was given up.
var ErrSlow = errors.New("too much is being sent at once, and this came slowest")

// Open begins to read the body of a request, of at most so many bytes; a longer
// one is an [http.MaxBytesError].
func (p *Pool) Open(w http.ResponseWriter, r *http.Request, most int64) *Body {
	b := &Body{
		pool: p, from: http.MaxBytesReader(w, r.Body, most),
		give: http.NewResponseController(w).SetReadDeadline, begun: p.limits.Now(),
	}
	p.lock.Lock()
	defer p.lock.Unlock()
	p.open[b] = struct{}{}
	p.makeRoom()
	return b
}

// Read implements [io.Reader].
func (b *Body) Read(text []byte) (int, error) {
	n, err := b.from.Read(text)
	b.pool.lock.Lock()
	defer b.pool.lock.Unlock()
	if !b.evicted {
		b.read += int64(n)
		b.pool.bytes += int64(n)
		b.pool.makeRoom()
	}
	if b.evicted {
		return 0, ErrSlow
	}
	return n, err
}

// Whole says that the body has been read to its end, and reports whether it was not
// given up before. It counts on, and is not given up any more.
func (b *Body) Whole() bool {
	b.pool.lock.Lock()
	defer b.pool.lock.Unlock()
	delete(b.pool.open, b)
	return !b.evicted
}

// Close implements [io.Closer]. What was read counts no more.
func (b *Body) Close() error {
	b.pool.lock.Lock()
	defer b.pool.lock.Unlock()
	b.pool.drop(b)
	return nil
}

// drop forgets a body and its bytes.
func (p *Pool) drop(b *Body) {
	delete(p.open, b)
	p.bytes -= b.read
	b.read = 0
}

// makeRoom gives up the slowest bodies while there is too much.
func (p *Pool) makeRoom() {
	for len(p.open) > 0 && (p.bytes > p.limits.Bytes || len(p.open) > p.limits.Most) {
		now := p.limits.Now()
		var slowest *Body
		for b := range p.open {
			if slowest == nil || b.slower(slowest, now) {
				slowest = b
			}
		}
		slowest.evicted = true
		p.drop(slowest)
		// Where it is not supported the next read ends it.
		_ = slowest.give(time.Unix(1, 0))
	}
}

// slower reports whether a body comes slower than another: by what has come of it
// in a second, counting the first second as whole, so that a body has time to
// begin.
func (b *Body) slower(other *Body, now time.Time) bool {
	mine, its := b.rate(now), other.rate(now)
	return mine < its || mine == its && b.begun.Before(other.begun)
}

// rate returns how fast the body comes, in bytes a second.
func (b *Body) rate(now time.Time) float64 {
	const start = 64 << 10 // as much as may come with the headers
	return float64(b.read+start) / max(now.Sub(b.begun).Seconds(), 1)
}
