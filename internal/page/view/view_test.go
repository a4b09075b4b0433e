package view_test

import (
	"strings"
	"testing"

	"github.com/memscribe/memscribe/internal/page/model"
	"github.com/memscribe/memscribe/internal/page/view"
)

// rendered is a view as HTML.
func rendered(t *testing.T, f view.Frame) string {
	t.Helper()
	v, err := view.New()
	if err != nil {
		t.Fatal(err)
	}
	b, err := v.Render(f)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// made is a decision of a project.
func made(project, title, at string) model.Decision {
	return model.Decision{
		Where: model.Where{Tool: "codex", Session: "s", Project: model.Said(project), Timestamp: model.Said(at)},
		ID:    "decision:1", Title: model.Said(title), Epitome: model.Said(title), DecidedBy: "user",
	}
}

// A chart goes from the oldest day to the newest, and days without tokens have their place.
func TestChart(t *testing.T) {
	for _, tc := range []struct {
		name, first string
		want        []string
	}{
		{"days", "2026-11-17", []string{"Tokens by day", "<span>2026-11-17</span> <span>2026-11-21</span>", "2026-11-17: 40 tokens, 20 of them", `<rect x="0" y="0" width="8" height="120"/><rect class="cached" x="0" y="60"`, `<rect x="40" y="90" width="8" height="30"/>`}},
		{"weeks", "2026-01-01", []string{"Tokens by week", `<rect x="460" y="90"`}},
		{"months", "2023-01-01", []string{"Tokens by month", `<rect x="460" y="90"`}},
	} {
		body := rendered(t, view.Frame{View: "usage", Title: "Usage", Of: model.Usage{
			Days: []model.Tokens{{Of: "2026-11-21", Input: 10}, {Of: model.Said(tc.first), Output: 20, Cached: 20}},
		}})
		for _, want := range tc.want {
			if !strings.Contains(body, want) {
				t.Errorf("%s: there is no %q in %s", tc.name, want, body)
			}
		}
	}
}

// What is no day, or not in its place, has no chart.
func TestNoChart(t *testing.T) {
	for _, days := range [][]model.Tokens{{{Of: "yesterday"}}, {{Of: "2026-11-20"}, {Of: "2026-11-21"}}} {
		body := rendered(t, view.Frame{View: "usage", Title: "Usage", Of: model.Usage{Days: days}})
		if strings.Contains(body, "<svg class=\"chart\" viewBox") || !strings.Contains(body, "By day") {
			t.Errorf("%v: %s", days, body)
		}
	}
}

// Two projects of one name are told apart by more of their paths.
func TestNames(t *testing.T) {
	body := rendered(t, view.Frame{View: "decisions", Title: "Decisions", Of: model.List{Decisions: []model.Decision{
		made("/home/a/app", "Use tabs.", "2026-11-21T02:08:37.788Z"), made("/home/b/app/", "Use spaces.", "2026-11-21T02:08:37Z"),
		made("/srv/other", "Use neither.", "2026-11-21T02:08:37Z"), made("", "Use both.", ""),
	}}})
	for _, want := range []string{">a/app</a>", ">b/app</a>", ">other</a>", "<h3>no project</h3>", ">02:08</span>"} {
		if !strings.Contains(body, want) {
			t.Errorf("there is no %q in %s", want, body)
		}
	}
}

// A rule says its day, and that it is a ban once.
func TestRules(t *testing.T) {
	d := made("/home/a/app", "Never use lodash.", "2026-11-21T02:08:37.788Z")
	d.IsBan, d.Rule = true, "ban"
	body := rendered(t, view.Frame{View: "rules", Title: "Rules in force", Query: model.Query{Project: "app"}, Projects: []model.Said{"/home/a/app"}, Of: model.Rules{Rules: []model.Decision{d}}})
	if strings.Count(body, ">ban</span>") != 1 || !strings.Contains(body, `<time datetime="2026-11-21T02:08:37.788Z">2026-11-21 02:08</time>`) ||
		!strings.Contains(body, `<option value="/home/a/app" selected>app (/home/a)</option>`) {
		t.Error(body)
	}
	body = rendered(t, view.Frame{View: "rules", Title: "Rules in force", Projects: []model.Said{"/home/a/app", "bad\u202e"}, Of: model.Rules{}})
	if !strings.Contains(body, `<a href="/rules?project=%2Fhome%2Fa%2Fapp">app</a>`) || strings.Contains(body, "202e") {
		t.Errorf("without a project: %s", body)
	}
}

// A decision's title is its answer, below the question; what took it back is said.
func TestDecision(t *testing.T) {
	d := made("/home/a/app", "Which cache? → An LRU. (not: Redis)", "2026-11-21T02:08:37.788Z")
	d.Epitome, d.Superseded, d.Rewound = "An LRU.", true, true
	d.Edits = []model.Edit{{Where: d.Where, Path: "/home/a/app/src/a.go", Evidence: "same_arc", Relation: "produced", Change: "modify", Unified: "@@ -1 +1 @@\n return 1\n-a\n+b\n"}}
	body := rendered(t, view.Frame{View: "decision", Title: "t", Of: model.Whole{Decision: d}})
	for _, want := range []string{`<p class="question above" dir="auto">Which cache?</p>`, `<h1 dir="auto"><s>An LRU.</s></h1>`, "the session was rewound", ">src/a.go</a>", "made in the same task", `<span class="word">return</span>`} {
		if !strings.Contains(body, want) {
			t.Errorf("there is no %q in %s", want, body)
		}
	}
	if strings.Contains(body, "<blockquote") {
		t.Errorf("the same words stand there twice: %s", body)
	}
	d.Rewound, d.Successor = false, &model.Ref{ID: "decision:2", Title: "Redis after all"}
	body = rendered(t, view.Frame{View: "decision", Title: "t", Of: model.Whole{Decision: d, After: []model.Ref{{ID: "decision:3", Title: "And back"}}}})
	if !strings.Contains(body, "Redis after all</a>; then <a href=\"/decision/decision:3\"") {
		t.Errorf("the chain is not there: %s", body)
	}
}

// Long commands are folded, a time says its day once, and the end of a session is live.
func TestSession(t *testing.T) {
	next := "7."
	s := model.Session{
		Where: model.Where{Tool: "codex", Session: "s"}, First: true,
		Items: []model.Item{
			{Kind: "user", Text: "Hello", Timestamp: "2026-11-21T02:08:37.788Z"},
			{Kind: "command", Seq: 1, Text: "ls -la", Timestamp: "2026-11-21T02:09:00Z"},
			{Kind: "command", Seq: 2, Text: model.Said("cat <<E\n" + strings.Repeat("x", 500)), Timestamp: "2026-11-22T02:09:00Z"},
		},
	}
	body := rendered(t, view.Frame{View: "session", Title: "Hello", Of: s})
	for _, want := range []string{"<time>2026-11-21 02:08</time>", "<time>02:09</time>", "<time>2026-11-22 02:09</time>", "<pre>ls -la</pre>", "<summary><code>cat &lt;&lt;E …</code></summary>", ` id="list" data-live>`, `data-id="1. command "`} {
		if !strings.Contains(body, want) {
			t.Errorf("there is no %q in %s", want, body)
		}
	}
	s.Next = &next
	if body = rendered(t, view.Frame{View: "session", Title: "Hello", Of: s}); strings.Contains(body, "data-live") {
		t.Error("a part in the middle is live")
	}
}

// The lines of a file have classes of their own: those of lists are for what is listed.
func TestFile(t *testing.T) {
	body := rendered(t, view.Frame{View: "file", Title: "a.go", Of: model.File{Path: "/a.go", Lines: []model.Line{
		{Number: 1, Text: "return", Status: "decision", Time: "2026-11-21T02:08:37Z", Session: "s", Decision: &model.Ref{ID: "decision:1", Title: "Use tabs."}}, {Number: 2, Status: "edit", Same: true},
	}}})
	for _, want := range []string{`<tr class="by-decision">`, `<tr class="by-edit same">`, `<a href="/session/s">2026-11-21</a>`, "Use tabs.</a>", `<span class="word">return</span>`} {
		if !strings.Contains(body, want) {
			t.Errorf("there is no %q in %s", want, body)
		}
	}
}

// A search has one field for its words; filters that the address has are kept.
func TestFields(t *testing.T) {
	body := rendered(t, view.Frame{View: "search", Title: "Search", Query: model.Query{Words: "x"}, Of: model.Found{Hits: []model.Hit{{Kind: "user", By: "person", Where: model.Where{Tool: "codex"}}}}})
	if strings.Count(body, `name="q"`) != 1 || strings.Contains(body, "·  ·") || !strings.Contains(body, "message · person · codex</p>") {
		t.Error(body)
	}
	body = rendered(t, view.Frame{View: "decisions", Title: "Decisions", Query: model.Query{Tool: "aider", Until: "2026-11-01"}, Tools: []model.Said{"codex"}, Of: model.List{}})
	for _, want := range []string{`<option value="aider" selected>aider</option>`, `name="until" value="2026-11-01"`, "No decision fits these filters."} {
		if !strings.Contains(body, want) {
			t.Errorf("there is no %q in %s", want, body)
		}
	}
}
