package pagesource

import (
	"cmp"
	"context"
	"database/sql"
	"fmt"
	"sort"
	"sync"
	"time"

	"github.com/memscribe/memscribe/internal/nodedb"
	"github.com/memscribe/memscribe/internal/nodedb/lists"
	"github.com/memscribe/memscribe/internal/nodedb/schema"
	"github.com/memscribe/memscribe/internal/page/model"
	"github.com/memscribe/memscribe/internal/panics"
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
	sort.SliceStable(u.Models, func(i, j int) bool {
		a, b := &u.Models[i], &u.Models[j]
		return cmp.Compare(b.Sum(), a.Sum()) < 0
	})
	u.Models = u.Models[:min(len(u.Models), perPage)]
	return u, nil
}

// sums keeps the usage of up to 100 projects. Summing up 400,000 responses takes about a
// second, and the page asks with every view:
//
//	nothing was written since       what is kept is the answer
//	something was, quick to count   it is counted again, and that is the answer
//	something was, slow to count    what is kept is the answer, and says from when it is;
//	                                meanwhile it is counted again, for the next view
type sums struct {
	mu       sync.Mutex
	changes  *nodedb.Changes // nil before the first question
	written  int             // how often something was found to be written
	projects map[string]*sum

	counting sync.WaitGroup
	stop     context.CancelFunc // ends all counting; nil before the first question
	while    context.Context    //nolint:containedctx // it ends with the page, and not with a view
}

// sum is the usage of a project.
type sum struct {
	last *count // nil before the first one
	next *count // that is being counted; nil if none is
}

// count is the usage of a project at one moment. at and of are set when counting begins, the
// rest before done is closed.
type count struct {
	usage model.Usage
	err   error
	at    time.Time
	took  time.Duration
	of    int // sums.written at that moment
	done  chan struct{}
}

// maxSums bounds the projects whose sums are kept.
const maxSums = 100

// quick is how long a view may wait for what is counted again.
const quick = 100 * time.Millisecond

// of returns the usage of a project. It waits for a count that is quick, and returns the last
// one, with its time, where counting is slow; see sums.
func (s *sums) of(ctx context.Context, r *nodedb.Reader, now func() time.Time, project string) (model.Usage, error) {
	wanted := -1 // how much of what was written must be in it
	for {
		last, next, written, err := s.begin(ctx, r, now, project)
		switch wanted = max(wanted, written); {
		case err != nil:
			return model.Usage{}, err
		case next == nil:
			return last.usage, nil
		case last != nil && last.took > quick:
			older := last.usage
			older.Counted = last.at.UTC().Format(time.RFC3339)
			return older, nil
		}
		select {
		case <-ctx.Done():
			return model.Usage{}, ctx.Err()
		case <-next.done:
		}
		if next.err != nil || next.of >= wanted {
			return next.usage, next.err
		}
	}
}

// begin returns the last sums of a project, nil if there are none, and those that are being
// counted because more was written since, nil if nothing was.
func (s *sums) begin(ctx context.Context, r *nodedb.Reader, now func() time.Time, project string) (last, next *count, written int, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.changes == nil {
		if s.changes, err = r.Changes(context.WithoutCancel(ctx)); err != nil {
			return nil, nil, 0, err
		}
		s.while, s.stop = context.WithCancel(context.WithoutCancel(ctx))
	}
	changed, err := s.changes.Since(ctx)
	if err != nil {
		return nil, nil, 0, err
	}
	if changed {
		s.written++
	}
	if s.projects == nil || len(s.projects) == maxSums && s.projects[project] == nil {
		s.projects = map[string]*sum{}
	}
	one := s.projects[project]
	if one == nil {
		one = &sum{}
		s.projects[project] = one
	}
	if one.last != nil && one.last.of == s.written {
		return one.last, nil, s.written, nil
	}
	if one.next == nil {
		c := &count{of: s.written, at: now(), done: make(chan struct{})}
		one.next = c
		s.counting.Go(func() { s.count(s.while, one, c, r, now, project) })
	}
	return one.last, one.next, s.written, nil
}

// count counts, and keeps what it has counted.
func (s *sums) count(ctx context.Context, one *sum, c *count, r *nodedb.Reader, now func() time.Time, project string) {
	c.err = panics.Caught(func() (err error) {
		c.usage, err = usage(ctx, r, project)
		return err
	})
	c.took = now().Sub(c.at)
	s.mu.Lock()
	defer s.mu.Unlock()
	if one.next = nil; c.err == nil {
		one.last = c
	}
	close(c.done)
}

// close ends the counting, and stops watching for changes.
func (s *sums) close() error {
	s.mu.Lock()
	changes := s.changes
	s.mu.Unlock()
	if changes == nil {
		return nil
	}
	s.stop()
	s.counting.Wait()
	return changes.Close()
}

// tokens returns token counts for the page.
func tokens(s *lists.Spending) model.Tokens {
	return model.Tokens{Of: model.Said(s.Key), Input: s.Input, Output: s.Output, Cached: s.CacheRead, Written: s.CacheCreation}
}

// tools returns those that have nodes or messages.
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
