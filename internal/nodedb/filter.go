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

// Filter narrows what is asked for. The zero Filter leaves everything in.
type Filter struct {
	// Project is a folder, with all below it, or the last element of one.
	Project string
	Tool    core.Tool
	// Session is the id of a session, or the beginning that only one has.
	Session string
	// Since and Until are the first moment that counts and the first that does
	// not. With either, nodes without a timestamp are left out.
	Since, Until time.Time
	// Text is what has to be found in a node's words: words, "a phrase", begin*,
	// -without, path:words.
	Text string
	// Kinds are the kinds of node, of those that are asked for; none is all.
	Kinds []string
	// Rejected leaves in what a person rejected.
	Rejected bool
}

// MaxPage is how many nodes a Page has at most.
const MaxPage = 1000

// Page is a part of an answer.
type Page struct {
	After string // Answer.Next of the part before; "" is the beginning
	Limit int    // how many nodes; 0 is 50, and MaxPage the most
	// Bare leaves out what nodes are bound to and what people said of them, which takes
	// longer to find than the nodes. [Reader.Link] gives it to those that need it.
	Bare bool
}

// Answer is a page of nodes.
type Answer struct {
	Nodes []Node
	Next  string // the Page.After of the next page; "" if this is the last
}

// limit returns the size of a page: 50 by default, never more than MaxPage.
func (p Page) limit() int {
	switch {
	case p.Limit <= 0:
		return 50
	case p.Limit > MaxPage:
		return MaxPage
	}
	return p.Limit
}

// span returns the range of numbers that the times of a filter leave.
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

// numbersOf returns the first number and the last of what is kept of a session: of its nodes,
// and of what was said in it.
func (v view) numbersOf(ctx context.Context, session string) (first, last int64, err error) {
	err = v.QueryRowContext(ctx, `SELECT coalesce(min(first), 0), coalesce(max(last), -1) FROM (
		SELECT min(n) AS first, max(n) AS last FROM nodes WHERE session = ?1
		UNION ALL SELECT min(n), max(n) FROM talks CROSS JOIN messages USING (t) WHERE session = ?1)`, session).Scan(&first, &last)
	return first, last, err
}

// projects returns the projects that a name means.
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

// allProjects returns those that there are, sorted.
func (v view) allProjects(ctx context.Context) ([]string, error) {
	// From each to the next: there are few projects, and many rows of each.
	return schema.Collect(ctx, v, schema.Single[string], `WITH RECURSIVE each(project) AS (
		  SELECT min(project) FROM tally
		  UNION ALL SELECT (SELECT min(project) FROM tally WHERE project > each.project) FROM each WHERE each.project IS NOT NULL)
		SELECT project FROM each WHERE project IS NOT NULL`)
}

// InProject reports whether a folder is, or is below, the one that is named by
// its path or by its last element.
func InProject(folder, name string) bool {
	if rest, ok := strings.CutPrefix(folder, name); ok && (rest == "" || strings.IndexAny(rest, `/\`) == 0) {
		return true
	}
	elements := strings.FieldsFunc(folder, func(r rune) bool { return r == '/' || r == '\\' })
	return !strings.ContainsAny(name, `/\`) && slices.Contains(elements, name)
}
