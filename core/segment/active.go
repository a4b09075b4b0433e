package segment

import "slices"

const (
	// maxActive is how many main threads, and how many subagent threads, keep their
	// latest calls and words. A stream may have thousands of threads, but rarely this
	// many at the same time.
	maxActive = 64
	// maxIdleBytes limits the open calls of idle threads: some thousand calls.
	maxIdleBytes = 256 << 10
)

// activeThreads are the threads with the latest events, the very latest at the end. When
// there are too many, the oldest becomes idle and loses its short-lived fields, except the
// calls that have no result yet.
//
//	latest  t7 t3 t9 … t1 ◀ latest event        at most maxActive
//	   │ deactivate
//	   ▼
//	idle    t4 t8 …                             with open calls, at most maxIdleBytes
//	   │ over that: their calls are dropped
//	   ▼
//	(decisions, arcs and rewind points only)
//
// An event of an idle thread brings it back into latest, with its calls.
type activeThreads struct {
	latest    []*Thread
	idle      []*Thread // with open calls, the longest idle first
	idleBytes int       // bytes of their calls
}

// activate makes a thread the latest one.
func (b *activeThreads) activate(t *Thread) {
	at := len(b.latest) - 1
	for at >= 0 && b.latest[at] != t {
		at--
	}
	if at >= 0 {
		copy(b.latest[at:], b.latest[at+1:])
		b.latest[len(b.latest)-1] = t
		return
	}
	b.removeIdle(t)
	if len(b.latest) == maxActive {
		b.deactivate(b.latest[0])
		copy(b.latest, b.latest[1:])
		b.latest = b.latest[:maxActive-1]
	}
	b.latest = append(b.latest, t)
}

// contains reports whether a thread is active.
func (b *activeThreads) contains(t *Thread) bool { return slices.Contains(b.latest, t) }

// Finish drops what only later events of the stream would need: there are none. The facts
// that other streams can ask for stay.
func (f *Facts) Finish() {
	for _, t := range f.threads { // in any order
		t.lastWords, t.announced, t.calls, t.exchange, t.said, t.idleBytes = lastWords{}, nil, calls{}, nil, nil, 0
		t.rewinds, t.rewindable = nil, nil
	}
	f.mainThreads, f.subagentThreads, f.last = activeThreads{}, activeThreads{}, nil
	f.Turns, f.New, f.Changed, f.Edits, f.Memories, f.Spawns = nil, nil, nil, nil, nil, nil
	f.Inherited, f.Anchor = nil, nil
}

// deactivate drops the last words, the announcements, the open exchange and the finished
// calls of a thread. If the open calls of all idle threads take more than maxIdleBytes,
// those of the longest idle thread are dropped.
func (b *activeThreads) deactivate(t *Thread) {
	t.lastWords, t.announced, t.exchange, t.said = lastWords{}, nil, nil, nil
	if t.idleBytes = t.calls.dropDone(); t.idleBytes == 0 {
		return
	}
	b.idle = append(b.idle, t)
	b.idleBytes += t.idleBytes
	for b.idleBytes > maxIdleBytes {
		b.idle[0].calls = calls{}
		b.removeIdle(b.idle[0])
	}
}

// removeIdle removes a thread from the idle ones.
func (b *activeThreads) removeIdle(t *Thread) {
	if t.idleBytes == 0 {
		return
	}
	at := 0
	for b.idle[at] != t {
		at++
	}
	copy(b.idle[at:], b.idle[at+1:])
	b.idle[len(b.idle)-1] = nil
	b.idle = b.idle[:len(b.idle)-1]
	b.idleBytes -= t.idleBytes
	t.idleBytes = 0
}
