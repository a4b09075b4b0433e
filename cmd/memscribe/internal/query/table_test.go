package query

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/jedib0t/go-pretty/v6/text"

	"github.com/memscribe/memscribe/cmd/memscribe/internal/console"
	"github.com/memscribe/memscribe/internal/nodedb"
)

func TestVisible(t *testing.T) {
	for s, want := range map[string]string{
		"plain":                           "plain",
		"two\nlines\tand a tab":           "two lines and a tab",
		"\x1b[31mred\x1b]0;title\x07":     `\u001b[31mred\u001b]0;title\u0007`,
		"\u009b31m":                       `\u009b31m`,
		"txt.\u202egpj.exe \u2066x\u2069": `txt.\u202egpj.exe \u2066x\u2069`,
		"\u65e5\u672c\u8a9e \U0001f600":   "\u65e5\u672c\u8a9e \U0001f600",
		"bro\xffken":                      "bro\uFFFDken",
	} {
		if got := oneLine(s); got != want {
			t.Errorf("%q: got %q, want %q", s, got, want)
		}
	}
}

func someDecisions() []nodedb.Node {
	edit := nodedb.Link{ID: "episode:1", Kind: "episode", Relation: "produced", Path: "/home/dev/orders/src/list.js", Change: "modify"}
	ruled := edit
	ruled.Path, ruled.Relation = "/elsewhere/a.js", "governs"
	return []nodedb.Node{
		{
			Kind: "decision", Timestamp: "2026-08-01T10:00:00Z", Project: "/home/dev/orders", Session: "0190aaaa-bbbb-cccc", DecidedBy: "user",
			Title: "Let's use cursor pagination rather than offset for listOrders.", Links: []nodedb.Link{edit, edit, ruled},
		},
		{
			Kind: "decision", Project: "/home/dev/billing", Session: "s", DecidedBy: "model-5",
			Title: "\u8bf7\u4f7f\u7528\u6570\u636e\u5e93\u7d22\u5f15\u800c\u4e0d\u662f\u5168\u8868\u626b\u63cf\u6765\u67e5\u627e\u8ba2\u5355", SupersededBy: "decision:2",
		},
	}
}

func show(width int, color bool, nodes []nodedb.Node) string {
	var out strings.Builder
	t := tableView{layout: decisionLayout("DECISION"), out: console.New(&out), width: width, color: color, zone: time.UTC}
	p := t.printer()
	_ = p.nodes(nodes)
	_ = p.end("")
	return out.String()
}

// TestRepeats has a prompt sent again in another session: its decision is shown once.
func TestRepeats(t *testing.T) {
	all := someDecisions()[:1]
	again := all[0]
	again.Session, again.Title = "0190dddd", "Let's use cursor pagination\nrather than offset for listOrders."
	elsewhere := again
	elsewhere.Project = "/home/dev/billing"
	got := show(0, false, append(all, again, elsewhere))
	if n := strings.Count(got, "Let's use cursor"); n != 2 || !strings.Contains(got, "> said 2 times; --ids lists all") {
		t.Errorf("of three decisions, two of them the same, %d are shown:\n%s", n, got)
	}
}

func TestTable(t *testing.T) {
	for width, want := range map[int]string{
		0: `TIME              PROJECT  SESSION        BY       DECISION
2026-08-01 10:00  orders   0190aaaa-bbbb  user     Let's use cursor pagination rather than offset for listOrders.
                                                     > modify src/list.js, 2 times
                                                     > modify /elsewhere/a.js (governs)
                  billing  s              model-5  请使用数据库索引而不是全表扫描来查找订单 (no longer holds)
`,
		80: `TIME              PROJECT  BY       DECISION
2026-08-01 10:00  orders   user     Let's use cursor pagination rather than
                                    offset for listOrders.
                                      > modify src/list.js, 2 times
                                      > modify /elsewhere/a.js (governs)
                  billing  model-5  请使用数据库索引而不是全表扫描来查找订单 (no
                                    longer holds)
`,
		30: `DECISION
Let's use cursor pagination
rather than offset for
listOrders.
  > modify src/list.js, 2 tim…
  > modify /elsewhere/a.js (g…
请使用数据库索引而不是全表扫描
来查找订单 (no longer holds)
`,
	} {
		got := show(width, false, someDecisions())
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("width %d (-want +got):\n%s", width, diff)
		}
	}
	if got := show(0, false, nil); got != "" {
		t.Errorf("without nodes: %q", got)
	}
}

// TestTableFits wants no line to be wider than the terminal, whatever its width.
func TestTableFits(t *testing.T) {
	for width := 2; width < 130; width++ {
		for line := range strings.Lines(show(width, false, someDecisions())) {
			if got := text.StringWidth(strings.TrimSuffix(line, "\n")); got > max(width, len("DECISION")) {
				t.Errorf("%d columns for a width of %d: %q", got, width, line)
			}
		}
	}
}

func TestTableColor(t *testing.T) {
	nodes := someDecisions()
	nodes[0].Title = "\x1b[2Jgone"
	if got := show(80, true, nodes); !strings.Contains(got, "\x1b[1m") || strings.Contains(got, "\x1b[2J") {
		t.Errorf("got %q, want a bold header and nothing else", got)
	}
	if got := show(80, false, nodes); strings.Contains(got, "\x1b") {
		t.Errorf("got %q, want no colour", got)
	}
}

func TestManyLinks(t *testing.T) {
	n := someDecisions()[0]
	n.Links = nil
	for _, path := range []string{"a", "b", "c", "d", "e"} {
		n.Links = append(n.Links, nodedb.Link{Relation: "produced", Path: path, Change: "modify"})
	}
	if got := links(nil, &n); len(got) != fewLinks+1 || got[fewLinks] != "  … 2 more" {
		t.Errorf("got %q", got)
	}
	n.Links = slices.Repeat(n.Links, nodedb.MaxLinks/len(n.Links))
	if got := links(nil, &n); len(got) != fewLinks+1 || got[fewLinks] != "  …" {
		t.Errorf("got %q", got)
	}
}
