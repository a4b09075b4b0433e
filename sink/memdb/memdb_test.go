package memdb_test

import (
	"bytes"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/internal/sink"
	"github.com/memscribe/memscribe/sink/memdb"
	"github.com/memscribe/memscribe/sink/memdb/api"
	"github.com/memscribe/memscribe/sink/memdb/server"
	"github.com/memscribe/memscribe/sink/memdb/store"
	"github.com/memscribe/memscribe/sink/sinktest"
)

func deliver(t testing.TB, k sink.Sink, lines ...sink.Line) {
	t.Helper()
	if err := errors.Join(k.Apply(t.Context(), lines), k.Flush(t.Context())); err != nil {
		t.Fatal(err)
	}
}

// intact wants a database in a folder to be as it was entered, and returns how
// many entries there are.
func intact(t testing.TB, dir string) int64 {
	t.Helper()
	report, err := store.VerifyFile(t.Context(), file(dir), store.VerifyOptions{StateDir: filepath.Join(dir, "state"), Pages: true})
	if err != nil || !report.OK {
		t.Fatalf("verify: %+v, %+v, %v", report, report.Fault, err)
	}
	return report.Length
}

// TestMapping shows what becomes of a node of each kind.
func TestMapping(t *testing.T) {
	head := core.Node{
		Source: core.Codex, Session: "s1", Thread: "agent-1", Seq: 4, Time: core.ParseTime("2026-06-22T10:00:00.5Z"),
		Project: &core.Project{Cwd: "/repo/src", RepoRoot: "/repo"}, Fact: core.Observed,
	}
	node := func(body core.NodeBody) sink.Line {
		n := head
		n.Body = body
		n.ID = n.Name() + ":1"
		return sinktest.Line(&n)
	}
	turns := core.TurnRange{Start: 4, End: 6}
	tests := []struct {
		name string
		body core.NodeBody
		want api.Body
	}{
		{
			"conversation", &core.Conversation{Text: "Never use MySQL.", Speaker: core.User, Turns: turns, Markers: []core.Marker{{Rule: "x", Category: core.Ban}}},
			api.Body{Content: "Never use MySQL.", Tags: []string{"user", "ban"}, EventIDs: []string{"seq:4", "seq:6"}},
		},
		{
			"conversation without content", &core.Conversation{Speaker: core.User, Turns: core.TurnRange{Start: 4, End: 4}},
			api.Body{Content: "(conversation without its content)", Tags: []string{"user"}, EventIDs: []string{"seq:4"}},
		},
		{
			"decision", &core.Decision{
				Epitome: core.Whole("Use Postgres."), Title: core.Title{{Fragment: core.Whole("Which?")}, {Joint: " → ", Fragment: core.Whole("Postgres")}}, Confirmation: "yes", Turns: turns,
				Options: []core.Considered{{Fragment: core.Whole("Postgres"), Chosen: true}, {Fragment: core.Whole("MySQL")}},
			},
			api.Body{
				Content: "Which? → Postgres\ndecided: Use Postgres.\nchosen: Postgres\nconsidered: MySQL\nconfirmed: yes", Tags: []string{"in_force"}, EventIDs: []string{"seq:4", "seq:6"},
			},
		},
		{
			"decision that was taken back", &core.Decision{Epitome: core.Whole("Never."), IsBan: true, SupersededBy: "e9", Turns: turns},
			api.Body{
				Content: "Never.", Tags: []string{"ban", "superseded"}, EventIDs: []string{"seq:4", "seq:6", "e9"}, InvalidAt: "2026-06-22T10:00:00.5Z",
			},
		},
		{
			"decision that is over", &core.Decision{Epitome: core.Whole("Always."), SupersededBy: "decision:2", Turns: turns},
			api.Body{
				Content: "Always.", Tags: []string{"superseded"}, EventIDs: []string{"seq:4", "seq:6", "decision:2"}, SupersededBy: "decision:2",
			},
		},
		{
			"episode", &core.Episode{CallID: "c1", Tool: "Edit", Diff: core.Diff{Path: "/repo/a.go", OldPath: "/repo/b.go", Added: 3, Removed: 1, Change: core.Rename}},
			api.Body{Content: "rename /repo/a.go (+3 −1)\nfrom /repo/b.go", Tags: []string{"rename"}, Paths: []string{"/repo/a.go", "/repo/b.go"}, EventIDs: []string{"c1"}},
		},
		{
			"episode in a memory", &core.Episode{
				CallID: "c1", Tool: "Edit", Diff: core.Diff{Path: "/repo/CLAUDE.md", Added: 1, Change: core.Modify},
				Memory: &core.MemoryAccess{Action: core.MemoryWrite, Store: "file", Key: "/repo/CLAUDE.md"},
			},
			api.Body{
				Content: "modify /repo/CLAUDE.md (+1 −0)", Tags: []string{"modify"}, Paths: []string{"/repo/CLAUDE.md"}, EventIDs: []string{"c1"},
				Action: &api.Action{Kind: api.MemoryWritten, Store: "file", Key: "/repo/CLAUDE.md"},
			},
		},
		{
			"read of a memory", &core.Conversation{
				Text: `{"names":["A"]}`, Speaker: core.Assistant, Turns: turns, Markers: []core.Marker{{Rule: "memory_read", Category: core.Memory}},
				Memory: &core.MemoryAccess{Action: core.MemoryRead, Store: "memory", Key: "A"},
			},
			api.Body{
				Content: `{"names":["A"]}`, Tags: []string{"assistant", "memory"}, EventIDs: []string{"seq:4", "seq:6"},
				Action: &api.Action{Kind: api.MemoryRead, Store: "memory", Key: "A"},
			},
		},
		{
			"binding", &core.Binding{From: "decision:1", To: "episode:1", Relation: core.Produced, Evidence: core.SameArc},
			api.Body{Content: "decision:1 produced episode:1", Tags: []string{"produced", "same_arc"}, ParentIDs: []string{"decision:1", "episode:1"}},
		},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			dir := t.TempDir()
			k, err := openEmbedded(t.Context(), dir)
			if err != nil {
				t.Fatal(err)
			}
			defer k.Close()
			line := node(tc.body)
			deliver(t, k, line)
			want := api.Memory{ID: line.ID, Namespace: "captured", Body: tc.want, Trust: api.Trusted}
			want.Kind, want.Origin, want.Source, want.SessionID, want.ThreadID = line.Kind, api.Internal, "codex", "s1", "agent-1"
			want.Project, want.ValidAt, want.Node = "/repo", "2026-06-22T10:00:00.5Z", line.JSON
			err = each(t.Context(), dir, func(m *api.Memory) {
				m.TransactionAt = ""
				if diff := cmp.Diff(want, *m); diff != "" {
					t.Errorf("(-want +got):\n%s", diff)
				}
			})
			if err != nil {
				t.Error(err)
			}
		})
	}
}

// blind is a scrubber that cannot read what has "unreadable" in it.
type blind struct{}

func (blind) Scrub(_ core.Field, text []byte) ([]byte, []core.Cut, error) {
	if bytes.Contains(text, []byte("unreadable")) {
		return nil, nil, errors.New("too dark")
	}
	return text, nil, nil
}

// TestRefusedForGood delivers, among others, what can never be a memory, and what
// a server cannot search for secrets.
func TestRefusedForGood(t *testing.T) {
	for kind, open := range map[string]func(dir string, log *slog.Logger) (sink.Sink, error){
		"embedded": func(dir string, log *slog.Logger) (sink.Sink, error) {
			return memdb.OpenEmbedded(t.Context(), memdb.EmbeddedOptions{Path: file(dir), Namespace: "captured", Store: storeOptions(dir), Log: log})
		},
		"remote": func(dir string, log *slog.Logger) (sink.Sink, error) {
			o := storeOptions(dir)
			o.Scrubber = blind{}
			memories, err := store.Open(t.Context(), file(dir), o)
			if err != nil {
				return nil, err
			}
			h := httptest.NewServer(server.New(server.Options{Store: memories, Version: "test", Own: own(dir), Log: silent(), Now: time.Now, Random: rand.Reader}))
			r, err := remote(t.Context(), h.URL, dir, func(o *memdb.RemoteOptions) {
				o.Patience, o.Log, o.Dir = time.Minute, log, dir
			})
			return &served{r, func() error { h.Close(); return memories.Close() }}, err
		},
	} {
		t.Run(kind, func(t *testing.T) {
			dir := t.TempDir()
			refused := []string{"longer than 512"}
			if kind == "remote" { // what an embedded store gets has been redacted before
				refused = append(refused, "too dark")
			}
			var said bytes.Buffer
			for range 2 {
				k, err := open(dir, slog.New(slog.NewTextHandler(&said, nil)))
				if err != nil {
					t.Fatal(err)
				}
				lines := sinktest.NewMaker(3).Take(50)
				bad := lines[20]
				bad.ID = "unreadable"
				bad.JSON = bytes.Replace(bad.JSON, []byte(`"id":"`+lines[20].ID+`"`), []byte(`"id":"unreadable"`), 1)
				long := lines[21]
				long.ID = strings.Repeat("x", 600)
				long.JSON = bytes.Replace(long.JSON, []byte(`"id":"`+lines[21].ID+`"`), []byte(`"id":"`+long.ID+`"`), 1)
				deliver(t, k, slices.Insert(lines, 10, bad, long)...)
				if err := k.Close(); err != nil {
					t.Fatal(err)
				}
			}
			got, err := nodes(t.Context(), dir)
			if err != nil || len(got) != 52-len(refused) {
				t.Errorf("%d of 52 were taken, %d refused, %v", len(got), len(refused), err)
			}
			letters, err := os.ReadFile(filepath.Join(dir, "memdb.dead.ndjson"))
			if err != nil || bytes.Count(letters, []byte("\n")) != len(refused) {
				t.Errorf("dead letters: %s, %v", letters, err)
			}
			for _, reason := range refused {
				if !bytes.Contains(letters, []byte(reason)) {
					t.Errorf("no letter says %q: %s", reason, letters)
				}
			}
			if !strings.Contains(said.String(), "memory is refused") || !strings.Contains(said.String(), fmt.Sprint("count=", len(refused))) {
				t.Errorf("said: %s", said.String())
			}
			intact(t, dir)
		})
	}
}
