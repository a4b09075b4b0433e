package lists

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"math"

	"github.com/memscribe/memscribe/internal/annotate"
	"github.com/memscribe/memscribe/internal/nodedb"
	"github.com/memscribe/memscribe/internal/nodedb/marks"
	"github.com/memscribe/memscribe/internal/nodedb/schema"
)

// Counts say how much of each kind there is.
type Counts struct {
	Messages  int64 `json:"messages"`
	Decisions int64 `json:"decisions"`
	Bans      int64 `json:"bans"` // of the decisions
	Episodes  int64 `json:"episodes"`
}

// Session is one line of the list of sessions. First and Last are RFC 3339 in UTC, "" if
// nothing in it has a time.
//
//	{"session_id":"01a202a4-…","source":"pi","project":"/home/dev/work/orders-service","threads":1,
//	 "messages":3,"decisions":1,"bans":0,"episodes":0,"first":"2026-11-22T09:43:57.087Z",
//	 "last":"2026-11-22T09:43:57.819Z","opening":"Alternative take: keep /healthz but …"}
type Session struct {
	ID      string `json:"session_id"`
	Source  string `json:"source"`
	Project string `json:"project"` // where most of it happened
	Threads int64  `json:"threads"` // the main line and subagents
	Counts
	First   string `json:"first,omitempty"`
	Last    string `json:"last,omitempty"`
	Opening string `json:"opening,omitempty"` // what a person said first
	// Shared is set if it was received from a team, and not captured here.
	Shared *annotate.Shared `json:"shared,omitempty"`
}

// Project is one line of the list of projects.
//
//	{"project":"/home/dev/work/orders-service","tools":["pi"],"sessions":2,"messages":7,"decisions":3,
//	 "bans":0,"episodes":2,"first":"2026-11-22T09:43:44.975Z","last":"2026-11-22T09:43:57.819Z"}
type Project struct {
	Project  string   `json:"project"` // its folder; "" is that of sessions that name none
	Tools    []string `json:"tools"`
	Sessions int64    `json:"sessions"`
	Counts
	First string `json:"first,omitempty"`
	Last  string `json:"last,omitempty"`
}

// ended stands for the moment of what has none, so that it is listed last.
const ended = math.MinInt64

// Sessions lists sessions, the ones with the latest activity first.
//
// A filter by time selects sessions that were active then; their counts are of the
// whole session.
func Sessions(ctx context.Context, r *nodedb.Reader, f Filter, p Page) (list List[Session], err error) {
	err = r.Snapshot(ctx, func(s nodedb.Snapshot) error {
		list, err = sessions(ctx, s, f, p)
		return err
	})
	if err != nil {
		return List[Session]{}, fmt.Errorf("list sessions: %w", err)
	}
	return list, nil
}

// sessions lists the sessions of a page: the tally gives the order and the counts, and one
// query per session the words that it opens with.
func sessions(ctx context.Context, s nodedb.Snapshot, f Filter, p Page) (list List[Session], err error) {
	q, err := f.grouped(ctx, s, p, "session", "source")
	if err != nil {
		return list, err
	}
	type row struct {
		Session
		place place
	}
	scan := func(rows *sql.Rows, r *row) (err error) {
		var first, last sql.NullInt64
		err = rows.Scan(&r.ID, &r.Source, &r.Project, &r.Threads, &r.Messages, &r.Decisions, &r.Bans, &r.Episodes, &first, &last, &r.place.Last)
		r.First, r.Last, r.place.Names = stamp(first), stamp(last), []string{r.ID, r.Source}
		return err
	}
	// The page is found by moments alone; only its own sessions are counted.
	all, err := schema.Collect(ctx, s, scan, fmt.Sprintf(`SELECT session, source,
		  (SELECT project FROM tally AS most WHERE most.session = found.session AND most.source = found.source
		    ORDER BY messages + decisions + episodes DESC, project LIMIT 1),
		  count(DISTINCT thread), sum(messages), sum(decisions), sum(bans), sum(episodes), min(first), max(last), place
		FROM (SELECT session, source, place
		  FROM (SELECT session, source, min(first) AS first, max(last) AS last, coalesce(max(last), %d) AS place
		    FROM tally WHERE %s GROUP BY session, source)
		  WHERE %s ORDER BY place DESC, session, source LIMIT ?) AS found CROSS JOIN tally USING (session, source)
		WHERE %s GROUP BY session, source ORDER BY place DESC, session, source`, ended, &q.rows, &q.groups, &q.rows),
		append(q.args(), q.rows.args...)...)
	if err != nil {
		return list, err
	}
	if len(all) > p.limit() {
		all = all[:p.limit()]
		list.Next = all[len(all)-1].place.cursor()
	}
	for i := range all {
		one := &all[i].Session
		if one.Opening, err = s.Opening(ctx, one.ID, one.Source); err != nil {
			return list, err
		}
		list.Items = append(list.Items, *one)
	}
	return list, shared(ctx, s, list.Items)
}

// shared marks the sessions that were received from a team. A database that has never received
// anything is not asked about each of them.
func shared(ctx context.Context, s nodedb.Snapshot, sessions []Session) error {
	if is, err := marks.HasReceived(ctx, s); err != nil || !is {
		return err
	}
	for i := range sessions {
		one := &sessions[i]
		all, err := schema.Collect(ctx, s, func(rows *sql.Rows, by *annotate.Shared) error { return rows.Scan(&by.By, &by.Server, &by.Namespace) },
			`SELECT shared_by, server, namespace FROM nodes JOIN received USING (id) WHERE session = ? AND source = ? ORDER BY n LIMIT 1`, one.ID, one.Source)
		if err != nil {
			return err
		}
		if len(all) > 0 {
			one.Shared = &all[0]
		}
	}
	return nil
}

// Projects lists projects, the ones with the latest activity first. A tool or session
// of the filter narrows what is counted.
func Projects(ctx context.Context, r *nodedb.Reader, f Filter, p Page) (list List[Project], err error) {
	err = r.Snapshot(ctx, func(s nodedb.Snapshot) error {
		list, err = projects(ctx, s, f, p)
		return err
	})
	if err != nil {
		return List[Project]{}, fmt.Errorf("list projects: %w", err)
	}
	return list, nil
}

// projects lists projects by their latest activity.
func projects(ctx context.Context, s nodedb.Snapshot, f Filter, p Page) (list List[Project], err error) {
	q, err := f.grouped(ctx, s, p, "project")
	if err != nil {
		return list, err
	}
	type row struct {
		Project
		place place
	}
	scan := func(rows *sql.Rows, r *row) (err error) {
		var first, last sql.NullInt64
		var tools string
		err = rows.Scan(&r.Project.Project, &tools, &r.Sessions, &r.Messages, &r.Decisions, &r.Bans, &r.Episodes, &first, &last, &r.place.Last)
		if err != nil {
			return err
		}
		r.First, r.Last, r.place.Names = stamp(first), stamp(last), []string{r.Project.Project}
		return json.Unmarshal([]byte(tools), &r.Tools)
	}
	all, err := schema.Collect(ctx, s, scan, fmt.Sprintf(`SELECT project, tools, sessions, messages, decisions, bans, episodes, first, last, place
		FROM (SELECT project, json_group_array(DISTINCT source) AS tools, count(DISTINCT source || ' ' || session) AS sessions,
		  sum(messages) AS messages, sum(decisions) AS decisions, sum(bans) AS bans, sum(episodes) AS episodes,
		  min(first) AS first, max(last) AS last, coalesce(max(last), %d) AS place
		  FROM tally WHERE %s GROUP BY project)
		WHERE %s ORDER BY place DESC, project LIMIT ?`, ended, &q.rows, &q.groups), q.args()...)
	if err != nil {
		return list, err
	}
	if len(all) > p.limit() {
		all = all[:p.limit()]
		list.Next = all[len(all)-1].place.cursor()
	}
	for i := range all {
		list.Items = append(list.Items, all[i].Project)
	}
	return list, nil
}

// grouping is a filter in SQL: a condition on the rows of tally, one on the groups that they
// make, and how many groups to read. One group more than the page has tells whether there is a
// next page.
type grouping struct {
	rows, groups where
	limit        int
}

// grouped works out a filter and a page of what is grouped by these names.
func (f Filter) grouped(ctx context.Context, s nodedb.Snapshot, p Page, names ...string) (q grouping, err error) {
	if q.rows, err = f.scope(ctx, s); err != nil {
		return q, err
	}
	f.span(&q.groups, "first", "last")
	q.limit = p.limit() + 1
	if p.After == "" {
		return q, nil
	}
	at, err := p.after(len(names))
	if err != nil {
		return q, err
	}
	// Behind the place: an earlier moment, or the same one and later names.
	columns, marks, args := names[0], "?", []any{at.Last, at.Last, at.Names[0]}
	for i := 1; i < len(names); i++ {
		columns, marks, args = columns+", "+names[i], marks+", ?", append(args, at.Names[i])
	}
	q.groups.and(fmt.Sprintf("(place < ? OR place = ? AND (%s) > (%s))", columns, marks), args...)
	return q, nil
}

// args returns the arguments of the query, in the order of its parts.
func (q *grouping) args() []any {
	return append(append(append([]any{}, q.rows.args...), q.groups.args...), q.limit)
}
