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

// lastChar sorts behind every character that an id has, so that begin+lastChar ends the range
// of the ids that start with begin.
const lastChar = "\U0010ffff"

// SessionIDs returns at most `most` ids of sessions that begin with the given text, those with
// the latest activity first. It completes what a person types; "" begins every id.
func SessionIDs(ctx context.Context, r *nodedb.Reader, f Filter, begin string, most int) (IDs, error) {
	return beginning(ctx, r, f, begin, most, `SELECT session FROM tally
		WHERE session >= ? AND session < ? AND %s GROUP BY session ORDER BY max(last) DESC, session LIMIT ?`)
}

// DecisionIDs is [SessionIDs] for decisions, the newest first. Decisions that a person rejected
// are left out.
func DecisionIDs(ctx context.Context, r *nodedb.Reader, f Filter, begin string, most int) (IDs, error) {
	q := `SELECT id FROM nodes WHERE id >= ? AND id < ? AND kind = 'decision' AND %s
		AND id NOT IN (SELECT id FROM marks WHERE rejected) ORDER BY n DESC LIMIT ?`
	// What all of them begin with narrows nothing: then their order finds the newest.
	if strings.HasPrefix("decision:", begin) {
		q = strings.Replace(q, "id >= ? AND id <", "+id >= ? AND +id <", 1)
	}
	return beginning(ctx, r, f, begin, most, q)
}

// beginning runs a query for ids. It asks for one id more than is wanted and so knows whether
// there are others.
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
