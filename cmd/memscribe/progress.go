package main

import (
	"fmt"
	"strings"
	"time"

	"github.com/memscribe/memscribe/cmd/memscribe/internal/console"
	"github.com/memscribe/memscribe/io/intake"
)

// progress is one line on a terminal that says how far a long reading has got.
type progress struct {
	out   *console.Printer
	now   func() time.Time
	size  int64
	start time.Time
	last  time.Time
}

// pace is how long a state of the line stands at least.
const pace = 100 * time.Millisecond

// newProgress returns nil where nobody would see it. With data that is printed
// meanwhile, it would run into them on a terminal.
func (a *app) newProgress(printing bool) *progress {
	if !a.stderr.IsTerminal() || a.logFormat == "json" || printing && a.stdout.IsTerminal() {
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

// over begins a reading. What it returns takes the line away.
func (p *progress) over(plan *intake.Plan) (end func()) {
	if p == nil {
		return func() {}
	}
	p.size = plan.Size
	return func() { p.out.Status("") }
}

// update shows that done bytes have been read.
func (p *progress) update(done int64) {
	now := p.now()
	if now.Sub(p.last) < pace || now.Sub(p.start) < pace {
		return
	}
	p.last = now
	rate := float64(done) / now.Sub(p.start).Seconds()
	left := ""
	if rest := p.size - done; rest > 0 && rate > 0 {
		left = ", " + time.Duration(float64(rest)/rate*float64(time.Second)).Round(time.Second).String() + " left"
	}
	if p.size == 0 { // it comes out of a pipe
		p.out.Status(fmt.Sprintf("%s, %s/s", size(done), size(int64(rate))))
		return
	}
	const width = 20
	full := int(width * min(done, p.size) / max(p.size, 1))
	p.out.Status(fmt.Sprintf("[%s%s] %s of %s, %s/s%s",
		strings.Repeat("=", full), strings.Repeat(" ", width-full), size(done), size(p.size), size(int64(rate)), left))
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
