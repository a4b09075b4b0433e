package serving

import (
	"context"
	"database/sql"
	"fmt"

	"github.com/memscribe/memscribe/internal/nodedb"
	"github.com/memscribe/memscribe/internal/page/model"
)

// shownDays is how many days a chart has.
const shownDays = 60

// usage sums what the tools recorded of the newest days.
func usage(ctx context.Context, r *nodedb.Reader, project string) (u model.Usage, err error) {
	u.Days, u.Models = []model.Tokens{}, []model.Tokens{}
	err = r.Snapshot(ctx, func(s nodedb.Snapshot) error {
		projects, unknown := s.Projects(ctx, project)
		if unknown != nil {
			return asked(unknown)
		}
		where, args := "", []any{}
		if len(projects) > 0 {
			where = " AND t IN (SELECT t FROM talks WHERE project IN (?"
			args = append(args, projects[0])
			for _, p := range projects[1:] {
				where, args = where+", ?", append(args, p)
			}
			where += "))"
		}
		const sums = ", sum(input), sum(output), sum(cache_read), sum(cache_creation) FROM usage WHERE ms IS NOT NULL"
		// Groups are numbers, and a day is written only of those that are shown.
		if u.Days, err = tokens(ctx, s, "SELECT date(ms / 86400000 * 86400, 'unixepoch')"+sums+where+" GROUP BY ms / 86400000 ORDER BY ms / 86400000 DESC LIMIT ?", append(args, shownDays)...); err != nil {
			return err
		}
		u.Models, err = tokens(ctx, s, "SELECT iif(model = '', 'not known', model) AS name"+sums+where+" GROUP BY name ORDER BY sum(output) DESC LIMIT ?", append(args, perPage)...)
		return err
	})
	if err != nil {
		return u, fmt.Errorf("sum usage: %w", err)
	}
	return u, nil
}

func tokens(ctx context.Context, s nodedb.Snapshot, query string, args ...any) ([]model.Tokens, error) {
	return each(ctx, s, func(rows *sql.Rows, t *model.Tokens) error {
		return rows.Scan(&t.Of, &t.Input, &t.Output, &t.Cached, &t.Written)
	}, query, args...)
}

// tools are those of which something is kept.
func tools(ctx context.Context, r *nodedb.Reader) (out []model.Tool, err error) {
	err = r.Snapshot(ctx, func(s nodedb.Snapshot) error {
		out, err = each(ctx, s, func(rows *sql.Rows, t *model.Tool) error {
			return rows.Scan(&t.Name, &t.Sessions, &t.Decisions, &t.Edits, &t.Last)
		}, "SELECT source, sessions, decisions, episodes, coalesce(last, '') FROM tools ORDER BY sessions DESC")
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("list tools: %w", err)
	}
	return out, nil
}

// each reads rows.
func each[T any](ctx context.Context, s nodedb.Snapshot, scan func(*sql.Rows, *T) error, query string, args ...any) ([]T, error) {
	rows, err := s.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	all := []T{}
	for rows.Next() {
		var one T
		if err := scan(rows, &one); err != nil {
			return nil, err
		}
		all = append(all, one)
	}
	return all, rows.Err()
}
