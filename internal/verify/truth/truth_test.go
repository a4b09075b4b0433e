package truth_test

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/memscribe/memscribe/adapters"
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/internal/verify/corpus"
	"github.com/memscribe/memscribe/internal/verify/trial"
	"github.com/memscribe/memscribe/internal/verify/truth"
)

func read(t *testing.T, version, scenario string) (*corpus.Case, *trial.Result) {
	t.Helper()
	cases, err := corpus.Load(filepath.Join("..", "..", "..", "fixtures"), core.ClaudeCode)
	if err != nil {
		t.Fatal(err)
	}
	i := slices.IndexFunc(cases, func(c *corpus.Case) bool { return c.Version == version && c.Scenario == scenario })
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
	return cases[i], r
}

// TestPlanted spoils what came out of a session, and demands that it is seen.
func TestPlanted(t *testing.T) {
	tests := []struct {
		name, scenario string
		spoil          func(c *corpus.Case, r *trial.Result)
		want           string
	}{
		{"nothing", "interleaved_arcs", func(*corpus.Case, *trial.Result) {}, ""},
		{"an episode lost", "happy_path", func(_ *corpus.Case, r *trial.Result) { drop(r, "episode") }, "no episode for"},
		{"an episode too many", "happy_path", func(c *corpus.Case, _ *trial.Result) { c.Truth.Edits[0].Applied = false }, "answers to no applied edit"},
		{"another path", "happy_path", func(_ *corpus.Case, r *trial.Result) { first(r, "episode").Path = "/x" }, "no episode for"},
		{"another call", "happy_path", func(_ *corpus.Case, r *trial.Result) { first(r, "episode").CallID = "x" }, "no episode for"},
		{"a diff of another file", "happy_path", func(_ *corpus.Case, r *trial.Result) { first(r, "episode").Diff.Path = "/x" }, "its diff is of"},
		{"on a subagent's line", "happy_path", func(_ *corpus.Case, r *trial.Result) { first(r, "episode").ThreadID = "x" }, "by a subagent is false"},
		{"a diff that does not apply", "happy_path", func(_ *corpus.Case, r *trial.Result) {
			d := first(r, "episode").Diff
			d.Unified = strings.Replace(d.Unified, "mysql", "sqlite", 1)
		}, "does not apply"},
		{"a diff with another outcome", "happy_path", func(_ *corpus.Case, r *trial.Result) {
			d := first(r, "episode").Diff
			d.Unified = strings.Replace(d.Unified, "+const { Pool }", "+const { Pond }", 1)
		}, "but git saw"},
		{"created anew", "happy_path", func(_ *corpus.Case, r *trial.Result) { first(r, "episode").Diff.Change = "create" }, "is a create"},
		{"a call lost", "happy_path", func(c *corpus.Case, _ *trial.Result) { c.Truth.ToolCalls[0].ID = "x" }, "no call x"},
		{"a failure missed", "happy_path", func(c *corpus.Case, _ *trial.Result) { c.Truth.ToolCalls[0].IsError = true }, "failed: false, want true"},
		{"failures miscounted", "happy_path", func(c *corpus.Case, _ *trial.Result) { c.Truth.Failures = 7 }, "calls failed, want 7"},
		{"a compaction missed", "happy_path", func(c *corpus.Case, _ *trial.Result) { c.Truth.Compaction = 1 }, "0 compactions, want 1"},
		{"a prompt missed", "happy_path", func(c *corpus.Case, _ *trial.Result) {
			c.Truth.Prompts = append(c.Truth.Prompts, corpus.Prompt{Text: "x"})
		}, "people's turns are"},
		{"injected text taken for a person's", "happy_path", func(_ *corpus.Case, r *trial.Result) {
			e := *r.Events()[0]
			e.Event, e.Injected, e.ID = "user_turn", false, "x"
			r.Streams[0].Events = append(r.Streams[0].Events, &e)
		}, "people's turns are"},
		{"bound to the other topic", "interleaved_arcs", func(_ *corpus.Case, r *trial.Result) {
			bindings := r.NodesOf("binding")
			bindings[0].From = bindings[1].From
		}, "hangs on turn"},
		{"not bound at all", "interleaved_arcs", func(_ *corpus.Case, r *trial.Result) { drop(r, "binding") }, "0 bindings"},
		{"bound across a rewind", "rewind", func(_ *corpus.Case, r *trial.Result) {
			for _, d := range r.NodesOf("decision") {
				if d.SupersededBy != "" {
					first(r, "binding").From = d.ID
				}
			}
			b := first(r, "binding")
			for _, n := range r.NodesOf("episode") {
				if n.ID == b.To {
					n.Seq = 1 << 30
				}
			}
		}, "crosses the rewind"},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			c, r := read(t, "2.1.329", tc.scenario)
			tc.spoil(c, r)
			found := truth.Check(c, r)
			if tc.want == "" && len(found) > 0 || tc.want != "" && !slices.ContainsFunc(found, func(p string) bool { return strings.Contains(p, tc.want) }) {
				t.Errorf("found %q, want one with %q", found, tc.want)
			}
		})
	}
}

func first(r *trial.Result, kind string) *trial.Node { return r.NodesOf(kind)[0] }

func drop(r *trial.Result, kind string) {
	n := first(r, kind)
	r.Nodes = slices.DeleteFunc(r.Nodes, func(m *trial.Node) bool { return m == n })
}

func TestBase(t *testing.T) {
	for scenario, file := range map[string]string{"happy_path": "src/db.js", "file_ops": "notes/explore.ipynb", "unicode_and_large": "docs/日本語.md"} {
		tree, err := truth.Base(scenario)
		if err != nil || tree[file] == "" || tree["README.md"] == "" {
			t.Errorf("%s: %d files, %v", scenario, len(tree), err)
		}
	}
}
