package gemini_test

import (
	"strings"
	"testing"

	"github.com/memscribe/memscribe/adapters/gemini"
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/pipeline"
	"github.com/memscribe/memscribe/testkit/adaptertest"
)

func isChat(path string) bool { return strings.Contains(path, "/chats/") }

func isJSON(path string) bool {
	return strings.HasSuffix(path, ".json") || strings.HasSuffix(path, ".jsonl")
}

// records cuts a transcript the way its framing says.
func records(path string, data []byte, each func(record []byte, offset, no int64)) {
	adaptertest.Lines(gemini.Adapter{}, path, data, each)
}

func events(t testing.TB, path string, data []byte, f func(*core.Event)) pipeline.Stats {
	t.Helper()
	return adaptertest.Events(t, gemini.Adapter{}, path, data, f)
}

func encoded(t testing.TB, path string, data []byte) []byte {
	t.Helper()
	out, _ := adaptertest.Encoded(t, gemini.Adapter{}, path, data, nil)
	return out
}
