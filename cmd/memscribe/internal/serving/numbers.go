package serving

import (
	"cmp"
	"context"
	"database/sql"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/memscribe/memscribe/internal/nodedb"
	"github.com/memscribe/memscribe/internal/nodedb/lists"
	"github.com/memscribe/memscribe/internal/nodedb/schema"
	"github.com/memscribe/memscribe/internal/page/model"
	"github.com/memscribe/memscribe/internal/prices"
)

// shownDays is how many days a chart has.
const shownDays = 60

// usage sums what the tools recorded of the newest days (UTC), as memscribe usage does.
func usage(ctx context.Context, r *nodedb.Reader, project string) (u model.Usage, err error) {
	bills, err := lists.Bills(ctx, r, lists.Filter{Project: project}, []lists.By{lists.ByDay, lists.ByModel}, &prices.Table{}, time.UTC)
	if err != nil {
		return u, asked(err)
	}
	u.Days, u.Models = []model.Tokens{}, []model.Tokens{}
	for _, day := range bills[0].Items {
		if day.Key != "" && len(u.Days) < shownDays { // which is not known
			u.Days = append(u.Days, tokens(&day))
		}
	}
	for _, m := range bills[1].Items {
		m.Key = cmp.Or(m.Key, "not known")
		u.Models = append(u.Models, tokens(&m))
	}
	slices.SortStableFunc(u.Models, func(a, b model.Tokens) int { return cmp.Compare(b.Output, a.Output) })
	u.Models = u.Models[:min(len(u.Models), perPage)]
	return u, nil
}

// sums keeps the usage of up to 100 projects until the database is written to again.
// Summing up 400,000 responses takes about a second, and the page asks with every view.
type sums struct {
	mu      sync.Mutex
	changes *nodedb.Changes // nil before the first question
	usage   map[string]model.Usage
}

// maxSums bounds the projects whose sums are kept.
const maxSums = 100

// of returns the sums of a project, which are made again once something was written.
func (s *sums) of(ctx context.Context, r *nodedb.Reader, project string) (model.Usage, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.changes == nil {
		changes, err := r.Changes(context.WithoutCancel(ctx))
		if err != nil {
			return model.Usage{}, err
		}
		s.changes = changes
	}
	changed, err := s.changes.Since(ctx)
	if err != nil {
		return model.Usage{}, err
	}
	if changed || len(s.usage) == maxSums || s.usage == nil {
		s.usage = map[string]model.Usage{}
	}
	if u, kept := s.usage[project]; kept {
		return u, nil
	}
	u, err := usage(ctx, r, project)
	if err == nil {
		s.usage[project] = u
	}
	return u, err
}

// close stops watching for changes.
func (s *sums) close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.changes == nil {
		return nil
	}
	return s.changes.Close()
}

// tokens returns token counts for the page.
func tokens(s *lists.Spending) model.Tokens {
	return model.Tokens{Of: model.Said(s.Key), Input: s.Input, Output: s.Output, Cached: s.CacheRead, Written: s.CacheCreation}
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
