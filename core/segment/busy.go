package segment

import "slices"

const (
	// maxBusy is how many main lines, and how many subagents' lines, have their
	// latest calls and words in memory. A stream may hold thousands of them, but
	// hardly this many that are worked on at the same time.
	maxBusy = 64
	// maxWaiting is how many bytes are kept of the calls without a result in lines
	// that are idle: some thousand calls.
	maxWaiting = 256 << 10
)

// busy are the threads that were added to last, the latest one at the end. What a
// thread remembers for a short while is dropped with the thread, but for the calls
// whose results are still to come.
//
//	latest  t7 t3 t9 … t1 ◀ added to now        at most maxBusy
//	   │ the oldest makes room: rest
//	   ▼
//	idle    t4 t8 …                             those with open calls, maxWaiting bytes
//	   │ over that: their calls are forgotten
//	   ▼
//	(only decisions, arcs and what rewinds left)
//
// An event of an idle thread wakes it: it comes back into latest with its calls.
type busy struct {
	latest  []*Thread
	idle    []*Thread // with such calls, idle the longest first
	waiting int       // bytes of these calls
}

// turnTo says that a thread is added to now.
func (b *busy) turnTo(t *Thread) {
	at := len(b.latest) - 1
	for at >= 0 && b.latest[at] != t {
		at--
	}
	if at >= 0 {
		copy(b.latest[at:], b.latest[at+1:])
		b.latest[len(b.latest)-1] = t
		return
	}
	b.wake(t)
	if len(b.latest) == maxBusy {
		b.rest(b.latest[0])
		copy(b.latest, b.latest[1:])
		b.latest = b.latest[:maxBusy-1]
	}
	b.latest = append(b.latest, t)
}

// has reports whether a thread is one of those that were added to last.
func (b *busy) has(t *Thread) bool { return slices.Contains(b.latest, t) }

// Rest drops what is remembered for events that are still to come: there are none.
// What others can ask for stays.
func (f *Facts) Rest() {
	for _, t := range f.threads { // each for itself, in any order
		t.said, t.announced, t.calls, t.open, t.waiting = said{}, nil, calls{}, nil, 0
		t.gone, t.standing = nil, nil
	}
	f.mains, f.agents, f.last = busy{}, busy{}, nil
	f.Turns, f.New, f.Changed, f.Edits, f.Memories, f.Spawns = nil, nil, nil, nil, nil, nil
	f.Parted, f.Anchor = nil, nil
}

// rest drops what an idle thread need not remember: last words, announcements, the open
// exchange, and calls that have their results. If the calls that remain of all idle
// threads are too many, those of the thread that has been idle longest go.
func (b *busy) rest(t *Thread) {
	t.said, t.announced, t.open = said{}, nil, nil
	if t.waiting = t.calls.dropDone(); t.waiting == 0 {
		return
	}
	b.idle = append(b.idle, t)
	b.waiting += t.waiting
	for b.waiting > maxWaiting {
		b.idle[0].calls = calls{}
		b.wake(b.idle[0])
	}
}

// wake takes a thread from the idle ones.
func (b *busy) wake(t *Thread) {
	if t.waiting == 0 {
		return
	}
	at := 0
	for b.idle[at] != t {
		at++
	}
	copy(b.idle[at:], b.idle[at+1:])
	b.idle[len(b.idle)-1] = nil
	b.idle = b.idle[:len(b.idle)-1]
	b.waiting -= t.waiting
	t.waiting = 0
}
