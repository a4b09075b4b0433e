package testkit_test

import (
	"bytes"
	"cmp"
	"encoding/json"
	"maps"
	"os"
	"path"
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/memscribe/memscribe/adapters"
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/internal/verify/trial"
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
		for _, n := range whole(t, []trial.Input{{Adapter: a, Path: name, Name: name, Data: data}}).NodesOf("conversation") {
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

// TestMemoriesOfServers holds the memories that agents had servers keep to what
// the servers do keep: each was written by a call that succeeded, and what a later
// session reads is traced to such a write of an earlier one.
func TestMemoriesOfServers(t *testing.T) { each(t, fixtures, checkMemories) }

// TestMemoriesOfRecorded does the same with what was recorded elsewhere.
func TestMemoriesOfRecorded(t *testing.T) { each(t, recorded(), checkMemories) }

func checkMemories(t *testing.T, s *session) {
	if s.Truth == nil || s.Base() != "memory_servers" {
		return // it has no servers that keep memories
	}
	written, read := map[string]*access{}, 0
	for _, a := range accesses(t, s.result) {
		first := written[a.at()]
		switch {
		case a.Memory.Action == "memory_write" && first == nil:
			written[a.at()] = a
		case a.Memory.Action == "memory_read" && a.Memory.Key != "":
			read++
			if first == nil || first.SessionID == a.SessionID {
				t.Errorf("no earlier session has planted %s", a.at())
			}
		}
	}
	for name, content := range s.Truth.Stores {
		for _, kept := range keptIn(t, name, content) {
			// Codex since about 0.140, and Copilot CLI 1.0.66 to 1.0.102, take the answers of that server for none, though it has done what it was asked.
			mistakes := s.Tool == core.Codex && !s.Before("0.140") || s.Tool == core.Copilot && !s.Before("1.0.66")
			if saidToFail := mistakes && strings.HasPrefix(kept, "memory-bank "); (written[kept] == nil) != saidToFail {
				t.Errorf("that %s is written is %t", kept, saidToFail)
			}
		}
	}
	// Before 0.130 Codex wrote down what a server said, and not whether it was an error.
	if unsaid := s.Tool == core.Codex && s.Before("0.130"); written["memory Redis"] != nil && !unsaid {
		t.Error("what the server refused is written")
	}
	if len(s.Truth.Stores) == 0 || read == 0 {
		t.Errorf("%d stores, %d reads", len(s.Truth.Stores), read)
	}
}

// TestMemoriesInFiles traces what a later session reads out of the files that
// agents are given, and out of the folder that the tool keeps for them, to the edits
// of an earlier one.
func TestMemoriesInFiles(t *testing.T) {
	each(t, fixtures, func(t *testing.T, s *session) {
		if s.Base() != "memory_files" {
			return
		}
		written, traced := map[string]*access{}, map[string]bool{}
		for _, a := range accesses(t, s.result) {
			first := written[a.at()]
			switch {
			case a.Memory.Action == "memory_write" && first == nil:
				written[a.at()] = a
			case a.Memory.Action == "memory_read" && first != nil && first.SessionID != a.SessionID:
				traced[path.Base(a.Memory.Key)] = true
			}
		}
		want := []string{"AGENTS.md", "CLAUDE.md", "tables.md"}
		if s.Tool == core.Gemini && s.Before("0.61") || s.Tool == core.Qwen && s.Before("0.24") {
			want = want[:2] // it has no such folder, but a tool
			if written["memory "] == nil {
				t.Error("nobody has saved a memory")
			}
		}
		if diff := gocmp.Diff(want, slices.Sorted(maps.Keys(traced))); diff != "" {
			t.Errorf("traced (-want +got):\n%s", diff)
		}
	})
}

// access is a node of a memory.
type access struct {
	SessionID string `json:"session_id"`
	Timestamp string
	Memory    struct{ Action, Store, Key string }
}

func (a *access) at() string { return a.Memory.Store + " " + a.Memory.Key }

// accesses are what agents did to memories, in the order of time.
func accesses(t *testing.T, r *trial.Result) []*access {
	t.Helper()
	var all []*access
	for _, n := range slices.Concat(r.NodesOf("conversation"), r.NodesOf("episode")) {
		a := new(access)
		if err := json.Unmarshal(n.JSON, a); err != nil {
			t.Fatal(err)
		}
		if a.Memory.Action != "" {
			all = append(all, a)
		}
	}
	slices.SortStableFunc(all, func(a, b *access) int { return cmp.Compare(a.Timestamp, b.Timestamp) })
	return all
}

// keptIn lists the memories in a file of a server's store.
func keptIn(t *testing.T, name, content string) []string {
	t.Helper()
	store, rest, _ := strings.Cut(name, "/")
	if !strings.HasSuffix(rest, ".jsonl") {
		return []string{store + " " + rest}
	}
	var all []string
	for line := range strings.Lines(content) {
		var kept struct{ Type, Name string }
		if err := json.Unmarshal([]byte(line), &kept); err != nil {
			t.Fatal(err)
		}
		if kept.Type == "entity" {
			all = append(all, store+" "+kept.Name)
		}
	}
	return all
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
