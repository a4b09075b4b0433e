// Package overview implements the commands sessions, projects and stats, which list
// what a database holds.
//
// What they print, with the columns shortened:
//
//	LAST              SESSION        TOOL  PROJECT         MESSAGES  DECISIONS  EDITS  BEGAN WITH
//	2026-11-22 09:43  01a202a3-e254  pi    orders-service         4          2      2  Add a /healthz route …
//
//	LAST              SESSIONS  MESSAGES  DECISIONS  BANS  EDITS  TOOLS  PROJECT
//	2026-11-22 09:43         2         7          3     0      2  pi     /home/dev/work/orders-service
//
//	TOOL  SESSIONS  PROJECTS  MESSAGES  DECISIONS  IN FORCE  BANS  EDITS  EXPLAINED  LINES  …
//	pi           2         1         7          3         3     0      2          2  +3 -1  …
//
// The numbers come from sums that the writer keeps (internal/nodedb/sums), so they cost the
// same for any size of database.
package overview

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/memscribe/memscribe/cmd/memscribe/internal/cli"
	"github.com/memscribe/memscribe/internal/nodedb"
	"github.com/memscribe/memscribe/internal/nodedb/lists"
	"github.com/memscribe/memscribe/internal/usage"
)

// Options say what is listed, and how it is printed.
type Options struct {
	Filter lists.Filter
	Page   lists.Page
	Whole  bool // there are no pages
	JSON   bool // one object
}

// Check refuses what makes no sense.
func (o *Options) Check() error {
	if o.Whole {
		return nil
	}
	if o.Page.Limit < 0 {
		return usage.Errorf("--limit %d: it is a number, or 0 for all", o.Page.Limit)
	}
	return nil
}

// pages reads as many parts of a list as the limit asks for; 0 is all of it.
func pages[T any](p lists.Page, read func(lists.Page) (lists.List[T], error)) (all lists.List[T], err error) {
	for wanted := p.Limit; ; {
		if p.Limit = lists.MaxPage; wanted > 0 {
			p.Limit = min(wanted-len(all.Items), lists.MaxPage)
		}
		part, err := read(p)
		if err != nil {
			return all, err
		}
		all.Items, all.Next = append(all.Items, part.Items...), part.Next
		if part.Next == "" || len(all.Items) == wanted {
			return all, nil
		}
		p.After = part.Next
	}
}

// Sessions lists sessions.
func Sessions(ctx context.Context, a *cli.App, r *nodedb.Reader, o Options) error {
	list, err := pages(o.Page, func(p lists.Page) (lists.List[lists.Session], error) { return lists.Sessions(ctx, r, o.Filter, p) })
	if err != nil {
		return err
	}
	ids := make([]string, len(list.Items))
	for i := range list.Items {
		ids[i] = list.Items[i].ID
	}
	briefs, err := r.Briefs(ctx, ids)
	if err != nil {
		return err
	}
	t := NewTable(a, Left("LAST", 8), Left("SESSION", 9), Left("TOOL", 4), Cut("PROJECT", 6, 18), Right("MESSAGES", 1),
		Right("DECISIONS", 3), Right("EDITS", 2), Cut("BEGAN WITH", 7, 25))
	for i := range list.Items {
		s := &list.Items[i]
		opening := s.Opening
		if s.Shared != nil {
			opening = "[" + s.Shared.String() + "] " + opening
		}
		t.Row(t.At(s.Last), briefs[s.ID], s.Source, Base(s.Project), Number(s.Messages), Number(s.Decisions), Number(s.Episodes), opening)
	}
	return print(a, o, list, t, func(f lists.Filter) (bool, error) {
		wider, err := lists.Sessions(ctx, r, f, lists.Page{Limit: 1})
		return len(wider.Items) > 0, err
	})
}

// Projects lists projects.
func Projects(ctx context.Context, a *cli.App, r *nodedb.Reader, o Options) error {
	list, err := pages(o.Page, func(p lists.Page) (lists.List[lists.Project], error) { return lists.Projects(ctx, r, o.Filter, p) })
	if err != nil {
		return err
	}
	t := NewTable(a, Left("LAST", 7), Right("SESSIONS", 6), Right("MESSAGES", 2), Right("DECISIONS", 5), Right("BANS", 4), Right("EDITS", 3),
		Cut("TOOLS", 1, 12), Path("PROJECT", 8, 25))
	for i := range list.Items {
		p := &list.Items[i]
		t.Row(t.At(p.Last), Number(p.Sessions), Number(p.Messages), Number(p.Decisions), Number(p.Bans), Number(p.Episodes),
			strings.Join(p.Tools, ", "), cmp.Or(p.Project, "(not known)"))
	}
	return print(a, o, list, t, func(f lists.Filter) (bool, error) {
		wider, err := lists.Projects(ctx, r, f, lists.Page{Limit: 1})
		return len(wider.Items) > 0, err
	})
}

// has reports whether a list of what a filter leaves has anything in it.
type has func(lists.Filter) (bool, error)

// nothing says that nothing was found, and which filters keep away what there is.
func nothing(a *cli.App, f lists.Filter, has has) error {
	var all []cli.Condition
	without := func(flag string, is bool, drop func(*lists.Filter)) {
		wider := f
		drop(&wider)
		if is {
			all = append(all, cli.Condition{Flag: flag, Finds: func() (bool, error) { return has(wider) }})
		}
	}
	without("--project", f.Project != "", func(f *lists.Filter) { f.Project = "" })
	without("--tool", f.Tool != "", func(f *lists.Filter) { f.Tool = "" })
	without("--session", f.Session != "", func(f *lists.Filter) { f.Session = "" })
	without("--since", !f.Since.IsZero(), func(f *lists.Filter) { f.Since = time.Time{} })
	without("--until", !f.Until.IsZero(), func(f *lists.Filter) { f.Until = time.Time{} })
	return a.Nothing(all...)
}

// print prints a part of a list, as an object or as a table, and the cursor of the next part.
func print[T any](a *cli.App, o Options, list lists.List[T], t *Table, has has) error {
	var err error
	if o.JSON {
		err = WriteJSON(a.Stdout.Text(), list)
	} else {
		err = t.Write()
	}
	switch {
	case err != nil:
		return fmt.Errorf("print list: %w", err)
	case len(list.Items) == 0:
		return nothing(a, o.Filter, has)
	case list.Next != "" && !o.JSON:
		a.Stderr.Printf("there is more: --cursor %s\n", list.Next)
	}
	return nil
}

// WriteJSON prints a list as one object, an item a line:
//
//	{"items":[
//	{…}
//	,{…}
//	],"next":…}
func WriteJSON[T any](w io.Writer, list lists.List[T]) error {
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	out.WriteString(`{"items":[` + "\n")
	for i := range list.Items {
		if i > 0 {
			out.WriteByte(',')
		}
		if err := e.Encode(list.Items[i]); err != nil {
			return err
		}
	}
	out.WriteByte(']')
	if list.Next != "" {
		out.WriteString(`,"next":"` + list.Next + `"`) // base64
	}
	out.WriteString("}\n")
	_, err := out.WriteTo(w)
	return err
}

// Stats prints how much there is.
func Stats(ctx context.Context, a *cli.App, r *nodedb.Reader, o Options) error {
	totals, err := lists.Stats(ctx, r, o.Filter)
	if err != nil {
		return err
	}
	t := NewTable(a, Left("TOOL", 13), Right("SESSIONS", 12), Right("PROJECTS", 6), Right("MESSAGES", 7), Right("DECISIONS", 11), Right("IN FORCE", 8),
		Right("BANS", 9), Right("EDITS", 10), Right("EXPLAINED", 5), Right("LINES", 4), Right("FILES", 3), Left("FROM", 1), Left("TO", 2))
	for i := range totals {
		s := &totals[i]
		name := s.Source
		if name == "" {
			name = "all"
		}
		t.Row(name, Number(s.Sessions), Number(s.Projects), Number(s.Messages), Number(s.Decisions), Number(s.InForce), Number(s.Bans),
			Number(s.Episodes), Number(s.Explained), fmt.Sprintf("+%s -%s", Number(s.Added), Number(s.Removed)), Number(s.Files), t.At(s.First), t.At(s.Last))
	}
	return print(a, o, lists.List[lists.Total]{Items: totals}, t, func(f lists.Filter) (bool, error) {
		wider, err := lists.Stats(ctx, r, f)
		return len(wider) > 0, err
	})
}
