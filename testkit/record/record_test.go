package record

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/internal/verify/corpus"
	"github.com/memscribe/memscribe/testkit/modelserver"
	"github.com/memscribe/memscribe/testkit/script"
)

func TestAtLeast(t *testing.T) {
	for _, tc := range []struct {
		version, wanted string
		want            bool
	}{
		{"2.1.330", "2.1.300", true},
		{"2.1.20", "2.1.300", false},
		{"0.166.0", "0.141", true},
		{"0.75.0", "0.141", false},
		{"1.0.128", "2.0.0", false},
		{"3", "2.0.0", true},
		{"0.141", "0.141", true},
		{"nightly", "1.0", false},
	} {
		if got := atLeast(tc.version, tc.wanted); got != tc.want {
			t.Errorf("that %s is at least %s is %t", tc.version, tc.wanted, got)
		}
	}
}

// TestPlays: every script can be played to some tool, and none to one that has no
// way to do what it wants.
func TestPlays(t *testing.T) {
	names, err := script.Names()
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		s, err := script.Load(name)
		if err != nil {
			t.Fatal(err)
		}
		var by []core.Tool
		for _, tool := range Tools() {
			if Plays(tool, s) {
				by = append(by, tool)
			}
		}
		if len(by) == 0 {
			t.Errorf("no tool can play %s", name)
		}
		if name == "rewind_compaction" && !slices.Equal(by, []core.Tool{core.Codex, core.OpenCode, core.Kilo}) {
			t.Errorf("%s can be played by %v", name, by)
		}
	}
}

func TestUnknownTool(t *testing.T) {
	if _, err := Install(t.Context(), t.TempDir(), core.Zed, "1", nil); err == nil {
		t.Error("installed what nobody knows")
	}
}

// TestNoJob: a program that uses the package is not taken over without a job.
func TestNoJob(t *testing.T) {
	if inside, err := Inside(context.Background()); inside || err != nil {
		t.Errorf("inside is %t, %v", inside, err)
	}
}

// played is a log of four calls: an edit, two of one file in one step of which one
// fails, and a deletion by a command.
func played() *modelserver.Log {
	before, then := map[string]string{"a": "1", "b": "1"}, map[string]string{"a": "2", "b": "1"}
	last := map[string]string{"a": "2"}
	return &modelserver.Log{
		Compactions: 1,
		Starts:      []int{0},
		Calls: []modelserver.Call{
			{ID: "c1", Tool: "Edit", Kind: script.Edit, Paths: []string{"a"}, Answered: true, Before: before, After: then},
			{ID: "c2", Tool: "Edit", Kind: script.Edit, Paths: []string{"a"}, Answered: true, Failed: true, Before: before, After: then},
			{ID: "c3", Tool: "Bash", Kind: script.Delete, Step: 1, Paths: []string{"b"}, Shell: true, Answered: true, Before: then, After: last},
			{ID: "c4", Tool: "Bash", Kind: script.Bash, Step: 2, Before: last, After: last},
		},
	}
}

// TestTruth: what is written as truth is what the corpus reads.
func TestTruth(t *testing.T) {
	s := &session{job: Job{Tool: core.ClaudeCode, Version: "1", Scenario: "ban"}, work: "/w"}
	var err error
	if s.scenario, err = script.Load("ban"); err != nil {
		t.Fatal(err)
	}
	data, err := json.Marshal(s.truth(played()))
	if err != nil {
		t.Fatal(err)
	}
	got := new(corpus.Truth)
	if err = json.Unmarshal(data, got); err != nil {
		t.Fatal(err)
	}
	if len(got.Edits) != 3 || got.Failures != 1 || got.Compactions() != 1 || len(got.Unresolved) != 1 || got.Repo != "/w" || len(got.Prompts) != 1 {
		t.Errorf("truth is %+v", got)
	}
	if owed := got.Owed(); len(owed) != 1 || owed[0].CallID != "c1" {
		t.Errorf("owed are %+v", owed)
	}
}

func TestChanges(t *testing.T) {
	one, two := "1", "2"
	want := []Changed{
		{Path: "a", Op: script.Edit, CallIDs: []string{"c1"}, Before: &one, After: &two},
		{Path: "b", Op: script.Delete, Shell: true, CallIDs: []string{"c3"}, Before: &one},
	}
	if d := cmp.Diff(want, changes(played())); d != "" {
		t.Error(d)
	}
}

// TestNotBegun: a tool that ends with an error before it asks is no recording.
func TestNotBegun(t *testing.T) {
	scenario, err := script.Load("ban")
	if err != nil {
		t.Fatal(err)
	}
	s := &session{scenario: scenario, server: modelserver.New(scenario, t.TempDir(), "")}
	if err := s.began(scenario.Runs[0], 1, []byte("unknown option")); err == nil {
		t.Error("it is taken for one that played")
	}
	if err := s.began(scenario.Runs[0], 0, nil); err != nil {
		t.Error(err)
	}
}

func TestFoldedTellsTheLast(t *testing.T) {
	a := Folded([]byte(`{"id":"a","n":1}` + "\n" + `{"id":"b"}` + "\n" + `{"id":"a","n":2}` + "\n"))
	b := Folded([]byte(`{"id":"a","n":2}` + "\n" + `{"id":"c"}`))
	if got := Departures(a, b); !slices.Equal(got, []string{"b", "c"}) {
		t.Errorf("got %q", got)
	}
}

// TestKeptHome copies what is kept, and nothing that is no plain file.
func TestKeptHome(t *testing.T) {
	s := &session{client: claude{}, home: t.TempDir(), job: Job{Out: t.TempDir()}}
	if err := writeAll(s.home, map[string]string{".claude/projects/p/a.jsonl": "{}\n", ".claude.json": "{}"}); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("/etc/hostname", filepath.Join(s.home, ".claude/projects/p/link")); err != nil {
		t.Skipf("no links here: %v", err)
	}
	if err := s.copyHome(filepath.Join(s.job.Out, "home")); err != nil {
		t.Fatal(err)
	}
	var got []string
	if err := filepath.WalkDir(s.job.Out, func(at string, d os.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			got = append(got, filepath.Base(at))
		}
		return err
	}); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(got, []string{"a.jsonl"}) {
		t.Errorf("kept are %v", got)
	}
}

// TestServersWithoutVariables: a client may refuse a server whose variables are null.
func TestServersWithoutVariables(t *testing.T) {
	s := &session{job: Job{Servers: map[string]string{"files": "/client"}}, scenario: &script.Scenario{Servers: []script.ToolServer{{Name: "files", Program: "serve"}}}}
	files, err := copilot{}.files(s)
	if err != nil {
		t.Fatal(err)
	}
	var told struct {
		Servers map[string]struct {
			Env any `json:"env"`
		} `json:"mcpServers"`
	}
	if err := json.Unmarshal([]byte(files[".copilot/mcp-config.json"]), &told); err != nil {
		t.Fatal(err)
	}
	if _, ok := told.Servers["files"].Env.(map[string]any); !ok {
		t.Errorf("the client is told of %+v", told)
	}
}
