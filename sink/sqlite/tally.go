package sqlite

import (
	"context"
	"errors"
	"slices"

	"github.com/memscribe/memscribe/internal/nodedb/schema"
	"github.com/memscribe/memscribe/sink/sqlite/table"
)

// tallies gathers what a batch changes in the tables tally and files, which the commands
// sessions, projects and stats read instead of counting nodes. Additions are summed up. A
// deletion, or a change of what a row is counted in, marks the whole session, which is
// counted again from its rows: that is rare, and a sum cannot be subtracted from first and
// last.
type tallies struct {
	order []*tally
	of    map[part]*tally
	stale []part // sessions whose rows changed in what is counted

	bound     map[string]*binding // new bindings, by the edit that they explain
	explained []string            // the keys of bound, in order
	edited    map[edited]bool     // files of new or changed edits; false if one may have no edit left
}

// binding counts the new bindings of an edit, which has the tally of all of them.
type binding struct {
	sum   *tally
	count int64
}

// edited is a file that a tool edited.
type edited struct{ source, path string }

// part is what is counted: the nodes of a thread of a session in a project.
type part struct{ session, source, thread, project string }

// tally is what is counted of the nodes of one part: how many there are of each kind, and the times of
// the first and the last.
type tally struct {
	part

	conversations, decisions, bans, episodes, bindings, messages int64
	inForce, explained, added, removed                           int64
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
		sum.inForce += r.InForce()
	case "episode":
		sum.episodes++
		sum.added += r.Added
		sum.removed += r.Removed
		t.edit(edited{r.Source, r.Path}, true)
	case "binding":
		sum.bindings++
		t.bind(sum, r.To)
	}
	sum.span(r.N)
}

// edit notes that an edit of a file came, or went.
func (t *tallies) edit(file edited, came bool) {
	if t.edited == nil {
		t.edited = map[edited]bool{}
	}
	t.edited[file] = came || t.edited[file]
}

// bind notes a new binding of an edit.
func (t *tallies) bind(sum *tally, edit string) {
	if t.bound == nil {
		t.bound = map[string]*binding{}
	}
	b := t.bound[edit]
	if b == nil {
		b = &binding{sum: sum}
		t.bound[edit] = b
		t.explained = append(t.explained, edit)
	}
	b.count++
	if b.sum != sum { // an edit is explained once in each part
		t.again(b.sum.part)
		t.again(sum.part)
	}
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
	if gone := (edited{was.Source, was.Path}); was.Path != "" && gone != (edited{is.Source, is.Path}) {
		t.edit(gone, false)
	}
	if is.Path != "" {
		t.edit(edited{is.Source, is.Path}, true)
	}
	if before == after && was.Kind == is.Kind && was.IsBan == is.IsBan && was.To == is.To && placeOf(was) == placeOf(is) {
		if inForce, added, removed := is.InForce()-was.InForce(), is.Added-was.Added, is.Removed-was.Removed; inForce != 0 || added != 0 || removed != 0 {
			sum := t.sum(after)
			sum.inForce, sum.added, sum.removed = sum.inForce+inForce, sum.added+added, sum.removed+removed
		}
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

// write adds the sums of a batch to the tables.
func (t *tallies) write(ctx context.Context, s *Sink) error {
	if err := t.explain(ctx, s); err != nil {
		return err
	}
	for _, sum := range t.order {
		_, err := s.conn.Exec(ctx, `INSERT INTO tally VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
			ON CONFLICT DO UPDATE SET
			  conversations = conversations + excluded.conversations, decisions = decisions + excluded.decisions,
			  bans = bans + excluded.bans, episodes = episodes + excluded.episodes, bindings = bindings + excluded.bindings,
			  first = min(coalesce(first, excluded.first), coalesce(excluded.first, first)),
			  last = max(coalesce(last, excluded.last), coalesce(excluded.last, last)), messages = messages + excluded.messages,
			  in_force = in_force + excluded.in_force, explained = explained + excluded.explained,
			  added = added + excluded.added, removed = removed + excluded.removed`,
			sum.session, sum.source, sum.thread, sum.project,
			sum.conversations, sum.decisions, sum.bans, sum.episodes, sum.bindings, sum.first, sum.last, sum.messages,
			sum.inForce, sum.explained, sum.added, sum.removed)
		if err != nil {
			return err
		}
	}
	for _, p := range t.stale {
		if err := s.recount(ctx, p.session, p.source); err != nil {
			return err
		}
	}
	for file, came := range t.edited { // in any order
		if err := s.keepFile(ctx, file, came); err != nil {
			return err
		}
	}
	return nil
}

// explain counts the edits that the bindings of a batch are the first of.
func (t *tallies) explain(ctx context.Context, s *Sink) error {
	if len(t.explained) == 0 {
		return nil
	}
	list, err := schema.JSONList(t.explained)
	if err != nil {
		return err
	}
	st, err := s.conn.stmt(ctx, "SELECT (SELECT count(*) FROM nodes WHERE to_id = value) FROM json_each(?)")
	if err != nil {
		return err
	}
	rows, err := st.QueryContext(ctx, list)
	if err != nil {
		return err
	}
	defer rows.Close()
	var before []string // those that have older bindings
	for i := 0; rows.Next(); i++ {
		var all int64
		if err := rows.Scan(&all); err != nil {
			return err
		}
		if edit := t.explained[i]; all == t.bound[edit].count {
			t.bound[edit].sum.explained++
		} else {
			before = append(before, edit)
		}
	}
	if err := errors.Join(rows.Err(), rows.Close()); err != nil {
		return err
	}
	for _, edit := range before { // the older ones may be of another part, until they are delivered as of this one
		b, all := t.bound[edit], int64(0)
		err := s.conn.QueryRowContext(ctx, `SELECT count(*) FROM nodes WHERE to_id = ? AND session = ? AND source = ? AND thread = ? AND project = ?`,
			edit, b.sum.session, b.sum.source, b.sum.thread, b.sum.project).Scan(&all)
		if err != nil {
			return err
		}
		if all == b.count {
			b.sum.explained++
		}
	}
	return nil
}

// keepFile keeps the table files as the edits are.
func (s *Sink) keepFile(ctx context.Context, f edited, came bool) error {
	if came {
		_, err := s.conn.Exec(ctx, "INSERT INTO files VALUES (?, ?) ON CONFLICT DO NOTHING", f.source, f.path)
		return err
	}
	_, err := s.conn.Exec(ctx, `DELETE FROM files WHERE source = ?1 AND path = ?2
		AND NOT EXISTS (SELECT * FROM nodes WHERE nodes.path = ?2 AND nodes.source = ?1)`, f.source, f.path)
	return err
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
		  min(n >> 6) FILTER (WHERE n >= 0), max(n >> 6) FILTER (WHERE n >= 0), count(*) FILTER (WHERE kind = 'message'),
		  count(*) FILTER (WHERE kind = 'decision' AND superseded_by IS NULL), count(DISTINCT to_id),
		  coalesce(sum(added), 0), coalesce(sum(removed), 0)
		FROM (SELECT n, session, source, thread, project, kind, is_ban, superseded_by, to_id, added, removed
		  FROM nodes WHERE session = ?1 AND source = ?2
		  UNION ALL SELECT n, session, source, thread, project, 'message', NULL, NULL, NULL, NULL, NULL
		    FROM talks CROSS JOIN messages USING (t) WHERE session = ?1 AND source = ?2)
		GROUP BY thread, project`, session, source)
	return err
}
