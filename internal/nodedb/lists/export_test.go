package lists

import (
	"context"
	"database/sql"

	"github.com/memscribe/memscribe/internal/nodedb"
	"github.com/memscribe/memscribe/internal/nodedb/schema"
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

// Counted is [Stats] by counting each node and message.
func Counted(ctx context.Context, r *nodedb.Reader, f Filter) (totals []Total, err error) {
	const columns = `count(DISTINCT project), count(DISTINCT source || ' ' || session),
		count(*) FILTER (WHERE kind = 'message'), count(*) FILTER (WHERE kind = 'decision'), count(*) FILTER (WHERE is_ban = 1),
		count(*) FILTER (WHERE kind = 'decision' AND superseded_by IS NULL), count(*) FILTER (WHERE kind = 'episode'),
		count(*) FILTER (WHERE kind = 'episode' AND EXISTS (SELECT * FROM nodes AS b WHERE b.to_id = done.id)),
		coalesce(sum(added), 0), coalesce(sum(removed), 0), count(DISTINCT path)
		FROM (SELECT n, id, kind, source, session, project, is_ban, superseded_by, added, removed, path FROM nodes WHERE kind <> 'binding'
		  UNION ALL SELECT n, NULL, 'message', source, session, project, NULL, NULL, NULL, NULL, NULL
		    FROM talks CROSS JOIN messages USING (t)) AS done
		WHERE n >= 0 AND `
	scan := func(rows *sql.Rows, t *Total) (err error) {
		return rows.Scan(&t.Source, &t.Projects, &t.Sessions, &t.Messages, &t.Decisions, &t.Bans, &t.InForce,
			&t.Episodes, &t.Explained, &t.Added, &t.Removed, &t.Files)
	}
	err = r.Snapshot(ctx, func(s nodedb.Snapshot) error {
		w, err := f.scope(ctx, s)
		if err != nil {
			return err
		}
		f.span(&w, "(n >> 6)", "(n >> 6)")
		each, err := schema.Collect(ctx, s, scan, "SELECT source, "+columns+w.String()+" GROUP BY source ORDER BY 3 DESC, 1", w.args...)
		if err != nil || len(each) == 0 {
			return err
		}
		totals, err = schema.Collect(ctx, s, scan, "SELECT '', "+columns+w.String(), w.args...)
		totals = append(totals, each...)
		return err
	})
	return totals, err
}
