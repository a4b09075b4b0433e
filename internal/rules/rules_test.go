package rules_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/memscribe/memscribe/internal/rules"
)

func titles(all []rules.Rule) string {
	var b strings.Builder
	for _, r := range all {
		fmt.Fprintf(&b, "%s:%s ", r.Kind, r.Title)
	}
	return strings.TrimSpace(b.String())
}

// TestOf has decisions of each kind: only what is sure, stands and outlives its task is a
// rule.
func TestOf(t *testing.T) {
	got := titles(rules.Of([]rules.Decision{
		{Title: "accepted", Score: 70, Confirms: true, Timestamp: "2026-01-01"},
		{Title: "chosen", Score: 95, Chosen: true, Rejected: true, Timestamp: "2026-01-01"},
		{Title: "answered", Score: 100, Structured: true, Timestamp: "2026-01-02", Answer: "Nextcloud"},
		{Title: "always", Score: 90, Memory: true},
		{Title: "older ban", Score: 99, IsBan: true, Timestamp: "2026-01-01"},
		{Title: "newer ban", Score: 90, IsBan: true, Memory: true, Timestamp: "2026-02-01"},
		{Title: "Newer ban.", Score: 90, IsBan: true, Timestamp: "2026-01-15"},
		{Title: "unsure ban", Score: 89, IsBan: true},
		{Title: "taken back", Score: 99, IsBan: true, Superseded: true},
		{Title: "done and over", Score: 99},
		{Title: "only one", Score: 99, Chosen: true},
		{Title: "", Score: 99, IsBan: true},
		{Title: "handed back", Score: 100, Structured: true, Answer: "You decide"},
		{Title: "handed back for a reason", Score: 100, Structured: true, Answer: "Up to you, I don't know it"},
		{Title: "the talk continues", Score: 100, Structured: true, Answer: "Next area"},
		{Title: "the talk is over", Score: 100, Structured: true, Answer: "Done — create context"},
	}))
	want := "ban:newer ban ban:older ban rule:always choice:answered choice:chosen accepted:accepted"
	if got != want {
		t.Errorf("\n got %s\nwant %s", got, want)
	}
}

// TestFit has budgets of every size: the text never costs more, rules are taken whole,
// and a longer budget takes no fewer of the first rank.
func TestFit(t *testing.T) {
	all := rules.Of([]rules.Decision{
		{ID: "1", Title: "Never push to main.", Score: 99, IsBan: true, Timestamp: "2026-01-03T10:00:00Z"},
		{ID: "2", Title: strings.Repeat("Never do what takes long to say. ", 20), Score: 99, IsBan: true, Timestamp: "2026-01-02T10:00:00Z"},
		{ID: "3", Title: "禁止直接推送到主分支", Score: 99, IsBan: true, Timestamp: "2026-01-01T10:00:00Z"},
		{ID: "4", Title: "Which store? → Postgres (not: MySQL)", Structured: true},
	})
	frame := rules.Tokens(rules.Text(nil, rules.AgentsMD))
	most := 0
	for budget := frame; budget < 400; budget++ {
		taken, left := rules.Fit(all, rules.AgentsMD, budget)
		if n := rules.Tokens(rules.Text(taken, rules.AgentsMD)); n > budget {
			t.Fatalf("%d tokens in a budget of %d", n, budget)
		}
		if len(taken)+left != len(all) {
			t.Fatalf("budget %d: %d taken, %d left of %d", budget, len(taken), left, len(all))
		}
		most = max(most, len(taken))
	}
	if most != len(all) {
		t.Errorf("at most %d of %d rules are taken", most, len(all))
	}
	taken, left := rules.Fit(all, rules.AgentsMD, frame+33)
	if got := titles(taken); left != 2 || got != "ban:Never push to main. ban:禁止直接推送到主分支" {
		t.Errorf("took %s, left %d", got, left)
	}
}

// TestText has titles that would act in Markdown, or include files.
func TestText(t *testing.T) {
	all := []rules.Rule{
		{Kind: rules.Ban, Title: "Never <!-- hide --> `@code` (@team/x)", Timestamp: "2026-01-03T10:00:00Z"},
		{Kind: rules.Choice, Title: "Update @src/index.ts\nand a@b"},
	}
	const agents = `<!-- memscribe rules: begin -->
## Decided in this project

Forbidden:

- Never &lt;!-- hide --> ` + "`@code`" + ` (@team/x) (2026-01-03)

Chosen:

- Update @src/index.ts and a@b
<!-- memscribe rules: end -->
`
	if got := rules.Text(all, rules.AgentsMD); got != agents {
		t.Errorf("got %s", got)
	}
	claude := strings.NewReplacer("(@team/x)", "(`@team/x`)", "@src/index.ts", "`@src/index.ts`").Replace(agents)
	if got := rules.Text(all, rules.ClaudeMD); got != claude {
		t.Errorf("got %s\nwant %s", got, claude)
	}
}

// TestSplice has files with line ends of both kinds, with and without an end of the last
// line, and with markers: what is around them stays, and twice is as once.
func TestSplice(t *testing.T) {
	const text = rules.Begin + "\nx\n" + rules.End + "\n"
	const old = rules.Begin + "\nold\r\nlines\n\n" + rules.End
	crlf := func(s string) string { return strings.ReplaceAll(s, "\n", "\r\n") }
	for name, c := range map[string]struct{ file, want string }{
		"empty":             {"", text},
		"a line":            {"# A\n", "# A\n\n" + text},
		"a blank line":      {"# A\n\n", "# A\n\n" + text},
		"no last line end":  {"# A", "# A\n\n" + text},
		"CRLF":              {"# A\r\nb\r\n", "# A\r\nb\r\n\r\n" + crlf(text)},
		"CRLF, no last end": {"# A\r\nb", "# A\r\nb\r\n\r\n" + crlf(text)},
		"markers":           {"a \n" + old + "\nb", "a \n" + text + "b"},
		"at the end":        {"a\n\t" + old, "a\n" + strings.TrimSuffix(text, "\n")},
		"CRLF markers":      {"a\r\n" + crlf(text) + "\r\n\n b", "a\r\n" + crlf(text) + "\r\n\n b"},
		"other bytes":       {"\xef\xbb\xbf\xff\x00\n" + old + "\n\xfe", "\xef\xbb\xbf\xff\x00\n" + text + "\xfe"},
		"in a sentence":     {"say " + rules.Begin + "\n", "say " + rules.Begin + "\n\n" + text},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := rules.Splice([]byte(c.file), text)
			if err != nil || string(got) != c.want {
				t.Fatalf("got %q, %v\nwant %q", got, err, c.want)
			}
			again, err := rules.Splice(got, text)
			if err != nil || string(again) != c.want {
				t.Errorf("again: got %q, %v", again, err)
			}
		})
	}
	for name, file := range map[string]string{
		"no end":      "a\n" + rules.Begin + "\n",
		"no begin":    rules.End + "\n",
		"turned":      rules.End + "\n" + rules.Begin + "\n",
		"two":         text + text,
		"begin twice": rules.Begin + "\n" + text,
	} {
		if got, err := rules.Splice([]byte(file), text); !errors.Is(err, rules.ErrMarkers) {
			t.Errorf("%s: got %q, %v", name, got, err)
		}
	}
}
