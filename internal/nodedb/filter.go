package nodedb

import (
	"context"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/internal/nodedb/schema"
)

// Filter restricts an answer. All conditions must be met; the zero Filter restricts nothing.
//
//	Filter{Project: "orders-service", Tool: core.Codex, Since: monday}
//	Filter{Text: `cursor "page token" -offset path:orders`}
type Filter struct {
	// Project is a folder, which includes all below it, or the last element of a path.
	Project string
	Tool    core.Tool
	// Session is the id of a session, or a beginning of it that no other session has.
	Session string
	// Since and Until restrict the timestamp to [Since, Until). With either, nodes
	// without a timestamp are left out.
	Since, Until time.Time
	// Text is searched for in the words of nodes: words, "a phrase", begin*, -without,
	// path:words.
	Text string
	// Kinds restricts the kinds of node that a question has; empty means all of them.
	Kinds []string
	// Rejected includes nodes that a person rejected.
	Rejected bool
}

// MaxPage is the largest number of nodes in a Page.
const MaxPage = 1000

// Page is a part of an answer.
//
//	Page{Limit: 20}                       the first page
//	Page{Limit: 20, After: answer.Next}   the next one, with the same Filter
//
// A cursor stays valid while nodes are written. A text that is no
// cursor is an [ErrCursor].
type Page struct {
	After string // Answer.Next of the previous page; "" for the first page
	Limit int    // number of nodes, at most MaxPage; 0 is 50
	// Bare leaves out links and annotations, which take longer to find than the nodes.
	// [Reader.Link] adds them to some of the nodes.
	Bare bool
}

// Answer is a page of nodes.
//
// As the commands print it with --json:
//
//	{"schema":"memscribe.answer/v1","items":[
//	{"node":{"schema":"memscribe.node/v1","node":"episode",…},"links":[{"id":"decision:d411…",
//	 "kind":"decision","relation":"produced","evidence":"same_arc",…}]}
//	],"next":"14q95pi56p"}
type Answer struct {
	Nodes []Node
	Next  string // the Page.After of the next page; "" if this is the last
}

// limit returns the size of a page: 50 by default, at most MaxPage.
func (p Page) limit() int {
	switch {
	case p.Limit <= 0:
		return 50
	case p.Limit > MaxPage:
		return MaxPage
	}
	return p.Limit
}

// span returns the range of row numbers for the times of a filter.
func (f Filter) span() (from, to int64) {
	from, to = math.MinInt64, math.MaxInt64
	if f.Since.IsZero() && f.Until.IsZero() {
		return from, to
	}
	from = 0
	if !f.Since.IsZero() {
		from = max(0, schema.FirstAt(f.Since))
	}
	if !f.Until.IsZero() {
		to = schema.FirstAt(f.Until)
	}
	return from, to
}

// numbersOf returns the first and the last row number of a session, of its nodes and its
// messages.
func (v view) numbersOf(ctx context.Context, session string) (first, last int64, err error) {
	err = v.QueryRowContext(ctx, `SELECT coalesce(min(first), 0), coalesce(max(last), -1) FROM (
		SELECT min(n) AS first, max(n) AS last FROM nodes WHERE session = ?1
		UNION ALL SELECT min(n), max(n) FROM talks CROSS JOIN messages USING (t) WHERE session = ?1)`, session).Scan(&first, &last)
	return first, last, err
}

// projects returns the projects that a name matches; see [InProject].
func (v view) projects(ctx context.Context, name string) ([]string, error) {
	if name == "" {
		return nil, nil
	}
	if trimmed := strings.TrimRight(name, `/\`); trimmed != "" {
		name = trimmed
	}
	all, err := v.allProjects(ctx)
	return slices.DeleteFunc(all, func(p string) bool { return !InProject(p, name) }), err
}

// allProjects returns all projects, sorted.
func (v view) allProjects(ctx context.Context) ([]string, error) {
	// It jumps from each project to the next, since there are few, with many rows each.
	return schema.Collect(ctx, v, schema.Single[string], `WITH RECURSIVE each(project) AS (
		  SELECT min(project) FROM tally
		  UNION ALL SELECT (SELECT min(project) FROM tally WHERE project > each.project) FROM each WHERE each.project IS NOT NULL)
		SELECT project FROM each WHERE project IS NOT NULL`)
}

// InProject reports whether a folder is the one with a path or a last element, or is below
// it.
func InProject(folder, name string) bool {
	if rest, ok := strings.CutPrefix(folder, name); ok && (rest == "" || strings.IndexAny(rest, `/\`) == 0) {
		return true
	}
	elements := strings.FieldsFunc(folder, func(r rune) bool { return r == '/' || r == '\\' })
	return !strings.ContainsAny(name, `/\`) && slices.Contains(elements, name)
}
