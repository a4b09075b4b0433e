package agenttrace_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/memscribe/memscribe/adapters/agenttrace"
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/testkit/adaptertest"
)

// records are in the form of published ones, which a hook of Cursor wrote on Windows, with what
// those do not show: other contributors, and a record that names no conversation.
const records = `{"version":"0.1.0","id":"44489cd9-5d53-442e-9d6e-3f7e93d0d079","timestamp":"2026-07-20T11:38:35.042Z","vcs":{"type":"git","revision":"1a0c18c75bc19149cec8a0bc4c91115bf9a44469"},"tool":{"name":"cursor","version":"3.12.17"},"files":[{"path":"src\\view.tsx","conversations":[{"url":"file://c:\\Users\\dev\\.cursor\\projects\\app\\agent-transcripts\\be6cecdd\\be6cecdd.jsonl","contributor":{"type":"ai","model_id":"anthropic/claude-opus-4-8"},"ranges":[{"start_line":1,"end_line":116,"content_hash":"sha256:bb5ed2670e4ca164"}]}]}],"metadata":{"conversation_id":"be6cecdd-a75a-4363-b49d-3f7850807d1d","generation_id":"5c3a1507"}}
{"version":"0.1.0","id":"f99f00ef-4c83-4f62-82e0-af6fb241441e","timestamp":"2026-07-20T11:39:39.261Z","tool":{"name":"cursor","version":"3.12.17"},"files":[{"path":".shell-history","conversations":[{"url":"file://c:\\be6cecdd.jsonl","contributor":{"type":"ai"},"ranges":[{"start_line":1,"end_line":1}]}]}],"metadata":{"conversation_id":"be6cecdd-a75a-4363-b49d-3f7850807d1d","command":"npx tsc --noEmit","duration_ms":29553.039}}
{"version":"0.1.0","id":"550e8400-e29b-41d4-a716-446655440000","timestamp":"2026-07-21T14:30:00Z","files":[{"path":"src/parser.ts","conversations":[{"url":"https://api.example.com/v1/conversations/12345","contributor":{"type":"ai","model_id":"m/1"},"ranges":[{"start_line":42,"end_line":67}]},{"contributor":{"type":"human"},"ranges":[{"start_line":1,"end_line":2}]}]},{"path":"src/b.ts","conversations":[{"contributor":{"type":"mixed"},"ranges":[{"start_line":3,"end_line":4}]}]}]}
{"version":"0.1.0","id":"650e8400-e29b-41d4-a716-446655440000","timestamp":"2026-07-21T14:31:00Z","files":[{"path":"src/h.ts","conversations":[{"contributor":{"type":"human"},"ranges":[]}]}]}
{"novelty":1}
`

// single are records of one range each, as a hook of Claude Code writes them.
const single = `{"schema": "agent-trace/v0.1.0", "session_id": "8f5a6ead", "file_path": "/w/app/a.ts", "start_line": 155, "end_line": 155, "content_hash": "murmur3:f761763ec88b9451bb3f26bcf38c0b62", "confidence": "high", "tool": "Edit", "tool_use_id": "toolu_01", "timestamp": "2026-05-16T20:45:23.658433+00:00"}
{"schema": "agent-trace/v0.1.0", "session_id": "8f5a6ead", "file_path": "/w/app/n.md", "start_line": 1, "end_line": 9, "content_hash": "murmur3:cb852c5c25a9a4f3ad0c2fcf7c141630", "confidence": "high", "tool": "Write", "tool_use_id": "toolu_02", "timestamp": "2026-05-16T20:45:24.658433+00:00"}
{"schema": "agent-trace/v0.1.0", "file_path": "b.ts", "start_line": 1, "end_line": 1, "tool": "Edit", "timestamp": "2026-05-16T20:45:25.658433+00:00"}
`

const place = "/home/dev/app/.agent-trace/traces.jsonl"

func samples() []adaptertest.Sample {
	return []adaptertest.Sample{{Path: place, Data: records}, {Path: place, Data: single}, {Path: "traces.jsonl", Data: single}}
}

// TestSuite holds the adapter to what every adapter passes.
func TestSuite(t *testing.T) { adaptertest.Suite(t, agenttrace.Adapter{}, samples()...) }

// FuzzParse reads anything at all.
func FuzzParse(f *testing.F) { adaptertest.Fuzz(f, agenttrace.Adapter{}, samples()...) }

// BenchmarkParse reads the samples into events.
func BenchmarkParse(b *testing.B) { adaptertest.BenchmarkCorpus(b, agenttrace.Adapter{}, samples()...) }

// TestTold: an edit is told of each file and conversation of an agent, without lines; a
// command is none, and neither is what a person wrote.
func TestTold(t *testing.T) {
	for name, tt := range map[string]struct {
		records string
		want    []string
	}{
		"specification": {records, []string{
			"be6cecdd-a75a-4363-b49d-3f7850807d1d session_start /home/dev/app anthropic/claude-opus-4-8 3.12.17 1a0c18c75bc19149cec8a0bc4c91115bf9a44469",
			"be6cecdd-a75a-4363-b49d-3f7850807d1d tool_call 44489cd9-5d53-442e-9d6e-3f7e93d0d079/1 cursor",
			"be6cecdd-a75a-4363-b49d-3f7850807d1d file_edit 44489cd9-5d53-442e-9d6e-3f7e93d0d079/1 /home/dev/app/src/view.tsx modify told +0",
			"be6cecdd-a75a-4363-b49d-3f7850807d1d tool_call f99f00ef-4c83-4f62-82e0-af6fb241441e/1 shell",
			"12345 session_start /home/dev/app m/1  ",
			"12345 tool_call 550e8400-e29b-41d4-a716-446655440000/1 ",
			"12345 file_edit 550e8400-e29b-41d4-a716-446655440000/1 /home/dev/app/src/parser.ts modify told +0",
			"agent-trace-86d692bf session_start /home/dev/app   ",
			"agent-trace-86d692bf tool_call 550e8400-e29b-41d4-a716-446655440000/3 ",
			"agent-trace-86d692bf file_edit 550e8400-e29b-41d4-a716-446655440000/3 /home/dev/app/src/b.ts modify told +0",
			"agent-trace-86d692bf unknown record true",
			"agent-trace-86d692bf unknown json false",
		}},
		"single": {single, []string{
			"8f5a6ead session_start /home/dev/app   ",
			"8f5a6ead tool_call toolu_01 Edit",
			"8f5a6ead file_edit toolu_01 /w/app/a.ts modify told +0",
			"8f5a6ead tool_call toolu_02 Write",
			"8f5a6ead file_edit toolu_02 /w/app/n.md write told +0",
			"agent-trace session_start /home/dev/app   ",
			"agent-trace tool_call 099eaf71 Edit",
			"agent-trace file_edit 099eaf71 /home/dev/app/b.ts modify told +0",
		}},
	} {
		var got []string
		adaptertest.Parse(agenttrace.Adapter{}, place, []byte(tt.records), func(ev *core.Event) {
			said := brief(ev.Session) + " " + ev.Name()
			switch b := ev.Body.(type) {
			case *core.SessionStart:
				said += fmt.Sprintf(" %s %s %s %s", b.Cwd, b.Model, b.ToolVersion, b.Git.SHA)
			case *core.ToolCall:
				said += " " + brief(b.CallID) + " " + b.Name
			case *core.FileEdit:
				said += fmt.Sprintf(" %s %s %s %s +%d", brief(b.CallID), b.Diff.Path, b.Diff.Change, b.Diff.Certainty, b.Diff.Added)
			case *core.Unknown:
				said += fmt.Sprint(" ", b.RawType, " ", b.Bookkeeping)
			}
			got = append(got, said)
		})
		if d := cmp.Diff(tt.want, got); d != "" {
			t.Errorf("%s: -want +got:\n%s", name, d)
		}
	}
}

// brief shortens ids that are digests.
func brief(id string) string {
	const short = 8
	digest, isNamed := strings.CutPrefix(id, "agent-trace-")
	if strings.Contains(digest, "-") || len(digest) < 4*short {
		return id
	}
	if digest = digest[:short]; isNamed {
		return "agent-trace-" + digest
	}
	return digest
}
