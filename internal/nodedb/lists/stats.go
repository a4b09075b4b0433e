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
	InForce int64 `json:"in_force"` // decisions that nothing has replaced
	// episodes that carry out a decision, or follow from what was said
	Explained int64 `json:"explained"`
	Added     int64 `json:"added"` // lines
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

// stats counts per tool. With bounds of time it reads every node and message that the filter
// leaves; without, the tally has most, and only decisions and episodes are read.
func stats(ctx context.Context, s nodedb.Snapshot, f Filter) ([]Total, error) {
	w, err := f.scope(ctx, s)
	if err != nil {
		return nil, err
	}
	if f.Since.IsZero() && f.Until.IsZero() {
		return tallied(ctx, s, w)
	}
	return within(ctx, s, f, w)
}

// tallied counts what there is, whenever it was.
func tallied(ctx context.Context, s nodedb.Snapshot, w where) ([]Total, error) {
	each, err := schema.Collect(ctx, s, func(rows *sql.Rows, t *Total) error {
		var first, last sql.NullInt64
		err := rows.Scan(&t.Source, &t.Projects, &t.Sessions, &t.Messages, &t.Decisions, &t.Bans, &t.Episodes, &first, &last)
		t.First, t.Last = stamp(first), stamp(last)
		return err
	}, `SELECT source, count(DISTINCT project), count(DISTINCT session), sum(messages), sum(decisions), sum(bans), sum(episodes), min(first), max(last)
		FROM tally WHERE messages + conversations + decisions + episodes > 0 AND `+w.String()+" GROUP BY source ORDER BY 3 DESC, 1", w.args...)
	if err != nil || len(each) == 0 {
		return nil, err
	}
	at := make(map[string]*Total, len(each))
	for i := range each {
		at[each[i].Source] = &each[i]
	}
	// One kind at a time: each has an index by project.
	stand, err := schema.Collect(ctx, s, func(rows *sql.Rows, t *Total) error { return rows.Scan(&t.Source, &t.InForce) },
		"SELECT source, count(*) FROM nodes WHERE kind = 'decision' AND superseded_by IS NULL AND "+w.String()+" GROUP BY source", w.args...)
	if err != nil {
		return nil, err
	}
	edits, err := schema.Collect(ctx, s, func(rows *sql.Rows, t *Total) error {
		return rows.Scan(&t.Source, &t.Explained, &t.Added, &t.Removed, &t.Files)
	}, `SELECT source, count(*) FILTER (WHERE EXISTS (SELECT * FROM nodes AS b WHERE b.to_id = nodes.id)),
		coalesce(sum(added), 0), coalesce(sum(removed), 0), count(DISTINCT path)
		FROM nodes WHERE kind = 'episode' AND `+w.String()+" GROUP BY source", w.args...)
	if err != nil {
		return nil, err
	}
	for i := range stand {
		if t := at[stand[i].Source]; t != nil {
			t.InForce = stand[i].InForce
		}
	}
	for i := range edits {
		e := &edits[i]
		if t := at[e.Source]; t != nil {
			t.Explained, t.Added, t.Removed, t.Files = e.Explained, e.Added, e.Removed, e.Files
		}
	}
	all, err := together(ctx, s, each, w)
	return append([]Total{all}, each...), err
}

// together adds up the totals of tools. Projects and files may be of several.
func together(ctx context.Context, s nodedb.Snapshot, each []Total, w where) (all Total, err error) {
	for i := range each {
		t := &each[i]
		all.Sessions += t.Sessions
		all.Messages += t.Messages
		all.Decisions += t.Decisions
		all.Bans += t.Bans
		all.Episodes += t.Episodes
		all.InForce += t.InForce
		all.Explained += t.Explained
		all.Added += t.Added
		all.Removed += t.Removed
		if t.First != "" && (all.First == "" || t.First < all.First) {
			all.First = t.First
		}
		all.Last = max(all.Last, t.Last)
	}
	all.Projects, all.Files = each[0].Projects, each[0].Files
	if len(each) == 1 {
		return all, nil
	}
	err = s.QueryRowContext(ctx, "SELECT count(DISTINCT project) FROM tally WHERE messages + conversations + decisions + episodes > 0 AND "+w.String(), w.args...).Scan(&all.Projects)
	if err == nil {
		err = s.QueryRowContext(ctx, "SELECT count(DISTINCT path) FROM nodes WHERE kind = 'episode' AND "+w.String(), w.args...).Scan(&all.Files)
	}
	return all, err
}

// within counts what has its time within the bounds of a filter.
func within(ctx context.Context, s nodedb.Snapshot, f Filter, w where) ([]Total, error) {
	from, to := int64(0), int64(math.MaxInt64)
	if !f.Since.IsZero() {
		from = max(from, millis(f.Since)<<slotBits)
	}
	if !f.Until.IsZero() {
		to = millis(f.Until) << slotBits
	}
	w.and("n >= ? AND n < ?", from, to)
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
