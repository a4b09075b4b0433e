package gemini_test

import (
	"cmp"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/memscribe/memscribe/adapters/internal/edit"
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/testkit/patch"
)

// run is what the adapter saw of a run, over all its transcripts, each thing
// once.
type run struct {
	prompts     []string
	edits       []edited
	spawned     map[string]bool
	sessions    map[string]bool
	rewinds     int
	compactions int
	failures    int
	unknown     map[string]int64
	seen        map[string]bool
}

type edited struct {
	core.FileEdit
	thread string
	time   core.Time
	cwd    string
}

func (r *run) once(kind, id string) bool {
	key := kind + "\x00" + id
	defer func() { r.seen[key] = true }()
	return !r.seen[key]
}

func (r *run) add(t *testing.T, ev *core.Event) {
	r.sessions[ev.Session] = true
	switch b := ev.Body.(type) {
	case *core.UserTurn:
		if !ev.Injected && r.once("turn", ev.Identity()) {
			r.prompts = append(r.prompts, b.Text.String())
		}
	case *core.FileEdit:
		if !r.once("edit", b.CallID) {
			t.Errorf("two edits for call %s", b.CallID)
		}
		e := edited{FileEdit: *b, thread: ev.Thread, time: ev.Time}
		if ev.Project != nil {
			e.cwd = ev.Project.Cwd
		}
		r.edits = append(r.edits, e)
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

func readRun(t *testing.T, dir string) *run {
	r := &run{spawned: map[string]bool{}, sessions: map[string]bool{}, unknown: map[string]int64{}, seen: map[string]bool{}}
	files := sessions(t, filepath.Join(dir, "home"), isChat)
	start := map[string]string{}
	for _, f := range files {
		events(t, f, readFile(t, f), func(ev *core.Event) {
			if start[f] == "" && !ev.Time.IsZero() {
				start[f] = ev.Time.String()
			}
		})
	}
	slices.SortStableFunc(files, func(a, b string) int { return cmp.Compare(start[a], start[b]) })
	for _, f := range files {
		stats := events(t, f, readFile(t, f), func(ev *core.Event) { r.add(t, ev) })
		for k, n := range stats.Unknown {
			r.unknown[k] += n
		}
		if stats.Malformed > 0 {
			t.Errorf("%s: %d records are not JSON", f, stats.Malformed)
		}
	}
	slices.SortStableFunc(r.edits, func(a, b edited) int { return a.time.Compare(b.time) })
	return r
}

// TestRecordings holds what the adapter makes of every recorded run against what
// really happened in it.
func TestRecordings(t *testing.T) {
	root := sharedDir(t, "transcripts/gemini")
	runs, err := filepath.Glob(filepath.Join(root, "*", "*", "truth.json"))
	if err != nil || len(runs) == 0 {
		t.Fatalf("no runs below %s: %v", root, err)
	}
	for _, path := range runs {
		dir := filepath.Dir(path)
		name, _ := filepath.Rel(root, dir)
		t.Run(filepath.ToSlash(name), func(t *testing.T) {
			want, got := readTruth(t, path), readRun(t, dir)
			checkEdits(t, want, got)
			checkPrompts(t, name, want, got)
			checkCounts(t, name, want, got)
			checkDiffs(t, name, dir, want, got)
		})
	}
}

// checkEdits wants one edit for each that was applied, in their order, and no
// other. The ids of the calls are the client's own.
func checkEdits(t *testing.T, want *truth, got *run) {
	var wanted, had []string
	for _, e := range want.Edits {
		if e.Applied && !e.Shell {
			wanted = append(wanted, e.Tool+" "+want.Repo+"/"+e.Path+sub(e.Subagent))
		}
	}
	for _, e := range got.edits {
		had = append(had, e.Tool+" "+e.Diff.Path+sub(e.thread != ""))
		if e.thread != "" && !got.spawned[e.thread] {
			t.Errorf("no call spawned thread %s", e.thread)
		}
		if e.cwd != "" && e.cwd != want.Repo {
			t.Errorf("works in %s, want %s", e.cwd, want.Repo)
		}
	}
	if diff := gocmp.Diff(wanted, had); diff != "" {
		t.Errorf("edits (-want +got):\n%s", diff)
	}
}

func sub(subagent bool) string {
	if subagent {
		return " of a subagent"
	}
	return ""
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
	if strings.HasPrefix(name, "0.11.3") && strings.Contains(name, "secrets") {
		// This version takes what follows an "@" for a file and puts a space
		// before it: that is what it recorded, and what the model saw.
		wanted[0] = strings.Replace(wanted[0], "@db.", " @db.", 1)
	}
	if !strings.Contains(name, "tui_") {
		if diff := gocmp.Diff(wanted, got.prompts); diff != "" {
			t.Errorf("human turns (-want +got):\n%s", diff)
		}
		return
	}
	if len(got.prompts) != len(want.Starts) {
		t.Fatalf("got human turns %q, want %q", got.prompts, want.Starts)
	}
	for i, start := range want.Starts {
		if !strings.HasPrefix(got.prompts[i], start) {
			t.Errorf("human turn %d is %q, want %q", i, got.prompts[i], start)
		}
	}
}

// checkCounts: the recordings know of compactions by the requests that ask the
// model for a summary, which are two for each, and take any "/compact" for one.
// In 0.61.0 only the terminal compresses; a document shows nothing of it.
func checkCounts(t *testing.T, name string, want *truth, got *run) {
	compactions := 0
	if strings.Contains(name, "tui_rewind_compaction") {
		compactions = 1
	}
	if got.compactions != compactions || got.rewinds != 0 {
		t.Errorf("got %d compactions and %d rewinds, want %d and none", got.compactions, got.rewinds, compactions)
	}
	if got.failures != want.Failures {
		t.Errorf("got %d failed calls, want %d", got.failures, want.Failures)
	}
	if len(got.unknown) > 0 {
		t.Errorf("records of unknown types: %v", got.unknown)
	}
}

// checkDiffs has every diff lead from the text that the one before it left, and
// the last one to what is in the work tree.
func checkDiffs(t *testing.T, name, dir string, want *truth, got *run) {
	first, now := map[string]string{}, map[string]string{}
	for _, e := range got.edits {
		d := e.Diff
		files, err := patch.Parse(d.Unified)
		if err != nil || len(files) != 1 {
			t.Errorf("%s: %v in\n%s", d.Path, err, d.Unified)
			continue
		}
		if added, removed := files[0].Counts(); added != d.Added || removed != d.Removed {
			t.Errorf("%s: counts +%d -%d, the diff has +%d -%d", d.Path, d.Added, d.Removed, added, removed)
		}
		before, known := now[d.Path]
		if !known && d.Change == core.Modify && d.Old != nil {
			before = *d.Old
		}
		if !known {
			first[d.Path] = before
		}
		after, err := files[0].Apply(before)
		if err != nil && placeless(name) {
			after, err = edit.Apply(before, d.Unified)
		}
		if err != nil {
			t.Errorf("%s: %v\n%s\nto\n%s", d.Path, err, d.Unified, before)
			continue
		}
		now[d.Path] = after
	}
	checkFinal(t, dir, want, first, now)
}

// placeless names the runs in which a file is edited that nothing in its
// transcript shows: 0.11.3 begins a new transcript when it resumes, and records
// no diffs. Such a hunk says what changes, but not where.
func placeless(name string) bool {
	return strings.HasPrefix(name, "0.11.3") && (strings.Contains(name, "interleaved_arcs") || strings.Contains(name, "resume_two_processes"))
}

// checkFinal holds the texts after the run against the work tree's own diff.
func checkFinal(t *testing.T, dir string, want *truth, first, now map[string]string) {
	tree, err := patch.Parse(string(readFile(t, filepath.Join(dir, "repo.diff"))))
	if err != nil {
		t.Fatal(err)
	}
	checked := 0
	for i := range tree {
		f := &tree[i]
		path := want.Repo + "/" + strings.TrimPrefix(f.New, "b/")
		text, edited := now[path]
		if !edited || shelled(want, strings.TrimPrefix(f.New, "b/")) {
			continue
		}
		checked++
		final, err := f.Apply(first[path])
		if err != nil {
			t.Errorf("%s: the work tree's own diff does not apply: %v", path, err)
		} else if diff := gocmp.Diff(final, text); diff != "" {
			t.Errorf("%s after all edits (-work tree +diffs):\n%s", path, diff)
		}
	}
	if checked == 0 && len(now) > 0 {
		t.Errorf("nothing of %d edited files was checked", len(now))
	}
}

// shelled reports whether a shell command may have changed a file, too.
func shelled(want *truth, path string) bool {
	for _, e := range want.Edits {
		if e.Shell && e.Path == path {
			return true
		}
	}
	return strings.Contains(path, "index.js") && slices.ContainsFunc(want.Prompts, func(p struct{ Text string }) bool {
		return strings.Contains(p.Text, "/readyz") // that one is done with sed
	})
}
