package sqlite

import (
	"context"
	"slices"

	"github.com/memscribe/memscribe/internal/nodedb/schema"
	"github.com/memscribe/memscribe/sink/sqlite/table"
)

// tallies gathers what a batch changes in the table tally, which the commands sessions,
// projects and stats read instead of counting nodes. Additions are summed up. A change
// or a deletion marks the whole session, which is counted again from its rows: that is
// rare, and a sum cannot be subtracted from first and last.
type tallies struct {
	order []*tally
	of    map[part]*tally
	stale []part // sessions whose rows changed in what is counted
}

// part is what is counted: the nodes of a thread of a session in a project.
type part struct{ session, source, thread, project string }

// tally is what is counted of the nodes of one part: how many there are of each kind, and the times of
// the first and the last.
type tally struct {
	part

	conversations, decisions, bans, episodes, bindings, messages int64
	first, last                                                  any // ms, or nil
}

// partOf returns the part of the tally that a row is counted in.
func partOf(r *table.Row) part { return part{r.Session, r.Source, r.Thread, r.Project()} }

// sum returns what is counted of a part.
func (t *tallies) sum(p part) *tally {
	if t.of == nil {
		t.of = map[part]*tally{}
	}
	sum, ok := t.of[p]
	if !ok {
		sum = &tally{part: p}
		t.of[p] = sum
		t.order = append(t.order, sum)
	}
	return sum
}

// add counts a new row.
func (t *tallies) add(r *table.Row) {
	sum := t.sum(partOf(r))
	switch r.Kind {
	case "conversation":
		sum.conversations++
	case "decision":
		sum.decisions++
		sum.bans += r.Ban()
	case "episode":
		sum.episodes++
	case "binding":
		sum.bindings++
	}
	sum.span(r.N)
}

// span widens the time to that of a row.
func (t *tally) span(n int64) {
	ms, ok := schema.TimeOf(n)
	if !ok {
		return
	}
	if first, ok := t.first.(int64); !ok || ms < first {
		t.first = ms
	}
	if last, ok := t.last.(int64); !ok || ms > last {
		t.last = ms
	}
}

// change notes that a row took the place of another. What is counted seldom
// changes: then the session is counted again.
func (t *tallies) change(was, is *table.Row) {
	before, after := partOf(was), partOf(is)
	if before == after && was.Kind == is.Kind && was.IsBan == is.IsBan && placeOf(was) == placeOf(is) {
		return
	}
	t.again(before)
	t.again(after)
}

// again marks the session of a part to be counted again.
func (t *tallies) again(p part) {
	if session := (part{session: p.session, source: p.source}); !slices.Contains(t.stale, session) {
		t.stale = append(t.stale, session)
	}
}

// write adds the sums of a batch to the tally table.
func (t *tallies) write(ctx context.Context, s *Sink) error {
	for _, sum := range t.order {
		_, err := s.conn.Exec(ctx, `INSERT INTO tally VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
			ON CONFLICT DO UPDATE SET
			  conversations = conversations + excluded.conversations, decisions = decisions + excluded.decisions,
			  bans = bans + excluded.bans, episodes = episodes + excluded.episodes, bindings = bindings + excluded.bindings,
			  first = min(coalesce(first, excluded.first), coalesce(excluded.first, first)),
			  last = max(coalesce(last, excluded.last), coalesce(excluded.last, last)), messages = messages + excluded.messages`,
			sum.session, sum.source, sum.thread, sum.project,
			sum.conversations, sum.decisions, sum.bans, sum.episodes, sum.bindings, sum.first, sum.last, sum.messages)
		if err != nil {
			return err
		}
	}
	for _, p := range t.stale {
		if err := s.recount(ctx, p.session, p.source); err != nil {
			return err
		}
	}
	return nil
}

// recount counts the nodes of a session.
func (s *Sink) recount(ctx context.Context, session, source string) error {
	if _, err := s.conn.Exec(ctx, "DELETE FROM tally WHERE session = ? AND source = ?", session, source); err != nil {
		return err
	}
	_, err := s.conn.Exec(ctx, `INSERT INTO tally
		SELECT session, source, thread, project,
		  count(*) FILTER (WHERE kind = 'conversation'), count(*) FILTER (WHERE kind = 'decision'),
		  count(*) FILTER (WHERE is_ban = 1), count(*) FILTER (WHERE kind = 'episode'),
		  count(*) FILTER (WHERE kind = 'binding'),
		  min(n >> 6) FILTER (WHERE n >= 0), max(n >> 6) FILTER (WHERE n >= 0), count(*) FILTER (WHERE kind = 'message')
		FROM (SELECT n, session, source, thread, project, kind, is_ban FROM nodes WHERE session = ?1 AND source = ?2
		  UNION ALL SELECT n, session, source, thread, project, 'message', NULL
		    FROM talks CROSS JOIN messages USING (t) WHERE session = ?1 AND source = ?2)
		GROUP BY thread, project`, session, source)
	return err
}
