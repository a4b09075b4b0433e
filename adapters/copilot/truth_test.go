package copilot_test

import (
	"bytes"
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
	views          map[string]string // by call, the file that it shows whole
	failed         map[string]bool   // calls
	unknown        []string
	checked        int
	compactions    int
	rewinds        int
	tokens         core.Usage
	ends, starts   int
}

func TestTruth(t *testing.T) {
	dir := sharedDir(t, "transcripts/copilot")
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
		for _, path := range filesBelow(t, filepath.Dir(file), "/events.jsonl") {
			views, edited := map[string]string{}, false
			capture(t, path, readFile(t, path), func(ev *core.Event) {
				switch b := ev.Body.(type) {
				case *core.ToolCall:
					if b.Name == "view" {
						views[b.CallID] = strings.TrimPrefix(b.Args.Value().Get("path").Str(), want.Repo+"/")
					}
				case *core.ToolResult:
					text := b.Output.Value().Get("content").Str()
					if name := views[b.CallID]; name != "" && b.OK && !edited && !strings.HasPrefix(text, "File too large") {
						base[name] = text
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
	got := run{repo: want.Repo, texts: map[string]string{}, views: map[string]string{}, failed: map[string]bool{}}
	for name, text := range base {
		got.texts[want.Repo+"/"+name] = text
	}
	logs := filesBelow(t, dir, "/events.jsonl")
	if len(logs) != 1 {
		t.Fatalf("%d logs", len(logs))
	}
	data := readFile(t, logs[0])
	session := ""
	nodes, _ := capture(t, logs[0], data, func(ev *core.Event) { session = ev.Session; got.add(t, ev) })
	if !slices.Contains(want.Session, session) {
		t.Errorf("session %s, want one of %v", session, want.Session)
	}
	edits, prompts := kept(t, want, data)
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
	got.checkRest(t, want, len(edits))
	got.checkFinal(t, string(readFile(t, filepath.Join(dir, "repo.diff"))), base)
	got.checkTokens(t, data)
}

// kept is what of a run stands in the log: the client deletes what a rewind
// takes back.
func kept(t *testing.T, want truth, data []byte) (edits, prompts []string) {
	t.Helper()
	deleted := 0
	for _, e := range want.Edits {
		switch {
		case !e.Applied || e.Shell:
		case !bytes.Contains(data, []byte(e.CallID)):
			deleted++
		default:
			edits = append(edits, editLine(e.CallID, e.Tool, e.Path, e.Subagent))
		}
	}
	for _, p := range want.Prompts {
		quoted, _ := json.Marshal(p.Text[:min(len(p.Text), 20)])
		if want.actions("revert") == 0 || bytes.Contains(data, quoted[1:len(quoted)-1]) {
			prompts = append(prompts, p.Text)
		}
	}
	if deleted > want.actions("revert") {
		t.Errorf("%d edits are not in the log, after %d rewinds", deleted, want.actions("revert"))
	}
	return edits, prompts
}

// checkRest checks what is neither an edit nor a prompt.
func (r *run) checkRest(t *testing.T, want truth, edits int) {
	t.Helper()
	if r.compactions != want.actions("compact") || r.rewinds != want.actions("revert") {
		t.Errorf("%d compactions and %d rewinds, want %d and %d", r.compactions, r.rewinds, want.actions("compact"), want.actions("revert"))
	}
	for _, c := range want.Calls {
		if c.IsError && !r.failed[c.ID] {
			t.Errorf("call %s failed, but counts as done", c.ID)
		}
	}
	if len(r.unknown) > 0 {
		t.Errorf("unknown kinds: %v", r.unknown)
	}
	if edits > 0 && r.checked == 0 {
		t.Error("no diff was checked against what the file held")
	}
}

func editLine(callID, tool, path string, subagent bool) string {
	return fmt.Sprintf("%s %s %s subagent=%v", callID, tool, path, subagent)
}

func (r *run) add(t *testing.T, ev *core.Event) {
	switch b := ev.Body.(type) {
	case *core.SessionStart:
		r.starts++
		if b.Cwd != r.repo || b.ToolVersion == "" || b.Model == "" || b.Git.SHA == "" || b.Git.Branch == "" {
			t.Errorf("session start: %+v", b)
		}
	case *core.SessionEnd:
		r.ends++
	case *core.UserTurn:
		if !ev.Injected {
			r.prompts = append(r.prompts, b.Text.String())
		}
	case *core.AssistantTurn:
		if b.Usage != nil {
			r.tokens.Input += b.Usage.Input
			r.tokens.Output += b.Usage.Output
			r.tokens.CacheRead += b.Usage.CacheRead
		}
	case *core.ToolResult:
		if !b.OK {
			r.failed[b.CallID] = true
		}
	case *core.FileEdit:
		path := strings.TrimPrefix(b.Diff.Path, r.repo+"/")
		r.edits = append(r.edits, editLine(b.CallID, b.Tool, path, ev.Thread != ""))
		r.apply(t, b.Diff)
	case *core.Compaction:
		r.compactions++
		if b.Summary.IsEmpty() || b.End <= b.Start || b.End >= ev.Seq {
			t.Errorf("compaction of %d to %d at %d: %s", b.Start, b.End, ev.Seq, b.Summary)
		}
	case *core.Rewind:
		r.rewinds++
		if b.ToEvent == "" || b.ToSeq >= ev.Seq {
			t.Errorf("rewind to %s, %d at %d", b.ToEvent, b.ToSeq, ev.Seq)
		}
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

// checkTokens checks the tokens against the client's own sum, which is that of
// the last shutdown.
func (r *run) checkTokens(t *testing.T, data []byte) {
	t.Helper()
	var want core.Usage
	for line := range bytes.Lines(data) {
		var ev struct {
			Type string
			Data struct {
				ModelMetrics map[string]struct {
					Usage struct{ InputTokens, OutputTokens, CacheReadTokens int64 }
				}
			}
		}
		if err := json.Unmarshal(line, &ev); err != nil || ev.Type != "session.shutdown" {
			continue
		}
		want = core.Usage{}
		for _, m := range ev.Data.ModelMetrics {
			want.Input += m.Usage.InputTokens
			want.Output += m.Usage.OutputTokens
			want.CacheRead += m.Usage.CacheReadTokens
		}
	}
	if r.tokens != want && r.rewinds == 0 {
		t.Errorf("tokens %+v, want %+v", r.tokens, want)
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
