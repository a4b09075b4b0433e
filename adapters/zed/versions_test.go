package zed_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/memscribe/memscribe/adapters/zed"
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/testkit/adaptertest"
	"github.com/memscribe/memscribe/testkit/golden"
)

// written are files of testdata: one of every form that Zed's source writes, each
// with every member that the form has. The types stand at
//
//	thread 0.3.0        crates/agent/src/db.rs @0642ec7, thread.rs @000e783, tools/edit_session.rs @8808124
//	                    tools/spawn_agent_tool.rs @9201cc4; serialised by serde from types of the same shape
//	thread 0.1.0, 0.2.0 crates/agent/src/legacy_thread.rs @4410b97, thread_store.rs; assistant_tools/src/create_file_tool.rs
//	thread before       the same, LegacySerializedThread
//	conversation        crates/assistant/src/context.rs (SavedContext and its forerunners), crates/ai/src/assistant.rs
func written(t testing.TB, pattern string) map[string][]byte {
	t.Helper()
	files, err := filepath.Glob("testdata/" + pattern)
	if err != nil || len(files) == 0 {
		t.Fatalf("no files %s: %v", pattern, err)
	}
	all := map[string][]byte{}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		all[strings.TrimSuffix(filepath.Base(file), ".json")] = data
	}
	return all
}

// TestThreadVersions reads a database with a thread of every version, once plain
// and once packed.
func TestThreadVersions(t *testing.T) {
	expected := golden.Open(t, "testdata/expected")
	for name, data := range written(t, "thread-*.json") {
		for kind, blob := range map[string]string{"json": plain(string(data)), "zstd": packed(t, string(data))} {
			script := five + fmt.Sprintf(`INSERT INTO threads VALUES ('%s', 's', '2026-05-01T10:00:00+00:00', '%s', %s);`, name, kind, blob)
			expected.Check(t, name+".tale", []byte(adaptertest.Database(t, zed.Adapter{}, "threads.db", script)))
		}
	}
	for name, data := range written(t, "conversation-*.json") {
		const path = "/h/.local/share/zed/conversations/s - 1.zed.json"
		if fit := adaptertest.Fit(zed.Adapter{}, path, data); fit != core.NativeFit {
			t.Errorf("%s: fit %d", name, fit)
		}
		expected.Check(t, name+".tale", []byte(adaptertest.Tale(t, zed.Adapter{}, path, data)))
	}
}
