package nodedb

import (
	"context"
	"database/sql"

	"github.com/memscribe/memscribe/internal/nodedb/schema"
)

// Plan is how SQLite answers a question, as EXPLAIN QUERY PLAN has it.
func Plan(ctx context.Context, r *Reader, question, of string, f Filter) (plan []string, err error) {
	err = r.look(ctx, func(v view) error {
		q, err := v.question(ctx, question, of, f)
		if err != nil {
			return err
		}
		scan := func(rows *sql.Rows, detail *string) error {
			var ignored any
			return rows.Scan(&ignored, &ignored, &ignored, detail)
		}
		plan, err = schema.Collect(ctx, v, scan, "EXPLAIN QUERY PLAN "+q.SQL, q.Args...)
		return err
	})
	return plan, err
}

func (v view) question(ctx context.Context, question, of string, f Filter) (Query, error) {
	switch question {
	case "session":
		return v.inSession(ctx, of, f, Page{After: (&Node{}).cursor()})
	case "memory_read", "memory_write":
		return traceOf(question, []string{of})
	case "edits", "reasons":
		ours, theirs := "from_id", "to_id"
		if question == "reasons" {
			ours, theirs = theirs, ours
		}
		return linksOf(ours, theirs, []string{of})
	}
	lists := map[string]list{
		"search": anything(), "decisions": decisions(), "bans": bans(), "episodes": episodes(), "file": ofFile(of), "memories": memories("", ""), "store": memories(of, ""), "key": memories(of, of),
	}
	return v.numbers(ctx, lists[question], f, 1<<60, 51)
}
