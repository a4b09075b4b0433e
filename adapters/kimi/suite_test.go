package kimi_test

import (
	"testing"

	"github.com/memscribe/memscribe/adapters/kimi"
	"github.com/memscribe/memscribe/testkit/adaptertest"
)

// samples are logs in the form of the Kimi CLI, as its source writes them.
func samples() []adaptertest.Sample {
	return []adaptertest.Sample{{Path: "/home/dev/.kimi/sessions/0cc175b9/6f1c/wire.jsonl", Data: `{"type":"metadata","protocol_version":"1.10"}` + "\n" +
		`{"timestamp":1785542400.5,"message":{"type":"TurnBegin","payload":{"user_input":"Let's rename it."}}}` + "\n" +
		`{"timestamp":1785542401.5,"message":{"type":"ContentPart","payload":{"type":"think","think":"Hm."}}}` + "\n" +
		`{"timestamp":1785542402.5,"message":{"type":"ToolCall","payload":{"type":"function","id":"c1","function":{"name":"StrReplaceFile","arguments":"{\"path\":\"/w/a.go\",\"edit\":{\"old\":\"a\",\"new\":\"b\"}}"}}}}` + "\n" +
		`{"timestamp":1785542403.5,"message":{"type":"ApprovalRequest","payload":{"id":"r","tool_call_id":"c1"}}}` + "\n" +
		`{"timestamp":1785542404.5,"message":{"type":"ApprovalResponse","payload":{"request_id":"r","response":"approve"}}}` + "\n" +
		`{"timestamp":1785542405.5,"message":{"type":"ToolResult","payload":{"tool_call_id":"c1","return_value":{"is_error":false,"output":"ok","message":"","display":[]}}}}` + "\n" +
		`{"timestamp":1785542406.5,"message":{"type":"StatusUpdate","payload":{"token_usage":{"input_other":1,"output":2,"input_cache_read":3,"input_cache_creation":4}}}}` + "\n" +
		`{"timestamp":1785542407.5,"message":{"type":"CompactionEnd","payload":{}}}`}}
}

// TestSuite holds the adapter to what every adapter passes.
func TestSuite(t *testing.T) { adaptertest.Suite(t, kimi.Adapter{}, samples()...) }

// FuzzParse reads anything at all.
func FuzzParse(f *testing.F) { adaptertest.Fuzz(f, kimi.Adapter{}, samples()...) }

// BenchmarkParse reads the recordings and the samples into events.
func BenchmarkParse(b *testing.B) { adaptertest.BenchmarkCorpus(b, kimi.Adapter{}, samples()...) }
