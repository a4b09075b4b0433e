package schema_test

import (
	"bytes"
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/encode"
	"github.com/memscribe/memscribe/core/jsondoc"
	"github.com/memscribe/memscribe/testkit/schema"
)

const dir = "../../docs/schema"

func load(t *testing.T) *schema.Schemas {
	t.Helper()
	s, err := schema.Load(dir)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestEveryKind encodes one of everything that the types can hold: each must fit
// its schema, in full and without content.
func TestEveryKind(t *testing.T) {
	s := load(t)
	for _, enc := range []encode.Encoder{{}, {NoContent: true}} {
		seen := map[string]bool{}
		for _, ev := range everyEvent(t) {
			b, err := enc.Event(nil, ev)
			if err != nil {
				t.Fatal(err)
			}
			if err := s.Event(b); err != nil {
				t.Errorf("%s\n%v", b, err)
			}
			seen[ev.Name()] = true
		}
		for _, name := range core.EventNames() {
			if !seen[name] {
				t.Errorf("no event of kind %s was tried", name)
			}
		}
		for _, n := range everyNode() {
			b, err := enc.Node(nil, n)
			if err != nil {
				t.Fatal(err)
			}
			if err := s.Node(b); err != nil {
				t.Errorf("%s\n%v", b, err)
			}
		}
	}
}

// TestKindsNamed compares the kinds that the schemas name with those of the
// types.
func TestKindsNamed(t *testing.T) {
	var event, node struct {
		Properties struct{ Event, Node struct{ Enum []string } }
		Defs       map[string]struct {
			Properties map[string]struct{ Enum []string }
		} `json:"$defs"`
	}
	read(t, "event.v1.json", &event)
	read(t, "node.v1.json", &node)
	if d := cmp.Diff(core.EventNames(), event.Properties.Event.Enum); d != "" {
		t.Errorf("kinds of event (- types, + schema):\n%s", d)
	}
	var kinds []string
	for _, n := range everyNode() {
		if !slices.Contains(kinds, n.Name()) {
			kinds = append(kinds, n.Name())
		}
	}
	if d := cmp.Diff(kinds, node.Properties.Node.Enum); d != "" {
		t.Errorf("kinds of node (- types, + schema):\n%s", d)
	}
	parts := []string{
		string(core.TextPart), string(core.ThinkingPart), string(core.ToolUsePart), string(core.ToolResultPart),
		string(core.ImagePart), string(core.OtherPart),
	}
	if d := cmp.Diff(parts, event.Defs["part"].Properties["type"].Enum); d != "" {
		t.Errorf("kinds of part (- types, + schema):\n%s", d)
	}
	for _, name := range core.EventNames() {
		if _, ok := event.Defs[name]; !ok {
			t.Errorf("no definition of the body of %s", name)
		}
	}
}

func read(t *testing.T, name string, to any) {
	t.Helper()
	b, err := os.ReadFile(dir + "/" + name)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(b, to); err != nil {
		t.Fatal(err)
	}
}

// TestStrict spoils what fits, member by member: the schemas must see it.
func TestStrict(t *testing.T) {
	s := load(t)
	var enc encode.Encoder
	for _, ev := range everyEvent(t) {
		b, err := enc.Event(nil, ev)
		if err != nil {
			t.Fatal(err)
		}
		spoil(t, b, "body", s.Event)
	}
	for _, n := range everyNode() {
		b, err := enc.Node(nil, n)
		if err != nil {
			t.Fatal(err)
		}
		spoil(t, b, "", s.Node)
	}
}

// spoil adds a member, changes the schema's name, and takes members away that
// are never absent; below, in the member of that name, it adds one too.
func spoil(t *testing.T, b []byte, below string, validate func([]byte) error) {
	t.Helper()
	for _, change := range []func(map[string]any){
		func(m map[string]any) { m["extra"] = 1 },
		func(m map[string]any) { m["schema"] = "memscribe.event/v0" },
		func(m map[string]any) { m["seq"] = -1 },
		func(m map[string]any) { m["timestamp"] = "2026-01-01 10:00:00" },
		func(m map[string]any) { delete(m, "id") },
		func(m map[string]any) { delete(m, "provenance") },
		func(m map[string]any) {
			if below != "" {
				m[below].(map[string]any)["extra"] = 1
			} else {
				delete(m, "node")
			}
		},
	} {
		var m map[string]any
		dec := json.NewDecoder(bytes.NewReader(b))
		dec.UseNumber() // for the large ones
		if err := dec.Decode(&m); err != nil {
			t.Fatal(err)
		}
		change(m)
		spoilt, err := json.Marshal(m)
		if err != nil {
			t.Fatal(err)
		}
		if validate(spoilt) == nil {
			t.Errorf("accepted: %s", spoilt)
		}
	}
}

func everyEvent(t *testing.T) []*core.Event {
	t.Helper()
	var doc jsondoc.Doc
	if _, err := doc.Parse([]byte(`{"a":[1,null,"x"],"b":{"c":1e400}}`)); err != nil {
		t.Fatal(err)
	}
	raw := core.RawValue(doc.Root())
	parts := []core.Part{
		{Kind: core.TextPart, Text: core.Plain("hi")},
		{Kind: core.ThinkingPart, Text: core.Plain("hm")},
		{Kind: core.ToolUsePart, CallID: "c1", Name: "Edit"},
		{Kind: core.ToolResultPart, CallID: "c1"},
		{Kind: core.ImagePart, MediaType: "image/png"},
		{Kind: core.OtherPart, Raw: raw},
		{Kind: core.OtherPart, Raw: core.RawBytes([]byte{0xff})},
	}
	text, git := "old\n", core.Git{SHA: "1f", Branch: "main"}
	diff := core.Diff{
		Path: "/w/b", OldPath: "/w/a", Old: &text, New: &text, Unified: "--- a/w/a\n+++ b/w/b\n", Change: core.Rename,
	}
	plain := core.Diff{Path: "/w/a", Unified: "--- /dev/null\n+++ b/w/a\n@@ -0,0 +1 @@\n+a\n", Added: 1, Change: core.Create}
	bodies := []core.Body{
		&core.SessionStart{}, &core.SessionStart{Cwd: "/w", Git: git, Model: "m", ToolVersion: "1.0"},
		&core.UserTurn{}, &core.UserTurn{Text: core.Plain("hi"), Parts: parts},
		&core.AssistantTurn{}, &core.AssistantTurn{Text: core.Plain("hi"), Thinking: core.Plain("hm"), Model: "m", Usage: &core.Usage{Input: 1}, Parts: parts},
		&core.ToolCall{}, &core.ToolCall{CallID: "c1", Name: "Edit", Args: raw}, &core.ToolCall{Args: core.RawBytes([]byte{0xff})},
		&core.ToolResult{}, &core.ToolResult{CallID: "c1", OK: true, Output: core.RawString("x"), Verdict: core.Approved},
		&core.ToolResult{
			Output: core.RawBytes([]byte{0xff}), Verdict: core.Rejected, Reason: core.Plain("no"),
			Choices: []core.Choice{{Question: "q", Options: []core.Option{{Text: "a", Chosen: true}}, Answer: "b"}, {}},
		},
		&core.FileEdit{CallID: "c1", Diff: diff}, &core.FileEdit{Diff: plain},
		&core.Compaction{}, &core.Compaction{Start: 1, End: 4, Summary: core.Plain("s")},
		&core.Rewind{ToEvent: "u1"}, &core.SessionEnd{Reason: "done"},
		&core.Unknown{}, &core.Unknown{RawType: "x", Raw: raw, Bookkeeping: true}, &core.Unknown{Raw: core.RawBytes([]byte{0xff}), Reason: "not JSON"},
	}
	var events []*core.Event
	for i, b := range bodies {
		ev := &core.Event{Source: core.Codex, ID: "e1", Body: b, At: core.Location{File: "/t/x.jsonl", Offset: 1, Line: 1}}
		if i%2 == 1 {
			ev.Session, ev.Thread, ev.Seq, ev.ParentID, ev.CopyOf = "s1", "t1", 7, "e0", "o1"
			ev.Time, ev.TimeInferred, ev.Injected = core.ParseTime("2026-01-01T10:00:00.123Z"), true, true
			ev.Echo = true
			ev.Project, ev.At = &core.Project{Cwd: "/w", RepoRoot: "/w", Git: git}, core.Location{File: "/t/x.db", Row: "7"}
		}
		events = append(events, ev)
	}
	return events
}

func everyNode() []*core.Node {
	markers := []core.Marker{{Rule: "r", Category: core.Ban, Text: "never", Offset: 3}}
	said := core.Whole("we never do")
	turns := core.TurnRange{Start: 1, End: 2}
	id := strings.Repeat("0af1", 8)
	bodies := []core.NodeBody{
		&core.Conversation{Text: said.Text, Speaker: core.User, Turns: turns, Markers: markers},
		&core.Conversation{Speaker: core.Assistant},
		&core.Decision{
			Epitome: said, IsBan: true, DecidedBy: "user", Turn: said,
			Options:      []core.Considered{{Fragment: core.Whole("a"), Chosen: true}, {Fragment: core.Whole("b")}},
			Confirmation: "yes", SupersededBy: "r1", Turns: turns, Markers: markers,
		},
		&core.Decision{},
		&core.Episode{
			EpisodeID: id, CallID: "c1", Tool: "Edit", Git: core.Git{SHA: "1f"},
			Diff: core.Diff{Path: "/w/a", Unified: "--- a\n+++ b\n", Added: 1, Removed: 2, Change: core.Modify},
		},
		&core.Binding{From: "decision:" + id, To: "episode:" + id, Relation: core.Produced, Evidence: core.SameArc},
		&core.Binding{
			From: "conversation:" + id, To: "episode:" + id, Relation: core.DerivedFrom, Evidence: core.SharedPath,
			Prov: core.Prov{UsedSession: "s", UsedDecision: "d", GeneratedBy: "s", Use: core.Unix(1), Gen: core.UnixMilli(2)},
		},
	}
	var nodes []*core.Node
	for i, b := range bodies {
		n := &core.Node{Source: core.ClaudeCode, Fact: core.Observed, Provenance: []core.Location{{File: "/t/x.jsonl"}}, Body: b}
		n.ID = n.Name() + ":" + id
		if n.Name() == "episode" || n.Name() == "binding" {
			n.Fact = core.Derived
		}
		if i%2 == 1 {
			n.Session, n.Thread, n.Seq, n.Time = "s1", "t1", 7, core.Unix(1)
			n.Project = &core.Project{Cwd: "/w"}
		}
		nodes = append(nodes, n)
	}
	return nodes
}
