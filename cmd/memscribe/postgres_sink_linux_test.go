package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"github.com/memscribe/memscribe/testkit/postgres"
)

// TestReplayIntoPostgres replays transcripts into a PostgreSQL twice, as two people
// would. Each node is there once, just as in the lines of a replay, and the password of
// the URL stands in no file and no message.
func TestReplayIntoPostgres(t *testing.T) {
	const password = "never-told-2"
	database := postgres.Start(t)
	dsn := strings.Replace(database.Database(), "postgres@", "postgres:"+password+"@", 1)
	w := &world{t: t, dir: t.TempDir()}
	root := filepath.Join(w.dir, "r")
	for i, text := range transcripts(t)[:6] {
		name := filepath.Join(root, string(rune('a'+i)), "s.jsonl")
		if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want := w.run("replay", root)
	for _, args := range [][]string{{"--sink", "postgres", "--out", dsn}, {"--out", dsn}} {
		if said := w.run(append([]string{"replay", root}, args...)...); strings.Contains(said, password) {
			t.Errorf("it tells the password: %s", said)
		}
		conn, err := pgx.Connect(t.Context(), dsn)
		if err != nil {
			t.Fatal(err)
		}
		rows, err := conn.Query(t.Context(), "SELECT json FROM memscribe.nodes")
		if err != nil {
			t.Fatal(err)
		}
		got, err := pgx.CollectRows(rows, pgx.RowTo[string])
		if err != nil {
			t.Fatal(err)
		}
		if err := conn.Close(t.Context()); err != nil {
			t.Fatal(err)
		}
		if lines := strings.Split(strings.TrimSpace(want), "\n"); !sameSet(lines, got) {
			t.Errorf("%d nodes, want %d", len(got), len(lines))
		}
	}
	if said := w.run("query", "episodes", "--ndjson", "--limit", "1", "--db", dsn); !strings.Contains(want, strings.TrimSpace(said)) || said == "" {
		t.Errorf("query: %s", said)
	}
	killWatch := w.startUntil("watching", "watch", "--root", root, "--out", dsn)
	killWatch()
	err := filepath.WalkDir(w.dir, func(name string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(name)
		if bytes.Contains(text, []byte(password)) {
			t.Errorf("%s holds the password", name)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	settings := filepath.Join(t.TempDir(), "memscribe.toml")
	if err := os.WriteFile(settings, []byte("[sink]\nout = \""+dsn+"\"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if said := w.run("config", "show", "--config", settings); strings.Contains(said, password) || !strings.Contains(said, "postgres:///test_1") {
		t.Errorf("config show: %s", said)
	}
}

func sameSet(a, b []string) bool {
	there := map[string]int{}
	for _, s := range a {
		there[s]++
	}
	for _, s := range b {
		there[s]--
	}
	for _, n := range there {
		if n != 0 {
			return false
		}
	}
	return len(a) == len(b)
}
