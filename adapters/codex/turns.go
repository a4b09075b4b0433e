package codex

import (
	"strconv"

	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/jsondoc"
)

// turns remembers what stood before each of a person's turns, which is where a rollback
// goes back to: "rolled back 2 turns" takes the last two marks away and goes back to
// the second. Injected events and bookkeeping are no marks.
type turns struct {
	before    []mark // a person's turns that stand, oldest first
	last      mark   // the last thing that was said or done
	seq       uint64 // of the last event
	rollbacks int
}

// mark is an event to go back to.
type mark struct {
	id  string
	seq uint64
}

// maxTurns bounds how far back a rollback can reach.
const maxTurns = 4096

// saw takes in an event that was emitted.
func (t *turns) saw(ev *core.Event) {
	t.seq = ev.Seq
	if _, skip := ev.Body.(*core.Unknown); skip || ev.Injected {
		return
	}
	t.last.seq = ev.Seq
	if ev.ID != "" {
		t.last.id = ev.ID
	}
}

// begin says that a person's turn comes next. Of more than maxTurns the older half is
// forgotten: a rollback of more reaches the oldest that is left.
func (t *turns) begin() {
	if len(t.before) == maxTurns {
		n := copy(t.before, t.before[maxTurns/2:])
		t.before = t.before[:n]
	}
	t.before = append(t.before, t.last)
}

// back takes n turns back and returns what is the last thing then.
func (t *turns) back(n int) mark {
	at := max(len(t.before)-n, 0)
	if at < len(t.before) {
		t.last = t.before[at]
		t.before = t.before[:at]
	}
	return t.last
}

// rolledBack reads that the last turns of the thread no longer count. Their
// records stay (0.105, recorded). Rollbacks add up in order.
func (p *parser) rolledBack(v jsondoc.Value) {
	n, ok := v.Get("num_turns").Int()
	if !ok || n <= 0 {
		p.note("event_msg/thread_rolled_back", true)
		return
	}
	p.turns.rollbacks++
	to := p.turns.back(int(min(n, maxTurns)))
	id := p.lineage.Origin + ":rollback:" + strconv.Itoa(p.turns.rollbacks)
	p.put(id, &core.Rewind{ToEvent: to.id, ToSeq: to.seq})
	p.turns.last = to
}
