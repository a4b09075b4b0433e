package described_test

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/memscribe/memscribe/adapters/described"
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/testkit/adaptertest"
)

// inhouse is a format that calls everything otherwise.
func inhouse() described.Description {
	return described.Description{
		Name: "inhouse", Paths: []string{"/srv/inhouse/**/*.log"}, Kind: "/what", Ignore: []string{"ping"}, Session: "/run", Time: "/at", Cwd: "/dir",
		Role: "/who", User: []string{"human"}, Assistant: []string{"bot"}, Text: "/words", Call: "/do/no", Tool: "/do/tool", Args: "/do",
		Path: "/do/file", Old: "/do/swap/0", New: "/do/swap/1", Content: "/do/all", Command: "/do/sh", Result: "/done/no", Error: "/done/error",
	}
}

const log = `{"what":"say","run":"r1","at":1785542400,"dir":"/w","who":"human","words":"Let's use pnpm instead of npm."}
{"what":"ping","run":"r1"}
{"what":"do","run":"r1","at":1785542401500,"do":{"no":1,"tool":"swap","file":"a.json","swap":["npm","pnpm"]}}
{"what":"done","run":"r1","done":{"no":1,"error":null}}
{"what":"do","run":"r1","do":{"no":2,"tool":"put","file":"b.md","all":"b\n"}}
{"what":"done","run":"r1","done":{"no":2}}
{"what":"do","run":"r1","do":{"no":3,"tool":"swap","file":"b.md","swap":["b","c"]}}
{"what":"done","run":"r1","done":{"no":3}}
{"what":"do","run":"r1","do":{"no":4,"tool":"swap","file":"b.md","swap":["x","y"]}}
{"what":"done","run":"r1","done":{"no":4,"error":"no such text"}}
{"what":"mood","run":"r1","calm":true}
{"what":"say","run":"r1","at":"2026-08-01T00:00:09Z","who":"bot","words":"Done."}
`

func adapter(t testing.TB) described.Adapter {
	t.Helper()
	a, err := described.New(inhouse())
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func samples() []adaptertest.Sample {
	return []adaptertest.Sample{{Path: "/srv/inhouse/x/r1.log", Data: log}}
}

// TestSuite holds a described tool to what every adapter passes.
func TestSuite(t *testing.T) { adaptertest.Suite(t, adapter(t), samples()...) }

// FuzzParse reads anything at all.
func FuzzParse(f *testing.F) { adaptertest.Fuzz(f, adapter(f), samples()...) }

// TestTold: turns, calls and edits are told, and what is not understood is named.
func TestTold(t *testing.T) {
	var got []string
	adaptertest.Parse(adapter(t), "/srv/inhouse/x/r1.log", []byte(log), func(ev *core.Event) {
		said := ev.Name()
		switch b := ev.Body.(type) {
		case *core.SessionStart:
			said += " " + ev.Session + " " + b.Cwd
		case *core.UserTurn:
			said += " " + b.Text.String() + " " + ev.Time.String()
		case *core.AssistantTurn:
			said += " " + b.Text.String() + " " + ev.Time.String()
		case *core.ToolCall:
			said += " " + b.CallID + " " + b.Name
		case *core.ToolResult:
			said += fmt.Sprint(" ", b.CallID, " ", b.OK)
		case *core.FileEdit:
			said += " " + b.Diff.Path + " " + string(b.Diff.Change) + " " + string(b.Diff.Certainty)
		case *core.Unknown:
			said += fmt.Sprint(" ", b.RawType, " ", b.Bookkeeping)
		}
		got = append(got, said)
	})
	want := []string{
		"session_start r1 /w", "user_turn Let's use pnpm instead of npm. 2026-08-01T00:00:00.000Z", "unknown ping true",
		"tool_call 1 swap", "tool_result 1 true", "file_edit /w/a.json modify told",
		"tool_call 2 put", "tool_result 2 true", "file_edit /w/b.md write ",
		"tool_call 3 swap", "tool_result 3 true", "file_edit /w/b.md modify ",
		"tool_call 4 swap", "tool_result 4 false", "unknown mood false", "assistant_turn Done. 2026-08-01T00:00:09Z",
	}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestSessionsInTurn: of a log that many sessions write at a time, each begins once.
func TestSessionsInTurn(t *testing.T) {
	var lines strings.Builder
	for _, session := range []string{"r1", "r2", "r1", strings.Repeat("r", core.MaxContext+1), "r2", strings.Repeat("r", core.MaxContext+1)} {
		fmt.Fprintf(&lines, `{"what":"say","run":%q,"who":"human","words":"Yes."}`+"\n", session)
	}
	begun, turns := map[string]int{}, map[string]int{}
	adaptertest.Parse(adapter(t), "/srv/inhouse/x/all.log", []byte(lines.String()), func(ev *core.Event) {
		switch ev.Body.(type) {
		case *core.SessionStart:
			begun[ev.Session]++
		case *core.UserTurn:
			turns[ev.Session]++
		}
	})
	long := core.BoundedID(strings.Repeat("r", core.MaxContext+1))
	if !maps.Equal(begun, map[string]int{"r1": 1, "r2": 1, long: 1}) || !maps.Equal(turns, map[string]int{"r1": 2, "r2": 2, long: 2}) {
		t.Errorf("begun %v, turns %v", begun, turns)
	}
}

// TestWrong: a description that cannot be used names the place.
func TestWrong(t *testing.T) {
	for field, spoil := range map[string]func(*described.Description){
		"name":  func(d *described.Description) { d.Name = "In House" },
		"paths": func(d *described.Description) { d.Paths = nil },
		"role":  func(d *described.Description) { d.Role = "" },
		"text":  func(d *described.Description) { d.Text = "words" },
		"path":  func(d *described.Description) { d.New = "" },
		"order": func(d *described.Description) { d.Order = "at" },
		"session": func(d *described.Description) {
			d.Table, d.Session = "messages", ""
		},
	} {
		d := inhouse()
		spoil(&d)
		_, err := described.New(d)
		if e, ok := errors.AsType[*described.FieldError](err); !ok || e.Field != field {
			t.Errorf("%s: %v", field, err)
		}
	}
}

// TestDetect: a file is the tool's by its path, or if it begins as described.
func TestDetect(t *testing.T) {
	a := adapter(t)
	for _, tt := range []struct {
		path, head string
		want       core.Fit
	}{
		{"/srv/inhouse/a/b/r1.log", `{"any":1}`, core.NativeFit},
		{"/srv/inhouse/r1.log", "", core.NativeFit},
		{"/srv/other/r1.log", `{"any":1}`, core.NoFit},
		{"copy.jsonl", log, core.ShapeFit},
		{"copy.jsonl", "text", core.NoFit},
	} {
		if got := a.Detect(core.Sample{Path: tt.path, Head: []byte(tt.head)}); got != tt.want {
			t.Errorf("%s: fit %d, want %d", tt.path, got, tt.want)
		}
	}
}
