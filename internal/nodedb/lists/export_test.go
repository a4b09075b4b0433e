package lists

import (
	"context"

	"github.com/memscribe/memscribe/internal/nodedb"
)

// Responses counts the responses that a filter leaves, and their tokens, with so many
// compared at once.
func Responses(ctx context.Context, r *nodedb.Reader, f Filter, most uint64) (n int, tokens int64, err error) {
	err = r.Snapshot(ctx, func(s nodedb.Snapshot) error {
		return responses(ctx, s, f, most, func(one *response) {
			n++
			tokens += one.input + one.output + one.cacheRead + one.cacheCreation
		})
	})
	return n, tokens, err
}
