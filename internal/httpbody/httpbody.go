// Package httpbody reads request bodies in bounded memory, so that slow clients cannot block
// others.
//
// A server with a fixed number of places could be blocked by a few clients that occupy them and
// send a byte now and then. Here a body is read before it gets a place, and a [Pool] bounds
// what has been read. When the bound is reached, the body that arrives slowest is dropped. So a
// slow client can only displace other slow clients.
//
//	b := pool.Open(w, r, 16<<20)
//	defer b.Close()                    // its bytes count until here
//	text, err := io.ReadAll(b)         // ErrSlow: it was dropped
//	if !b.Whole() { … }                // from here on it is not dropped any more
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

// Whole says that the body was read to its end. It reports whether the body had not been
// dropped before. The body still counts, but is not dropped any more.
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

// slower reports whether a body arrives more slowly than another. Of equally slow ones the
// older is the slower.
func (b *Body) slower(other *Body, now time.Time) bool {
	mine, its := b.rate(now), other.rate(now)
	return mine < its || mine == its && b.begun.Before(other.begun)
}

// rate returns the average rate of the body in bytes per second. 64 KiB are added and the time
// counts as at least a second, so that a body that has just begun is not the slowest.
func (b *Body) rate(now time.Time) float64 {
	const start = 64 << 10 // as much as may come with the headers
	return float64(b.read+start) / max(now.Sub(b.begun).Seconds(), 1)
}
