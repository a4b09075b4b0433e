package copilot_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/memscribe/memscribe/adapters/copilot"
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/pipeline"
)

const native = "0ba3274d-281c-41b6-a5ea-e1e303cd9252"

// workspaceOf is a file as the client writes it.
func workspaceOf(lines ...string) string {
	return "id: " + native + "\n" + strings.Join(lines, "\n") + "\nsummary_count: 0\ncreated_at: 2026-11-21T01:25:50.223Z\n"
}

// TestWorkspace reads where a session works from beside its log, where the log does
// not say so.
func TestWorkspace(t *testing.T) {
	const repo = "cwd: /w/shop\ngit_root: /w\nbranch: main"
	start := func(context obj) *script {
		s := &script{}
		return s.event("session.start", obj{"sessionId": native, "context": context}).user("Do it.")
	}
	bare := &script{}
	bare.user("Do it.")
	set := sets(t)
	tests := []struct {
		name, file string
		log        *script
		want       string
	}{
		{"the log says all", workspaceOf(repo), start(obj{"cwd": "/v", "gitRoot": "/v", "branch": "b"}), "/v /v b"},
		{"the log begins without a place", workspaceOf(repo), start(obj{}), "/w/shop /w main"},
		{"the log has lost its head", workspaceOf(repo), bare, "/w/shop /w main"},
		{"the log knows the folder alone", workspaceOf(repo), start(obj{"cwd": "/w/shop"}), "/w/shop /w main"},
		{"the log knows another folder", workspaceOf(repo), start(obj{"cwd": "/v"}), "/v  "},
		{"there is none", "", start(obj{}), "nowhere"},
		{"quotes", workspaceOf(`cwd: 'C:\it''s: "here"'`, `branch: "a\tb\u0021"`), bare, `C:\it's: "here"  ` + "a\tb!"},
		{"comments and blanks", workspaceOf("cwd: /w/a#b   # here", "git_root:", "branch: ~"), bare, "/w/a#b  "},
		{"a title of several lines", workspaceOf("name: |-", "  cwd: /elsewhere", "  branch: x", "cwd: /w"), bare, "/w  "},
		{"a place of several lines", workspaceOf("cwd: /w", "  and more", "branch: >-", "  main"), bare, "nowhere"},
		{"carriage returns", strings.ReplaceAll(workspaceOf(repo), "\n", "\r\n"), bare, "/w/shop /w main"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			files := map[string][]byte{"workspace.yaml": []byte(tt.file)}
			if tt.file == "" {
				files = nil
			}
			r := beside(set, files)
			r.read(tt.log.lines...)
			if diff := cmp.Diff(tt.want, r.place); diff != "" {
				t.Errorf("place (-want +got):\n%s", diff)
			}
		})
	}
}

// TestWorkspaceItself keeps the file, with what only it says, as one event.
func TestWorkspaceItself(t *testing.T) {
	file := workspaceOf("cwd: /w", "client_name: github/cli", "name: Use SQLite.")
	path := "/h/.copilot/session-state/" + native + "/workspace.yaml"
	sample := core.Sample{Path: path, Head: []byte(file)}
	if fit := (copilot.Adapter{}).Detect(sample); fit != core.NativeFit {
		t.Errorf("fit %d", fit)
	}
	if framing := (copilot.Adapter{}).Framing(sample); framing != core.Document {
		t.Errorf("framing %d", framing)
	}
	events := 0
	_, stats := capture(t, path, []byte(file), func(ev *core.Event) {
		events++
		u, ok := ev.Body.(*core.Unknown)
		if !ok || !u.Bookkeeping || u.RawType != "workspace" {
			t.Fatalf("event %#v", ev.Body)
		}
		if kept, _ := u.Raw.Text(); kept != strings.TrimRight(file, "\n") {
			t.Errorf("kept %q", kept)
		}
		if ev.Session != native || ev.Project == nil || ev.Project.Cwd != "/w" || ev.Time.String() != "2026-11-21T01:25:50.223Z" {
			t.Errorf("session %q, project %v, time %s", ev.Session, ev.Project, ev.Time)
		}
	})
	if events != 1 || stats.Malformed != 0 {
		t.Errorf("%d events, %d malformed", events, stats.Malformed)
	}
	for _, other := range []string{"packages:\n  - a\n", "id: x\ncwd: /w\n", "id: " + native + "\n"} {
		if fit := (copilot.Adapter{}).Detect(core.Sample{Path: "/w/workspace.yaml", Head: []byte(other)}); fit != core.NoFit {
			t.Errorf("%q: fit %d", other, fit)
		}
	}
}

// reading is a log that is read while what stands beside it changes.
type reading struct {
	stream *pipeline.Stream
	lines  int
	place  string
	edits  strings.Builder
}

// sets has a set of streams made, which takes a while.
func sets(t *testing.T) *pipeline.Set {
	t.Helper()
	set, err := pipeline.NewSet(pipeline.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return set
}

func beside(set *pipeline.Set, files map[string][]byte) *reading {
	const file = "/h/session-state/" + native + "/events.jsonl"
	r := &reading{stream: set.Open(copilot.Adapter{}, core.StreamInfo{Path: file, Sidecars: files}, file)}
	r.stream.OnEvent(func(ev *core.Event) {
		r.place = "nowhere"
		if p := ev.Project; p != nil {
			r.place = fmt.Sprintf("%s %s %s", p.Cwd, p.RepoRoot, p.Git.Branch)
		}
		if e, ok := ev.Body.(*core.FileEdit); ok {
			r.edits.WriteString(e.Diff.Path + "\n" + e.Diff.Unified)
		}
	})
	return r
}

func (r *reading) read(lines ...string) {
	for _, line := range lines {
		r.lines++
		r.stream.Line([]byte(line), 0, int64(r.lines))
	}
}
