package main

import (
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/memscribe/memscribe/io/intake"
)

// progress is one line on a terminal that says how far a long reading has got.
type progress struct {
	out   io.Writer
	now   func() time.Time
	size  int64
	start time.Time
	last  time.Time
	shown bool
}

// pace is how long a state of the line stands at least.
const pace = 100 * time.Millisecond

// newProgress returns nil where nobody would see it. With data that is printed
// meanwhile, it would run into them on a terminal.
func (a *app) newProgress(printing bool) *progress {
	if !isTerminal(a.stderr) || a.logFormat == "json" || printing && isTerminal(a.stdout) {
		return nil
	}
	return &progress{out: a.stderr, now: a.now, start: a.now()}
}

// of has the progress of a reading with these options shown.
func (p *progress) of(o *intake.Options) {
	if p != nil {
		o.Progress = p.update
	}
}

// over begins a reading, whose report keeps clear of the line. What it returns
// takes the line away.
func (p *progress) over(plan *intake.Plan, r *reporter) (end func()) {
	if p == nil {
		return func() {}
	}
	p.size = plan.Size
	r.clear = p.clear
	return p.clear
}

// update shows that done bytes have been read.
func (p *progress) update(done int64) {
	now := p.now()
	if now.Sub(p.last) < pace || now.Sub(p.start) < pace {
		return
	}
	p.last, p.shown = now, true
	rate := float64(done) / now.Sub(p.start).Seconds()
	left := ""
	if rest := p.size - done; rest > 0 && rate > 0 {
		left = ", " + time.Duration(float64(rest)/rate*float64(time.Second)).Round(time.Second).String() + " left"
	}
	if p.size == 0 { // it comes out of a pipe
		fmt.Fprintf(p.out, "\r\x1b[K%s, %s/s", size(done), size(int64(rate)))
		return
	}
	const width = 20
	full := int(width * min(done, p.size) / max(p.size, 1))
	fmt.Fprintf(p.out, "\r\x1b[K[%s%s] %s of %s, %s/s%s",
		strings.Repeat("=", full), strings.Repeat(" ", width-full), size(done), size(p.size), size(int64(rate)), left)
}

// clear takes the line away.
func (p *progress) clear() {
	if p.shown {
		fmt.Fprint(p.out, "\r\x1b[K")
		p.shown = false
	}
}

// size writes a number of bytes for people.
func size(n int64) string {
	const unit = 1000
	if n < unit {
		return fmt.Sprintf("%d B", n)
	}
	f, prefixes := float64(n)/unit, "kMGTPE"
	for f >= unit {
		f /= unit
		prefixes = prefixes[1:]
	}
	return fmt.Sprintf("%.1f %cB", f, prefixes[0])
}
