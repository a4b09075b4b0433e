package lists_test

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/internal/nodedb"
	"github.com/memscribe/memscribe/internal/nodedb/lists"
	"github.com/memscribe/memscribe/internal/sink"
	"github.com/memscribe/memscribe/sink/sinktest"
	"github.com/memscribe/memscribe/sink/sqlite"
)

// database makes a database of messages: session i of n says one thing, i minutes
// after the hour, in one of three projects. Two have no time.
func database(t *testing.T, n int) *nodedb.Reader {
	t.Helper()
	path := filepath.Join(t.TempDir(), "m.db")
	s, err := sqlite.Open(t.Context(), path, sqlite.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var lines []sink.Line
	for i := range n {
		at := fmt.Sprintf(`,"timestamp":"2026-11-01T10:%02d:00.000Z"`, i/2) // two at a time
		if i < 2 {
			at = ""
		}
		id := fmt.Sprintf("message:%032x", i)
		lines = append(lines, sink.Line{Kind: sink.Message, ID: id, JSON: []byte(fmt.Sprintf(
			`{"schema":"memscribe.message/v1","kind":"user","id":%q,"source":"codex","session_id":"s%02d","seq":1%s,"project":{"cwd":"/p/%d"},"file":"f","text":"hello"}`,
			id, i, at, i%3))})
	}
	if err := errors.Join(s.Apply(t.Context(), lines), s.Flush(t.Context()), s.Close()); err != nil {
		t.Fatal(err)
	}
	r, err := nodedb.Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := r.Close(); err != nil {
			t.Error(err)
		}
	})
	return r
}

// TestPages goes through sessions page by page: all, each once, newest first, those
// without a time last, whatever the size of a page.
func TestPages(t *testing.T) {
	const n = 11
	r := database(t, n)
	var whole []string
	for _, size := range []int{n, 1, 2, 3, 10} {
		var ids []string
		for p := (lists.Page{Limit: size}); ; {
			list, err := lists.Sessions(t.Context(), r, lists.Filter{}, p)
			if err != nil {
				t.Fatal(err)
			}
			for i := range list.Items {
				ids = append(ids, list.Items[i].ID)
			}
			if p.After = list.Next; p.After == "" {
				break
			}
		}
		if size == n {
			whole = ids
		}
		if !slices.Equal(ids, whole) {
			t.Errorf("in pages of %d: %q, want %q", size, ids, whole)
		}
	}
	if want := []string{"s10", "s08", "s09", "s06", "s07", "s04", "s05", "s02", "s03", "s00", "s01"}; !slices.Equal(whole, want) {
		t.Errorf("got %q, want %q", whole, want)
	}
}

func TestFilters(t *testing.T) {
	r := database(t, 9)
	at := func(minute int) time.Time { return time.Date(2026, 11, 1, 10, minute, 0, 0, time.UTC) }
	for name, tt := range map[string]struct {
		filter lists.Filter
		want   int
	}{
		"all":     {lists.Filter{}, 9},
		"project": {lists.Filter{Project: "/p/0"}, 3},
		"below":   {lists.Filter{Project: "p"}, 9},
		"since":   {lists.Filter{Since: at(3)}, 3},
		"until":   {lists.Filter{Until: at(3)}, 4},
		"between": {lists.Filter{Since: at(2), Until: at(3)}, 2},
		"session": {lists.Filter{Session: "s04"}, 1},
		"tool":    {lists.Filter{Tool: "gemini"}, 0},
	} {
		list, err := lists.Sessions(t.Context(), r, tt.filter, lists.Page{})
		if err != nil || len(list.Items) != tt.want {
			t.Errorf("%s: %d sessions, want %d; %v", name, len(list.Items), tt.want, err)
		}
		totals, err := lists.Stats(t.Context(), r, tt.filter)
		if err != nil || len(totals) > 0 && totals[0].Messages != int64(tt.want) || len(totals) == 0 && tt.want > 0 {
			t.Errorf("%s: %+v, want %d messages; %v", name, totals, tt.want, err)
		}
	}
}

// TestStatsWithin counts within bounds of time what counting each node and message gives,
// wherever the bounds cut sessions, and whosever they are.
func TestStatsWithin(t *testing.T) {
	path := filepath.Join(t.TempDir(), "m.db")
	s, err := sqlite.Open(t.Context(), path, sqlite.Options{})
	if err != nil {
		t.Fatal(err)
	}
	lines := sinktest.NewMaker(7).Take(3000)
	for i := range 300 { // each seventh without a time, in the sessions of the nodes too
		at := ""
		if i%7 > 0 {
			at = fmt.Sprintf(`,"timestamp":"2025-06-15T%02d:%02d:00.000Z"`, i/60, i%60)
		}
		session := fmt.Sprintf("said-%d", i%20)
		if i%3 == 0 {
			session = "session-00000000"
		}
		id := fmt.Sprintf("message:%032x", i)
		lines = append(lines, sink.Line{Kind: sink.Message, ID: id, JSON: fmt.Appendf(nil,
			`{"schema":"memscribe.message/v1","kind":"user","id":%q,"source":"codex","session_id":%q,"seq":%d%s,"project":{"cwd":"/home/dev/agent"},"file":"f","text":"hello"}`,
			id, session, i, at)})
	}
	if err := errors.Join(s.Apply(t.Context(), lines), s.Flush(t.Context()), s.Close()); err != nil {
		t.Fatal(err)
	}
	r, err := nodedb.Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	all, err := lists.Stats(t.Context(), r, lists.Filter{})
	if err != nil {
		t.Fatal(err)
	}
	first, err1 := time.Parse(time.RFC3339, all[0].First)
	last, err2 := time.Parse(time.RFC3339, all[0].Last)
	if err := errors.Join(err1, err2); err != nil {
		t.Fatal(err)
	}
	someone, err := lists.Sessions(t.Context(), r, lists.Filter{}, lists.Page{Limit: 40})
	if err != nil {
		t.Fatal(err)
	}
	for k := range 60 {
		step := last.Sub(first) / 30
		f := lists.Filter{Since: first.Add(time.Duration(k-2) * step / 2)}
		if k%3 > 0 {
			f.Until = f.Since.Add(time.Duration(k) * step / 3)
		}
		one := &someone.Items[k%len(someone.Items)]
		switch k % 5 {
		case 1:
			f.Tool = core.Codex
		case 2:
			f.Project = one.Project
		case 3:
			f.Session = one.ID
		}
		totals, err := lists.Stats(t.Context(), r, f)
		if err != nil {
			t.Fatal(err)
		}
		counted, err := lists.Counted(t.Context(), r, f)
		if err != nil {
			t.Fatal(err)
		}
		for i := range totals {
			totals[i].First, totals[i].Last = "", ""
		}
		if !slices.Equal(totals, counted) {
			t.Errorf("%+v:\n%+v\nwant\n%+v", f, totals, counted)
		}
	}
}

func TestNames(t *testing.T) {
	r := database(t, 9)
	if _, err := lists.Sessions(t.Context(), r, lists.Filter{Project: "q"}, lists.Page{}); !errors.Is(err, nodedb.ErrProject) {
		t.Error(err)
	}
	if _, err := lists.Projects(t.Context(), r, lists.Filter{Session: "s0"}, lists.Page{}); !errors.Is(err, nodedb.ErrSession) {
		t.Error(err)
	}
	for _, after := range []string{"x", "e30", "eyJsIjoxLCJuIjpbImEiXX0"} {
		if _, err := lists.Sessions(t.Context(), r, lists.Filter{}, lists.Page{After: after}); !errors.Is(err, nodedb.ErrCursor) {
			t.Errorf("%s: %v", after, err)
		}
	}
	list, err := lists.Projects(t.Context(), r, lists.Filter{}, lists.Page{Limit: 2})
	if err != nil || len(list.Items) != 2 || list.Items[0].Sessions != 3 || list.Items[0].Tools[0] != "codex" || list.Next == "" {
		t.Errorf("%+v, %v", list, err)
	}
}

// TestResponses: a response of Claude Code that is written again under other ids counts once,
// what it takes more is added, and it is where it was first. So it is whatever is compared at
// once.
func TestResponses(t *testing.T) {
	path := filepath.Join(t.TempDir(), "m.db")
	s, err := sqlite.Open(t.Context(), path, sqlite.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var rows []sink.Line
	for i, m := range []struct {
		session, tool, response, at, usage string
	}{
		{"a", "claude_code", "r1", "10:01", `"input_tokens":10,"output_tokens":1,"cache_read_tokens":5,"cache_creation_tokens":0`},
		{"a", "claude_code", "r1", "10:02", `"input_tokens":0,"output_tokens":7,"cache_read_tokens":0,"cache_creation_tokens":0`},
		{"b", "claude_code", "r1", "10:09", `"input_tokens":10,"output_tokens":3,"cache_read_tokens":5,"cache_creation_tokens":0`},
		{"b", "claude_code", "r1", "10:09", `"input_tokens":0,"output_tokens":7,"cache_read_tokens":0,"cache_creation_tokens":0`},
		{"b", "claude_code", "", "10:09", `"input_tokens":0,"output_tokens":100,"cache_read_tokens":0,"cache_creation_tokens":0`},
		{"c", "codex", "r1", "10:03", `"input_tokens":1000,"output_tokens":0,"cache_read_tokens":0,"cache_creation_tokens":0`},
		{"c", "codex", "r1", "10:03", `"input_tokens":1000,"output_tokens":0,"cache_read_tokens":0,"cache_creation_tokens":0`},
	} {
		id := fmt.Sprintf("message:%032x", i)
		rows = append(rows, sink.Line{Kind: sink.Message, ID: id, JSON: []byte(fmt.Sprintf(
			`{"schema":"memscribe.message/v1","kind":"assistant","id":%q,"source":%q,"session_id":%q,"seq":%d,"timestamp":"2026-11-01T%s:00.000Z","project":{"cwd":"/p"},"file":%q,"text":"hello","response_id":%q,"usage":{%s}}`,
			id, m.tool, m.session, i+1, m.at, m.session, m.response, m.usage))})
	}
	if err := errors.Join(s.Apply(t.Context(), rows), s.Flush(t.Context()), s.Close()); err != nil {
		t.Fatal(err)
	}
	r, err := nodedb.Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	before := time.Date(2026, 11, 1, 10, 5, 0, 0, time.UTC)
	for name, tt := range map[string]struct {
		filter lists.Filter
		n      int
		tokens int64
	}{
		"all":    {lists.Filter{}, 5, 18 + 7 + 100 + 2000},
		"first":  {lists.Filter{Session: "a"}, 2, 25},
		"second": {lists.Filter{Session: "b"}, 1, 100},
		"until":  {lists.Filter{Until: before}, 4, 2025},
		"since":  {lists.Filter{Since: before}, 1, 100},
		"tool":   {lists.Filter{Tool: "codex"}, 2, 2000},
	} {
		for _, most := range []uint64{1000, 3, 1} {
			if n, tokens, err := lists.Responses(t.Context(), r, tt.filter, most); err != nil || n != tt.n || tokens != tt.tokens {
				t.Errorf("%s, %d at once: %d responses with %d tokens, want %d with %d; %v", name, most, n, tokens, tt.n, tt.tokens, err)
			}
		}
	}
}
