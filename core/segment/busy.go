package segment

// maxBusy is how many main lines, and how many subagents' lines, have their latest
// calls and words in memory. A stream may hold thousands of them, but hardly this
// many that are worked on at the same time.
const maxBusy = 64

// busy are the threads that were added to last, the latest one at the end. What a
// thread remembers for a short while is dropped with the thread.
type busy struct{ latest []*Thread }

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
	if len(b.latest) == maxBusy {
		idle := b.latest[0]
		idle.said, idle.calls = said{}, calls{}
		copy(b.latest, b.latest[1:])
		b.latest = b.latest[:maxBusy-1]
	}
	b.latest = append(b.latest, t)
}
