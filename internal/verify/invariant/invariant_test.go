package invariant_test

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/memscribe/memscribe/adapters"
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/internal/verify/corpus"
	"github.com/memscribe/memscribe/internal/verify/invariant"
	"github.com/memscribe/memscribe/internal/verify/trial"
)

// session reads a recorded session that has something of everything: a
// decision that a rewind takes back, edits, bindings.
func session(t *testing.T) ([]trial.Input, *trial.Result) {
	t.Helper()
	cases, err := corpus.Load(filepath.Join("..", "..", "..", "fixtures"), core.ClaudeCode)
	if err != nil {
		t.Fatal(err)
	}
	i := slices.IndexFunc(cases, func(c *corpus.Case) bool { return c.Version == "2.1.329" && c.Scenario == "rewind" })
	a, ok := adapters.ByTool(core.ClaudeCode)
	if i < 0 || !ok {
		t.Fatal("no such session")
	}
	inputs, err := trial.Inputs(cases[i], a)
	if err != nil {
		t.Fatal(err)
	}
	r, err := trial.Whole(inputs, nil)
	if err != nil {
		t.Fatal(err)
	}
	return inputs, r
}

func one[T any](t *testing.T, all []T, want func(T) bool) T {
	t.Helper()
	i := slices.IndexFunc(all, want)
	if i < 0 {
		t.Fatal("the session has none")
	}
	return all[i]
}

func event(t *testing.T, r *trial.Result, kind string) *trial.Event {
	t.Helper()
	return one(t, r.Events(), func(e *trial.Event) bool { return e.Event == kind })
}

func node(t *testing.T, r *trial.Result, kind string) *trial.Node {
	t.Helper()
	return one(t, r.Nodes, func(n *trial.Node) bool { return n.Node == kind })
}

// TestPlanted spoils what came out of a session, and demands that it is seen.
func TestPlanted(t *testing.T) {
	cut := func(t *testing.T, r *trial.Result, kind string) {
		t.Helper()
		s := r.Streams[0]
		i := slices.Index(s.Events, event(t, r, kind))
		s.Events = slices.Delete(s.Events, i, i+1)
	}
	tests := []struct {
		name  string
		spoil func(t *testing.T, r *trial.Result)
		want  string
	}{
		{"nothing", func(*testing.T, *trial.Result) {}, ""},
		{"an event lost", func(t *testing.T, r *trial.Result) { cut(t, r, "tool_result") }, "has seq"},
		{"a record lost", func(t *testing.T, r *trial.Result) { cut(t, r, "unknown") }, "no event for the"},
		{"a place off by one", func(t *testing.T, r *trial.Result) { event(t, r, "tool_call").Provenance.Offset-- }, "points to nothing"},
		{"a line off by one", func(t *testing.T, r *trial.Result) { event(t, r, "tool_call").Provenance.Line++ }, "is of line"},
		{"another file", func(t *testing.T, r *trial.Result) { event(t, r, "tool_call").Provenance.File = "x" }, "is of file x"},
		{"an unknown record changed", func(t *testing.T, r *trial.Result) {
			e := event(t, r, "unknown")
			e.Body.Raw = []byte(strings.Replace(string(e.Body.Raw), "session", "Session", 1))
		}, "is not its record"},
		{"an unknown record empty", func(t *testing.T, r *trial.Result) { event(t, r, "unknown").Body.Raw = nil }, "without its record"},
		{"an id made up twice", func(_ *testing.T, r *trial.Result) {
			r.Streams[0].Events[0].ID, r.Streams[0].Events[1].ID = "made-up", "made-up"
		}, "is that of another"},
		{"no id", func(t *testing.T, r *trial.Result) { event(t, r, "tool_call").ID = "" }, "has no id"},
		{"a wrong inferred time", func(t *testing.T, r *trial.Result) {
			e := event(t, r, "file_edit")
			e.TimestampInferred, e.Timestamp = true, "2020-01-01T00:00:00Z"
		}, "inferred"},
		{"no time", func(t *testing.T, r *trial.Result) { event(t, r, "file_edit").Timestamp = "" }, "no time after"},
		{"a rewind to nowhere", func(t *testing.T, r *trial.Result) { event(t, r, "rewind").Body.ToEvent = "x" }, "did not come before"},
		{"a decision that a rewind forgot", func(_ *testing.T, r *trial.Result) {
			for _, d := range r.NodesOf("decision") {
				d.SupersededBy = ""
			}
		}, "not superseded"},
		{"superseded by a rewind that was none", func(t *testing.T, r *trial.Result) {
			r.Streams[0].Events[len(r.Streams[0].Events)-1].Voids = event(t, r, "rewind").ID
		}, "no rewind and no decision"},
		{"superseded by nothing", func(t *testing.T, r *trial.Result) { node(t, r, "decision").SupersededBy = "x" }, "no rewind and no decision"},
		{"superseded by what was taken back", func(t *testing.T, r *trial.Result) {
			back := one(t, r.Nodes, func(n *trial.Node) bool { return strings.HasPrefix(n.SupersededBy, "rewind:") })
			one(t, r.Nodes, func(n *trial.Node) bool { return n.Node == "decision" && n.SupersededBy == "" }).SupersededBy = back.ID
		}, "took back"},
		{"a count too high", func(t *testing.T, r *trial.Result) { event(t, r, "file_edit").Body.Diff.Added++ }, "has +2 -0, says +3 -0"},
		{"a diff that is none", func(t *testing.T, r *trial.Result) { event(t, r, "file_edit").Body.Diff.Unified = "+a\n" }, "0 files in the diff"},
		{"no diff", func(t *testing.T, r *trial.Result) { event(t, r, "file_edit").Body.Diff.Unified = "" }, "no diff of"},
		{"a change by a wrong name", func(t *testing.T, r *trial.Result) { event(t, r, "file_edit").Body.Diff.Change = "create" }, "with the header"},
		{"a node twice", func(_ *testing.T, r *trial.Result) { r.Nodes = append(r.Nodes, r.Nodes[len(r.Nodes)-1]) }, "is there twice"},
		{"nodes out of order", func(_ *testing.T, r *trial.Result) { slices.Reverse(r.Nodes) }, "stands after"},
		{"a node of another kind", func(t *testing.T, r *trial.Result) { node(t, r, "episode").ID = "binding:1" }, "has the id"},
		{"a node from nowhere", func(t *testing.T, r *trial.Result) { node(t, r, "episode").Provenance[0].Line = 99999 }, "points to no event"},
		{"an episode lost", func(t *testing.T, r *trial.Result) {
			n := node(t, r, "episode")
			r.Nodes = slices.DeleteFunc(r.Nodes, func(m *trial.Node) bool { return m == n })
		}, "without an episode"},
		{"an episode too many", func(t *testing.T, r *trial.Result) { node(t, r, "episode").CallID = "x" }, "without an edit"},
		{"turns beyond the end", func(t *testing.T, r *trial.Result) { node(t, r, "conversation").TurnRange.End = 1 << 30 }, "turns"},
		{"words that nobody said", func(t *testing.T, r *trial.Result) { node(t, r, "decision").Epitome = "Use Perl." }, "is not in its turns"},
		{"words of the tool", func(t *testing.T, r *trial.Result) {
			n := node(t, r, "conversation")
			r.Streams[0].Events[n.TurnRange.End].Injected = true
		}, "out of what the tool put there"},
		{"a marker off by one", func(t *testing.T, r *trial.Result) { node(t, r, "conversation").Markers[0].Offset++ }, "does not stand at"},
		{"a binding to nothing", func(t *testing.T, r *trial.Result) { node(t, r, "binding").To = "episode:0" }, "(false)"},
		{"a binding the wrong way round", func(t *testing.T, r *trial.Result) {
			b := node(t, r, "binding")
			b.From, b.To = b.To, b.From
		}, "from a episode"},
		{"a wrong relation", func(t *testing.T, r *trial.Result) {
			one(t, r.NodesOf("binding"), func(b *trial.Node) bool { return b.Relation != "derived_from" }).Relation = "derived_from"
		}, "derived_from a decision"},
		{"used after it was made", func(t *testing.T, r *trial.Result) {
			node(t, r, "binding").Prov.Use = "2999-01-01T00:00:00Z"
		}, "used at 2999"},
		{"bound to what came later", func(t *testing.T, r *trial.Result) {
			b := node(t, r, "binding")
			one(t, r.Nodes, func(n *trial.Node) bool { return n.ID == b.To }).Seq = 0
		}, "hangs on seq"},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			_, r := session(t)
			before := invariant.Result(r)
			tc.spoil(t, r)
			found := slices.DeleteFunc(invariant.Result(r), func(p string) bool { return slices.Contains(before, p) })
			if tc.want == "" && len(found) > 0 || tc.want != "" && !slices.ContainsFunc(found, func(p string) bool { return strings.Contains(p, tc.want) }) {
				t.Errorf("found %q, want one with %q", found, tc.want)
			}
		})
	}
}

func TestSame(t *testing.T) {
	inputs, a := session(t)
	_, b := session(t)
	if p := append(invariant.Same(a, b), invariant.SameFacts(a, b)...); len(p) > 0 {
		t.Errorf("two readings differ: %q", p)
	}
	b.Nodes[0].JSON = []byte(`{"node":"x"}`)
	b.Streams[0].Events[0].JSON = []byte(`{}`)
	if p := invariant.Same(a, b); len(p) != 2 {
		t.Errorf("found %q, want one event and one node", p)
	}
	inputs[0].Name = "elsewhere"
	c, err := trial.Whole(inputs, nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(invariant.Same(a, c)) == 0 || len(invariant.SameFacts(a, c)) > 0 {
		t.Errorf("a file elsewhere: %q, %q", invariant.Same(a, c), invariant.SameFacts(a, c))
	}
	c.Nodes = c.Nodes[1:]
	if p := invariant.SameFacts(a, c); len(p) == 0 {
		t.Error("a missing node was not seen")
	}
}

func TestNoSecrets(t *testing.T) {
	_, r := session(t)
	if p := invariant.NoSecrets(r, []string{"Xyzzy"}); len(p) > 0 {
		t.Errorf("found %q in a session without it", p)
	}
	if p := invariant.NoSecrets(r, []string{"app.get('/healthz', (req, res) => res.send('ok'));\n\napp.listen"}); len(p) == 0 {
		t.Error("text of an edit was not found")
	}
}
