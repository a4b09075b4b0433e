package junie_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/memscribe/memscribe/adapters/junie"
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/testkit/adaptertest"
)

// session is one in the form of published pieces.
const session = `{"kind":"UserPromptEvent","requestId":"r1","prompt":"hidden context","presentablePrompt":"Use Ktor, not Spring.","askMode":false,"timestampMs":1780612717000}
{"kind":"SessionA2uxEvent","event":{"state":"IN_PROGRESS","agentEvent":{"kind":"CurrentDirectoryUpdatedEvent","currentDirectory":"/w"}},"timestampMs":1780612717001}
{"kind":"SessionA2uxEvent","event":{"state":"IN_PROGRESS","agentEvent":{"kind":"AgentThoughtBlockUpdatedEvent","stepId":"s1","text":"Hm."}},"timestampMs":1780612717002}
{"kind":"SessionA2uxEvent","event":{"state":"IN_PROGRESS","agentEvent":{"kind":"AgentThoughtBlockUpdatedEvent","stepId":"s1","text":"Hm."}},"timestampMs":1780612717003}
{"kind":"SessionA2uxEvent","event":{"state":"IN_PROGRESS","agentEvent":{"kind":"LlmResponseMetadataEvent","modelUsage":[{"model":"m","cost":0.1,"inputTokens":3,"cacheInputTokens":2,"cacheCreateTokens":1,"outputTokens":4,"time":0}]}},"timestampMs":1780612717004}
{"kind":"SessionA2uxEvent","event":{"state":"IN_PROGRESS","agentEvent":{"kind":"TerminalBlockUpdatedEvent","stepId":"s2","command":"ls","status":"IN_PROGRESS"}},"timestampMs":1780612717005}
{"kind":"SessionA2uxEvent","event":{"state":"IN_PROGRESS","agentEvent":{"kind":"TerminalBlockUpdatedEvent","stepId":"s2","command":"ls","presentableOutput":"a.kt","status":"COMPLETED"}},"timestampMs":1780612717006}
{"kind":"SessionA2uxEvent","event":{"state":"IN_PROGRESS","agentEvent":{"kind":"FileChangesBlockUpdatedEvent","stepId":"s3","status":"COMPLETED","changes":[{"beforeRelativePath":"a.kt","afterRelativePath":"a.kt","beforeContent":{"kind":"TextFileContent","text":"a\n"},"afterContent":{"kind":"TextFileContent","text":"b\n"}},{"afterRelativePath":"n.kt","afterContent":{"text":"n\n"}},{"beforeRelativePath":"o.kt","beforeContent":{"text":"o\n"}},{"beforeRelativePath":"f.kt","afterRelativePath":"t.kt","beforeContent":{"text":"f\n"},"afterContent":{"text":"t\n"}}]}},"timestampMs":1780612717007}
{"kind":"SessionA2uxEvent","event":{"state":"IN_PROGRESS","agentEvent":{"kind":"FileChangesBlockUpdatedEvent","stepId":"s3","status":"COMPLETED","changes":[{"beforeRelativePath":"a.kt","afterRelativePath":"a.kt","beforeContent":{"text":"a\n"},"afterContent":{"text":"b\n"}}]}},"timestampMs":1780612717008}
{"kind":"SessionA2uxEvent","event":{"state":"COMPLETED","agentEvent":{"kind":"ResultBlockUpdatedEvent","stepId":"s4","cancelled":false,"result":"<!-- ANSWER -->Done.","changes":[]}},"timestampMs":1780612717009}
{"kind":"NoveltyEvent","timestampMs":1780612717010}
`

const place = "/home/dev/.junie/sessions/session-260604-223837-a1/events.jsonl"

func samples() []adaptertest.Sample { return []adaptertest.Sample{{Path: place, Data: session}} }

// TestSuite holds the adapter to what every adapter passes.
func TestSuite(t *testing.T) { adaptertest.Suite(t, junie.Adapter{}, samples()...) }

// FuzzParse reads anything at all.
func FuzzParse(f *testing.F) { adaptertest.Fuzz(f, junie.Adapter{}, samples()...) }

// BenchmarkParse reads the samples into events.
func BenchmarkParse(b *testing.B) { adaptertest.BenchmarkCorpus(b, junie.Adapter{}, samples()...) }

// TestTold: a block is told once, when it ended; edits have the texts before and after.
func TestTold(t *testing.T) {
	var got []string
	adaptertest.Parse(junie.Adapter{}, place, []byte(session), func(ev *core.Event) {
		said := strings.Trim(ev.Thread+" "+ev.Name(), " ")
		switch b := ev.Body.(type) {
		case *core.UserTurn:
			said += fmt.Sprint(" ", b.Text.String(), " ", ev.Injected)
		case *core.AssistantTurn:
			said += " " + b.Text.String() + b.Thinking.String()
		case *core.ToolCall:
			said += " " + b.CallID + " " + b.Name
		case *core.ToolResult:
			said += fmt.Sprint(" ", b.CallID, " ", b.OK)
		case *core.FileEdit:
			_, hunks, _ := strings.Cut(b.Diff.Unified, "@@")
			said += fmt.Sprintf(" %s %s %s%s %q", b.CallID, b.Diff.Path, b.Diff.Change, b.Diff.Certainty, hunks)
		case *core.Unknown:
			said += fmt.Sprint(" ", b.RawType, " ", b.Bookkeeping)
		}
		got = append(got, said)
	})
	want := []string{
		"session_start",
		"user_turn Use Ktor, not Spring. false",
		"unknown CurrentDirectoryUpdatedEvent true",
		"assistant_turn Hm.",
		"unknown AgentThoughtBlockUpdatedEvent true",
		"assistant_turn ",
		"unknown TerminalBlockUpdatedEvent true",
		"tool_call s2/Terminal Terminal",
		"tool_result s2/Terminal true",
		"tool_call s3/FileChanges FileChanges",
		"tool_result s3/FileChanges true",
		`file_edit s3/FileChanges /w/a.kt modify " -1 +1 @@\n-a\n+b\n"`,
		`file_edit s3/FileChanges /w/n.kt create " -0,0 +1 @@\n+n\n"`,
		`file_edit s3/FileChanges /w/o.kt delete " -1 +0,0 @@\n-o\n"`,
		`file_edit s3/FileChanges /w/t.kt rename " -1 +1 @@\n-f\n+t\n"`,
		"unknown FileChangesBlockUpdatedEvent true",
		"assistant_turn Done.",
		"unknown NoveltyEvent false",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("events (-want +got):\n%s", diff)
	}
}
