package overview_test

import (
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/jedib0t/go-pretty/v6/text"

	"github.com/memscribe/memscribe/cmd/memscribe/internal/cli"
	"github.com/memscribe/memscribe/cmd/memscribe/internal/console"
	"github.com/memscribe/memscribe/cmd/memscribe/internal/overview"
)

// inColumns is a table of two rows on a terminal of that width.
func inColumns(t *testing.T, width int) string {
	t.Helper()
	var out strings.Builder
	a := &cli.App{Stdout: console.New(&out)}
	a.Now = func() time.Time { return time.Date(2026, 8, 1, 0, 0, 0, 0, time.UTC) }
	a.Getenv = func(name string) string { return map[string]string{"COLUMNS": strconv.Itoa(width)}[name] }
	table := overview.NewTable(a, overview.Cut("NAME", 5, 11), overview.Left("NOTE", 1), overview.Right("COUNT", 2), overview.Right("COST", 4),
		overview.Left("NOTHING", 9), overview.Path("WHERE", 3, 20))
	table.Row("first", "a longer note", "12,345", "1.50", "", "/home/dev/projects/orders")
	table.Row("日本語の名前です。", "", "2", "0.10", "", "/src/x")
	if err := table.Write(); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// TestTableWidth has a table keep within the terminal at any width, and leave out what
// weighs least.
func TestTableWidth(t *testing.T) {
	for width, want := range map[int]string{
		200: "" +
			"NAME                NOTE            COUNT  COST  WHERE\n" +
			"first               a longer note  12,345  1.50  /home/dev/projects/orders\n" +
			"日本語の名前です。                      2  0.10  /src/x\n",
		55: "" +
			"NAME                 COUNT  COST  WHERE\n" +
			"first               12,345  1.50  …/dev/projects/orders\n" +
			"日本語の名前です。       2  0.10  /src/x\n",
		46: "" +
			"NAME                COST  WHERE\n" +
			"first               1.50  …dev/projects/orders\n" +
			"日本語の名前です。  0.10  /src/x\n",
		12: "" +
			"NAME\n" +
			"first\n" +
			"日本語の名…\n",
	} {
		if got := inColumns(t, width); got != want {
			t.Errorf("%d columns, got:\n%s\nwant:\n%s", width, got, want)
		}
	}
	for width := 4; width < 90; width++ {
		for line := range strings.Lines(inColumns(t, width)) {
			if got := text.StringWidth(strings.TrimSuffix(line, "\n")); got > width {
				t.Errorf("a line of %d on a terminal of %d: %q", got, width, line)
			}
		}
	}
}

// TestTableSharesRoom has one long cell not take the room of the other columns.
func TestTableSharesRoom(t *testing.T) {
	var out strings.Builder
	a := &cli.App{Stdout: console.New(&out)}
	a.Now = time.Now
	a.Getenv = func(name string) string { return map[string]string{"COLUMNS": "60"}[name] }
	table := overview.NewTable(a, overview.Cut("TOOLS", 1, 12), overview.Path("PROJECT", 8, 20))
	table.Row(strings.Repeat("claude_code, ", 9), "/home/dev/work/orders-service")
	if err := table.Write(); err != nil {
		t.Fatal(err)
	}
	const want = "" +
		"TOOLS                          PROJECT\n" +
		"claude_code, claude_code, cl…  /home/dev/work/orders-service\n"
	if got := out.String(); got != want {
		t.Errorf("got:\n%s\nwant:\n%s", got, want)
	}
}
