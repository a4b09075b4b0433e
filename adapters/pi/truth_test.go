package pi_test

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
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
	Edits   []struct {
		Path, Tool     string
		CallID         string `json:"call_id"`
		Applied, Shell bool
		Subagent       bool
	}
	Calls []struct {
		ID      string
		IsError bool `json:"is_error"`
	} `json:"tool_calls"`
	Actions []struct{ Type string }
	Session []string `json:"session_ids"`
}

func (w truth) actions(kind string) int {
	n := 0
	for _, a := range w.Actions {
		if a.Type == kind {
			n++
		}
	}
	return n
}

// run is what the adapter saw of it.
type run struct {
	repo           string
	prompts, edits []string
	texts          map[string]string // known contents of files
	failed         map[string]bool   // calls
	unknown        []string
	checked        int
	compactions    int
	rewinds        int
	tokens         core.Usage
	seen           map[string]bool
}

func TestTruth(t *testing.T) {
	dir := sharedDir(t, "transcripts/pi")
	files, err := filepath.Glob(filepath.Join(dir, "*", "*", "truth.json"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no runs: %v", err)
	}
	base := baseTexts(t, files)
	for _, file := range files {
		name, _ := filepath.Rel(dir, filepath.Dir(file))
		t.Run(filepath.ToSlash(name), func(t *testing.T) {
			var want truth
			if err := json.Unmarshal(readFile(t, file), &want); err != nil {
				t.Fatal(err)
			}
			checkRun(t, filepath.Dir(file), want, base)
		})
	}
}

// baseTexts is what the files of the repository held at first, as far as the
// runs show it before any edit: all runs begin with the same repository.
func baseTexts(t *testing.T, files []string) map[string]string {
	base := map[string]string{}
	for _, file := range files {
		var want truth
		if err := json.Unmarshal(readFile(t, file), &want); err != nil {
			t.Fatal(err)
		}
		for _, path := range filesBelow(t, filepath.Dir(file), ".jsonl") {
			views, edited := map[string]string{}, false
			capture(t, path, readFile(t, path), func(ev *core.Event) {
				switch b := ev.Body.(type) {
				case *core.ToolCall:
					if b.Name == "read" {
						views[b.CallID] = strings.TrimPrefix(b.Args.Value().Get("path").Str(), want.Repo+"/")
					}
				case *core.ToolResult:
					for block := range b.Output.Value().Elems() {
						if name := views[b.CallID]; name != "" && b.OK && !edited {
							base[name] = block.Get("text").Str()
						}
					}
				case *core.FileEdit:
					edited = true
				}
			})
		}
	}
	if len(base) == 0 {
		t.Fatal("no run shows a file")
	}
	return base
}

func checkRun(t *testing.T, dir string, want truth, base map[string]string) {
	got := run{repo: want.Repo, texts: map[string]string{}, failed: map[string]bool{}, seen: map[string]bool{}}
	for name, text := range base {
		got.texts[want.Repo+"/"+name] = text
	}
	files := filesBelow(t, dir, ".jsonl")
	slices.Sort(files)
	data := map[string][]byte{}
	for _, f := range files {
		data[f] = readFile(t, f)
	}
	var sessions []string
	nodes, _ := captureAll(t, files, data, func(_ string, ev *core.Event) {
		if len(sessions) == 0 || sessions[len(sessions)-1] != ev.Session {
			sessions = append(sessions, ev.Session)
		}
		got.add(t, ev)
	})
	if diff := cmp.Diff(want.Session, sessions); diff != "" {
		t.Errorf("sessions (-want +got):\n%s", diff)
	}
	var edits, prompts []string
	for _, e := range want.Edits {
		if e.Applied && !e.Shell {
			edits = append(edits, editLine(e.CallID, e.Tool, e.Path, e.Subagent))
		}
	}
	for _, p := range want.Prompts {
		prompts = append(prompts, p.Text)
	}
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
	if diff := cmp.Diff(prompts, got.prompts); diff != "" {
		t.Errorf("prompts (-want +got):\n%s", diff)
	}
	got.checkRest(t, want)
	got.checkFinal(t, string(readFile(t, filepath.Join(dir, "repo.diff"))), base)
}

// checkRest checks what is neither an edit nor a prompt.
func (r *run) checkRest(t *testing.T, want truth) {
	t.Helper()
	// The fork of the revert begins another file, in which nothing is taken back.
	if r.compactions != want.actions("compact") || r.rewinds != 0 {
		t.Errorf("%d compactions and %d rewinds, want %d and 0", r.compactions, r.rewinds, want.actions("compact"))
	}
	failed := map[string]bool{}
	for _, c := range want.Calls {
		if c.IsError {
			failed[c.ID] = true
		}
	}
	if diff := cmp.Diff(failed, r.failed); diff != "" {
		t.Errorf("failed calls (-want +got):\n%s", diff)
	}
	if len(r.unknown) > 0 {
		t.Errorf("unknown kinds: %v", r.unknown)
	}
	if len(r.edits) > 0 && r.checked == 0 {
		t.Error("no diff was checked against what the file held")
	}
	if r.tokens.Output == 0 || r.tokens.Input == 0 || r.tokens.CacheRead == 0 {
		t.Errorf("tokens: %+v", r.tokens)
	}
}

func editLine(callID, tool, path string, subagent bool) string {
	return fmt.Sprintf("%s %s %s subagent=%v", callID, tool, path, subagent)
}

// once reports whether an event is no copy of one that was seen.
func (r *run) once(kind string, ev *core.Event) bool {
	key := kind + "\x00" + ev.Identity()
	defer func() { r.seen[key] = true }()
	return !r.seen[key]
}

func (r *run) add(t *testing.T, ev *core.Event) {
	switch b := ev.Body.(type) {
	case *core.SessionStart:
		if b.Cwd != r.repo {
			t.Errorf("session start: %+v", b)
		}
	case *core.UserTurn:
		if !ev.Injected && r.once("turn", ev) {
			r.prompts = append(r.prompts, b.Text.String())
		}
	case *core.AssistantTurn:
		if b.Usage == nil || b.Model == "" || b.MessageID == "" {
			t.Errorf("response without usage, model or id: %+v", b)
			return
		}
		r.tokens.Input += b.Usage.Input
		r.tokens.Output += b.Usage.Output
		r.tokens.CacheRead += b.Usage.CacheRead
	case *core.ToolResult:
		if !b.OK {
			r.failed[b.CallID] = true
		}
	case *core.FileEdit:
		if key := "edit\x00" + ev.CallIdentity(b.CallID); !r.seen[key] {
			r.seen[key] = true
			path := strings.TrimPrefix(b.Diff.Path, r.repo+"/")
			r.edits = append(r.edits, editLine(b.CallID, b.Tool, path, ev.Thread != ""))
			r.apply(t, b.Diff)
		}
	case *core.Compaction:
		if r.once("compaction", ev) {
			r.compactions++
		}
		if b.Summary.IsEmpty() || b.End <= b.Start || b.End >= ev.Seq {
			t.Errorf("compaction of %d to %d at %d: %s", b.Start, b.End, ev.Seq, b.Summary)
		}
	case *core.Rewind:
		r.rewinds++
	case *core.Unknown:
		if !b.Bookkeeping {
			r.unknown = append(r.unknown, b.RawType+b.Reason)
		}
	}
}

// apply checks that a diff applies, exactly where it says, to what the file held.
func (r *run) apply(t *testing.T, d core.Diff) {
	t.Helper()
	before, known := r.texts[d.Path]
	if d.Change == core.Create {
		before, known = "", true
	}
	if !known {
		return
	}
	after, err := edit.Apply(before, d.Unified)
	if err != nil {
		t.Errorf("diff does not apply to %s: %v\n%s\n%s", d.Path, err, d.Unified, before)
		return
	}
	checkPlace(t, before, d.Unified)
	r.checked++
	r.texts[d.Path] = after
}

// checkFinal checks that the edits, one after the other, made what the files of
// the repository hold in the end.
func (r *run) checkFinal(t *testing.T, repoDiff string, base map[string]string) {
	t.Helper()
	for _, section := range strings.Split("\n"+repoDiff, "\ndiff --git ")[1:] {
		name, _, _ := strings.Cut(strings.TrimPrefix(section, "a/"), " b/")
		if quoted, err := strconv.QuotedPrefix(section); err == nil {
			name, _ = strconv.Unquote(quoted)
			name = strings.TrimPrefix(name, "a/")
		}
		got, ok := r.texts[r.repo+"/"+name]
		if _, known := base[name]; !ok || !known && !strings.Contains(section, "\n--- /dev/null\n") {
			continue
		}
		want, err := edit.Apply(base[name], section[strings.Index(section, "\n--- ")+1:])
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s in the end (-want +got):\n%s", name, diff)
		}
	}
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
