package qwen_test

import (
	"strings"
	"testing"

	"github.com/memscribe/memscribe/adapters/qwen"
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/pipeline"
	"github.com/memscribe/memscribe/testkit/adaptertest"
)

func isChat(path string) bool {
	return strings.HasSuffix(path, ".jsonl") && (strings.Contains(path, "/chats/") || strings.Contains(path, "/subagents/"))
}

func events(t testing.TB, path string, data []byte, f func(*core.Event)) pipeline.Stats {
	t.Helper()
	return adaptertest.Events(t, qwen.Adapter{}, path, data, f)
}

func encoded(t testing.TB, path string, data []byte) []byte {
	t.Helper()
	out, _ := adaptertest.Encoded(t, qwen.Adapter{}, path, data, nil)
	return out
}
