package testkit_test

import (
	"bytes"
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/memscribe/memscribe/adapters"
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/testkit/run"
)

// memoryFile is the file that most agents were given, and looked into again.
const memoryFile = "/CLAUDE.md"

// TestWildMemories wants a node for each time that an agent has read the file
// that it is given, in sessions that people published, as somebody counts who
// knows nothing of ours.
func TestWildMemories(t *testing.T) {
	a, ok := adapters.ByTool(core.ClaudeCode)
	if !ok {
		t.Fatal("no adapter of Claude Code")
	}
	all := 0
	walkWild(t, "claude-code", func(name, at string) {
		data, err := os.ReadFile(at)
		if err != nil {
			t.Fatal(err)
		}
		want := countReads(data)
		if want == 0 {
			return
		}
		all += want
		got := 0
		for _, n := range whole(t, []run.Input{{Adapter: a, Path: name, Name: name, Data: data}}).NodesOf("conversation") {
			var read struct {
				Memory struct{ Action, Store, Key string }
			}
			if err := json.Unmarshal(n.JSON, &read); err != nil {
				t.Fatal(err)
			}
			if m := read.Memory; m.Action == "memory_read" && m.Store == "file" && strings.HasSuffix(m.Key, memoryFile) && strings.Contains(n.Text, `"file_path"`) {
				got++
			}
		}
		if got != want {
			t.Errorf("%s: %d reads of a memory, want %d", name, got, want)
		}
	})
	if all == 0 {
		t.Error("nobody has read anything")
	}
}

// countReads counts the calls by which the file was read, and that did not fail.
func countReads(transcript []byte) int {
	type part struct {
		Type, ID, Name string
		Input          struct {
			Path string `json:"file_path"`
		}
		Of     string `json:"tool_use_id"`
		Failed bool   `json:"is_error"`
	}
	if !bytes.Contains(transcript, []byte(memoryFile+`"`)) {
		return 0
	}
	asked, done := map[string]bool{}, map[string]bool{}
	for line := range bytes.Lines(transcript) {
		var record struct {
			Message struct{ Content json.RawMessage }
		}
		var parts []part
		if json.Unmarshal(line, &record) != nil || json.Unmarshal(record.Message.Content, &parts) != nil {
			continue
		}
		for _, p := range parts {
			switch {
			case p.Type == "tool_use" && p.Name == "Read" && strings.HasSuffix(p.Input.Path, memoryFile):
				asked[p.ID] = true
			case p.Type == "tool_result" && !p.Failed && asked[p.Of]:
				done[p.Of] = true
			}
		}
	}
	return len(done)
}
