package lists

import (
	"context"
	"fmt"
	"strings"

	"github.com/memscribe/memscribe/internal/nodedb"
	"github.com/memscribe/memscribe/internal/nodedb/schema"
)

// IDs are some of the ids that begin alike.
type IDs struct {
	Items []string
	More  bool // there are others
}

// lastChar sorts behind all that follows a beginning.
const lastChar = "\U0010ffff"

// SessionIDs returns the ids of sessions that begin so, the ones with the latest
// activity first, at most so many.
//
// It is for completing what a person types.
func SessionIDs(ctx context.Context, r *nodedb.Reader, f Filter, begin string, most int) (IDs, error) {
	return beginning(ctx, r, f, begin, most, `SELECT session FROM tally
		WHERE session >= ? AND session < ? AND %s GROUP BY session ORDER BY max(last) DESC, session LIMIT ?`)
}

// DecisionIDs does the same for decisions, but for those that a person rejected.
func DecisionIDs(ctx context.Context, r *nodedb.Reader, f Filter, begin string, most int) (IDs, error) {
	q := `SELECT id FROM nodes WHERE id >= ? AND id < ? AND kind = 'decision' AND %s
		AND id NOT IN (SELECT id FROM marks WHERE rejected) ORDER BY n DESC LIMIT ?`
	// What all of them begin with narrows nothing: then their order finds the newest.
	if strings.HasPrefix("decision:", begin) {
		q = strings.Replace(q, "id >= ? AND id <", "+id >= ? AND +id <", 1)
	}
	return beginning(ctx, r, f, begin, most, q)
}

// beginning asks for one more than are wanted: so it knows whether there are others.
func beginning(ctx context.Context, r *nodedb.Reader, f Filter, begin string, most int, query string) (ids IDs, err error) {
	err = r.Snapshot(ctx, func(s nodedb.Snapshot) error {
		w, failed := f.scope(ctx, s)
		if failed != nil {
			return failed
		}
		args := append([]any{begin, begin + lastChar}, w.args...)
		ids.Items, failed = schema.Collect(ctx, s, schema.Single[string], fmt.Sprintf(query, &w), append(args, most+1)...)
		return failed
	})
	if err != nil {
		return IDs{}, fmt.Errorf("look for ids that begin with %s: %w", begin, err)
	}
	if len(ids.Items) > most {
		ids.Items, ids.More = ids.Items[:most], true
	}
	return ids, nil
}
