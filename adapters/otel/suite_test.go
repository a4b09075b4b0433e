package otel_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/memscribe/memscribe/adapters/otel"
	"github.com/memscribe/memscribe/testkit/adaptertest"
)

// samples are requests as they lie in the journal.
func samples(t testing.TB) []adaptertest.Sample {
	t.Helper()
	var all []adaptertest.Sample
	for _, lines := range []string{
		spanLine("app", span("1", attrs("gen_ai.operation.name", "chat", "gen_ai.input.messages", "["+ask+","+back+"]"))),
		logLine("claude-code", record(attrs("event.name", "tool_result", "tool_name", "Edit", "success", "true", "tool_input_size_bytes", "50",
			"tool_input", `{"file_path":"/a","old_string":"1","new_string":"2"}`))),
		logLine("codex_exec", record(attrs("call_id", "c", "output", "o", "tool_name", "apply_patch", "success", "true", "arguments",
			"*** Begin Patch\n*** Add File: a\n+1\n*** End Patch"))),
		logLine("gemini-cli", record(attrs("event.name", "gemini_cli.api_response", "input_token_count", "1",
			"response_text", `[{"candidates":[{"content":{"parts":[{"text":"x"}]}}]}]`))),
		logLine("app", `{"eventName":"gen_ai.user.message","body":{"kvlistValue":{"values":[{"key":"content","value":{"stringValue":"x"}}]}}}`),
	} {
		all = append(all, adaptertest.Sample{Path: "000001.jsonl", Data: lines})
	}
	return all
}

// recorded is what real clients posted.
func recorded(t testing.TB) []adaptertest.Sample {
	t.Helper()
	files, err := filepath.Glob("testdata/*.jsonl")
	if err != nil || len(files) == 0 {
		t.Fatalf("no fixtures: %v", err)
	}
	var all []adaptertest.Sample
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, adaptertest.Sample{Path: file, Data: string(data)})
	}
	return all
}

// TestSuite holds the adapter to what every adapter passes.
func TestSuite(t *testing.T) {
	adaptertest.Suite(t, otel.Adapter{}, append(recorded(t), samples(t)...)...)
}

// FuzzParse reads anything at all.
func FuzzParse(f *testing.F) { adaptertest.Fuzz(f, otel.Adapter{}, samples(f)...) }

// BenchmarkParse reads what was recorded into events.
func BenchmarkParse(b *testing.B) { adaptertest.BenchmarkCorpus(b, otel.Adapter{}, recorded(b)...) }
