package cursor_test

import (
	"testing"

	"github.com/memscribe/memscribe/adapters/cursor"
	"github.com/memscribe/memscribe/testkit/adaptertest"
)

// samples are conversations as the adapter gets them.
func samples() []adaptertest.Sample {
	return []adaptertest.Sample{
		{Path: "s.jsonl", Data: transcript},
		{Path: "s.txt", Data: textTranscript},
		{Path: "s.md", Data: exported + second},
		{Path: "state.vscdb", Data: `{"table":"composer","key":"c","data":{"workspaceIdentifier":{"uri":{"fsPath":"/r"}},"fullConversationHeadersOnly":[{"bubbleId":"b"}]}}
{"table":"content","key":"composer.content.aa","text":"x"}
{"table":"bubble","key":"b","data":{"type":2,"toolFormerData":{"name":"search_replace","status":"completed","rawArgs":"{\"file_path\":\"a\",\"old_string\":\"1\",\"new_string\":\"2\"}","result":{"diff":{"chunks":[{"diffString":"@@\n- 1\n+ 2","oldStart":1}]}}}}}
{"table":"bubble","key":"m","data":{"type":2,"toolFormerData":{"name":"MultiEdit","status":"completed","rawArgs":{"path":"a","edits":[{"old_string":"2","new_string":"3"}]}}}}
{"table":"tab","key":"t","data":{"bubbles":[{"type":"user","initText":"{\"root\":{\"children\":[{\"text\":\"x\"}]}}"}]}}`},
		{Path: "store.db", Data: `{"table":"meta","key":"s","data":{"lastUsedModel":"m"}}
{"table":"blob","key":"h","data":{"role":"assistant","content":[{"type":"tool-call","toolCallId":"c","toolName":"ApplyPatch","args":"*** Begin Patch\n*** Add File: a\n+x\n*** End Patch"}]}}
{"table":"blob","key":"i","data":{"role":"tool","tool_call_id":"c","content":"ok"}}`},
	}
}

// TestSuite holds the adapter to what every adapter passes.
func TestSuite(t *testing.T) { adaptertest.Suite(t, cursor.Adapter{}, samples()...) }

// FuzzParse reads anything at all.
func FuzzParse(f *testing.F) { adaptertest.Fuzz(f, cursor.Adapter{}, samples()...) }

// BenchmarkParse reads the samples into events.
func BenchmarkParse(b *testing.B) { adaptertest.BenchmarkCorpus(b, cursor.Adapter{}, samples()...) }
