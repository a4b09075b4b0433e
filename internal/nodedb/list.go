package nodedb

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/internal/nodedb/filename"
	"github.com/memscribe/memscribe/internal/nodedb/fulltext"
	"github.com/memscribe/memscribe/internal/nodedb/schema"
)

// list is a question with an answer sorted newest first. [selection.listed] makes SQL of
// it, or [selection.found] if words are searched for.
type list struct {
	what  string // for errors
	kind  string // "" for any
	index string // the index to use; "" leaves that to the planner
	where []string
	args  []any // of where
	arms  []arm // a node must match one of them; empty means no condition
	also  []arm // further nodes, by annotations; they are few and need no index
	trace bool  // links are between accesses to memories, not bindings
	bans  bool  // only those in force
	pins  bool  // pinned nodes come first
}

// arm is a condition that an index answers in the order of n.
type arm struct {
	where string
	args  []any
}

// anything lists nodes of all kinds.
func anything() list { return list{what: "nodes"} }

// decisions lists decisions, those that people pinned first.
func decisions() list { return list{what: "decisions", kind: "decision", pins: true} }

// bans lists the bans that are in force, those that people pinned first.
func bans() list {
	return list{what: "bans", kind: "decision", where: []string{"is_ban = 1", "superseded_by IS NULL"}, bans: true, pins: true}
}

// episodes lists edits.
func episodes() list { return list{what: "episodes", kind: "episode"} }

// ofFile finds the edits of a file.
func ofFile(path string) list {
	file := filename.Of(path)
	same, args := "nodes.%[1]s = ?", []any{file.Path}
	if file.End != "" {
		same, args = `(nodes.%[1]s = ? OR substr(replace(nodes.%[1]s, '\', '/'), -length(?)) = ?)`, []any{file.Path, file.End, file.End}
	}
	return list{what: "edits of " + file.Path, kind: "episode", arms: []arm{
		{where: "base = ? AND " + fmt.Sprintf(same, "path"), args: append([]any{file.Base}, args...)},
		{where: "old_path IS NOT NULL AND " + fmt.Sprintf(same, "old_path"), args: args},
	}}
}

// Query is SQL with its arguments.
type Query struct {
	SQL  string
	Args []any
}

// newest answers a list with two queries: for the row numbers, which needs indexes only,
// and for the rows.
//
// The first one asks for one number more than a page has, to know whether there is another
// page.
func (v view) newest(ctx context.Context, l list, f Filter, p Page) (Answer, error) {
	said, err := v.overlay(ctx)
	if err != nil {
		return Answer{}, err
	}
	ns, err := v.page(ctx, said.narrow(l, f), said.pinned, f, p)
	if err != nil || len(ns) == 0 {
		return Answer{}, err
	}
	var a Answer
	if len(ns) > p.limit() {
		ns = ns[:p.limit()]
		a.Next = strconv.FormatInt(ns[len(ns)-1], 36)
		if l.pins && slices.Contains(said.pinned, ns[len(ns)-1]) {
			a.Next = pinnedCursor + a.Next
		}
	}
	fetch := v.fetch
	if l.kind == "episode" {
		fetch = v.edits
	}
	if a.Nodes, err = fetch(ctx, "n IN "+schema.Placeholders(len(ns)), "n DESC", schema.Anys(ns)); err != nil {
		return Answer{}, err
	}
	at := make(map[int64]int, len(ns))
	for i, n := range ns {
		at[n] = i
	}
	slices.SortStableFunc(a.Nodes, func(x, y Node) int { return at[x.n] - at[y.n] })
	if p.Bare {
		return a, nil
	}
	if l.trace {
		err = v.trace(ctx, a.Nodes)
	} else {
		err = v.link(ctx, a.Nodes)
	}
	if err == nil && said.any {
		err = v.mark(ctx, a.Nodes)
	}
	if err == nil {
		err = brief(ctx, v, a.Nodes, func(n *Node) (string, *string) { return n.Session, &n.Brief })
	}
	return a, err
}

// pinnedCursor begins the cursor of a page that ends among the pinned nodes.
const pinnedCursor = "."

// page returns the numbers of a page, and one more if there is another page. Pinned nodes
// come first, if the list says so.
func (v view) page(ctx context.Context, l list, pinned []int64, f Filter, p Page) (ns []int64, err error) {
	text, amongPinned := strings.CutPrefix(p.After, pinnedCursor)
	before := int64(math.MaxInt64)
	if text != "" {
		if before, err = strconv.ParseInt(text, 36, 64); err != nil {
			return nil, ErrCursor
		}
	}
	if !l.pins || len(pinned) == 0 {
		return v.part(ctx, l, f, before, p.limit()+1)
	}
	among, err := schema.JSONList(pinned)
	if err != nil {
		return nil, err
	}
	if p.After == "" || amongPinned {
		if ns, err = v.part(ctx, l.and("n IN (SELECT value FROM json_each(?))", among), f, before, p.limit()+1); err != nil {
			return nil, err
		}
		before = math.MaxInt64
	}
	if len(ns) > p.limit() {
		return ns, nil
	}
	rest, err := v.part(ctx, l.and("n NOT IN (SELECT value FROM json_each(?))", among), f, before, p.limit()+1-len(ns))
	return append(ns, rest...), err
}

// part returns the numbers of a list below one, at most limit.
func (v view) part(ctx context.Context, l list, f Filter, before int64, limit int) ([]int64, error) {
	q, err := v.numbers(ctx, l, f, before, limit)
	if err != nil || q.SQL == "" {
		return nil, err
	}
	return schema.Collect(ctx, v, schema.Single[int64], q.SQL, q.Args...)
}

// and returns the list with one more condition.
func (l list) and(where string, args ...any) list {
	l.also = append(slices.Clone(l.also), arm{where, args})
	return l
}

// numbers returns the query for the numbers of a page. Its SQL is "" if nothing can
// match.
func (v view) numbers(ctx context.Context, l list, f Filter, before int64, limit int) (Query, error) {
	kinds := f.Kinds
	if l.kind != "" {
		if len(kinds) > 0 && !slices.Contains(kinds, l.kind) {
			return Query{}, nil
		}
		kinds = []string{l.kind}
	}
	projects, err := v.projects(ctx, f.Project)
	if err != nil || f.Project != "" && len(projects) == 0 {
		return Query{}, err
	}
	from, to := f.span()
	if f.Session != "" {
		id, err := v.sessionID(ctx, f.Session)
		if err != nil {
			return Query{}, fmt.Errorf("session %s: %w", f.Session, err)
		}
		first, last, err := v.numbersOf(ctx, id)
		if err != nil {
			return Query{}, err
		}
		l, from, to = l.and("nodes.session = ?", id), max(from, first), min(to, last+1)
	}
	if f.Tool != "" && f.Session == "" && f.Text == "" {
		has, err := v.ofTool(ctx, f.Tool)
		switch {
		case err != nil || has.nodes == 0:
			return Query{}, err
		case has.nodes < has.all/fewOf && len(l.arms) == 0 && l.index == "":
			l = l.and("session IN (SELECT session FROM tally WHERE source = ?)", string(f.Tool))
			l.index = "nodes_session"
		}
		to = min(to, has.end)
	}
	s := selection{kinds: kinds, projects: projects, from: from, to: min(to, before), limit: limit}
	if f.Text != "" {
		terms, err := fulltext.TermsOf(ctx, v, f.Text)
		if err != nil {
			return Query{}, err
		}
		return s.found(l, f, terms)
	}
	return s.listed(l, f), nil
}

// toolNodes is how many nodes a database has of a tool.
type toolNodes struct {
	nodes, all int64
	end        int64 // greater than the numbers of its nodes
}

// fewOf decides how nodes of a tool are found. If at least one in fewOf nodes is the tool's,
// all nodes are gone through, newest first; else only those of the tool's sessions.
const fewOf = 50

// ofTool reads the number of nodes of a tool from the tally.
func (v view) ofTool(ctx context.Context, tool core.Tool) (has toolNodes, err error) {
	err = v.QueryRowContext(ctx, `SELECT coalesce(sum(nodes) FILTER (WHERE source = ?1), 0), coalesce(sum(nodes), 0), (coalesce(max(last) FILTER (WHERE source = ?1), -1) + 1) << ?2
		FROM (SELECT source, last, conversations + decisions + episodes + bindings AS nodes FROM tally)`, string(tool), schema.SlotBits).Scan(&has.nodes, &has.all, &has.end)
	return has, err
}

// selection is a filter with its projects and times resolved.
type selection struct {
	kinds, projects []string
	from, to        int64
	limit           int
}

// manyProjects is the number of projects from which on no query is made for each one.
const manyProjects = 20

// listed returns the query without words.
//
// Arms are joined by UNION. Each uses its own index in the order of n, so that a limit ends
// all of them early. A few projects become arms for the same reason.
func (s selection) listed(l list, f Filter) Query {
	shared, args, arms := slices.Clone(l.where), slices.Clone(l.args), l.arms
	and := func(where string, a ...any) { shared, args = append(shared, where), append(args, a...) }
	switch {
	case len(s.projects) == 0:
	case len(arms)+len(shared) == 0 && len(s.projects) <= manyProjects:
		for _, p := range s.projects {
			arms = append(arms, arm{where: "project = ?", args: []any{p}})
		}
	default:
		and("project IN "+schema.Placeholders(len(s.projects)), schema.Anys(s.projects)...)
	}
	switch {
	case len(l.arms) > 0: // arms have no nodes of another kind
	case len(s.kinds) == 1: // no parameter: the text of a query decides which partial indexes are used
		and("kind = '" + strings.ReplaceAll(s.kinds[0], "'", "''") + "'")
	case len(s.kinds) > 1:
		and("kind IN "+schema.Placeholders(len(s.kinds)), schema.Anys(s.kinds)...)
	}
	if f.Tool != "" {
		and("source = ?", string(f.Tool))
	}
	and("n >= ?", s.from)
	and("n < ?", s.to)
	for _, a := range l.also {
		and(a.where, a.args...)
	}
	if len(arms) == 0 {
		arms = []arm{{where: "true"}}
	}
	var q Query
	var parts []string
	by := ""
	if l.index != "" {
		by = " INDEXED BY " + l.index
	}
	for _, a := range arms {
		parts = append(parts, "SELECT n FROM nodes"+by+" WHERE "+a.where+" AND "+strings.Join(shared, " AND "))
		q.Args = append(append(q.Args, a.args...), args...)
	}
	q.SQL = strings.Join(parts, " UNION ") + " ORDER BY n DESC LIMIT ?"
	q.Args = append(q.Args, s.limit)
	return q
}

// found returns the query with words: by the full-text index, and by the table for the rest.
func (s selection) found(l list, f Filter, terms []fulltext.Term) (Query, error) {
	expr := fulltext.Scope{Kinds: s.kinds, Tool: string(f.Tool), Projects: s.projects}.Match(terms)
	if expr == "" {
		return Query{}, ErrSearch
	}
	from, args, where := "search", []any{expr, s.from, s.to}, slices.Clone(l.where)
	var alternatives []string
	for _, a := range l.arms {
		alternatives = append(alternatives, "("+a.where+")")
		args = append(args, a.args...)
	}
	args = append(args, l.args...)
	for _, a := range l.also {
		where, args = append(where, a.where), append(args, a.args...)
	}
	if len(alternatives) > 0 {
		where = append([]string{"(" + strings.Join(alternatives, " OR ") + ")"}, where...)
	}
	if len(where) > 0 {
		from = "search CROSS JOIN nodes ON nodes.n = search.rowid"
		where = append([]string{""}, where...)
	}
	return Query{
		SQL: "SELECT search.rowid FROM " + from + " WHERE search MATCH ? AND search.rowid >= ? AND search.rowid < ?" +
			strings.Join(where, " AND ") + " ORDER BY search.rowid DESC LIMIT ?",
		Args: append(args, s.limit),
	}, nil
}
