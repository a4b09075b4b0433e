package segment_test

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/gate"
	"github.com/memscribe/memscribe/core/gate/lexicon"
	"github.com/memscribe/memscribe/core/segment"
)

// limited records with a limit on what is kept, and drops what is over it.
func limited(t testing.TB, limit int) *recorder {
	t.Helper()
	rules, err := gate.New(lexicon.Standard())
	if err != nil {
		t.Fatal(err)
	}
	return &recorder{Facts: segment.New(judge(t, rules), limit), t: t}
}

// TestShrink: what is over the limit are the oldest facts. They are not found by a
// rewind, nor do they hold for whoever looks back; the latest are as ever.
func TestShrink(t *testing.T) {
	r := limited(t, 64<<10)
	const n = 200
	for i := range n {
		r.add("", says(fmt.Sprintf("Use store number %d instead of the old one.", i)))
		if r.IsOverLimit() {
			r.DropOldest()
		}
	}
	if len(r.decisions) != n {
		t.Fatalf("%d decisions, want %d", len(r.decisions), n)
	}
	held := 0
	for i, d := range r.decisions {
		if d.Live(segment.Never-2, segment.Never-2) {
			held++
		} else if held > 0 {
			t.Errorf("decision %d is dropped, and one before it is not", i)
		}
	}
	dropped := r.Dropped()
	if held < 16 || held > 64 || dropped.Limit != 64<<10 || dropped.Decisions != int64(n-held) {
		t.Errorf("%d of %d decisions hold, dropped are %+v", held, n, dropped)
	}
	r.event(&core.Event{ID: "r", Body: &core.Rewind{ToEvent: "e0", ToSeq: 0}})
	if len(r.gone) != held {
		t.Errorf("a rewind took %d decisions, want the %d that are kept", len(r.gone), held)
	}
}

// TestShrinkThreads: lines of a session that are idle are dropped, those that are
// worked on are not.
func TestShrinkThreads(t *testing.T) {
	r := limited(t, 256<<10)
	r.add("", says(choice))
	main := r.decisions[0].Thread
	var first *segment.Thread
	for i := range 2000 {
		r.in(fmt.Sprint("session-", i), "", says(choice))
		if first == nil {
			first = r.decisions[1].Thread
		}
		if i%30 == 0 {
			r.add("", says("go on"))
		}
		if r.IsOverLimit() {
			r.DropOldest()
		}
	}
	if r.HasThread(first) {
		t.Error("the first session is kept, though thousands came after it")
	}
	if !r.HasThread(main) || main.Arc == nil {
		t.Error("a line that is worked on was dropped")
	}
}

// TestShrinkBounds: however much a stream decides, takes back and goes on with, what
// is kept of it stays about within its limit.
func TestShrinkBounds(t *testing.T) {
	const limit = 512 << 10
	for name, step := range map[string]func(r *recorder, i int){
		"decisions": func(r *recorder, i int) {
			r.add("", says(fmt.Sprintf("Use store number %d instead of the old one. %s", i, strings.Repeat("It is so. ", i%50))))
		},
		"rewinds": func(r *recorder, i int) {
			r.add("", replies(strings.Repeat("word ", 1000)))
			r.event(&core.Event{ID: fmt.Sprint("r", i), Body: &core.Rewind{ToEvent: "e0", ToSeq: r.seq - 1}})
		},
		"sessions": func(r *recorder, i int) { r.in(fmt.Sprint("session-", i), "", says(choice)) },
		"agents":   func(r *recorder, i int) { r.add(fmt.Sprint("agent-", i), replies("done")) },
		"arcs":     func(r *recorder, i int) { r.add("", says(fmt.Sprint("look at file ", i))) },
	} {
		t.Run(name, func(t *testing.T) {
			r := limited(t, limit)
			before := int64(0)
			for i := range 6000 {
				step(r, i)
				if r.IsOverLimit() {
					r.DropOldest()
				}
				r.decisions, r.gone, r.turns = nil, nil, nil
				if i == 2000 {
					before = inUse()
				}
			}
			// The lines that are worked on keep their latest words beside the limit.
			if grown := inUse() - before; grown > limit {
				t.Errorf("grew by %d bytes behind its limit of %d", grown, limit)
			}
			if r.Dropped().Limit == 0 {
				t.Error("nothing was dropped: the test is too short")
			}
		})
	}
}

// TestTakenBackOften: a decision that is revoked, and the revocation rewound, again
// and again, remembers so many of these times and no more.
func TestTakenBackOften(t *testing.T) {
	r := record(t)
	r.add("", says("Let's use Postgres instead of MySQL."))
	d := r.decisions[0]
	at := r.seq - 1
	for i := range 200 {
		r.add("", says("Actually no, not Postgres after all: revert that."))
		r.event(&core.Event{ID: fmt.Sprint("r", i), Body: &core.Rewind{ToEvent: "e0", ToSeq: at}})
	}
	if len(d.Gaps) < 2 {
		t.Fatalf("it was taken back %d times: the test says nothing", len(d.Gaps))
	}
	if len(d.Gaps) > 64 {
		t.Errorf("%d times are remembered", len(d.Gaps))
	}
}

func inUse() int64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}
