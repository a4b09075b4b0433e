package sqlite_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/internal/nodedb"
	"github.com/memscribe/memscribe/internal/nodedb/schema"
	"github.com/memscribe/memscribe/internal/sink"
	"github.com/memscribe/memscribe/sink/sinktest"
	"github.com/memscribe/memscribe/sink/sqlite"
)

// model is a node as its JSON says it is, and the plain way to answer questions
// about many.
type model struct {
	ID, Node, Source, Timestamp, Path, SupersededBy, Speaker string
	SessionID                                                string `json:"session_id"`
	ThreadID                                                 string `json:"thread_id"`
	Superseded                                               string `json:"superseded_by"`
	Seq                                                      int64
	IsBan                                                    bool `json:"is_ban"`
	Project                                                  struct {
		Cwd  string
		Root string `json:"repo_root"`
	}
	Diff struct {
		OldPath string `json:"old_path"`
	}
	From, To string

	json  []byte
	words []string
	place int // in the order of delivery
}

func (m *model) project() string {
	if m.Project.Root != "" {
		return m.Project.Root
	}
	return m.Project.Cwd
}

func (m *model) time() time.Time {
	t, _ := time.Parse(time.RFC3339Nano, m.Timestamp)
	return t
}

func models(t *testing.T, lines []sink.Line) []model {
	t.Helper()
	all := make([]model, len(lines))
	for i, l := range lines {
		if err := json.Unmarshal(l.JSON, &all[i]); err != nil {
			t.Fatal(err)
		}
		all[i].json, all[i].words, all[i].place = l.JSON, spoken(l.JSON), i
	}
	// Newest first; what is of the same moment, in the order opposite to coming.
	slices.SortStableFunc(all, func(a, b model) int {
		if c := b.time().Compare(a.time()); c != 0 {
			return c
		}
		return b.place - a.place
	})
	return all
}

func (m *model) passes(f nodedb.Filter) bool {
	p, below := m.project(), strings.Split(m.project(), "/")
	return (f.Project == "" || p == f.Project || strings.HasPrefix(p, f.Project+"/") || slices.Contains(below, f.Project)) &&
		(f.Tool == "" || m.Source == string(f.Tool)) &&
		(f.Since.IsZero() || !m.time().Before(f.Since)) &&
		(f.Until.IsZero() || m.time().Before(f.Until)) &&
		(len(f.Kinds) == 0 || slices.Contains(f.Kinds, m.Node)) &&
		m.says(f.Text)
}

// says answers a search for words, -words and begin*.
func (m *model) says(text string) bool {
	for word := range strings.FieldsSeq(strings.ToLower(text)) {
		word, not := strings.CutPrefix(word, "-")
		begin, prefix := strings.CutSuffix(word, "*")
		has := slices.ContainsFunc(m.words, func(w string) bool { return w == begin || prefix && strings.HasPrefix(w, begin) })
		if has == not {
			return false
		}
	}
	return true
}

// library is a database with many nodes, and a reader of it.
func library(t *testing.T) (*nodedb.Reader, []sink.Line) {
	t.Helper()
	dir := t.TempDir()
	lines := sinktest.NewMaker(11).Take(share(1400, 3000))
	s := open(t, dir, sqlite.Options{})
	for part := range slices.Chunk(lines, 500) {
		apply(t, s, part...)
	}
	return reader(t, dir), lines
}

func reader(t testing.TB, dir string) *nodedb.Reader {
	t.Helper()
	r, err := nodedb.Open(t.Context(), file(dir))
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

type question func(context.Context, nodedb.Filter, nodedb.Page) (nodedb.Answer, error)

// all asks for every page.
func all(t *testing.T, q question, f nodedb.Filter, limit int) []nodedb.Node {
	t.Helper()
	var nodes []nodedb.Node
	for p := (nodedb.Page{Limit: limit}); ; {
		a, err := q(t.Context(), f, p)
		if err != nil {
			t.Fatal(err)
		}
		nodes = append(nodes, a.Nodes...)
		if a.Next == "" {
			return nodes
		}
		if len(a.Nodes) != limit {
			t.Fatalf("a page of %d nodes that is not the last; want %d", len(a.Nodes), limit)
		}
		p.After = a.Next
	}
}

func TestAnswers(t *testing.T) {
	t.Parallel()
	r, lines := library(t)
	nodes := models(t, lines)
	middle := nodes[len(nodes)/2].time()
	filters := map[string]nodedb.Filter{
		"all":              {},
		"folder":           {Project: "/home/dev/work/orders"},
		"name":             {Project: "billing"},
		"above":            {Project: "/home/dev/work"},
		"no project":       {Project: "/home/dev/wor"},
		"tool":             {Tool: core.Gemini},
		"since":            {Since: middle},
		"until":            {Until: middle},
		"between":          {Since: middle.Add(-24 * time.Hour), Until: middle},
		"never":            {Since: middle, Until: middle},
		"word":             {Text: "database"},
		"common word":      {Text: "the"},
		"words":            {Text: "Server TOKEN"},
		"without":          {Text: "session -the"},
		"begin":            {Text: "inv*"},
		"word and project": {Text: "test", Project: "site"},
		"all at once":      {Text: "to", Project: "/home/dev/work/parser", Tool: core.ClaudeCode, Since: middle.Add(-200 * time.Hour)},
		"another kind":     {Kinds: []string{"binding"}},
		"kinds":            {Kinds: []string{"decision", "episode"}},
		"kinds with word":  {Kinds: []string{"decision", "conversation"}, Text: "cache"},
	}
	path := nodes[slices.IndexFunc(nodes, func(m model) bool { return m.Node == "episode" })].Path
	renamed := nodes[slices.IndexFunc(nodes, func(m model) bool { return m.Diff.OldPath != "" })].Diff.OldPath
	file := func(path string) question {
		return func(ctx context.Context, f nodedb.Filter, p nodedb.Page) (nodedb.Answer, error) {
			return r.File(ctx, path, f, p)
		}
	}
	ofPath := func(path string) func(*model) bool {
		return func(m *model) bool {
			return m.Node == "episode" && (m.Path == path || strings.HasSuffix(m.Path, "/"+path) || m.Diff.OldPath == path || strings.HasSuffix(m.Diff.OldPath, "/"+path))
		}
	}
	for name, q := range map[string]struct {
		ask  question
		want func(*model) bool
	}{
		"decisions":     {r.Decisions, func(m *model) bool { return m.Node == "decision" }},
		"bans":          {r.Bans, func(m *model) bool { return m.IsBan && m.Superseded == "" }},
		"episodes":      {r.Episodes, func(m *model) bool { return m.Node == "episode" }},
		"search":        {r.Search, func(m *model) bool { return m.Node != "binding" }},
		"file":          {file(path), ofPath(path)},
		"end of path":   {file(strings.TrimPrefix(path, "/home/dev/work/")), ofPath(strings.TrimPrefix(path, "/home/dev/work/"))},
		"name of file":  {file(filepath.Base(path)), ofPath(filepath.Base(path))},
		"renamed":       {file(renamed), ofPath(renamed)},
		"part of names": {file(filepath.Base(path)[1:]), func(*model) bool { return false }},
	} {
		t.Run(name, func(t *testing.T) {
			for fname, f := range filters {
				if name == "search" && f.Text == "" {
					continue
				}
				var want []string
				for i := range nodes {
					if q.want(&nodes[i]) && nodes[i].passes(f) {
						want = append(want, nodes[i].ID)
					}
				}
				if fname == "all" && len(want) == 0 && name != "part of names" {
					t.Error("there is nothing to be found")
				}
				for _, limit := range []int{7, 1000} {
					if limit == 7 && len(want) > share(60, 300) {
						continue
					}
					var got []string
					for _, n := range all(t, q.ask, f, limit) {
						got = append(got, n.ID)
					}
					if diff := cmp.Diff(want, got); diff != "" {
						t.Errorf("%s, pages of %d: (-want +got):\n%s", fname, limit, diff)
					}
				}
			}
		})
	}
}

func TestSession(t *testing.T) {
	t.Parallel()
	r, lines := library(t)
	nodes := models(t, lines)
	id := "session-00000003"
	ask := func(id string) question {
		return func(ctx context.Context, f nodedb.Filter, p nodedb.Page) (nodedb.Answer, error) {
			return r.Session(ctx, id, f, p)
		}
	}
	for name, f := range map[string]nodedb.Filter{
		"all": {}, "tool": {Tool: core.Codex}, "kinds": {Kinds: []string{"decision", "conversation"}}, "word": {Text: "the"},
		"kinds and word": {Kinds: []string{"episode"}, Text: "go"}, "project": {Project: "nowhere"},
		"since": {Since: nodes[slices.IndexFunc(nodes, func(m model) bool { return m.SessionID == id })].time().Add(-time.Minute)},
	} {
		var in []model
		for _, m := range nodes {
			if m.SessionID == id && m.passes(f) && (f.Text == "" || m.Node != "binding") {
				in = append(in, m)
			}
		}
		slices.SortStableFunc(in, func(a, b model) int {
			return 4*strings.Compare(a.ThreadID, b.ThreadID) + 2*compare(a.Seq, b.Seq) + compare(int64(a.place), int64(b.place))
		})
		var want []string
		for _, m := range in {
			want = append(want, m.ID)
		}
		if name == "all" && len(want) < 20 {
			t.Fatalf("the session has only %d nodes", len(want))
		}
		for _, limit := range []int{1, 13, 1000} {
			var got []string
			for _, n := range all(t, ask(id), f, limit) {
				got = append(got, n.ID)
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%s, pages of %d: (-want +got):\n%s", name, limit, diff)
			}
		}
	}
	if got := all(t, ask("session-00000001"), nodedb.Filter{}, 1000); len(got) == 0 {
		t.Error("no nodes")
	}
	for _, id := range []string{"", "session-0", "session-99", "x", "session-00000003x"} {
		if _, err := r.Session(t.Context(), id, nodedb.Filter{}, nodedb.Page{}); !errors.Is(err, nodedb.ErrSession) {
			t.Errorf("%q: got %v, want ErrSession", id, err)
		}
	}
}

func compare(a, b int64) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}

// TestNode wants all of a node, and both ends of a binding.
func TestNode(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir, sqlite.Options{})
	d := decision("s", 1, "2026-01-01T00:00:00Z", "Use it.")
	e := *d
	e.ID, e.Thread, e.Seq = "episode:1", "sub", 2
	e.Body = &core.Episode{EpisodeID: "e", CallID: "c", Tool: "Edit", Git: core.Git{Branch: "fix"}, Diff: core.Diff{
		Path: "/w/a/b.go", OldPath: "/w/a/c.go", Added: 3, Removed: 1, Change: core.Rename,
	}}
	b := *d
	b.ID, b.Seq = "binding:1", 2
	b.Body = &core.Binding{From: d.ID, To: e.ID, Relation: core.Produced, Evidence: core.SameArc}
	apply(t, s, sinktest.Line(d), sinktest.Line(&e), sinktest.Line(&b))
	r := reader(t, dir)
	got, found, err := r.Node(t.Context(), e.ID)
	if err != nil || !found {
		t.Fatal(found, err)
	}
	want := nodedb.Node{
		ID: e.ID, Kind: "episode", Source: core.Codex, Session: "s", Thread: "sub", Seq: 2, Timestamp: "2026-01-01T00:00:00Z",
		Project: "/w/a", Branch: "fix", Path: "/w/a/b.go", OldPath: "/w/a/c.go", Change: "rename", Added: 3, Removed: 1, Tool: "Edit", CallID: "c",
		Links: []nodedb.Link{{ID: d.ID, Kind: "decision", Relation: "produced", Evidence: "same_arc", Timestamp: "2026-01-01T00:00:00Z", Text: "Use it."}},
		JSON:  sinktest.Line(&e).JSON,
	}
	if diff := cmp.Diff(want, got, cmpopts.IgnoreUnexported(nodedb.Node{})); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	got, _, err = r.Node(t.Context(), d.ID)
	links := []nodedb.Link{{ID: e.ID, Kind: "episode", Relation: "produced", Evidence: "same_arc", Timestamp: "2026-01-01T00:00:00Z", Path: "/w/a/b.go", Change: "rename"}}
	if diff := cmp.Diff(links, got.Links); err != nil || diff != "" {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
	got, _, err = r.Node(t.Context(), b.ID)
	if err != nil || got.From != d.ID || got.To != e.ID || got.Relation != "produced" || len(got.Links) > 0 {
		t.Errorf("got %+v, %v", got, err)
	}
	if _, found, err = r.Node(t.Context(), "decision:0"); found || err != nil {
		t.Error(found, err)
	}
}

func TestNoAnswers(t *testing.T) {
	r, _ := library(t)
	for _, text := range []string{"", " ", "-the", "!!!", `""`, "-", "*", "path:"} {
		if _, err := r.Search(t.Context(), nodedb.Filter{Text: text}, nodedb.Page{}); !errors.Is(err, nodedb.ErrSearch) {
			t.Errorf("%q: got %v, want ErrSearch", text, err)
		}
	}
	if _, err := r.Decisions(t.Context(), nodedb.Filter{Text: "-the"}, nodedb.Page{}); !errors.Is(err, nodedb.ErrSearch) {
		t.Errorf("got %v, want ErrSearch", err)
	}
	for _, after := range []string{"!", "1 2", "zzzzzzzzzzzzzzzzzzzzzz"} {
		if _, err := r.Bans(t.Context(), nodedb.Filter{}, nodedb.Page{After: after}); !errors.Is(err, nodedb.ErrCursor) {
			t.Errorf("%q: got %v, want ErrCursor", after, err)
		}
		if _, err := r.Session(t.Context(), "session-00000002", nodedb.Filter{}, nodedb.Page{After: after}); !errors.Is(err, nodedb.ErrCursor) {
			t.Errorf("%q: got %v, want ErrCursor", after, err)
		}
	}
	if _, err := nodedb.Open(t.Context(), filepath.Join(t.TempDir(), "none.db")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("got %v, want that it does not exist", err)
	}
}

// TestReaderOnly makes sure that a reader neither writes nor makes a database.
func TestReaderOnly(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir, sqlite.Options{})
	apply(t, s, sinktest.NewMaker(1).Take(100)...)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	before := string(read(t, file(dir)))
	r := reader(t, dir)
	for i := range 3 {
		if _, err := r.Search(t.Context(), nodedb.Filter{Text: fmt.Sprint("the", i)}, nodedb.Page{}); err != nil {
			t.Fatal(err)
		}
	}
	if string(read(t, file(dir))) != before {
		t.Error("reading changes the file")
	}
}

func TestCancelledQuery(t *testing.T) {
	r, _ := library(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := r.Decisions(ctx, nodedb.Filter{}, nodedb.Page{}); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want that it was cancelled", err)
	}
}

// Inspect names whatever is not as Memscribe made it.
func TestInspect(t *testing.T) {
	for name, c := range map[string]struct{ script, want string }{
		"as it was made":    {"", ""},
		"a foreign trigger": {"CREATE TRIGGER copies AFTER INSERT ON nodes BEGIN DELETE FROM nodes; END", "trigger copies"},
		"a foreign view":    {"CREATE VIEW mine AS SELECT * FROM nodes", "view mine"},
		"a foreign table":   {"CREATE TABLE mine (x)", "table mine"},
		"a missing index":   {"DROP INDEX nodes_id", "missing: index nodes_id"},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "n.db")
			s, err := sqlite.Open(t.Context(), path, sqlite.Options{})
			if err == nil {
				err = s.Close()
			}
			if err != nil {
				t.Fatal(err)
			}
			if c.script != "" {
				script(t, path, c.script)
			}
			problems, err := schema.Inspect(t.Context(), path)
			said := strings.Join(problems, "\n")
			if err != nil || (c.want == "") != (said == "") || !strings.Contains(said, c.want) {
				t.Errorf("said %q, %v; want %q", said, err, c.want)
			}
		})
	}
	other := filepath.Join(t.TempDir(), "other.db")
	script(t, other, "CREATE TABLE mine (x)")
	if _, err := schema.Inspect(t.Context(), other); !errors.Is(err, schema.ErrForeign) {
		t.Errorf("another program's database: %v", err)
	}
}
