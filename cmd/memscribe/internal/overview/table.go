package overview

import (
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"

	"github.com/memscribe/memscribe/cmd/memscribe/internal/cli"
	"github.com/memscribe/memscribe/cmd/memscribe/internal/console"
)

// Column is a column of a table.
type Column struct {
	title string
	align text.Align
}

// Left is a column of texts.
func Left(title string) Column { return Column{title, text.AlignLeft} }

// Right is a column of numbers.
func Right(title string) Column { return Column{title, text.AlignRight} }

// Table is a list for a person, each item on one line: where the terminal ends, the
// line does.
type Table struct {
	out   *console.Printer
	w     table.Writer
	width int // of the terminal; 0 is any
	color bool
	zone  *time.Location
}

// widest is how wide a line is at most where there is no terminal.
const widest = 200

// NewTable returns a table without rows.
func NewTable(a *cli.App, columns ...Column) *Table {
	t := &Table{out: a.Stdout, w: table.NewWriter(), zone: a.Now().Location(), width: widest}
	if a.Stdout.IsTerminal() {
		t.width = a.Stdout.Width()
		t.color = a.Getenv("NO_COLOR") == "" && a.Getenv("TERM") != "dumb"
	}
	if width, err := strconv.Atoi(a.Getenv("COLUMNS")); err == nil && width > 0 {
		t.width = width
	}
	t.w.SetStyle(table.Style{Box: table.BoxStyle{PaddingRight: "  "}, Format: table.FormatOptions{Header: text.FormatDefault}})
	t.w.SuppressTrailingSpaces()
	var header table.Row
	var configs []table.ColumnConfig
	for i, c := range columns {
		header = append(header, c.title)
		configs = append(configs, table.ColumnConfig{Number: i + 1, Align: c.align, AlignHeader: c.align})
	}
	t.w.AppendHeader(header)
	t.w.SetColumnConfigs(configs)
	return t
}

// Row adds an item. What a cell says is made visible, on one line.
func (t *Table) Row(cells ...string) {
	var row table.Row
	for _, c := range cells {
		row = append(row, console.Visible(strings.Join(strings.Fields(strings.ToValidUTF8(c, "\uFFFD")), " ")))
	}
	t.w.AppendRow(row)
}

// Write prints the table, if it has rows.
func (t *Table) Write() error {
	if t.w.Length() == 0 {
		return nil
	}
	var b strings.Builder
	for line := range strings.Lines(t.w.Render() + "\n") {
		line = strings.TrimRight(line, "\n")
		if t.width > 0 {
			line = text.Snip(line, t.width, "…")
		}
		b.WriteString(strings.TrimRight(line, " ") + "\n")
	}
	header, rows, _ := strings.Cut(b.String(), "\n")
	if err := t.out.Heading(header, t.color); err != nil {
		return err
	}
	_, err := io.WriteString(t.out.Text(), rows)
	return err
}

// At is a timestamp as a person reads it.
func (t *Table) At(timestamp string) string {
	at, err := time.Parse(time.RFC3339Nano, timestamp)
	if err != nil {
		return timestamp
	}
	return at.In(t.zone).Format("2006-01-02 15:04")
}

// Brief is as much of a session's id as one types.
func Brief(id string) string {
	const enough = 13 // some tools' ids begin with the time
	runes := []rune(id)
	return string(runes[:min(len(runes), enough)])
}

// Base is the last element of a folder of any system.
func Base(folder string) string { return folder[strings.LastIndexAny(folder, `/\`)+1:] }

// Number is a number with its thousands apart, as 12,345.
func Number(n int64) string {
	digits := strconv.FormatInt(n, 10)
	for i := len(digits) - 3; i > 0 && digits[i-1] != '-'; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return digits
}
