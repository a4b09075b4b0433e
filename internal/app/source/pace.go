package source

import (
	"runtime/metrics"
	"sync"

	"github.com/memscribe/memscribe/internal/app/host"
)

const (
	// lazy is how many percent of what is live may be garbage, as long as all of it
	// is within the budget and little is live. Reading leaves much garbage and little that
	// lives: beside 400, peaks are a sixth to a quarter lower, for 0 to 3 % more processor
	// time; with 100 from the beginning it would be up to 17 % more.
	lazy = 200
	// garbage is how many bytes of it may be there once more is live: what a history leaves
	// behind grows with its sessions, and garbage need not grow twice as fast. It may always
	// be strict percent, so that looking for it costs no more in a large history.
	garbage = 28 << 20
	strict  = 80
	// perPace is how many transcripts are read from one look at what is live to the next.
	perPace = 64
)

// pacer tells the collector how much garbage there may be by now. Several goroutines may
// use it.
type pacer struct {
	set func(percent int) int // nil: the collector is not ours to tell

	mu      sync.Mutex
	read    int // transcripts
	percent int // as the collector was told last
	live    [1]metrics.Sample
}

// newPacer returns a pacer behind [KeepTo].
func newPacer(e host.Machine) *pacer {
	p := &pacer{percent: lazy}
	if e.Variable("GOGC") == "" {
		p.set = e.SetGCPercent
	}
	p.live[0].Name = "/gc/heap/live:bytes"
	return p
}

// next is called for every transcript that was read.
func (p *pacer) next() {
	if p.set == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.read++; p.read%perPace != 0 {
		return
	}
	metrics.Read(p.live[:])
	if v := p.live[0].Value; v.Kind() == metrics.KindUint64 {
		p.allow(int64(v.Uint64()))
	}
}

// allow tells the collector what goes with so many bytes that live, if it makes a
// difference: to tell it stops the program for a moment.
func (p *pacer) allow(live int64) {
	percent := percentOf(live)
	if far := percent - p.percent; 8*max(far, -far) > p.percent {
		p.percent = percent
		p.set(percent)
	}
}

// percentOf returns how much garbage there may be beside so many bytes that live, in percent
// of them.
func percentOf(live int64) int {
	return int(min(lazy, max(strict, garbage*100/max(live, 1))))
}
