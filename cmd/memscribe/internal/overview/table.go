package overview

import (
	"io"
	"slices"
	"sort"
	"strconv"
	"strings"
	"time"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"

	"github.com/memscribe/memscribe/cmd/memscribe/internal/cli"
	"github.com/memscribe/memscribe/cmd/memscribe/internal/console"
	"github.com/memscribe/memscribe/internal/visible"
)

// Column is a column of a table. Where there is little room for all, those of least
// weight are left out.
type Column struct {
	title  string
	align  text.Align
	weight int
	least  int  // the width that it can be cut to; 0 is none, it is whole or left out
	path   bool // what is cut off is its beginning
}

// Left returns a column of texts.
func Left(title string, weight int) Column {
	return Column{title: title, align: text.AlignLeft, weight: weight}
}

// Right returns a column of numbers.
func Right(title string, weight int) Column {
	return Column{title: title, align: text.AlignRight, weight: weight}
}

// Cut returns a column of texts that may be cut to the width of least.
func Cut(title string, weight, least int) Column {
	return Column{title: title, align: text.AlignLeft, weight: weight, least: least}
}

// Path returns a column of paths, which are cut at their beginning.
func Path(title string, weight, least int) Column {
	return Column{title: title, align: text.AlignLeft, weight: weight, least: least, path: true}
}

// Table is a list for a person, each item on one line that is no wider than the terminal.
type Table struct {
	out     *console.Printer
	columns []Column
	rows    [][]string
	width   int // of the terminal
	color   bool
	zone    *time.Location
}

// widest is how wide a line is at most where there is no terminal.
const widest = 200

// gap stands between two columns.
const gap = "  "

// NewTable returns a table without rows.
func NewTable(a *cli.App, columns ...Column) *Table {
	t := &Table{out: a.Stdout, columns: columns, zone: a.Now().Location(), width: widest}
	if width := a.Columns(); width > 0 {
		t.width = width
	}
	if a.Stdout.IsTerminal() {
		t.color = a.Getenv("NO_COLOR") == "" && a.Getenv("TERM") != "dumb"
	}
	return t
}

// Row adds an item. What a cell says is made visible, on one line.
func (t *Table) Row(cells ...string) {
	row := make([]string, len(cells))
	for i, c := range cells {
		row[i] = visible.Line(strings.Join(strings.Fields(strings.ToValidUTF8(c, "\uFFFD")), " "))
	}
	t.rows = append(t.rows, row)
}

// Write prints the table, if it has rows.
func (t *Table) Write() error {
	if len(t.rows) == 0 {
		return nil
	}
	w := table.NewWriter()
	w.SetStyle(table.Style{Box: table.BoxStyle{PaddingRight: gap}, Format: table.FormatOptions{Header: text.FormatDefault}})
	w.SuppressTrailingSpaces()
	shown, widths := t.fit()
	var header table.Row
	var configs []table.ColumnConfig
	for i, c := range shown {
		header = append(header, t.columns[c].title)
		configs = append(configs, table.ColumnConfig{Number: i + 1, Align: t.columns[c].align, AlignHeader: t.columns[c].align})
	}
	w.AppendHeader(header)
	w.SetColumnConfigs(configs)
	for _, cells := range t.rows {
		var row table.Row
		for _, c := range shown {
			row = append(row, t.columns[c].cut(cells[c], widths[c]))
		}
		w.AppendRow(row)
	}
	heading, rows, _ := strings.Cut(w.Render()+"\n", "\n")
	if err := t.out.Heading(heading, t.color); err != nil {
		return err
	}
	_, err := io.WriteString(t.out.Text(), rows)
	return err
}

// fit chooses the columns that there is room for, and says how wide each is. Columns
// that can be cut are cut to one width, those that are narrower stay whole.
func (t *Table) fit() (shown, widths []int) {
	widths = make([]int, len(t.columns))
	for c := range t.columns {
		for _, row := range t.rows {
			widths[c] = max(widths[c], text.StringWidth(row[c]))
		}
		if widths[c] > 0 { // a column in which nothing stands is none
			widths[c] = max(widths[c], len(t.columns[c].title))
			shown = append(shown, c)
		}
	}
	least := func(c int) int {
		if t.columns[c].least == 0 {
			return widths[c]
		}
		return min(widths[c], t.columns[c].least)
	}
	over := func(width func(int) int) int { // how much wider they are than the terminal
		sum := -t.width - len(gap)
		for _, c := range shown {
			sum += width(c) + len(gap)
		}
		return sum
	}
	for len(shown) > 1 && over(least) > 0 {
		lightest := slices.MinFunc(shown, func(a, b int) int { return t.columns[a].weight - t.columns[b].weight })
		shown = slices.DeleteFunc(shown, func(c int) bool { return c == lightest })
	}
	within := func(most int) func(int) int {
		return func(c int) int { return max(least(c), min(widths[c], most)) }
	}
	width := within(sort.Search(t.width, func(n int) bool { return over(within(n+1)) > 0 }))
	for _, c := range shown {
		widths[c] = width(c)
	}
	if excess := over(func(c int) int { return widths[c] }); excess > 0 { // one is left, and it has no room
		widths[shown[0]] = max(1, widths[shown[0]]-excess)
	}
	return shown, widths
}

// cut is as much of a cell as a width has room for.
func (c *Column) cut(cell string, width int) string {
	switch {
	case text.StringWidth(cell) <= width:
		return cell
	case !c.path:
		return text.Snip(cell, width, "…")
	}
	rest := []rune(cell)
	for text.StringWidth(string(rest)) >= width {
		rest = rest[1:]
	}
	return "…" + string(rest)
}

// At returns a timestamp as a person reads it.
func (t *Table) At(timestamp string) string {
	at, err := time.Parse(time.RFC3339Nano, timestamp)
	if err != nil {
		return timestamp
	}
	return at.In(t.zone).Format("2006-01-02 15:04")
}

// Base returns the last element of a folder of any system.
func Base(folder string) string { return folder[strings.LastIndexAny(folder, `/\`)+1:] }

// Number returns a number with its thousands apart, as 12,345.
func Number(n int64) string {
	digits := strconv.FormatInt(n, 10)
	for i := len(digits) - 3; i > 0 && digits[i-1] != '-'; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return digits
}
