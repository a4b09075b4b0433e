package serving

import (
	"cmp"
	"context"
	"database/sql"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/memscribe/memscribe/internal/nodedb"
	"github.com/memscribe/memscribe/internal/nodedb/schema"
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
		var sums []dayOf
		sums, err = summed(ctx, s, "SELECT ms / 86400000, model, input, output, cache_read, cache_creation FROM usage WHERE ms IS NOT NULL"+where, args)
		u.Days, u.Models = byDay(sums), byModel(sums)
		return err
	})
	if err != nil {
		return u, fmt.Errorf("sum usage: %w", err)
	}
	return u, nil
}

// dayOf is what one model took on one day, counted from 1970.
type dayOf struct {
	model.Tokens

	day int64
}

// summed adds up rows by day and model. SQLite would sort them all for that, and there
// may be as many as messages.
func summed(ctx context.Context, s nodedb.Snapshot, query string, args []any) (all []dayOf, err error) {
	rows, err := s.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	at := map[int64]map[string]int{}
	var one dayOf
	var name sql.RawBytes
	for rows.Next() {
		if err := rows.Scan(&one.day, &name, &one.Input, &one.Output, &one.Cached, &one.Written); err != nil {
			return nil, err
		}
		n, known := at[one.day][string(name)]
		if !known {
			if at[one.day] == nil {
				at[one.day] = map[string]int{}
			}
			n = len(all)
			at[one.day][string(name)] = n
			all = append(all, dayOf{model.Tokens{Of: model.Said(name)}, one.day})
		}
		all[n].add(&one.Tokens)
	}
	return all, rows.Err()
}

// byDay are the sums of the newest days, the newest first.
func byDay(rows []dayOf) []model.Tokens {
	sums := map[int64]*dayOf{}
	for i := range rows {
		add(sums, rows[i].day, &rows[i])
	}
	days := []model.Tokens{}
	for _, day := range slices.Backward(slices.Sorted(maps.Keys(sums))) {
		if len(days) == shownDays {
			break
		}
		sums[day].Of = model.Said(time.Unix(day*86400, 0).UTC().Format(time.DateOnly))
		days = append(days, sums[day].Tokens)
	}
	return days
}

// byModel are the sums of models, those that wrote the most first.
func byModel(rows []dayOf) []model.Tokens {
	sums := map[model.Said]*dayOf{}
	for i := range rows {
		add(sums, cmp.Or(rows[i].Of, "not known"), &rows[i])
	}
	models := []model.Tokens{}
	for _, name := range slices.Sorted(maps.Keys(sums)) {
		sums[name].Of = name
		models = append(models, sums[name].Tokens)
	}
	slices.SortStableFunc(models, func(a, b model.Tokens) int { return cmp.Compare(b.Output, a.Output) })
	return models[:min(len(models), perPage)]
}

func add[K comparable](sums map[K]*dayOf, key K, t *dayOf) {
	if sums[key] == nil {
		sums[key] = &dayOf{}
	}
	sums[key].add(&t.Tokens)
}

func (d *dayOf) add(t *model.Tokens) {
	d.Input, d.Output, d.Cached, d.Written = d.Input+t.Input, d.Output+t.Output, d.Cached+t.Cached, d.Written+t.Written
}

// tools are those that have nodes or messages.
func tools(ctx context.Context, r *nodedb.Reader) (out []model.Tool, err error) {
	err = r.Snapshot(ctx, func(s nodedb.Snapshot) error {
		out, err = schema.Collect(ctx, s, func(rows *sql.Rows, t *model.Tool) error {
			return rows.Scan(&t.Name, &t.Sessions, &t.Decisions, &t.Edits, &t.Last)
		}, "SELECT source, sessions, decisions, episodes, coalesce(last, '') FROM tools ORDER BY sessions DESC")
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("list tools: %w", err)
	}
	return append([]model.Tool{}, out...), nil // a list in JSON, also where there is none
}
