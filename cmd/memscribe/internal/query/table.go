package query

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"

	"github.com/memscribe/memscribe/cmd/memscribe/internal/cli"
	"github.com/memscribe/memscribe/cmd/memscribe/internal/console"
	"github.com/memscribe/memscribe/internal/nodedb"
	"github.com/memscribe/memscribe/internal/nodedb/fulltext"
	"github.com/memscribe/memscribe/internal/visible"
)

const (
	roomy   = 40 // the width of the last column that other columns make way for
	textual = 3  // lines of a text that are shown
	wide    = 160
)

// tableView is an answer on its way to become a table for people.
type tableView struct {
	layout

	out    *console.Printer
	width  int // of the table; 0 is any
	color  bool
	zone   *time.Location
	search string
	rows   []nodedb.Node
	more   map[words]int // how often what is shown once was said besides
}

// words are what a decision says, and where: a prompt is often sent again in another session.
type words struct {
	project, title string
	holds          bool
}

// wordsOf returns the words of a decision.
func wordsOf(n *nodedb.Node) words {
	return words{n.Project, strings.Join(strings.Fields(n.Title), " "), n.SupersededBy == ""}
}

// foldRepeats keeps the first of the decisions that say the same, and counts the others.
func (t *tableView) foldRepeats() {
	t.more = map[words]int{}
	seen := map[words]bool{}
	t.rows = slices.DeleteFunc(t.rows, func(n nodedb.Node) bool {
		w := wordsOf(&n)
		repeats := n.Kind == "decision" && seen[w]
		if seen[w] = true; repeats {
			t.more[w]++
		}
		return repeats
	})
}

// newTable makes a table as wide as the terminal, or of any width without one.
func newTable(a *cli.App, l layout, search string) *tableView {
	t := &tableView{layout: l, out: a.Stdout, zone: a.Now().Location(), search: search}
	t.width = a.Columns()
	if a.Stdout.IsTerminal() {
		t.color = a.Getenv("NO_COLOR") == "" && a.Getenv("TERM") != "dumb"
	}
	return t
}

// printer gathers what comes, since the widths of columns depend on all of it.
func (t *tableView) printer() printer {
	return printer{
		kinds: t.kinds,
		nodes: func(nodes []nodedb.Node) error {
			t.rows = append(t.rows, nodes...)
			return nil
		},
		end: func(string) error {
			if len(t.rows) == 0 {
				return nil
			}
			if t.once {
				t.foldRepeats()
			}
			header, rows, _ := strings.Cut(t.render(), "\n")
			if err := t.out.Heading(header, t.color); err != nil {
				return err
			}
			_, err := io.WriteString(t.out.Text(), rows)
			return err
		},
	}
}

// render lays the table out: columns in their natural width, and the last one in
// what is left.
func (t *tableView) render() string {
	narrow := make([]int, len(t.columns)) // the natural widths
	cells := make([][]string, len(t.rows))
	for c := range t.columns {
		narrow[c] = len(t.columns[c].title)
		for r := range t.rows {
			cells[r] = append(cells[r], oneLine(t.columns[c].cell(t, &t.rows[r])))
			narrow[c] = max(narrow[c], text.StringWidth(cells[r][c]))
		}
	}
	shown, room := t.fit(narrow)
	w := table.NewWriter()
	w.SetStyle(tableStyle())
	w.SuppressTrailingSpaces()
	var configs []table.ColumnConfig
	var header table.Row
	for i, c := range shown {
		header = append(header, t.columns[c].title)
		configs = append(configs, table.ColumnConfig{Number: i + 1, Align: t.columns[c].align})
	}
	w.AppendHeader(append(header, t.last.title))
	w.SetColumnConfigs(configs)
	for r := range t.rows {
		var row table.Row
		for _, c := range shown {
			row = append(row, cells[r][c])
		}
		w.AppendRow(append(row, t.lastCell(&t.rows[r], room)))
	}
	return w.Render() + "\n"
}

const gap = "  "

// fit chooses the columns that there is room for, and says how much is left for
// the last; 0 is any.
func (t *tableView) fit(widths []int) (shown []int, room int) {
	for c := range widths {
		shown = append(shown, c)
	}
	if t.width == 0 {
		return shown, 0
	}
	left := func() int {
		room := t.width
		for _, c := range shown {
			room -= widths[c] + len(gap)
		}
		return room
	}
	for left() < roomy && len(shown) > 0 {
		least := slices.MinFunc(shown, func(a, b int) int { return t.columns[a].weight - t.columns[b].weight })
		shown = slices.DeleteFunc(shown, func(c int) bool { return c == least })
	}
	return shown, max(left(), 2)
}

// lastCell returns a text, wrapped, and under it what it is bound to.
func (t *tableView) lastCell(n *nodedb.Node, room int) string {
	width := room * textual
	if room == 0 {
		width = wide
	}
	said := t.last.cell(t, n)
	if n.Kind != "decision" { // a title is short already, and would no longer read by itself
		said = fulltext.Excerpt(said, t.search, width)
	}
	said = oneLine(said)
	if room > 0 {
		said = wrap(said, room)
	}
	lines := []string{strings.TrimRight(said, " \n")}
	if more := t.more[wordsOf(n)]; n.Kind == "decision" && more > 0 {
		lines = append(lines, fmt.Sprintf("> said %d times; --ids lists all", more+1))
	}
	for _, l := range t.under(t, n) {
		l = oneLine(l)
		if room > 0 {
			l = text.Snip(l, room, "…")
		}
		lines = append(lines, l)
	}
	return strings.Join(lines, "\n")
}

// wrap breaks a text into lines that are at most so wide. The library's may be
// one wider, where a character takes two columns.
func wrap(s string, width int) string {
	wrapped := text.WrapSoft(s, width)
	if text.LongestLineLen(wrapped) > width {
		return text.WrapSoft(s, width-1)
	}
	return wrapped
}

// tableStyle returns a style without borders, so that rows can be cut and searched
// by other programs.
func tableStyle() table.Style {
	return table.Style{
		Box:    table.BoxStyle{PaddingRight: gap},
		Format: table.FormatOptions{Header: text.FormatDefault},
	}
}

// oneLine returns a text in one line of a table. Its line ends and tabs are blanks: texts
// have many.
func oneLine(s string) string {
	return visible.Line(strings.Map(func(r rune) rune {
		if r == '\n' || r == '\t' || r == '\r' {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(s, "\uFFFD")))
}
