package lists

import (
	"context"
	"database/sql"
	"fmt"
	"math"
	"slices"

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
// selects; without, it adds up the sums in tally, which takes milliseconds for any size of
// database.
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
	tally, files, err := kept(ctx, s, &w)
	if err != nil {
		return nil, err
	}
	scan := func(rows *sql.Rows, t *Total) error {
		var first, last sql.NullInt64
		err := rows.Scan(&t.Source, &t.Projects, &t.Sessions, &t.Messages, &t.Decisions, &t.Bans, &t.InForce,
			&t.Episodes, &t.Explained, &t.Added, &t.Removed, &t.Files, &first, &last)
		t.First, t.Last = stamp(first), stamp(last)
		return err
	}
	// What all tools have together comes first, with its projects and files counted once.
	return schema.Collect(ctx, s, scan, `WITH counted AS MATERIALIZED (`+tally+`), touched AS MATERIALIZED (`+files+`)
		SELECT '', count(DISTINCT project), count(DISTINCT source || ' ' || session), sum(messages), sum(decisions), sum(bans), sum(in_force),
		  sum(episodes), sum(explained), sum(added), sum(removed), (SELECT count(DISTINCT path) FROM touched), min(first), max(last)
		FROM counted HAVING count(*) > 0
		UNION ALL SELECT * FROM (SELECT source, count(DISTINCT project), count(DISTINCT session), sum(messages), sum(decisions), sum(bans), sum(in_force),
		  sum(episodes), sum(explained), sum(added), sum(removed), (SELECT count(*) FROM touched WHERE touched.source = counted.source), min(first), max(last)
		FROM counted GROUP BY source ORDER BY 3 DESC, 1)`, slices.Concat(w.args, w.args)...)
}

// firstSums is the first schema whose tally has all sums.
const firstSums = 11

// kept returns the statements for the sums and the files that a filter selects. Databases
// before schema 11 lack some of the sums, and the table files knows no project and no session:
// these are counted from the nodes.
func kept(ctx context.Context, s nodedb.Snapshot, w *where) (tally, files string, err error) {
	version, err := s.Version(ctx)
	if err != nil {
		return "", "", err
	}
	tally = "SELECT * FROM tally WHERE messages + conversations + decisions + episodes > 0 AND " + w.String()
	if version < firstSums {
		tally = `SELECT tally.*, coalesce(c.in_force, 0) AS in_force, coalesce(c.explained, 0) AS explained,
			coalesce(c.added, 0) AS added, coalesce(c.removed, 0) AS removed
			FROM (` + tally + `) AS tally LEFT JOIN (SELECT session, source, thread, project,
			  count(*) FILTER (WHERE kind = 'decision' AND superseded_by IS NULL) AS in_force, count(DISTINCT to_id) AS explained,
			  sum(added) AS added, sum(removed) AS removed FROM nodes GROUP BY session, source, thread, project) AS c
			USING (session, source, thread, project)`
	}
	files = "SELECT source, path FROM files WHERE " + w.String()
	if version < firstSums || w.narrows("project") || w.narrows("session") {
		files = "SELECT DISTINCT source, path FROM nodes WHERE kind = 'episode' AND " + w.String()
	}
	return tally, files, nil
}

// within counts what lies within the bounds of a filter. The number of a node has its
// milliseconds in front, so the bounds are bounds of numbers, which the index has.
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
