package codex_test

import (
	"encoding/json"
	"fmt"
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
		Path, Tool, Op string
		CallID         string `json:"call_id"`
		Applied, Shell bool
		Subagent       bool
	}
	Calls []struct {
		ID      string
		IsError bool `json:"is_error"`
	} `json:"tool_calls"`
	Compactions int
	Sessions    []string `json:"session_ids"`
}

// run is what the adapter saw of it.
type run struct {
	repo    string
	prompts []string
	edits   []string // "call tool path[ subagent]"
	seen    map[string]bool
	texts   map[string]string // known contents of files
	reads   map[string]string // by call, the file that it prints
	stale   map[string]bool   // files that a shell changed
	checked int

	spawned, threads map[string]bool
	compactions      int
	failed           map[string]bool // calls
	unknown          []string
}

func TestTruth(t *testing.T) {
	dir := sharedDir(t, "transcripts/codex")
	files, err := filepath.Glob(filepath.Join(dir, "*", "*", "truth.json"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no runs: %v", err)
	}
	for _, file := range files {
		name, _ := filepath.Rel(dir, filepath.Dir(file))
		t.Run(filepath.ToSlash(name), func(t *testing.T) {
			var want truth
			if err := json.Unmarshal(readFile(t, file), &want); err != nil {
				t.Fatal(err)
			}
			checkRun(t, filepath.Dir(file), want)
		})
	}
}

func checkRun(t *testing.T, dir string, want truth) {
	got := run{
		repo: want.Repo, seen: map[string]bool{}, texts: map[string]string{}, reads: map[string]string{},
		stale: map[string]bool{}, spawned: map[string]bool{}, threads: map[string]bool{}, failed: map[string]bool{},
	}
	data := map[string][]byte{}
	order := rollouts(t, dir)
	for _, f := range order {
		data[f] = readFile(t, f)
	}
	nodes, _ := capture(t, data, order, func(_ string, ev *core.Event) { got.add(t, ev) })

	var edits []string
	for _, e := range want.Edits {
		if e.Applied && !e.Shell && (e.Op != "rename" || !movedAway(want, e.Path, e.CallID)) {
			edits = append(edits, editLine(e.CallID, e.Tool, e.Path, e.Subagent))
		}
	}
	slices.Sort(edits)
	slices.Sort(got.edits)
	if diff := cmp.Diff(edits, got.edits); diff != "" {
		t.Errorf("edits (-want +got):\n%s", diff)
	}
	episodes := 0
	for _, n := range nodes {
		if _, ok := n.Body.(*core.Episode); ok {
			episodes++
		}
	}
	if episodes != len(edits) {
		t.Errorf("%d episodes, want %d", episodes, len(edits))
	}
	var prompts []string
	for _, p := range want.Prompts {
		prompts = append(prompts, p.Text)
	}
	if diff := cmp.Diff(prompts, got.prompts); diff != "" {
		t.Errorf("prompts (-want +got):\n%s", diff)
	}
	if got.compactions != want.Compactions {
		t.Errorf("%d compactions, want %d", got.compactions, want.Compactions)
	}
	for _, c := range want.Calls {
		if c.IsError && !got.failed[c.ID] {
			t.Errorf("call %s failed, but counts as done", c.ID)
		}
		delete(got.failed, c.ID)
	}
	// What is left failed in a way that the run did not count.
	if len(got.failed) > 0 {
		t.Errorf("calls failed that the run does not know: %v", got.failed)
	}
	if diff := cmp.Diff(got.threads, got.spawned); diff != "" {
		t.Errorf("threads and what spawned them differ:\n%s", diff)
	}
	if len(got.unknown) > 0 {
		t.Errorf("unknown kinds: %v", got.unknown)
	}
	if len(edits) > 0 && got.checked == 0 {
		t.Error("no diff was checked against what the file held")
	}
}

// movedAway reports whether a path of a rename is the old one: a rename is one
// edit, of the new path.
func movedAway(want truth, path, callID string) bool {
	for _, e := range want.Edits {
		if e.CallID == callID && e.Path == path {
			return true // it is listed before the new one
		}
		if e.CallID == callID {
			return false
		}
	}
	return false
}

func editLine(callID, tool, path string, subagent bool) string {
	return fmt.Sprintf("%s %s %s subagent=%v", callID, tool, path, subagent)
}

func (r *run) once(kind, id string) bool {
	key := kind + "\x00" + id
	defer func() { r.seen[key] = true }()
	return !r.seen[key]
}

func (r *run) add(t *testing.T, ev *core.Event) {
	if ev.Thread != "" {
		r.threads[ev.Thread] = true
	}
	switch b := ev.Body.(type) {
	case *core.UserTurn:
		if !ev.Injected && r.once("turn", ev.Identity()) {
			r.prompts = append(r.prompts, b.Text.String())
		}
	case *core.ToolCall:
		r.call(b)
	case *core.ToolResult:
		if b.Spawned != "" {
			r.spawned[b.Spawned] = true
		}
		if !b.OK {
			r.failed[b.CallID] = true
		}
		r.answer(b)
	case *core.FileEdit:
		path := strings.TrimPrefix(b.Diff.Path, r.repo+"/")
		r.edits = append(r.edits, editLine(b.CallID, b.Tool, path, ev.Thread != ""))
		r.apply(t, b.Diff)
	case *core.Compaction:
		r.compactions++
	case *core.Unknown:
		if !b.Bookkeeping {
			r.unknown = append(r.unknown, b.RawType+b.Reason)
		}
	}
}

// call notes which file a call prints, and which ones it changes past the tool.
func (r *run) call(b *core.ToolCall) {
	args := core.Token(b.Args.Value()).String()
	if _, rest, ok := strings.Cut(args, "sed -n '1,200p' '"); ok {
		path, _, _ := strings.Cut(rest, "'")
		r.reads[b.CallID] = r.repo + "/" + path
	}
	if strings.Contains(args, "sed -i") || strings.Contains(args, "printf") || strings.Contains(args, "cat >") {
		for path := range r.texts {
			delete(r.texts, path)
		}
	}
}

func (r *run) answer(b *core.ToolResult) {
	path, ok := r.reads[b.CallID]
	if !ok || !b.OK {
		return
	}
	v := b.Output.Value()
	out := core.Token(v).String()
	for part := range v.Elems() {
		out = part.Get("text").Str()
	}
	var wrapped struct{ Output string }
	if json.Unmarshal([]byte(out), &wrapped) == nil {
		out = wrapped.Output
	} else if _, after, ok := strings.Cut(out, "Output:\n"); ok {
		out = after
	}
	if !strings.Contains(out, "truncated") {
		r.texts[path] = out
	}
}

// apply checks that a diff applies, exactly where it says, to what the file held.
func (r *run) apply(t *testing.T, d core.Diff) {
	t.Helper()
	from := d.Path
	if d.OldPath != "" {
		from = d.OldPath
	}
	before, known := r.texts[from]
	switch d.Change {
	case core.Create:
		before, known = "", true
	case core.Delete:
		delete(r.texts, d.Path)
		return
	default:
	}
	if !known {
		return
	}
	after, err := edit.Apply(before, d.Unified)
	if err != nil {
		t.Errorf("diff does not apply to %s: %v\n%s\n%s", from, err, d.Unified, before)
		return
	}
	if exact := edit.FromTexts("f", before, after); hunkHeads(exact.Unified) != hunkHeads(d.Unified) && exact.Added != d.Added {
		t.Errorf("diff of %s has other counts than the change:\n%s\n%s", from, d.Unified, exact.Unified)
	}
	checkPlace(t, before, d.Unified)
	r.checked++
	delete(r.texts, from)
	r.texts[d.Path] = after
}

func hunkHeads(unified string) string {
	var b strings.Builder
	for l := range strings.Lines(unified) {
		if strings.HasPrefix(l, "@@") {
			b.WriteString(l)
		}
	}
	return b.String()
}

// checkPlace checks that every hunk stands where it says.
func checkPlace(t *testing.T, before, unified string) {
	t.Helper()
	lines := strings.SplitAfter(before, "\n")
	at := 0
	for l := range strings.Lines(unified) {
		switch {
		case strings.HasPrefix(l, "@@ "):
			n := 0
			if _, err := fmt.Sscanf(l, "@@ -%d", &at); err != nil {
				t.Fatalf("head %q: %v", l, err)
			}
			if _, err := fmt.Sscanf(l, "@@ -%d,%d", &at, &n); err == nil && n == 0 {
				at++
			}
		case at == 0 || l[0] == '+' || l[0] == '\\':
		case at > len(lines) || strings.TrimSuffix(lines[at-1], "\n") != strings.TrimSuffix(l[1:], "\n"):
			t.Errorf("line %d is not %q\n%s", at, l[1:], unified)
			return
		default:
			at++
		}
	}
}
