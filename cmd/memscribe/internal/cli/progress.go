package cli

import (
	"fmt"
	"strings"
	"time"

	"github.com/memscribe/memscribe/cmd/memscribe/internal/console"
	"github.com/memscribe/memscribe/internal/human"
	"github.com/memscribe/memscribe/io/input"
)

// Progress is one line on a terminal that says how far a long reading has got.
type Progress struct {
	Out   *console.Printer
	Now   func() time.Time
	size  int64
	Start time.Time
	last  time.Time
}

// Pace is how long a state of the line stands at least.
const Pace = 100 * time.Millisecond

// NewProgress returns nil where it would not be seen. With data that is printed
// meanwhile, it would run into them on a terminal.
func (a *App) NewProgress(printing bool) *Progress {
	if !a.Stderr.IsTerminal() || a.LogFormat == "json" || printing && a.Stdout.IsTerminal() {
		return nil
	}
	return &Progress{Out: a.Stderr, Now: a.Now, Start: a.Now()}
}

// Of has the progress of a reading with these options shown.
func (p *Progress) Of(o *input.Options) {
	if p != nil {
		o.Progress = p.Update
	}
}

// Over begins a reading. What it returns takes the line away.
func (p *Progress) Over(plan *input.Plan) (end func()) {
	if p == nil {
		return func() {}
	}
	p.size = plan.Size
	return func() { p.Out.Status("") }
}

// Update shows that done bytes have been read.
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
