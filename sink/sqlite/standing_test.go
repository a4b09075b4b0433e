package sqlite_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/internal/annotate"
	"github.com/memscribe/memscribe/internal/rules"
	"github.com/memscribe/memscribe/internal/sink"
	"github.com/memscribe/memscribe/sink/sinktest"
	"github.com/memscribe/memscribe/sink/sqlite"
)

// everyRank are decisions of every kind, sure and not, in force and not, with what a
// rule has to know of each. The words of all of them name members of the JSON.
func everyRank() (lines []sink.Line, all []rules.Decision) {
	for bits := range 7 * 64 {
		has := func(bit int) bool { return bits>>bit&1 == 1 }
		d := rules.Decision{
			Title: fmt.Sprintf(`Say "category":"memory" and "chosen":true for %d.`, bits), Timestamp: "2026-01-01T00:00:00Z",
			Score: []int{0, 50, 89, 90, 91, 99, 100}[bits/64], IsBan: has(0), Memory: has(1), Structured: has(2), Chosen: has(3), Rejected: has(4), Confirms: has(5),
		}
		n := decision("s", uint64(bits), d.Timestamp, d.Title)
		d.ID = n.ID
		l := sinktest.Line(n)
		more := fmt.Sprintf(`"title":%q,"score":%d,"markers":[`, d.Title, d.Score)
		if d.Memory {
			more += `{"rule_id":"r","category":"memory"},`
		}
		if d.Structured {
			more += `{"rule_id":"r","category":"structured_choice"},`
		}
		more = strings.TrimSuffix(more, ",") + `],"considered_options":[`
		if d.Chosen {
			more += `{"text":"a","chosen":true},`
		}
		if d.Rejected {
			more += `{"text":"b","chosen":false},`
		}
		more = strings.TrimSuffix(more, ",") + "],"
		if d.Confirms {
			more += `"confirmation":"yes",`
		}
		text := strings.Replace(string(l.JSON), `"epitome":`, more+`"epitome":`, 1)
		text = strings.Replace(text, `"score":0,"is_ban":false,`, fmt.Sprintf(`"is_ban":%t,`, d.IsBan), 1)
		l.JSON = []byte(text)
		lines, all = append(lines, l), append(all, d)
	}
	return lines, all
}

// TestStanding wants of the index what internal/rules wants of the decisions, in that
// order.
func TestStanding(t *testing.T) {
	lines, all := everyRank()
	gone := decision("s", 1000, "2026-01-01T00:00:00Z", "Gone.")
	gone.Body = &core.Decision{Epitome: core.Whole("Gone."), Score: 100, IsBan: true, SupersededBy: "decision:x"}
	dir := t.TempDir()
	apply(t, open(t, dir, sqlite.Options{}), append(lines, sinktest.Line(gone))...)
	r := reader(t, dir)
	ranks := map[string]rules.Kind{}
	var want []rules.Kind
	for _, rule := range rules.Of(all) {
		ranks[rule.ID] = rule.Kind
		want = append(want, rule.Kind)
	}
	for _, limit := range []int{1, 40, 1000} {
		nodes, err := r.Standing(t.Context(), []string{"/w/a", "/w/b"}, limit)
		if err != nil {
			t.Fatal(err)
		}
		var got []rules.Kind
		for i := range nodes {
			got = append(got, ranks[nodes[i].ID])
		}
		if diff := cmp.Diff(want[:min(limit, len(want))], got); diff != "" {
			t.Errorf("limit %d (-want +got):\n%s", limit, diff)
		}
	}
	if nodes, err := r.Standing(t.Context(), []string{"/elsewhere"}, 10); err != nil || len(nodes) > 0 {
		t.Errorf("another project: %d nodes, %v", len(nodes), err)
	}
}

// TestStandingByPeople: what a person rejected or replaced is not in force, what one
// accepted is, and what one pinned comes first.
func TestStandingByPeople(t *testing.T) {
	dir := t.TempDir()
	ban := func(seq uint64, score int) *core.Node {
		n := decision("s", seq, "2026-01-01T00:00:00Z", fmt.Sprint("Never ", seq))
		n.Body = &core.Decision{Epitome: core.Whole("Never."), Score: score, IsBan: true, DecidedBy: "user"}
		return n
	}
	rejected, retired, successor, unsure, pinned := ban(1, 95), ban(2, 95), ban(3, 95), ban(4, 50), ban(5, 95)
	s := open(t, dir, sqlite.Options{})
	apply(t, s, sinktest.Line(rejected), sinktest.Line(retired), sinktest.Line(successor), sinktest.Line(unsure), sinktest.Line(pinned))
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	_, err := sqlite.Annotate(t.Context(), file(dir), canary{}, time.Unix(1, 0),
		annotate.Annotation{Kind: annotate.Reject, Node: rejected.ID}, annotate.Annotation{Kind: annotate.Supersede, Node: retired.ID, Text: successor.ID},
		annotate.Annotation{Kind: annotate.Accept, Node: unsure.ID}, annotate.Annotation{Kind: annotate.Pin, Node: pinned.ID},
		annotate.Annotation{Kind: annotate.Edit, Node: pinned.ID, Text: "Never five."})
	if err != nil {
		t.Fatal(err)
	}
	nodes, err := reader(t, dir).Standing(t.Context(), []string{"/w/a"}, 10)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for i := range nodes {
		got = append(got, nodes[i].ID)
	}
	if want := []string{pinned.ID, unsure.ID, successor.ID}; !slices.Equal(got, want) || nodes[0].Title != "Never five." {
		t.Errorf("got %v, want %v; the first is called %q", got, want, nodes[0].Title)
	}
}

// TestBehind wants the decisions behind the edits of a file, those of the newest edit
// first, and none that was replaced.
func TestBehind(t *testing.T) {
	dir := t.TempDir()
	var lines []sink.Line
	edit := func(seq uint64, path string, because *core.Node) {
		e := decision("s", seq, fmt.Sprintf("2026-01-01T00:%02d:%02dZ", seq/60, seq%60), "")
		e.ID, e.Body = fmt.Sprint("episode:", seq), &core.Episode{EpisodeID: "e", CallID: "c", Tool: "Edit", Diff: core.Diff{Path: path, Change: core.Modify}}
		b := decision("s", seq, "2026-01-01T00:00:00Z", "")
		b.ID, b.Body = fmt.Sprint("binding:", seq), &core.Binding{From: because.ID, To: e.ID, Relation: core.Produced, Evidence: core.SameArc}
		lines = append(lines, sinktest.Line(because), sinktest.Line(e), sinktest.Line(b))
	}
	first, second := decision("s", 1, "2026-01-01T00:00:00Z", "First."), decision("s", 2, "2026-01-01T00:00:00Z", "Second.")
	gone := decision("s", 3, "2026-01-01T00:00:00Z", "Gone.")
	gone.Body = &core.Decision{Epitome: core.Whole("Gone."), SupersededBy: "decision:x"}
	edit(10, "/w/a/src/x.go", first)
	edit(11, "/w/a/src/x.go", second)
	edit(12, "/w/a/src/x.go", gone)
	edit(13, "/w/a/lib/x.go", decision("s", 4, "2026-01-01T00:00:00Z", "Elsewhere."))
	edit(20, "/w/a/far.go", first) // behind fifty edits that count for nothing
	edit(21, "/w/a/near.go", first)
	for i := range uint64(50) {
		edit(100+i, "/w/a/far.go", gone)
		if i < 49 {
			edit(200+i, "/w/a/near.go", gone)
		}
	}
	apply(t, open(t, dir, sqlite.Options{}), lines...)
	r := reader(t, dir)
	if names, err := r.ProjectNames(t.Context()); err != nil || !slices.Equal(names, []string{"/w/a"}) {
		t.Errorf("projects are %v, %v", names, err)
	}
	if nodes, err := r.Behind(t.Context(), []string{"/w/b"}, "x.go", 10); err != nil || len(nodes) > 0 {
		t.Errorf("another project: %d nodes, %v", len(nodes), err)
	}
	for path, want := range map[string][]string{
		"/w/a/src/x.go": {second.ID, first.ID}, "src/x.go": {second.ID, first.ID}, "./src/x.go": {second.ID, first.ID}, "c/x.go": nil, "y.go": nil,
		"far.go": nil, "near.go": {first.ID},
	} {
		nodes, err := r.Behind(t.Context(), []string{"/w/a"}, path, 10)
		if err != nil {
			t.Fatal(err)
		}
		got := make([]string, 0, len(nodes))
		for i := range nodes {
			got = append(got, nodes[i].ID)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: got %v, want %v", path, got, want)
		}
	}
	if nodes, err := r.Behind(t.Context(), []string{"/w/a"}, "src/x.go", 1); err != nil || len(nodes) != 1 || nodes[0].ID != second.ID {
		t.Errorf("one of two is %v, %v", nodes, err)
	}
}
