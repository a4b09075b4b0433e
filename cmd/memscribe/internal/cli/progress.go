package cli

import (
	"fmt"
	"strings"
	"time"

	"github.com/memscribe/memscribe/cmd/memscribe/internal/console"
	"github.com/memscribe/memscribe/internal/human"
	"github.com/memscribe/memscribe/io/input"
)

// Progress is one line on a terminal that shows how far reading has come:
//
//	[========            ] 1.2 GB of 3.0 GB, 310 MB/s, 6s left
//
// All methods accept a nil Progress, which shows nothing.
type Progress struct {
	Out   *console.Printer
	Now   func() time.Time
	size  int64
	Start time.Time
	last  time.Time
}

// Pace is the shortest time between two states of the line.
const Pace = 100 * time.Millisecond

// NewProgress returns nil if the line would not be seen, or would be mixed with data: stderr
// must be a terminal, and stdout must not be one while printing is true.
func (a *App) NewProgress(printing bool) *Progress {
	if !a.Stderr.IsTerminal() || a.LogFormat == "json" || printing && a.Stdout.IsTerminal() {
		return nil
	}
	return &Progress{Out: a.Stderr, Now: a.Now, Start: a.Now()}
}

// Of makes a reading with these options report to the Progress.
func (p *Progress) Of(o *input.Options) {
	if p != nil {
		o.Progress = p.Update
	}
}

// Over begins to show the reading of a plan. The returned function removes the line.
func (p *Progress) Over(plan *input.Plan) (end func()) {
	if p == nil {
		return func() {}
	}
	p.size = plan.Size
	return func() { p.Out.Status("") }
}

// Update shows that done bytes have been read in all. It must be called by one goroutine at a
// time.
func (p *Progress) Update(done int64) {
	now := p.Now()
	if now.Sub(p.last) < Pace || now.Sub(p.Start) < Pace {
		return
	}
	p.last = now
	rate := float64(done) / now.Sub(p.Start).Seconds()
	left := ""
	if rest := p.size - done; rest > 0 && rate > 0 {
		left = ", " + time.Duration(float64(rest)/rate*float64(time.Second)).Round(time.Second).String() + " left"
	}
	if p.size == 0 { // it comes out of a pipe
		p.Out.Status(fmt.Sprintf("%s, %s/s", human.Size(done), human.Size(int64(rate))))
		return
	}
	const width = 20
	full := int(width * min(done, p.size) / max(p.size, 1))
	p.Out.Status(fmt.Sprintf("[%s%s] %s of %s, %s/s%s",
		strings.Repeat("=", full), strings.Repeat(" ", width-full), human.Size(done), human.Size(p.size), human.Size(int64(rate)), left))
}
