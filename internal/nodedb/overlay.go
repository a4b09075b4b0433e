package nodedb

import (
	"cmp"
	"context"
	"database/sql"
	"slices"

	"github.com/memscribe/memscribe/internal/nodedb/marks"
	"github.com/memscribe/memscribe/internal/nodedb/schema"
)

// overlay is what people said of nodes, as far as it says which of them a list has, by
// their numbers. There is little of it beside the nodes.
type overlay struct {
	rejected, retired, pinned []int64
	any                       bool // something was said of some node, or some were received
}

// overlay reads what people said.
func (v view) overlay(ctx context.Context) (o overlay, err error) {
	if err = v.QueryRowContext(ctx, "SELECT EXISTS (SELECT * FROM marks)").Scan(&o.any); err != nil {
		return o, err
	}
	shared, err := marks.HasReceived(ctx, v)
	if err != nil || !o.any {
		o.any = shared
		return o, err
	}
	type stand struct {
		n                         int64
		rejected, pinned, retired bool
	}
	scan := func(rows *sql.Rows, s *stand) error { return rows.Scan(&s.n, &s.rejected, &s.pinned, &s.retired) }
	all, err := schema.Collect(ctx, v, scan, `SELECT nodes.n, rejected, pinned, marks.superseded_by IS NOT NULL FROM marks CROSS JOIN nodes ON nodes.id = marks.id
		WHERE rejected OR pinned OR marks.superseded_by IS NOT NULL`)
	for _, s := range all {
		for _, part := range []struct {
			in   bool
			list *[]int64
		}{{s.rejected, &o.rejected}, {s.retired, &o.retired}, {s.pinned, &o.pinned}} {
			if part.in {
				*part.list = append(*part.list, s.n)
			}
		}
	}
	return o, err
}

// narrow returns the list without what it must not have.
//
// Numbers go into the statement as one JSON parameter: there are few of them, and the
// text of the statement stays the same.
func (o *overlay) narrow(l list, f Filter) list {
	if hidden := o.hiddenFrom(f); hidden != "" {
		l = l.and("n NOT IN (SELECT value FROM json_each(?))", hidden)
	}
	if l.bans && len(o.retired) > 0 {
		if list, err := schema.JSONList(o.retired); err == nil {
			l = l.and("n NOT IN (SELECT value FROM json_each(?))", list)
		}
	}
	return l
}

// hiddenFrom returns the numbers that a filter hides, as JSON; "" if there are none.
func (o *overlay) hiddenFrom(f Filter) string {
	if f.Rejected || len(o.rejected) == 0 {
		return ""
	}
	list, _ := schema.JSONList(o.rejected) // numbers can always be written
	return list
}

// mark gives nodes what people said of them and of what they are bound to: a title, and
// what holds in their place. What a person rejected is no reason of an edit.
func (v view) mark(ctx context.Context, nodes []Node) error {
	var ids []string
	for i := range nodes {
		ids = append(ids, nodes[i].ID)
		for _, l := range nodes[i].Links {
			ids = append(ids, l.ID)
		}
	}
	said, err := marks.Of(ctx, v, ids)
	if err != nil || len(said) == 0 {
		return err
	}
	for i := range nodes {
		n := &nodes[i]
		n.Mark = said[n.ID]
		if n.Mark.Title != "" && n.Kind == "decision" {
			n.Title = n.Mark.Title
		}
		if n.Mark.SupersededBy != "" {
			n.SupersededBy = n.Mark.SupersededBy
		}
		n.Links = slices.DeleteFunc(n.Links, func(l Link) bool { return said[l.ID].Rejected })
		for k := range n.Links {
			if l := &n.Links[k]; said[l.ID].Title != "" {
				l.Title = said[l.ID].Title
			}
		}
	}
	return nil
}

// obey leaves out of what a search has found the nodes that a person rejected.
func (s *finder) obey(ctx context.Context, hits []rowHit, texts []string) ([]rowHit, []string, error) {
	var ids []string
	for i := range hits {
		if hits[i].ID != "" {
			ids = append(ids, hits[i].ID)
		}
	}
	said, err := marks.Of(ctx, s.view, ids)
	if err != nil || len(said) == 0 {
		return hits, texts, err
	}
	var left []rowHit
	var of []string
	for i := range hits {
		if hits[i].Mark = said[hits[i].ID]; hits[i].Kind == "decision" {
			hits[i].Title = cmp.Or(hits[i].Mark.Title, hits[i].Title)
		}
		if hits[i].ID == "" || !hits[i].Mark.Rejected || s.f.Rejected {
			left, of = append(left, hits[i]), append(of, texts[i])
		}
	}
	return left, of, nil
}
