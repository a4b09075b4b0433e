package claudecode_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/memscribe/memscribe/adapters/internal/edit"
	"github.com/memscribe/memscribe/core"
)

// truth is what really happened in a recorded run.
type truth struct {
	Repo    string
	Prompts []struct{ Text string }
	Starts  []string `json:"turn_starts"`
	Edits   []struct {
		Path           string
		Tool           string
		CallID         string `json:"call_id"`
		Applied, Shell bool
		Subagent       bool
	}
	Failures    int `json:"tool_failures"`
	Compactions int
}

// run is what the adapter saw of it, over all transcripts, each thing once.
type run struct {
	prompts     []string
	edits       map[string]core.FileEdit // by call
	threads     map[string]string        // of an edit, by call
	spawned     map[string]bool
	rewinds     int
	compactions int
	failures    int
	unknown     map[string]int64
	seen        map[string]bool
}

func (r *run) once(kind, id string) bool {
	key := kind + "\x00" + id
	defer func() { r.seen[key] = true }()
	return !r.seen[key]
}

func (r *run) add(t *testing.T, ev *core.Event) {
	switch b := ev.Body.(type) {
	case *core.UserTurn:
		if !ev.Injected && r.once("turn", ev.Identity()) {
			r.prompts = append(r.prompts, b.Text.String())
		}
	case *core.FileEdit:
		r.addEdit(t, ev, b)
	case *core.ToolResult:
		if b.Spawned != "" {
			r.spawned[b.Spawned] = true
		}
		if !b.OK && r.once("failure", b.CallID) {
			r.failures++
		}
	case *core.Rewind:
		r.rewinds++
	case *core.Compaction:
		if r.once("compaction", ev.Identity()) {
			r.compactions++
		}
	}
}

func (r *run) addEdit(t *testing.T, ev *core.Event, b *core.FileEdit) {
	e := *b
	old, again := r.edits[b.CallID]
	if again {
		if old.Diff.Path != e.Diff.Path || old.Diff.Unified != e.Diff.Unified {
			t.Errorf("copies of edit %s differ:\n%s\n%s", b.CallID, old.Diff.Unified, e.Diff.Unified)
		}
		if !r.once("edit of "+b.CallID, ev.At.File) {
			t.Errorf("two edits for call %s in %s", b.CallID, ev.At.File)
		}
		return
	}
	r.once("edit of "+b.CallID, ev.At.File)
	r.edits[b.CallID] = e
	r.threads[b.CallID] = ev.Thread
}

func readRun(t *testing.T, dir string) *run {
	r := &run{
		edits: map[string]core.FileEdit{}, threads: map[string]string{}, spawned: map[string]bool{},
		unknown: map[string]int64{}, seen: map[string]bool{},
	}
	for _, file := range byStart(t, filepath.Join(dir, "home")) {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		stats := events(t, file, data, func(ev *core.Event) { r.add(t, ev) })
		for k, n := range stats.Unknown {
			r.unknown[k] += n
		}
	}
	return r
}

// byStart lists transcripts in the order of their first timestamps, so that an
// original comes before its copies.
func byStart(t *testing.T, dir string) []string {
	files := jsonlFiles(t, dir)
	start := map[string]string{}
	for _, f := range files {
		data, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		if _, after, ok := strings.Cut(string(data), `"timestamp":"`); ok {
			start[f] = after[:24] + fmt.Sprint(len(data))
		}
	}
	slices.SortStableFunc(files, func(a, b string) int { return strings.Compare(start[a], start[b]) })
	return files
}

// TestRecordings holds what the adapter makes of every recorded run against what
// really happened in it.
func TestRecordings(t *testing.T) {
	root := sharedDir(t, "transcripts/claude_code")
	runs, err := filepath.Glob(filepath.Join(root, "*", "*", "truth.json"))
	if err != nil || len(runs) == 0 {
		t.Fatalf("no runs below %s: %v", root, err)
	}
	for _, path := range runs {
		dir := filepath.Dir(path)
		name, _ := filepath.Rel(root, dir)
		t.Run(filepath.ToSlash(name), func(t *testing.T) {
			t.Parallel()
			data, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			var want truth
			if err := json.Unmarshal(data, &want); err != nil {
				t.Fatal(err)
			}
			got := readRun(t, dir)
			checkEdits(t, &want, got)
			checkPrompts(t, name, &want, got)
			checkCounts(t, name, &want, got)
			checkDiffs(t, dir, &want, got)
		})
	}
}

// checkEdits wants one edit for each that was applied, and no other.
func checkEdits(t *testing.T, want *truth, got *run) {
	wanted := map[string]string{}
	for _, e := range want.Edits {
		if !e.Applied || e.Shell {
			continue
		}
		wanted[e.CallID] = e.Tool + " " + want.Repo + "/" + e.Path
		thread := got.threads[e.CallID]
		if e.Subagent != (thread != "") {
			t.Errorf("edit %s has thread %q, subagent is %v", e.CallID, thread, e.Subagent)
		}
		if thread != "" && !got.spawned[thread] {
			t.Errorf("no call spawned thread %s", thread)
		}
	}
	had := map[string]string{}
	for id, e := range got.edits {
		had[id] = e.Tool + " " + e.Diff.Path
	}
	if diff := cmp.Diff(wanted, had); diff != "" {
		t.Errorf("edits (-want +got):\n%s", diff)
	}
}

// checkPrompts wants the human turns to be what was typed. What the model saw
// begin a turn is the better list where a terminal was driven.
func checkPrompts(t *testing.T, name string, want *truth, got *run) {
	var wanted []string
	for _, p := range want.Prompts {
		if !strings.HasPrefix(p.Text, "/") { // a command of the client begins no turn
			wanted = append(wanted, p.Text)
		}
	}
	if !strings.Contains(name, "tui_") {
		if diff := cmp.Diff(wanted, got.prompts); diff != "" {
			t.Errorf("human turns (-want +got):\n%s", diff)
		}
		return
	}
	if len(got.prompts) != len(want.Starts) {
		t.Fatalf("got human turns %q, want %q", got.prompts, want.Starts)
	}
	for i, start := range want.Starts {
		if !strings.Contains(got.prompts[i], start) {
			t.Errorf("human turn %d is %q, want %q", i, got.prompts[i], start)
		}
	}
}

func checkCounts(t *testing.T, name string, want *truth, got *run) {
	if got.compactions != want.Compactions {
		t.Errorf("got %d compactions, want %d", got.compactions, want.Compactions)
	}
	rewinds := 0
	if strings.Contains(name, "rewind") {
		rewinds = 1
	}
	if got.rewinds != rewinds {
		t.Errorf("got %d rewinds, want %d", got.rewinds, rewinds)
	}
	if got.failures != want.Failures {
		t.Errorf("got %d failed calls, want %d", got.failures, want.Failures)
	}
	if len(got.unknown) > 0 {
		t.Errorf("records of unknown types: %v", got.unknown)
	}
}

// checkDiffs wants every diff to apply to what the file held, as far as that is
// on record, and to lead from the first text to the last.
func checkDiffs(t *testing.T, dir string, want *truth, got *run) {
	history := readHistory(t, dir)
	first, last := map[string]string{}, map[string]string{}
	for _, call := range history.order {
		e, ok := got.edits[call]
		if !ok {
			continue
		}
		d := e.Diff
		checkLines(t, call, &d)
		before, known := history.before(call, d.Path)
		if !known && d.Change != core.Create {
			t.Errorf("%s: nothing tells what %s held", call, d.Path)
			continue
		}
		if _, again := first[d.Path]; !again {
			first[d.Path] = before
		}
		after, err := edit.Apply(before, d.Unified)
		if err != nil {
			t.Errorf("%s: %v\n%s\nto\n%s", call, err, d.Unified, before)
			continue
		}
		last[d.Path] = after
		history.set(call, d.Path, after)
	}
	if !history.shell {
		checkFinal(t, dir, want, first, last)
	}
}

// checkLines holds a diff's counts against its lines.
func checkLines(t *testing.T, call string, d *core.Diff) {
	added, removed := 0, 0
	for _, l := range strings.Split(d.Unified, "\n")[2:] {
		switch {
		case strings.HasPrefix(l, "+"):
			added++
		case strings.HasPrefix(l, "-"):
			removed++
		}
	}
	if added != d.Added || removed != d.Removed {
		t.Errorf("%s: counts +%d -%d, the diff has +%d -%d", call, d.Added, d.Removed, added, removed)
	}
}

// checkFinal holds the texts after the run against the work tree's own diff.
func checkFinal(t *testing.T, dir string, want *truth, first, last map[string]string) {
	data, err := os.ReadFile(filepath.Join(dir, "repo.diff"))
	if err != nil {
		t.Fatal(err)
	}
	parts := strings.Split("\n"+string(data), "\ndiff --git ")
	for path, text := range last {
		rel := strings.TrimPrefix(path, want.Repo+"/")
		for _, part := range parts {
			if !strings.HasPrefix(part, "a/"+rel+" b/") {
				continue
			}
			final, err := edit.Apply(first[path], part+"\n")
			if err != nil {
				t.Errorf("%s: the run's own diff does not apply: %v", rel, err)
			} else if diff := cmp.Diff(final, text); diff != "" {
				t.Errorf("%s after all edits (-work tree +diffs):\n%s", rel, diff)
			}
		}
	}
}
