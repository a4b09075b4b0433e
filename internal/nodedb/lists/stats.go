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
//
//	{"source":"pi","projects":1,"sessions":2,"messages":7,"decisions":3,"bans":0,"episodes":2,
//	 "in_force":3,"explained":2,"added":3,"removed":1,"files":1,"first":"…","last":"…"}
//
// Explained are the edits that carry out a decision.
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

// stats counts per tool. The tally has the sums of sessions, of those too that lie within the
// bounds of the filter; what a bound cuts is counted.
func stats(ctx context.Context, s nodedb.Snapshot, f Filter) ([]Total, error) {
	w, err := f.scope(ctx, s)
	if err != nil {
		return nil, err
	}
	k := kept{scope: w.numbered()}
	if k.version, err = s.Version(ctx); err != nil {
		return nil, err
	}
	k.narrow = k.version < firstSums || w.narrows("project") || w.narrows("session")
	k.bounds(f)
	if err = k.choose(ctx, s); err != nil {
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
	query := `WITH counted AS MATERIALIZED (` + k.tally() + `), touched AS MATERIALIZED (` + k.files() + `)
		SELECT '', count(DISTINCT project), count(DISTINCT source || ' ' || session), sum(messages), sum(decisions), sum(bans), sum(in_force),
		  sum(episodes), sum(explained), sum(added), sum(removed), (SELECT count(DISTINCT path) FROM touched), min(first), max(last)
		FROM counted HAVING count(*) > 0
		UNION ALL SELECT * FROM (SELECT source, count(DISTINCT project), count(DISTINCT session), sum(messages), sum(decisions), sum(bans), sum(in_force),
		  sum(episodes), sum(explained), sum(added), sum(removed), (SELECT count(*) FROM touched WHERE touched.source = counted.source), min(first), max(last)
		FROM counted GROUP BY source ORDER BY 3 DESC, 1)`
	return schema.Collect(ctx, s, scan, query, w.args...)
}

// firstSums is the first schema whose tally has all sums.
const firstSums = 11

// kept makes the statements for what a filter leaves: its sums, and its files.
type kept struct {
	scope    string // the condition that says whose, with numbered parameters
	version  int    // of the schema
	narrow   bool   // the table files does not tell which are meant
	bounded  bool
	from, to int64 // the numbers of nodes within the bounds: from is within, to is not
	few      bool  // edits are fewer than files
}

// bounds takes the moments of a filter.
func (k *kept) bounds(f Filter) {
	k.to = math.MaxInt64
	k.bounded = !f.Since.IsZero() || !f.Until.IsZero()
	if !f.Since.IsZero() {
		k.from = max(0, millis(f.Since)<<slotBits)
	}
	if !f.Until.IsZero() {
		k.to = millis(f.Until) << slotBits
	}
}

// choose finds out whether it is less work to read the edits within the bounds, or to ask of each
// file for one.
func (k *kept) choose(ctx context.Context, s nodedb.Snapshot) error {
	if !k.bounded || k.narrow {
		return nil
	}
	return s.QueryRowContext(ctx, fmt.Sprintf(`SELECT (SELECT 4 * count(*) FROM nodes WHERE kind = 'episode' AND n >= %d AND n < %d) <
		(SELECT count(*) FROM files)`, k.from, k.to)).Scan(&k.few)
}

// tally returns the statement for the sums of threads. Those of an older schema are counted.
//
// With bounds, a session with all of its time within them counts by its sums, and the nodes and
// messages of one that a bound cuts are read. What has no time is in no bounds, so a
// session that has some is read, too.
func (k *kept) tally() string {
	all := "SELECT * FROM tally WHERE messages + conversations + decisions + episodes > 0 AND " + k.scope
	if k.version < firstSums {
		all = `SELECT tally.*, coalesce(c.in_force, 0) AS in_force, coalesce(c.explained, 0) AS explained,
			coalesce(c.added, 0) AS added, coalesce(c.removed, 0) AS removed
			FROM (` + all + `) AS tally LEFT JOIN (SELECT session, source, thread, project,
			  count(*) FILTER (WHERE kind = 'decision' AND superseded_by IS NULL) AS in_force, count(DISTINCT to_id) AS explained,
			  sum(added) AS added, sum(removed) AS removed FROM nodes GROUP BY session, source, thread, project) AS c
			USING (session, source, thread, project)`
	}
	if !k.bounded {
		return all
	}
	return fmt.Sprintf(`WITH untimed AS MATERIALIZED (
		  SELECT session, source FROM nodes WHERE n < 0 UNION SELECT session, source FROM messages CROSS JOIN talks USING (t) WHERE messages.n < 0),
		spans AS MATERIALIZED (SELECT session, source,
		    min(first) >= %[1]d AND max(last) < %[2]d AND (session, source) NOT IN (SELECT session, source FROM untimed) AS whole
		  FROM tally WHERE %[3]s GROUP BY session, source HAVING max(last) >= %[1]d AND min(first) < %[2]d),
		edges AS MATERIALIZED (SELECT session, source FROM spans WHERE NOT whole)
		SELECT session, source, project, messages, decisions, bans, in_force, episodes, explained, added, removed, first, last
		FROM spans CROSS JOIN (%[4]s) USING (session, source) WHERE whole
		UNION ALL SELECT session, source, project, count(*) FILTER (WHERE kind = 'message'), count(*) FILTER (WHERE kind = 'decision'), coalesce(sum(is_ban), 0),
		  count(*) FILTER (WHERE kind = 'decision' AND superseded_by IS NULL), count(*) FILTER (WHERE kind = 'episode'),
		  count(*) FILTER (WHERE kind = 'episode' AND EXISTS (SELECT * FROM nodes AS b WHERE b.to_id = cut.id)),
		  coalesce(sum(added), 0), coalesce(sum(removed), 0), min(n) >> %[7]d, max(n) >> %[7]d
		FROM (SELECT n, id, kind, source, session, project, is_ban, superseded_by, added, removed
		    FROM edges CROSS JOIN nodes USING (session, source) WHERE +n >= %[5]d AND +n < %[6]d AND kind <> 'binding' AND %[3]s
		  UNION ALL SELECT messages.n, NULL, 'message', source, session, project, NULL, NULL, NULL, NULL
		    FROM edges CROSS JOIN talks USING (session, source) CROSS JOIN messages USING (t)
		    WHERE +messages.n >= %[5]d AND +messages.n < %[6]d AND %[3]s) AS cut
		GROUP BY session, source, project`, k.from>>slotBits, k.to>>slotBits, k.scope, all, k.from, k.to, slotBits)
}

// files returns the statement for the files with an edit. Those of a project or a session, and
// those of older schemas, are read from the edits.
func (k *kept) files() string {
	within := fmt.Sprintf("n >= %d AND n < %d", k.from, k.to)
	switch {
	case k.narrow && !k.bounded:
		return "SELECT DISTINCT source, path FROM nodes WHERE kind = 'episode' AND " + k.scope
	case k.narrow || k.few:
		return "SELECT DISTINCT source, path FROM nodes WHERE kind = 'episode' AND " + within + " AND " + k.scope
	case k.bounded:
		// The index tells whether a path has an edit, and rows alone whose: they are read of paths that several tools have edited.
		edit := "EXISTS (SELECT * FROM nodes INDEXED BY nodes_path WHERE nodes.path = files.path AND " + within
		return `SELECT source, path FROM (SELECT source, path, count(*) OVER (PARTITION BY path) AS tools FROM files) AS files
			WHERE ` + edit + `) AND (tools = 1 OR ` + edit + " AND nodes.source = files.source)) AND " + k.scope
	}
	return "SELECT source, path FROM files WHERE " + k.scope
}
