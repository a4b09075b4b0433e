package source

import (
	"context"

	"github.com/memscribe/memscribe/internal/sink"
)

// OnLanes reads the parts of the plan on so many lanes, and returns how many sources
// were read again since they belong together.
func (r *Reading) OnLanes(ctx context.Context, s sink.Sink, parts [][]int, jobs int) (again int, err error) {
	x := r.lanes(s, parts)
	err = x.run(ctx, jobs)
	return x.again, err
}
