package hermes_test

import (
	"testing"

	"github.com/memscribe/memscribe/adapters/hermes"
	"github.com/memscribe/memscribe/testkit/adaptertest"
)

// samples are conversations as the adapter gets them.
func samples() []adaptertest.Sample {
	return []adaptertest.Sample{
		{Path: "state.db", Data: `{"table":"session","key":"s","source":"cli","started_at":1.5}` + "\n" +
			`{"table":"message","key":"1","role":"user","content":"\u0000json:[{\"type\":\"text\",\"text\":\"x\"}]","timestamp":1}` + "\n" +
			`{"table":"message","key":"2","role":"assistant","content":"","tool_calls":[{"id":"c","function":{"name":"patch","arguments":"{\"path\":\"a\",\"old_string\":\"x\",\"new_string\":\"y\"}"}}],"timestamp":2}` + "\n" +
			`{"table":"message","key":"3","role":"tool","tool_call_id":"c","content":"{\"success\":true}","undone":1}` + "\n" + `{"table":"end","key":"s","ended_at":3}`},
		{Path: "x.jsonl", Data: `{"role":"session_meta","platform":"cli"}`},
	}
}

// TestSuite holds the adapter to what every adapter passes.
func TestSuite(t *testing.T) { adaptertest.Suite(t, hermes.Adapter{}, samples()...) }

// FuzzParse reads anything at all.
func FuzzParse(f *testing.F) { adaptertest.Fuzz(f, hermes.Adapter{}, samples()...) }

// BenchmarkParse reads the samples into events.
func BenchmarkParse(b *testing.B) { adaptertest.BenchmarkCorpus(b, hermes.Adapter{}, samples()...) }
