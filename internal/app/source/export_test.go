package source

import (
	"context"

	"github.com/memscribe/memscribe/internal/app/host"
	"github.com/memscribe/memscribe/internal/sink"
)

// OnLanes reads the parts of the plan on so many lanes, and returns how many sources
// were read again since they belong together.
func (r *Reading) OnLanes(ctx context.Context, s sink.Sink, parts [][]int, jobs int) (again int, err error) {
	x := r.lanes(s, parts)
	err = x.run(ctx, jobs)
	return x.again, err
}

// Paced returns what the collector is told while so many bytes live, one after the other.
func Paced(live ...int64) (told []int) {
	p := newPacer(host.Machine{
		Getenv: func(string) string { return "" }, SetGCPercent: func(percent int) int { told = append(told, percent); return 0 },
	})
	for _, n := range live {
		p.allow(n)
	}
	return told
}

// PacedBy returns whether the collector is told anything, with GOGC set to a value.
func PacedBy(gogc string) bool {
	p := newPacer(host.Machine{Getenv: func(string) string { return gogc }, SetGCPercent: func(int) int { return 0 }})
	return p.set != nil
}
