package pipeline_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/jsondoc"
	"github.com/memscribe/memscribe/core/pipeline"
)

// script is a tool of which every record says outright what event it is, so that
// tests of the stages are written as conversations:
//
//	{"e":"user","id":"u1","t":"Use Postgres instead of MySQL."}
//	{"e":"say","t":"Shall I?"}
//	{"e":"call","c":"c1","n":"Edit"}
//	{"e":"result","c":"c1","spawned":"helper"}
//	{"e":"edit","c":"c1","path":"src/db.js","lines":"-mysql\n+postgres\n"}
//	{"e":"rewind","to":"u1","seq":0}
//
// "cwd" is the folder, "s" is the session ("s1" if absent), "th" the thread, "at" the second of the
// hour, "copy" the id of the original, "scope" that of its calls, "inj" marks
// injected text, "echo" an event that a transcript records too, "anchor" an event to which another stream may go back, "elsewhere"
// a rewind that does, "strand" which of several that is and where it comes from, "base" the event of another session behind which one begins. The parser breaks on "break", and the stages on "nobody".
type script struct{}

func (script) Tool() core.Tool                       { return "script" }
func (script) Places() []core.Place                  { return nil }
func (script) Detect(core.Sample) core.Fit           { return core.NoFit }
func (script) NewParser(core.StreamInfo) core.Parser { return script{} }
func (script) Parse(r core.Record, emit func(*core.Event)) {
	if r.Doc == nil {
		emit(&core.Event{Session: "s1", Body: &core.Unknown{Raw: core.RawBytes(r.Bytes), Reason: "not JSON"}})
		return
	}
	v := r.Doc.Root()
	ev := &core.Event{
		Session: "s1", Thread: v.Get("th").Str(), ID: v.Get("id").Str(), CopyOf: v.Get("copy").Str(),
		Injected: v.Get("inj").Bool(), CallScope: v.Get("scope").Str(),
		Anchor: v.Get("anchor").Bool(), Echo: v.Get("echo").Bool(),
	}
	if s := v.Get("s"); s.Exists() {
		ev.Session = s.Str()
	}
	if on := v.Get("strand"); on.Exists() {
		no, _ := on.Get("no").Int()
		of, _ := on.Get("of").Int()
		at, _ := on.Get("at").Int()
		ev.Strand = &core.Strand{No: uint32(no), Of: uint32(of), At: uint64(at), Voids: on.Get("voids").Str()}
	}
	if cwd := v.Get("cwd"); cwd.Exists() {
		ev.Project = &core.Project{Cwd: cwd.Str(), Git: core.Git{Branch: v.Get("branch").Str()}}
	}
	if at, ok := v.Get("at").Int(); ok {
		ev.Time = core.Unix(1_700_000_000 + at)
	}
	ev.Body = body(v)
	emit(ev)
}

func body(v jsondoc.Value) core.Body {
	call := v.Get("c").Str()
	switch v.Get("e").Str() {
	case "start":
		base := v.Get("base")
		return &core.SessionStart{Base: core.Base{Session: base.Get("s").Str(), Event: base.Get("id").Str()}}
	case "user":
		return &core.UserTurn{Text: core.Token(v.Get("t"))}
	case "say":
		return &core.AssistantTurn{Text: core.Token(v.Get("t")), Model: "m"}
	case "call":
		return &core.ToolCall{CallID: call, Name: v.Get("n").Str(), Args: core.RawValue(v.Get("args"))}
	case "result":
		return &core.ToolResult{CallID: call, OK: !v.Get("failed").Bool(), Spawned: v.Get("spawned").Str()}
	case "edit":
		path, lines := v.Get("path").Str(), v.Get("lines").Str()
		return &core.FileEdit{CallID: call, Tool: "Edit", Diff: core.Diff{
			Path: path, Change: core.Modify, Unified: "--- a/" + path + "\n+++ b/" + path + "\n@@ -1 +1 @@\n" + lines,
		}}
	case "break":
		panic("no such thing as " + v.Get("t").Str())
	case "nobody":
		return (*core.UserTurn)(nil)
	case "rewind":
		seq, _ := v.Get("seq").Int()
		return &core.Rewind{
			ToEvent: v.Get("to").Str(), ToSeq: uint64(seq), CrossStream: v.Get("elsewhere").Bool(),
		}
	default:
		return &core.Unknown{RawType: v.Get("e").Str(), Raw: core.RawValue(v)}
	}
}

// run reads the streams one after another and returns what a sink would hold.
func run(t testing.TB, streams ...string) map[string]*core.Node {
	t.Helper()
	set, err := pipeline.NewSet(pipeline.Options{})
	if err != nil {
		t.Fatal(err)
	}
	held := map[string]*core.Node{}
	for i, s := range streams {
		st := set.Open(script{}, core.StreamInfo{}, fmt.Sprintf("/t/%d.jsonl", i))
		feed(st, s)
		for _, n := range set.Take() {
			held[n.ID] = n
		}
	}
	return held
}

func feed(st *pipeline.Stream, s string) {
	offset := 0
	for line := range strings.Lines(s) {
		if trimmed := strings.TrimSpace(line); trimmed != "" {
			st.Line([]byte(trimmed), int64(offset), int64(offset))
		}
		offset += len(line)
	}
}
