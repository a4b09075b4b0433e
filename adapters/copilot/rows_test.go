package copilot_test

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/memscribe/memscribe/adapters/copilot"
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/pipeline"
	"github.com/memscribe/memscribe/internal/verify/trial"
	"github.com/memscribe/memscribe/io/discover"
	"github.com/memscribe/memscribe/io/store"
	"github.com/memscribe/memscribe/testkit/adaptertest"
)

// tables are those of the client's schema that are read (recorded 1.0.102).
const tables = `
CREATE TABLE sessions (id TEXT PRIMARY KEY, cwd TEXT, repository TEXT, host_type TEXT, branch TEXT, summary TEXT, created_at TEXT, updated_at TEXT);
CREATE TABLE turns (id INTEGER PRIMARY KEY AUTOINCREMENT, session_id TEXT NOT NULL, turn_index INTEGER NOT NULL, user_message TEXT,
  assistant_response TEXT, timestamp TEXT DEFAULT (datetime('now')), UNIQUE(session_id, turn_index));
CREATE TABLE checkpoints (id INTEGER PRIMARY KEY AUTOINCREMENT, session_id TEXT NOT NULL, checkpoint_number INTEGER NOT NULL, title TEXT,
  overview TEXT, history TEXT, work_done TEXT, technical_details TEXT, important_files TEXT, next_steps TEXT, created_at TEXT);
CREATE TABLE session_files (id INTEGER PRIMARY KEY AUTOINCREMENT, session_id TEXT NOT NULL, file_path TEXT NOT NULL, tool_name TEXT,
  turn_index INTEGER, first_seen_at TEXT);
CREATE TABLE assistant_usage_events (id INTEGER PRIMARY KEY AUTOINCREMENT, session_id TEXT NOT NULL, turn_index INTEGER, agent_id TEXT,
  parent_tool_call_id TEXT, model TEXT NOT NULL, input_tokens INTEGER, output_tokens INTEGER, cache_read_tokens INTEGER,
  cache_write_tokens INTEGER, created_at TEXT);
`

func TestDatabase(t *testing.T) {
	got := adaptertest.Database(t, copilot.Adapter{}, ".copilot/session-store.db", tables+`
INSERT INTO sessions VALUES ('s', '/w', 'o/r', 'github', 'main', 'one', '2026-11-21T01:34:39.595Z', '2026-11-21T01:34:46.803Z'), ('empty', '/w', NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO turns (session_id, turn_index, user_message, assistant_response, timestamp) VALUES
 ('s', 1, 'two', NULL, '2026-11-21 01:34:41'), ('s', 0, 'one', 'eins', '2026-11-21T01:34:40.000Z'), ('lost', 0, NULL, 'null', '2026-11-21T01:34:40.000Z');
INSERT INTO checkpoints (session_id, checkpoint_number, title) VALUES ('s', 1, 'a');
INSERT INTO session_files (session_id, file_path, tool_name, turn_index) VALUES ('s', '/w/a', 'edit', 0);
INSERT INTO assistant_usage_events (session_id, model, input_tokens, output_tokens) VALUES ('s', 'm', 1, 2);
`)
	want := `# empty
start empty /w 
# lost
says "null" thinking ""
# s
start s /w 
user "one"
says "eins" thinking ""
user "two"
`
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("events (-want +got):\n%s", diff)
	}
}

// rows are some of the database's, as the adapter gets them.
const rows = `{"table":"session","key":"s","session_id":"s","cwd":"/w","branch":"main","created_at":"2026-11-21T01:34:39.595Z"}
{"table":"turn","key":"7","session_id":"s","turn_index":3,"user_message":"a","assistant_response":"b","timestamp":"2026-11-21 01:34:41"}
{"table":"usage","key":"8","session_id":"s","agent_id":"x","model":"m","input_tokens":5,"output_tokens":2,"cache_read_tokens":3,"cache_write_tokens":1,"created_at":"2026-11-21T01:34:40.5Z"}
{"table":"turn","key":"9","session_id":"s","turn_index":4}
{"table":"file","key":"1","session_id":"s","file_path":"/w/a","first_seen_at":"2026-11-21T01:34:42Z"}
`

// TestRows reads rows for what each event carries.
func TestRows(t *testing.T) {
	want := []string{
		"s:session:s  2026-11-21T01:34:39.595Z start /w main",
		"s:turn:3  2026-11-21T01:34:41Z turn a",
		"s:turn:3:response s:turn:3 2026-11-21T01:34:41Z said b",
		"s:usage:8  2026-11-21T01:34:40.5Z x: said  [5 2 3 1]",
		"s:turn:4  2026-11-21T01:34:40.5Z known turn", // its time is that of the row before
		"s:file:1  2026-11-21T01:34:42Z known file",
	}
	var got []string
	nodes, _ := capture(t, "/h/.copilot/session-store.db", []byte(rows), func(ev *core.Event) {
		got = append(got, fmt.Sprintf("%s %s %s %s", ev.ID, ev.ParentID, ev.Time, adaptertest.Summary(ev)))
		if !ev.Echo || ev.Session != "s" {
			t.Errorf("of session %q, echo %t: %s", ev.Session, ev.Echo, adaptertest.Summary(ev))
		}
	})
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("events (-want +got):\n%s", diff)
	}
	if len(nodes) > 0 {
		t.Errorf("%d nodes of echoes", len(nodes))
	}
}

// TestAnswerComesLater: what the prompt's event is does not change when the answer
// comes into its row.
func TestAnswerComesLater(t *testing.T) {
	ids := func(row string) (all []string) {
		capture(t, "/h/.copilot/session-store.db", []byte(row), func(ev *core.Event) { all = append(all, ev.ID) })
		return all
	}
	const row = `{"table":"turn","key":"1","session_id":"s","turn_index":0,"user_message":"a"`
	before, after := ids(row+"}"), ids(row+`,"assistant_response":"b"}`)
	if len(before) != 1 || len(after) != 2 || before[0] != after[0] {
		t.Errorf("ids %q, then %q", before, after)
	}
}

// TestDatabaseIsFound: on every system, and where the variable says.
func TestDatabaseIsFound(t *testing.T) {
	for _, system := range []string{"linux", "darwin", "windows"} {
		for moved, dir := range map[string]string{"": "/home/dev/.copilot", "/c": "/c"} {
			roots := discover.Roots([]core.Adapter{copilot.Adapter{}}, discover.Env{
				OS: system, Home: filepath.FromSlash("/home/dev"), Getenv: func(name string) string {
					if name == "COPILOT_HOME" {
						return filepath.FromSlash(moved)
					}
					return ""
				},
			})
			for name, want := range map[string]bool{"session-store.db": true, "session-store.db-wal": false, "session-state/session-store.db": false} {
				got := slices.ContainsFunc(roots, func(r discover.Root) bool { return filepath.ToSlash(r.Dir) == dir && r.Holds(name) })
				if got != want {
					t.Errorf("%s, COPILOT_HOME=%s: %s/%s is looked at: %t", system, moved, dir, name, got)
				}
			}
		}
	}
}

// TestDatabaseIsNobodyElses: tables that are like it are not taken for it.
func TestDatabaseIsNobodyElses(t *testing.T) {
	for _, s := range []core.Schema{
		nil,
		{"sessions": {"id", "cwd", "created_at", "updated_at"}},
		{"sessions": {"id", "cwd", "created_at", "updated_at"}, "turns": {"id", "session_id", "role", "content"}},
	} {
		if _, fit := (copilot.Adapter{}).Layout("/h/.copilot/session-store.db", s); fit != core.NoFit {
			t.Errorf("fit %d of %v", fit, s)
		}
	}
}

// recordedHome is what a client left: its logs, and its database.
type recordedHome struct {
	name      string
	logs, all []trial.Input
}

func recordedHomes(t *testing.T) (homes []recordedHome) {
	t.Helper()
	root := adaptertest.Shared(t, "transcripts/copilot")
	for _, path := range adaptertest.Files(t, root, adaptertest.Ending("/home/.copilot/session-store.db")) {
		h := recordedHome{name: filepath.ToSlash(path)}
		for _, log := range adaptertest.Files(t, filepath.Dir(path), adaptertest.Ending("/events.jsonl")) {
			h.logs = append(h.logs, trial.Input{
				Adapter: copilot.Adapter{}, Path: filepath.ToSlash(log), Name: filepath.ToSlash(log), Data: adaptertest.Read(t, log),
				Sidecars: discover.Info(copilot.Adapter{}, log, log).Sidecars,
			})
		}
		h.all = slices.Clone(h.logs)
		if err := trial.ReadDatabase(path, copilot.Adapter{}, func(c store.Conversation) {
			in := trial.Input{Adapter: copilot.Adapter{}, Path: filepath.ToSlash(path), Name: filepath.ToSlash(path)}
			for _, r := range c.Rows {
				in.At, in.Data = append(in.At, r.At), append(append(in.Data, r.JSON...), '\n')
			}
			h.all = append(h.all, in)
		}); err != nil {
			t.Fatal(err)
		}
		homes = append(homes, h)
	}
	if len(homes) == 0 {
		t.Fatal("no databases")
	}
	return homes
}

// TestRecordedDatabases holds the database of each recorded home to the log beside
// it: no node comes of it, each prompt and answer of the log stands in it, the sum
// of the tokens is the same, and nothing of it is unknown.
func TestRecordedDatabases(t *testing.T) {
	turns := 0
	for _, h := range recordedHomes(t) {
		alone, err := trial.Whole(h.logs, nil)
		if err != nil {
			t.Fatal(err)
		}
		both, err := trial.Whole(h.all, nil)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(written(alone), written(both)); diff != "" {
			t.Errorf("%s: nodes without and with the database:\n%s", h.name, diff)
		}
		log, rows := said(alone.Events(), false), said(both.Events(), true)
		if len(h.all) != len(h.logs)+1 || len(rows.ids) != 1 || !slices.Equal(rows.ids, log.ids) {
			t.Errorf("%s: the database has %q, the logs %q", h.name, rows.ids, log.ids)
		}
		for _, prompt := range log.prompts {
			if len(rows.prompts) > 0 && !slices.Contains(rows.prompts, prompt) {
				t.Errorf("%s: not in the database: %q", h.name, prompt)
			}
		}
		for _, answer := range rows.answers {
			if !strings.Contains(h.name, "rewind") && !slices.Contains(log.answers, answer) {
				t.Errorf("%s: only in the database: %q", h.name, answer)
			}
		}
		if !strings.Contains(h.name, "rewind") && rows.tokens != log.tokens {
			t.Errorf("%s: tokens %+v, in the log %+v", h.name, rows.tokens, log.tokens)
		}
		turns += len(rows.prompts)
		for _, s := range both.Streams[len(h.logs):] {
			if s.Variant != "database" || len(s.Stats.Unseen)+len(s.Stats.Unknown) > 0 {
				t.Errorf("%s: variant %q, unseen %v, unknown %v", h.name, s.Variant, s.Stats.Unseen, s.Stats.Unknown)
			}
		}
	}
	if turns == 0 {
		t.Error("there are no turns")
	}
}

func written(r *trial.Result) (all []string) {
	for _, n := range r.Nodes {
		all = append(all, string(n.JSON))
	}
	return all
}

// told is what was said in a session.
type told struct {
	ids, prompts, answers []string
	tokens                trial.Usage
}

func said(events []*trial.Event, echo bool) (s told) {
	for _, e := range events {
		if e.Echo != echo {
			continue
		}
		if !slices.Contains(s.ids, e.SessionID) {
			s.ids = append(s.ids, e.SessionID)
		}
		switch {
		case e.Event == "user_turn" && !e.Injected:
			s.prompts = append(s.prompts, e.Body.Text)
		case e.Event == "assistant_turn" && e.Body.Text != "":
			s.answers = append(s.answers, e.Body.Text)
		}
		if u := e.Body.Usage; u != nil {
			s.tokens.Input += u.Input
			s.tokens.Output += u.Output
			s.tokens.CacheRead += u.CacheRead
		}
	}
	return s
}

// TestRewoundTurns: a rewind takes turns away from the log. With echoes they are
// there.
func TestRewoundTurns(t *testing.T) {
	const taken = "Also add Oracle support while you are at it."
	found := false
	for _, h := range recordedHomes(t) {
		if !strings.Contains(h.name, "rewind_compaction") {
			continue
		}
		for _, echoes := range []bool{false, true} {
			set, err := pipeline.NewSet(pipeline.Options{Echoes: echoes})
			if err != nil {
				t.Fatal(err)
			}
			for _, in := range h.all {
				st := set.Open(in.Adapter, in.Info(), in.Name)
				adaptertest.Lines(in.Adapter, in.Path, in.Data, st.Line)
				st.Close()
			}
			has := slices.ContainsFunc(set.Take(), func(n *core.Node) bool {
				c, ok := n.Body.(*core.Conversation)
				return ok && c.Speaker == core.User && c.Text == taken
			})
			if has != echoes {
				t.Errorf("with echoes %t the turn is there: %t", echoes, has)
			}
			found = true
		}
	}
	if !found {
		t.Error("no rewind was recorded")
	}
}
