package query

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"github.com/jedib0t/go-pretty/v6/text"

	"github.com/memscribe/memscribe/internal/nodedb"
	"github.com/memscribe/memscribe/internal/nodedb/fulltext"
)

// layout says what a table shows of nodes.
type layout struct {
	columns []column
	last    column // a text, which takes the room that is left
	under   func(*tableView, *nodedb.Node) []string
	kinds   []string // of the nodes that make sense in it; none is all
	once    bool     // of decisions of one project in the same words, only the first is shown
}

// column is one of a table. Where there is little room, those of least weight go
// first.
type column struct {
	title  string
	weight int
	align  text.Align
	cell   func(*tableView, *nodedb.Node) string
}

// decisionLayout shows who decided, the decision, and below it the edits that carry
// it out.
func decisionLayout(title string) layout {
	return layout{
		columns: []column{
			timeColumn(), projectColumn(), sessionColumn(),
			{title: "BY", weight: 3, cell: func(_ *tableView, n *nodedb.Node) string { return n.By() }},
		},
		last:  column{title: title, cell: said},
		under: links,
		once:  true,
	}
}

// editLayout shows what was changed and by how much, with the decisions below.
func editLayout() layout {
	return layout{
		columns: []column{
			timeColumn(), projectColumn(), sessionColumn(),
			{title: "CHANGE", weight: 4, cell: func(_ *tableView, n *nodedb.Node) string { return n.Change }},
			{title: "LINES", weight: 3, align: text.AlignRight, cell: func(_ *tableView, n *nodedb.Node) string {
				return fmt.Sprintf("+%d -%d", n.Added, n.Removed)
			}},
		},
		last:  column{title: "FILE", cell: said},
		under: links,
	}
}

// sessionLayout shows a session in order: threads, speakers, decisions and edits.
func sessionLayout() layout {
	return layout{
		columns: []column{
			timeColumn(),
			{title: "THREAD", weight: 1, cell: func(_ *tableView, n *nodedb.Node) string { return nodedb.Brief(n.Thread) }},
			kindColumn(),
			{title: "WHO", weight: 3, cell: func(_ *tableView, n *nodedb.Node) string {
				return cmp.Or(n.By(), n.Tool)
			}},
		},
		last:  column{title: "WHAT", cell: said},
		under: links,
		kinds: []string{"conversation", "decision", "episode"},
	}
}

// searchLayout shows hits of all kinds.
func searchLayout() layout {
	return layout{
		columns: []column{timeColumn(), kindColumn(), projectColumn(), sessionColumn()},
		last:    column{title: "WHAT", cell: said},
		under:   links,
	}
}

// memoryLayout shows which call wrote or read an agent's memory, and under which
// key.
func memoryLayout() layout {
	return layout{
		columns: []column{
			timeColumn(), projectColumn(), sessionColumn(),
			{title: "CALL", weight: 5, cell: func(_ *tableView, n *nodedb.Node) string { return strings.TrimPrefix(n.Memory.Action, "memory_") }},
			{title: "STORE", weight: 3, cell: func(_ *tableView, n *nodedb.Node) string { return n.Memory.Store }},
			{title: "KEY", weight: 4, cell: func(_ *tableView, n *nodedb.Node) string { return inProject(n.Memory.Key, n.Project) }},
		},
		last:  column{title: "WHAT", cell: said},
		under: traces,
	}
}

// traces name the writes that planted what was read, and who read what was written.
func traces(t *tableView, n *nodedb.Node) (lines []string) {
	for i, l := range n.Links {
		if i == fewLinks {
			return append(lines, fmt.Sprintf("  … %d more", len(n.Links)-i))
		}
		by := l.Source + " " + nodedb.Brief(l.Session) + ", " + t.at(l.Timestamp)
		if l.Relation == nodedb.Planted {
			what := l.Change + " " + inProject(l.Path, n.Project)
			if l.Kind != "episode" {
				what = fulltext.Excerpt(l.Text, "", wide)
			}
			lines = append(lines, "  < "+by+": "+what)
		} else {
			lines = append(lines, "  > read by "+by)
		}
	}
	return lines
}

// timeColumn shows the time in the user's zone.
func timeColumn() column {
	return column{title: "TIME", weight: 6, cell: func(t *tableView, n *nodedb.Node) string { return t.at(n.Timestamp) }}
}

// at returns a time as a person reads it.
func (t *tableView) at(timestamp string) string {
	at, err := time.Parse(time.RFC3339Nano, timestamp)
	if err != nil {
		return timestamp
	}
	return at.In(t.zone).Format("2006-01-02 15:04")
}

// idColumn shows as much of an id as tells a node from others.
func idColumn() column {
	return column{title: "ID", weight: 9, cell: func(_ *tableView, n *nodedb.Node) string {
		_, digits, _ := strings.Cut(n.ID, ":")
		return nodedb.Brief(digits)
	}}
}

// kindColumn shows the kind of node.
func kindColumn() column {
	return column{title: "KIND", weight: 5, cell: func(_ *tableView, n *nodedb.Node) string { return n.Kind }}
}

// projectColumn shows the last element of the project's folder.
func projectColumn() column {
	return column{title: "PROJECT", weight: 4, cell: func(_ *tableView, n *nodedb.Node) string {
		return n.Project[strings.LastIndexAny(n.Project, `/\`)+1:]
	}}
}

// sessionColumn shows as much of the session's id as one types.
func sessionColumn() column {
	return column{title: "SESSION", weight: 2, cell: func(_ *tableView, n *nodedb.Node) string { return cmp.Or(n.Brief, nodedb.Brief(n.Session)) }}
}

// said returns what a node is about.
func said(_ *tableView, n *nodedb.Node) string {
	text := n.Text
	switch n.Kind {
	case "episode":
		text = inProject(n.Path, n.Project)
		if n.OldPath != "" {
			text = inProject(n.OldPath, n.Project) + " -> " + text
		}
	case "binding":
		text = n.From + " " + n.Relation + " " + n.To
	case "decision":
		if text = n.Title; n.SupersededBy != "" {
			text += " (no longer holds)"
		}
	}
	if said := n.Mark.String(); said != "" {
		text += " [" + said + "]"
	}
	return text
}

// inProject leaves out of a path the folder of its project.
func inProject(path, project string) string {
	if rest, ok := strings.CutPrefix(path, project); ok && project != "" && strings.IndexAny(rest, `/\`) == 0 {
		return rest[1:]
	}
	return path
}

// fewLinks is how many lines a table spends on what a node is bound to.
const fewLinks = 3

// links name the notes of people and agents, the edits of a decision, and the reasons of an
// edit; those that read the same, once.
func links(t *tableView, n *nodedb.Node) (lines []string) {
	for _, note := range n.Mark.Notes {
		lines = append(lines, "  # "+fulltext.Excerpt(note.Text, "", wide)+" ("+note.Who()+")")
	}
	return append(lines, bound(t, n)...)
}

// bound returns the lines below a node: edits of a decision, or decisions of an
// edit. Equal lines are counted, not repeated.
func bound(_ *tableView, n *nodedb.Node) (lines []string) {
	times := map[string]int{}
	for _, l := range n.Links {
		line := "  > " + l.Change + " " + inProject(l.Path, n.Project)
		if n.Kind == "episode" {
			line = "  < " + cmp.Or(l.Title, fulltext.Excerpt(l.Text, "", wide))
		}
		if l.Relation != "produced" {
			line += " (" + strings.ReplaceAll(l.Relation, "_", " ") + ")"
		}
		if times[line]++; times[line] == 1 {
			lines = append(lines, line)
		}
	}
	for i, line := range lines {
		if times[line] > 1 {
			lines[i] = fmt.Sprintf("%s, %d times", line, times[line])
		}
	}
	switch left := len(lines) - fewLinks; {
	case len(n.Links) == nodedb.MaxLinks: // there may be others
		return append(lines[:min(fewLinks, len(lines))], "  …")
	case left > 0:
		return append(lines[:fewLinks], fmt.Sprintf("  … %d more", left))
	}
	return lines
}
