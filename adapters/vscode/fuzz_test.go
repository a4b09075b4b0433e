package vscode_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/memscribe/memscribe/adapters/vscode"
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/testkit/adaptertest"
)

// samples are a document, an export of several, and logs of changes.
func samples(t testing.TB) []adaptertest.Sample {
	t.Helper()
	first := request("r1", "One.", list{
		obj{"value": "1"},
		obj{"kind": "thinking", "value": "Hm."},
		tool("copilot_createFile", "c1", nil),
		obj{
			"kind": "textEditGroup", "uri": obj{"path": "/w/a"}, "done": true,
			"edits": list{list{obj{"text": "é\n", "range": obj{"startLineNumber": 1, "startColumn": 1, "endLineNumber": 1, "endColumn": 1}}}},
		},
	}, ended(list{calling("c1", "create_file", `{"filePath":"/w/a"}`)}, obj{"c1__vscode-17": told("successfully edited")}))
	session := obj{"version": 3, "sessionId": "s1", "requests": list{first}}
	l := new(log).add(t, 0, obj{"v": session}).add(t, 2, obj{"k": list{"requests"}, "v": list{first}, "i": 0}).
		add(t, 1, obj{"k": list{"requests", 0, "response", 3, "x"}, "v": 1}).add(t, 3, obj{"k": list{"requests", 0, "vote"}}).
		add(t, 2, obj{"k": list{"requests"}, "i": 0}).add(t, 1, obj{"k": list{}, "v": session})
	all := []adaptertest.Sample{
		{Path: "s.json", Data: marshal(t, session)},
		{Path: "s.json", Data: marshal(t, list{session})},
		{Path: "s.jsonl", Data: strings.Join(l.lines, "\n")},
		{Path: "state.json", Data: `{"version":2,"initialFileContents":[],"recentSnapshot":{},"timeline":{"fileBaselines":[]}}`},
	}
	for _, line := range l.lines {
		all = append(all, adaptertest.Sample{Path: "s.jsonl", Data: line})
	}
	return all
}

// TestSuite holds the adapter to what every adapter passes.
func TestSuite(t *testing.T) { adaptertest.Suite(t, vscode.Adapter{}, samples(t)...) }

// FuzzParse reads anything at all as a document and as a log.
func FuzzParse(f *testing.F) { adaptertest.Fuzz(f, vscode.Adapter{}, samples(f)...) }

// BenchmarkParse reads an exported session, and one as a log that streamed in.
func BenchmarkParse(b *testing.B) {
	b.Run("document", func(b *testing.B) {
		data := adaptertest.Read(b, adaptertest.Shared(b, "wild/vscode-chat/digitarald__vscode-chat-logs/samples/tdd-review.json"))
		adaptertest.Benchmark(b, vscode.Adapter{}, "s.json", data)
	})
	b.Run("log", func(b *testing.B) {
		l := new(log).add(b, 0, obj{"v": obj{"sessionId": "s1", "requests": list{request("r1", "One.", list{}, nil)}}})
		for n := range 1000 {
			l.add(b, 2, obj{"k": list{"requests", 0, "response"}, "v": list{obj{"value": strings.Repeat("word ", n)}}, "i": 0})
		}
		l.add(b, 1, obj{"k": list{"requests", 0, "result"}, "v": obj{}})
		adaptertest.Benchmark(b, vscode.Adapter{}, "s.jsonl", []byte(strings.Join(l.lines, "\n")))
	})
}

// TestDetect tells sessions, logs and editing sessions from what is none.
func TestDetect(t *testing.T) {
	session := obj{"version": 3, "sessionId": "s1", "responderUsername": "GitHub Copilot", "requests": list{request("r1", "One.", list{}, nil)}}
	tests := []struct {
		name, path, head string
		fit              core.Fit
		framing          core.Framing
	}{
		{"a session", "x", marshal(t, session), core.NativeFit, core.Document},
		{"a session, cut", "x", marshal(t, session)[:120], core.NativeFit, core.Document},
		{"a session over lines", "x", strings.ReplaceAll(marshal(t, session), `,"`, ",\n\""), core.NativeFit, core.Document},
		{"a log", "x", marshal(t, obj{"kind": 0, "v": session}) + "\n" + `{"kind":1,"k":["customTitle"],"v":"x"}`, core.NativeFit, core.Lines},
		{"a long log, cut", "x.jsonl", `{"kind":0,"v":{"requests":[{"requestId":"r`, core.NativeFit, core.Lines},
		{"a log without its beginning", "x", `{"kind":2,"k":["requests"],"v":[]}`, core.NativeFit, core.Lines},
		{"a change of something", "x", `{"kind":1,"k":["a"],"v":1}`, core.ShapeFit, core.Lines},
		{"an editing session", "x/state.json", `{"version":2,"initialFileContents":[],"recentSnapshot":{}}`, core.NativeFit, core.Document},
		{"nothing yet", "/u/workspaceStorage/w/chatSessions/s.json", "", core.PathFit, core.Document},
		{"settings", "x.json", `{"editor.fontSize": 12}`, core.NoFit, core.Document},
		{"a script of events", "x.jsonl", `{"kind":"session_start","sessionId":"s"}`, core.NoFit, core.Document},
		{"a transcript", "x", `{"type":"session.start","data":{"sessionId":"s1","vscodeVersion":"1"},"id":"e","timestamp":"2026-05-11T23:13:12.819Z"}`, core.NativeFit, core.Lines},
		{"the command line tool's", "x", `{"type":"session.start","data":{"sessionId":"s1"},"id":"e","timestamp":"2026-05-11T23:13:12.819Z"}`, core.NoFit, core.Lines},
		{"a binary", "x", "\x7fELF", core.NoFit, core.Document},
	}
	for _, tt := range tests {
		s := core.Sample{Path: tt.path, Head: []byte(tt.head)}
		if got := (vscode.Adapter{}).Detect(s); got != tt.fit {
			t.Errorf("%s: fit %d, want %d", tt.name, got, tt.fit)
		}
		if got := (vscode.Adapter{}).Framing(s); got != tt.framing {
			t.Errorf("%s: framing %d, want %d", tt.name, got, tt.framing)
		}
	}
}

// TestDetectCollected leaves other tools' transcripts alone. Among those of the
// command line tool are some that name the editor.
func TestDetectCollected(t *testing.T) {
	root := adaptertest.Shared(t, "wild")
	other := func(path string) bool {
		return adaptertest.Ending(".json", ".jsonl")(path) && !strings.Contains(path, "/vscode-chat/")
	}
	for _, file := range adaptertest.Files(t, root, other) {
		data := adaptertest.Read(t, file)
		if fit := adaptertest.Fit(vscode.Adapter{}, file, data); fit > core.NoFit && !bytes.Contains(data, []byte(`"vscodeVersion"`)) {
			t.Errorf("%s: fit %d", file, fit)
		}
	}
}

// TestPlaces names the folders of every build on every system.
func TestPlaces(t *testing.T) {
	seen := map[string]bool{}
	for _, p := range (vscode.Adapter{}).Places() {
		for _, r := range p.Roots {
			seen[r.OS+" "+r.Env+" "+r.Path] = true
		}
	}
	for _, want := range []string{
		"darwin  Library/Application Support/Code - Insiders/User", "windows APPDATA VSCodium/User", "  .config/Code/User",
		"  .vscode-server/data/User", " VSCODE_PORTABLE user-data/User",
	} {
		if !seen[want] {
			t.Errorf("no place %q", want)
		}
	}
}
