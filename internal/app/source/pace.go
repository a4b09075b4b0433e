package source

import (
	"runtime/metrics"
	"sync"

	"github.com/memscribe/memscribe/internal/app/host"
)

const (
	// lazy is the GOGC percentage while little memory is live and all is within the budget.
	// Reading makes much garbage and little live memory. Compared with 400, peaks are a sixth
	// to a quarter lower, for 0 to 3 % more processor time; with 100 it would be up to 17 %
	// more.
	lazy = 200
	// garbage is how many bytes of garbage are allowed when more memory is live, so that
	// garbage does not grow twice as fast as the history. At least strict percent are always
	// allowed, so that collecting costs no more in a large history.
	garbage = 28 << 20
	strict  = 80
	// perPace is how many transcripts are read between two measurements of live memory.
	perPace = 64
)

// pacer adapts the GOGC percentage to the live memory:
//
//	live memory     up to 14 MiB    28 MiB    35 MiB and more
//	GOGC            200             100       80
//	garbage         up to 28 MiB    28 MiB    28 MiB and more
//
// It is safe for concurrent use.
type pacer struct {
	set func(percent int) int // nil if the user has set GOGC

	mu      sync.Mutex
	read    int // transcripts read since the last measurement
	percent int // the current setting
	live    [1]metrics.Sample
}

// newPacer returns a pacer. [KeepTo] must have been called.
func newPacer(e host.Machine) *pacer {
	p := &pacer{percent: lazy}
	if e.Variable("GOGC") == "" {
		p.set = e.SetGCPercent
	}
	p.live[0].Name = "/gc/heap/live:bytes"
	return p
}

// next must be called for every transcript that was read.
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

// allow sets the percentage for so many live bytes, if that differs much from the current one:
// setting it stops all goroutines for a moment.
func (p *pacer) allow(live int64) {
	percent := percentOf(live)
	if far := percent - p.percent; 8*max(far, -far) > p.percent {
		p.percent = percent
		p.set(percent)
	}
}

// percentOf returns the GOGC percentage for so many live bytes.
func percentOf(live int64) int {
	return int(min(lazy, max(strict, garbage*100/max(live, 1))))
}
