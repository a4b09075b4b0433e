package main

import (
	"bytes"
	"database/sql"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/memscribe/memscribe/cmd/memscribe/internal/cli"
	"github.com/memscribe/memscribe/internal/annotate"
	"github.com/memscribe/memscribe/internal/app/forgetting"
	"github.com/memscribe/memscribe/internal/nodedb"
	"github.com/memscribe/memscribe/sink/memdb/api"
	"github.com/memscribe/memscribe/sink/memdb/spool"
)

// Words that stand in what is forgotten and nowhere else.
const (
	canaryWord = "zanzibarium" // said, decided, edited, noted
	canaryDir  = "quagmiretown"
)

// forgetful is a home in which every store has a session of a project with the canary,
// and one of another.
func forgetful(t *testing.T) *owner {
	t.Helper()
	w := &owner{home: t.TempDir(), now: time.Date(2026, 8, 2, 9, 0, 0, 0, time.UTC)}
	w.sessions(t, "2026-07-30")
	w.secret(t)
	w.run(t, cli.ExitDone, "watch", "--once")
	w.run(t, cli.ExitDone, "watch", "--once", "--sink", "ndjson", "--out", w.data("nodes.ndjson"))
	w.run(t, cli.ExitDone, "watch", "--once", "--sink", "memdb")
	w.run(t, cli.ExitDone, "hook", "--tool", "claude_code",
		`{"session_id":"5e550009-0000-4000-8000-000000000000","hook_event_name":"UserPromptSubmit","cwd":"/w/`+canaryDir+`","prompt":"`+canaryWord+`"}`)
	w.run(t, cli.ExitDone, "hook", "--tool", "claude_code", `{"session_id":"other","hook_event_name":"UserPromptSubmit","cwd":"/w","prompt":"stay"}`)
	w.run(t, cli.ExitDone, "note", "--by", "Ada", w.decisionOf(t), canaryWord, "it is")
	w.run(t, cli.ExitDone, "add", "--by", "Ada", "--project", "/w/"+canaryDir, canaryWord, "forever")
	// What waits for a server of MemDB.
	lines, err := os.ReadFile(w.data("nodes.ndjson"))
	if err != nil {
		t.Fatal(err)
	}
	s, err := spool.Open(t.Context(), w.state("memdb-1", "memdb.spool"))
	if err != nil {
		t.Fatal(err)
	}
	for line := range bytes.Lines(lines) {
		var node struct{ ID string }
		if err := json.Unmarshal(line, &node); err != nil {
			t.Fatal(err)
		}
		m := api.MemoryWrite{ID: node.ID, Body: api.Body{Kind: "node", Content: string(line), Node: bytes.TrimSpace(line)}}
		if err := s.Put(t.Context(), []api.MemoryWrite{m}); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	return w
}

// secret puts a session with the canary into the home folder.
func (w *owner) secret(t *testing.T) {
	t.Helper()
	session, err := os.ReadFile("testdata/session.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	text := strings.NewReplacer("5e550001-", "5e550009-", "aaaaaaaa-", "bbbbbbbb-", "toolu_", "toolu_9", "req_", "req_9", "msg_", "msg_9",
		`"/w"`, `"/w/`+canaryDir+`"`, "/w/orders.js", "/w/"+canaryDir+"/orders.js", "orders store", canaryWord+" store", "postgres", canaryWord).Replace(string(session))
	w.write(t, filepath.Join(w.home, ".claude", "projects", "-w-"+canaryDir, "s.jsonl"), text)
}

func (w *owner) data(name ...string) string {
	return filepath.Join(append([]string{w.home, ".local/share/memscribe"}, name...)...)
}

func (w *owner) state(name ...string) string {
	return filepath.Join(append([]string{w.home, ".local/state/memscribe"}, name...)...)
}

// decisionOf is the decision with the canary.
func (w *owner) decisionOf(t *testing.T) string {
	t.Helper()
	out, _ := w.run(t, cli.ExitDone, "query", "decisions", "--project", canaryDir, "--ndjson")
	for line := range strings.Lines(out) {
		var n struct{ ID, Source string }
		if err := json.Unmarshal([]byte(line), &n); err != nil {
			t.Fatal(err)
		}
		if n.Source != "person" {
			return n.ID
		}
	}
	t.Fatal("there is no decision with the canary")
	return ""
}

// holding are the files of the program that have some bytes.
func (w *owner) holding(t *testing.T, words ...string) (names []string) {
	t.Helper()
	for _, dir := range []string{w.data(), w.state()} {
		err := filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			data, err := os.ReadFile(name)
			for _, word := range words {
				if bytes.Contains(data, []byte(word)) && !slices.Contains(names, name) {
					names = append(names, name)
				}
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return names
}

// TestForget has a project, a session and what is old forgotten: their bytes are in no file
// of the program, and reading everything again, into a new database too, does not bring
// them back. What is not named stays.
func TestForget(t *testing.T) {
	for name, of := range map[string][]string{
		"project": {"--project", canaryDir},
		"folder":  {"--project", "/w/" + canaryDir},
		"both":    {"--project", canaryDir, "--before", "2026-08-03"},
	} {
		t.Run(name, func(t *testing.T) {
			w := forgetful(t)
			if n := len(w.holding(t, canaryWord)); n < 6 {
				t.Fatalf("the canary is in %d files: %q", n, w.holding(t, canaryWord))
			}
			before := w.kept(t)
			out, _ := w.run(t, cli.ExitDone, append([]string{"forget", "--dry-run", "--json"}, of...)...)
			would := reported(t, out)
			if got := w.kept(t); got["all"] != before["all"] || !would.DryRun || len(w.holding(t, "forgotten-")) > 0 {
				t.Errorf("a dry run leaves %v of %v", got, before)
			}
			w.run(t, cli.ExitUsage, append([]string{"forget"}, of...)...)
			out, _ = w.run(t, cli.ExitDone, append([]string{"forget", "--yes", "--json"}, of...)...)
			did := reported(t, out)
			for i, s := range did.Stores {
				if s.Removed != would.Stores[i].Removed || s.Removed == 0 && s.Store != "checkpoints" {
					t.Errorf("%s %s: %d went, %d would (%s)", s.Store, s.Path, s.Removed, would.Stores[i].Removed, s.Error)
				}
			}
			w.isGone(t)
		})
	}
}

// isGone holds a home to what forgetting promises.
func (w *owner) isGone(t *testing.T) {
	t.Helper()
	if names := w.holding(t, canaryWord, canaryDir); len(names) > 0 {
		t.Errorf("the canary is still in %q", names)
	}
	if got := w.kept(t)["decision"]; got != 1 {
		t.Errorf("%d decisions stay, want that of the other project", got)
	}
	w.run(t, cli.ExitDone, "watch", "--once")
	w.run(t, cli.ExitDone, "watch", "--once", "--sink", "ndjson", "--out", w.data("nodes.ndjson"))
	w.run(t, cli.ExitDone, "watch", "--once", "--sink", "memdb")
	w.run(t, cli.ExitDone, "replay", "--sink", "sqlite", "--out", w.data("new.db"))
	out, _ := w.run(t, cli.ExitDone, "replay")
	if names := w.holding(t, canaryWord); len(names) > 0 || strings.Contains(out, canaryWord) {
		t.Errorf("the canary is back in %q", names)
	}
	if !strings.Contains(out, "orders store") {
		t.Error("what was not named is gone from a replay")
	}
}

func reported(t *testing.T, out string) (r forgetting.Report) {
	t.Helper()
	if err := json.Unmarshal([]byte(out), &r); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return r
}

// TestForgetSession forgets a session: what was added by hand to its project stays.
func TestForgetSession(t *testing.T) {
	w := forgetful(t)
	w.run(t, cli.ExitDone, "forget", "--yes", "--session", "5e550009")
	all, err := annotate.Read(w.data("nodes.annotations.ndjson"))
	if err != nil || len(all) != 1 || all[0].Kind != annotate.Add {
		t.Fatalf("annotations are %+v, %v", all, err)
	}
	w.run(t, cli.ExitDone, "forget", "--yes", "--node", all[0].Node)
	w.isGone(t)
	out, _ := w.run(t, cli.ExitDone, "forget", "--list", "--json")
	if strings.Count(out, `"schema":"memscribe.forgotten/v1"`) != 2 || strings.Contains(out, "5e550009") {
		t.Errorf("tombstones are %s", out)
	}
}

// TestForgetNode forgets a decision: with it go the message and the conversation that have
// its words, and the edit stays.
func TestForgetNode(t *testing.T) {
	w := forgetful(t)
	was := w.kept(t)
	w.run(t, cli.ExitDone, "forget", "--yes", "--node", w.decisionOf(t))
	w.run(t, cli.ExitDone, "watch", "--once")
	got := w.kept(t)
	if got["decision"] != was["decision"]-1 || got["episode"] != was["episode"] || got["conversation"] != was["conversation"]-1 {
		t.Errorf("kept is %v, was %v", got, was)
	}
	if names := w.holding(t, canaryWord+" store"); len(names) > 0 {
		t.Errorf("its words are still in %q", names)
	}
}

// TestForgetHeld forgets while another process reads a database: that is said, with exit
// code 1, and once the reader is gone the command leaves nothing behind.
func TestForgetHeld(t *testing.T) {
	for file, query := range map[string]string{"nodes.db": "SELECT count(*) FROM nodes", "memories.db": "SELECT count(*) FROM memories"} {
		t.Run(file, func(t *testing.T) {
			w := forgetful(t)
			db, err := sql.Open("sqlite", "file:"+filepath.ToSlash(w.data(file)))
			if err != nil {
				t.Fatal(err)
			}
			defer db.Close()
			reader, err := db.BeginTx(t.Context(), nil)
			if err == nil {
				_, err = reader.ExecContext(t.Context(), query)
			}
			if err != nil {
				t.Fatal(err)
			}
			out, stderr := w.run(t, cli.ExitIncomplete, "forget", "--yes", "--project", canaryDir)
			if !strings.Contains(out+stderr, "another process keeps the log") {
				t.Errorf("nothing is said of the reader: %s%s", out, stderr)
			}
			if err := errors.Join(reader.Rollback(), db.Close()); err != nil {
				t.Fatal(err)
			}
			w.run(t, cli.ExitDone, "forget", "--yes", "--project", "/w/"+canaryDir)
			w.isGone(t)
		})
	}
}

// TestForgetUndone takes a tombstone away: what transcripts still have comes again.
func TestForgetUndone(t *testing.T) {
	w := forgetful(t)
	was := w.kept(t)
	out, _ := w.run(t, cli.ExitDone, "forget", "--yes", "--json", "--session", "5e550009")
	w.run(t, cli.ExitUsage, "forget", "--undo", "forgotten-none")
	w.run(t, cli.ExitDone, "forget", "--undo", reported(t, out).Tombstone)
	w.run(t, cli.ExitDone, "replay", "--sink", "sqlite")
	if got := w.kept(t); got["all"] != was["all"] {
		t.Errorf("kept is %v, was %v", got, was)
	}
}

// TestForgetOlder forgets what is older than a day: what is newer stays.
func TestForgetOlder(t *testing.T) {
	w := forgetful(t)
	w.run(t, cli.ExitDone, "forget", "--yes", "--before", "2026-08-01")
	r, err := nodedb.Open(t.Context(), w.data("nodes.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	err = r.Each(t.Context(), func(id string, node []byte) error {
		if bytes.Contains(node, []byte(`"timestamp":"2026-07`)) {
			t.Errorf("%s is still there", id)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if got := w.kept(t); got["decision"] == 0 {
		t.Error("what is newer is gone")
	}
}
