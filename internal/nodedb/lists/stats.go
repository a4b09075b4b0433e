package lists

import (
	"context"
	"database/sql"
	"fmt"
	"math"

	"github.com/memscribe/memscribe/internal/nodedb"
	"github.com/memscribe/memscribe/internal/nodedb/schema"
)

// Total counts what there is of one tool, or of all.
type Total struct {
	Source   string `json:"source,omitempty"` // "" is all tools
	Projects int64  `json:"projects"`
	Sessions int64  `json:"sessions"`

	Counts
	InForce   int64 `json:"in_force"`  // decisions that nothing has replaced
	Explained int64 `json:"explained"` // episodes that carry out a decision, or follow from what was said
	Added     int64 `json:"added"`     // lines
	Removed   int64 `json:"removed"`
	Files     int64 `json:"files"`

	First string `json:"first,omitempty"`
	Last  string `json:"last,omitempty"`
}

// Stats counts what a filter leaves, messages and nodes: of all tools first, then of each, the
// one with the most sessions first. What has no time counts only without bounds.
func Stats(ctx context.Context, r *nodedb.Reader, f Filter) (totals []Total, err error) {
	err = r.Snapshot(ctx, func(s nodedb.Snapshot) error {
		totals, err = stats(ctx, s, f)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("count what there is: %w", err)
	}
	return totals, nil
}

// slotBits is how many bits of a node's number stand behind its milliseconds.
const slotBits = 6

// stats counts per tool. With a time range it counts nodes, else it reads the tally.
//
// It reads every node that the filter leaves.
func stats(ctx context.Context, s nodedb.Snapshot, f Filter) ([]Total, error) {
	w, err := f.scope(ctx, s)
	if err != nil {
		return nil, err
	}
	if !f.Since.IsZero() || !f.Until.IsZero() {
		from, to := int64(0), int64(math.MaxInt64)
		if !f.Since.IsZero() {
			from = max(from, millis(f.Since)<<slotBits)
		}
		if !f.Until.IsZero() {
			to = millis(f.Until) << slotBits
		}
		w.and("n >= ? AND n < ?", from, to)
	}
	const columns = `count(DISTINCT project), count(DISTINCT source || ' ' || session),
		count(*) FILTER (WHERE kind = 'message'), count(*) FILTER (WHERE kind = 'decision'), count(*) FILTER (WHERE is_ban = 1),
		count(*) FILTER (WHERE kind = 'decision' AND superseded_by IS NULL), count(*) FILTER (WHERE kind = 'episode'),
		count(*) FILTER (WHERE kind = 'episode' AND EXISTS (SELECT * FROM nodes AS b WHERE b.to_id = done.id)),
		coalesce(sum(added), 0), coalesce(sum(removed), 0), count(DISTINCT path),
		min(n >> 6) FILTER (WHERE n >= 0), max(n >> 6) FILTER (WHERE n >= 0)
		FROM (SELECT n, id, kind, source, session, project, is_ban, superseded_by, added, removed, path FROM nodes WHERE kind <> 'binding'
		  UNION ALL SELECT n, NULL, 'message', source, session, project, NULL, NULL, NULL, NULL, NULL
		    FROM talks CROSS JOIN messages USING (t)) AS done
		WHERE `
	scan := func(rows *sql.Rows, t *Total) (err error) {
		var first, last sql.NullInt64
		err = rows.Scan(&t.Source, &t.Projects, &t.Sessions, &t.Messages, &t.Decisions, &t.Bans, &t.InForce,
			&t.Episodes, &t.Explained, &t.Added, &t.Removed, &t.Files, &first, &last)
		t.First, t.Last = stamp(first), stamp(last)
		return err
	}
	each, err := schema.Collect(ctx, s, scan, "SELECT source, "+columns+w.String()+" GROUP BY source ORDER BY 3 DESC, 1", w.args...)
	if err != nil || len(each) == 0 {
		return nil, err
	}
	all := each[0]
	if len(each) > 1 { // projects and files may be of several tools
		together, err := schema.Collect(ctx, s, scan, "SELECT '', "+columns+w.String(), w.args...)
		if err != nil {
			return nil, err
		}
		all = together[0]
	}
	all.Source = ""
	return append([]Total{all}, each...), nil
}
