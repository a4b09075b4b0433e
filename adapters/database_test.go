package adapters_test

import (
	"testing"

	"github.com/memscribe/memscribe/adapters"
	"github.com/memscribe/memscribe/core"
)

func TestKeepsDatabase(t *testing.T) {
	for file, want := range map[string]bool{
		"/h/.local/share/opencode/opencode.db": true, "backup/opencode-dev.db": true, "x/state.vscdb": true,
		"/h/.hermes/state.db": true, "threads.db": true, "a/store.db": true, "session-store.db": true,
		"opencode.db-wal": false, "opencode.json": false, "other.db": false, "projects/x/y.jsonl": false, "": false,
	} {
		if got := adapters.KeepsDatabase(file, func(core.Tool) bool { return true }); got != want {
			t.Errorf("%s: %v", file, got)
		}
	}
	if adapters.KeepsDatabase("opencode.db", func(t core.Tool) bool { return t == core.Zed }) {
		t.Error("a database of a tool that is not wanted")
	}
}
