package sqlite_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/internal/nodedb"
	"github.com/memscribe/memscribe/internal/search"
	"github.com/memscribe/memscribe/sink/sinktest"
	"github.com/memscribe/memscribe/sink/sqlite"
)

// everything is a database with something of every kind. The hits of a search are
// named by the first letters of their texts.
func everything(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	s := open(t, dir, sqlite.Options{Messages: true})
	at := func(day int) core.Time { return core.Unix(time.Date(2026, 7, day, 9, 0, 0, 0, time.UTC).Unix()) }
	project := func(dir string) *core.Project { return &core.Project{Cwd: dir} }
	msg := func(seq uint64, kind core.MessageKind, tool core.Tool, dir, text string) {
		apply(t, s, said(core.Message{
			ID: messageID(text), Source: tool, Session: "talk", Seq: seq, Time: at(int(seq)), Project: project(dir), File: "f", Kind: kind, Text: text,
		}))
	}
	msg(1, core.Asked, core.ClaudeCode, "/w/orders", "A: how does the token rotation work in src/auth/session.go?")
	msg(2, core.Said, core.ClaudeCode, "/w/orders", "B: getUserName calls refresh_token_store; tokens rotate daily.")
	msg(3, core.Command, core.ClaudeCode, "/w/orders", "C: go test ./auth -run Rotation")
	msg(4, core.Said, core.Codex, "/w/billing", "D: 数据库迁移 is done, the Café too.")
	msg(5, core.Asked, core.Codex, "/w/billing", "E: Let's use cursor pagination.")
	head := core.Node{Source: core.Codex, Session: "talk", Seq: 5, Time: at(5), Project: project("/w/billing"), Fact: core.Observed}
	d := head
	d.ID, d.Body = "decision:1", &core.Decision{Epitome: core.Whole("E: Let's use cursor pagination."), DecidedBy: "user"}
	ban := head
	ban.ID, ban.Seq, ban.Body = "decision:2", 6, &core.Decision{Epitome: core.Whole("F: Never use offsets."), DecidedBy: "user", IsBan: true}
	e := head
	e.ID, e.Seq, e.Body = "episode:1", 7, &core.Episode{EpisodeID: "1", Tool: "Edit", Diff: core.Diff{
		Path: "/w/billing/src/invoices.go", Change: core.Modify, Unified: "--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n same\n-func oldTotal()\n+func grandTotal()\n",
	}}
	conv := head
	conv.ID, conv.Body = "conversation:1", &core.Conversation{Text: "E: Let's use cursor pagination.", Speaker: core.User}
	apply(t, s, sinktest.Line(&d), sinktest.Line(&ban), sinktest.Line(&e), sinktest.Line(&conv))
	return dir
}

func names(found nodedb.Found) string {
	var all []string
	for _, h := range found.Hits {
		name, _, _ := strings.Cut(h.Excerpt.Text, ":")
		if h.Path != "" {
			name = "edit"
		}
		all = append(all, name)
	}
	return strings.Join(all, " ")
}

func TestFind(t *testing.T) {
	t.Parallel()
	dir := everything(t)
	for _, tc := range []struct{ what, words, want string }{
		{"all words, in any order", "rotation token", "A"},
		{"the beginning of a word", "rotat", "A B C"},
		{"half a word of several", "refr sto", "B"},
		{"a typing error", "rotaton", "A C"},
		{"letters exchanged", "tokne rotation", "A"},
		{"two slips in a long word", "paganatiom", "E"},
		{"parts of camelCase", "user name", "B"},
		{"camelCase for snake_case", "refreshTokenStore", "B"},
		{"snake_case for camelCase", "get_user_name", "B"},
		{"case and accents", "CAFE", "D"},
		{"a script without spaces", "数据库", "D"},
		{"a path", "src/auth/session.go", "A"},
		{"a path of an edit", "invoices.go", "edit"},
		{"a line of a diff", "grandTotal", "edit"},
		{"a line that a diff took away", "oldtotal", "edit"},
		{"a line that a diff left", "same", ""},
		{"a command", "go test", "C"},
		{"a phrase", `"token rotation"`, "A"},
		{"a phrase that is not there", `"rotation token"`, ""},
		{"not this word", "token -daily", "A"},
		{"some of the words, if none has all", "daily pagination offsets", "F E B"},
		{"a decision once, and not its words too", "cursor pagination", "E"},
		{"nothing", "xyzzyplugh", ""},
		{"syntax of FTS5 means nothing", `text : (token* NEAR/2 "`, "B A"},
	} {
		if got := names(find(t, dir, tc.words)); got != tc.want {
			t.Errorf("%s: %q finds %q, want %q", tc.what, tc.words, got, tc.want)
		}
	}
	if h := find(t, dir, "pagination").Hits[0]; h.Kind != "decision" || h.Excerpt.Marked("[", "]") != "E: Let's use cursor [pagination]." {
		t.Errorf("got %+v", h)
	}
}

func TestFindNarrowed(t *testing.T) {
	t.Parallel()
	dir := everything(t)
	day := func(n int) time.Time { return time.Date(2026, 7, n, 0, 0, 0, 0, time.UTC) }
	for _, tc := range []struct {
		words string
		f     nodedb.Finding
		want  string
	}{
		{"use", nodedb.Finding{Filter: nodedb.Filter{Project: "billing"}}, "F E"},
		{"use", nodedb.Finding{Filter: nodedb.Filter{Project: "/w/orders"}}, "B"}, // getUserName
		{"use", nodedb.Finding{Filter: nodedb.Filter{Project: "none"}}, ""},
		{"token", nodedb.Finding{Filter: nodedb.Filter{Tool: core.Codex}}, ""},
		{"token", nodedb.Finding{By: nodedb.ByAgent}, "B"},
		{"token", nodedb.Finding{By: nodedb.ByPerson}, "A"},
		{"token", nodedb.Finding{File: "session.go"}, "A"},
		{"rotation", nodedb.Finding{Filter: nodedb.Filter{Kinds: []string{"command"}}}, "C"},
		{"use", nodedb.Finding{Filter: nodedb.Filter{Kinds: []string{"ban"}}}, "F"},
		{"use", nodedb.Finding{Filter: nodedb.Filter{Kinds: []string{"decision"}}}, "F E"},
		{"total", nodedb.Finding{Filter: nodedb.Filter{Kinds: []string{"edit", "message"}}}, "edit"},
		{"token", nodedb.Finding{Filter: nodedb.Filter{Since: day(2)}}, "B"},
		{"token", nodedb.Finding{Filter: nodedb.Filter{Until: day(2)}}, "A"},
		{"token", nodedb.Finding{Limit: 1}, "B"},
	} {
		if got := names(findIn(t, dir, tc.words, tc.f)); got != tc.want {
			t.Errorf("%s with %+v: found %q, want %q", tc.words, tc.f, got, tc.want)
		}
	}
}

// TestFindSaysSo: what was looked for in another's place is named, and so are
// projects that are called nearly so.
func TestFindSaysSo(t *testing.T) {
	t.Parallel()
	dir := everything(t)
	found := find(t, dir, "rotaton tokne")
	if got := fmt.Sprint(found.Instead); got != "map[rotaton:[rotation] tokne:[token]]" || found.Some {
		t.Errorf("got %s, some %t", got, found.Some)
	}
	if found := find(t, dir, "daily pagination"); !found.Some {
		t.Error("it does not say that nothing has all of the words")
	}
	r, err := nodedb.Open(t.Context(), file(dir))
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	for name, want := range map[string]string{"ordres": "there is orders", "bill": "there is billing", "xyz": "known are billing, orders"} {
		if err := r.KnowsProject(t.Context(), name); !errors.Is(err, nodedb.ErrProject) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v", name, err)
		}
	}
	for _, name := range []string{"", "orders", "/w"} {
		if err := r.KnowsProject(t.Context(), name); err != nil {
			t.Errorf("%s: got %v", name, err)
		}
	}
	if _, err := r.Find(t.Context(), search.Parse("-only"), nodedb.Finding{}); !errors.Is(err, nodedb.ErrSearch) {
		t.Errorf("got %v", err)
	}
}

// A decision is found by the words of its options, and what is shown says which was taken.
func TestFindTitles(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := open(t, dir, sqlite.Options{})
	d := core.Node{
		ID: "decision:1", Source: core.Codex, Session: "talk", Seq: 5, Time: core.Unix(1), Project: &core.Project{Cwd: "/w"}, Fact: core.Observed,
		Body: &core.Decision{
			Epitome: core.Whole("Postgres"), DecidedBy: "user",
			Title: core.Title{
				{Fragment: core.Whole("Which store?")}, {Joint: " → ", Fragment: core.Whole("Postgres")}, {Joint: " (not: ", Fragment: core.Whole("MySQL")}, {Joint: ")"},
			},
			Options: []core.Considered{{Fragment: core.Whole("Postgres"), Chosen: true}, {Fragment: core.Whole("MySQL")}, {Fragment: core.Whole("No idea")}},
		},
	}
	apply(t, s, sinktest.Line(&d))
	for words, want := range map[string]string{
		"mysql": "true Which store? → Postgres (not: [MySQL])",
		"idea":  "false Postgres Postgres MySQL No [idea]",
	} {
		h := find(t, dir, words).Hits[0]
		if got := fmt.Sprint(h.OfTitle, " ", h.Excerpt.Marked("[", "]")); got != want || h.Title != "Which store? → Postgres (not: MySQL)" {
			t.Errorf("%s: got %q of %q, want %q", words, got, h.Title, want)
		}
	}
}
