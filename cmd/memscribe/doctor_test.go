package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/memscribe/memscribe/cmd/memscribe/internal/cli"
	"github.com/memscribe/memscribe/internal/app/doctor"
	"github.com/memscribe/memscribe/sink/memdb/api"
	"github.com/memscribe/memscribe/sink/memdb/spool"
)

// put writes a file below the home folder, as if at some time.
func (w *owner) put(t *testing.T, name, text string, at time.Time) {
	t.Helper()
	name = filepath.Join(w.home, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Chtimes(name, at, at); err != nil {
		t.Fatal(err)
	}
}

// findings are those of doctor in one check, told to its schema.
func (w *owner) findings(t *testing.T, code int, check string) (found []doctor.Finding) {
	t.Helper()
	out, _ := w.run(t, code, "doctor", "--json")
	conforms(t, "doctor.v1.json", out)
	var c doctor.Report
	if err := json.Unmarshal([]byte(out), &c); err != nil {
		t.Fatal(err)
	}
	return slices.DeleteFunc(c.Findings, func(f doctor.Finding) bool { return f.Check != check })
}

func november(day int) time.Time { return time.Date(2026, 11, day, 12, 0, 0, 0, time.UTC) }

// TestCompressionClock has doctor say when Codex compresses which transcript.
func TestCompressionClock(t *testing.T) {
	const rollout = ".codex/sessions/2026/11/01/rollout-2026-11-01T10-00-00-0199aaaa-0000-7000-8000-00000000000"
	for _, tt := range []struct {
		name, settings string
		packed         bool
		written        int
		says           string
	}{
		{"not known", "", false, 10, "codex has compressed no transcripts"},
		{"seen", "", true, 16, "after 7 days without a write: 1 are .zst, the next has 3 days left"},
		{"due", "", true, 10, "the next is due"},
		{"switched on", "[features]\nlocal_thread_store_compression = true\n", false, 19, "(its config.toml): none yet, the next has 6 days left"},
		{"switched off", "[features]\nlocal_thread_store_compression = false\n", false, 10, "compresses no transcripts: local_thread_store_compression is off"},
		{"settings that cannot be read", "[features\n", false, 10, "codex has compressed no transcripts"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			w := &owner{home: t.TempDir(), now: november(20)}
			w.put(t, rollout+"1.jsonl", "{}\n", november(tt.written))
			if tt.packed {
				w.put(t, rollout+"2.jsonl.zst", "", november(1))
			}
			if tt.settings != "" {
				w.put(t, ".codex/config.toml", tt.settings, november(1))
			}
			found := w.findings(t, cli.ExitDone, "compression")
			if len(found) != 1 || !strings.Contains(found[0].Finding, tt.says) {
				t.Errorf("got %+v", found)
			}
		})
	}
}

// TestWaiting has doctor say what has not reached a MemDB.
func TestWaiting(t *testing.T) {
	w := &owner{home: t.TempDir(), now: november(20)}
	if found := w.findings(t, cli.ExitDone, "waiting"); len(found) > 0 {
		t.Errorf("without MemDB: %+v", found)
	}
	dir := filepath.Join(w.home, ".local/state/memscribe/memdb-0123456789abcdef")
	s, err := spool.Open(t.Context(), filepath.Join(dir, "memdb.spool"))
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if found := w.findings(t, cli.ExitDone, "waiting"); len(found) != 1 || found[0].Level != doctor.OK {
		t.Errorf("with an empty spool: %+v", found)
	}
	if err := s.Put(t.Context(), []api.MemoryWrite{{ID: "a"}, {ID: "b"}}); err != nil {
		t.Fatal(err)
	}
	w.put(t, ".local/state/memscribe/memdb-0123456789abcdef/memdb.dead.ndjson", "{}\n{}\n{}\n", w.now)
	w.put(t, ".local/share/memscribe/memdb.dead.ndjson", "{}\n", w.now)
	found := w.findings(t, cli.ExitDone, "waiting")
	var said []string
	for _, f := range found {
		if f.Level != doctor.Doubt || f.Advice == "" {
			t.Errorf("got %+v", f)
		}
		said = append(said, f.Finding[:len("2 memories w")])
	}
	if want := []string{"2 memories w", "3 memories w", "1 memories w"}; !slices.Equal(said, want) {
		t.Errorf("got %v", found)
	}
	w.put(t, ".local/state/memscribe/memdb-00/memdb.spool", "nonsense", w.now)
	if found := w.findings(t, cli.ExitFound, "waiting"); found[0].Level != doctor.Wrong {
		t.Errorf("with a spool that is none: %+v", found)
	}
}

// TestConversationsOfDatabases has doctor count what a database lists.
func TestConversationsOfDatabases(t *testing.T) {
	w := &owner{home: t.TempDir(), now: november(20)}
	homes, err := filepath.Glob("../../../shared/transcripts/opencode/1.18.33/*/home")
	if err != nil || len(homes) == 0 {
		t.Skip("no recordings of OpenCode's database beside the repository")
	}
	if err := os.CopyFS(w.home, os.DirFS(homes[0])); err != nil {
		t.Fatal(err)
	}
	out, _ := w.run(t, cli.ExitDone, "doctor", "--json")
	var c doctor.Report
	if err := json.Unmarshal([]byte(out), &c); err != nil {
		t.Fatal(err)
	}
	for _, s := range c.Stores {
		if s.Tool == "opencode" && s.Conversations > 0 && s.NewestFile != "" {
			return
		}
	}
	t.Errorf("no conversations in %s", out)
}
