package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"github.com/memscribe/memscribe/cmd/memscribe/internal/cli"
	"github.com/memscribe/memscribe/testkit/postgres"
)

// TestReplayIntoPostgres replays transcripts into a PostgreSQL twice, as two people
// would. Each node is there once, just as in the lines of a replay, and the password of
// the URL stands in no file and no message.
func TestReplayIntoPostgres(t *testing.T) {
	t.Parallel()
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

// TestPostgresAnswersAsAFile asks a PostgreSQL and a database in a file the same of the
// same transcripts: both answer the same, whole and page by page.
func TestPostgresAnswersAsAFile(t *testing.T) {
	t.Parallel()
	dsn := postgres.Start(t).Database()
	w := &world{t: t, dir: t.TempDir()}
	const fixture = "../../fixtures/claude_code/2.1.329/interleaved_arcs/home"
	file := filepath.Join(w.dir, "nodes.db")
	w.run("replay", fixture, "--out", file)
	w.run("replay", fixture, "--out", dsn)
	for _, question := range [][]string{
		{"query", "session", "00dbe616"},
		{"query", "session", "00dbe616", "--kind", "episode,decision"},
		{"query", "file", "src/orders.js"},
		{"query", "file", "/home/dev/work/orders-service/src/orders.js"},
		{"query", "file", "orders.js", "--project", "orders-service"},
		{"query", "decisions"},
		{"query", "episodes"},
		{"query", "search", "cursor"},
	} {
		answer := func(db string) []string {
			args := append(question, "--ndjson", "--limit", "0", "--db", db)
			return strings.Split(strings.TrimSpace(w.run(args...)), "\n")
		}
		want, got := answer(file), answer(dsn)
		if !sameSet(want, got) || len(want) < 1 || want[0] == "" {
			t.Errorf("%v: PostgreSQL has %d nodes, the file %d", question, len(got), len(want))
		}
		if paged := w.paged(append(question, "--db", dsn)); !slices.Equal(paged, got) {
			t.Errorf("%v: page by page it has %d nodes, at once %d", question, len(paged), len(got))
		}
	}
	for _, question := range [][]string{{"query", "session", "77"}, {"query", "session", ""}} {
		if code, said := w.fails(append(question, "--db", dsn)...); code != cli.ExitIncomplete || !strings.Contains(said, "no such session") {
			t.Errorf("%q ends with %d: %s", question, code, said)
		}
	}
	if code, said := w.fails("query", "file", "none.js", "--db", dsn); code != cli.ExitIncomplete || !strings.Contains(said, "nothing found") {
		t.Errorf("it ends with %d: %s", code, said)
	}
}

// TestPostgresSaysWhy asks both databases which decision the lines of a file come from.
func TestPostgresSaysWhy(t *testing.T) {
	t.Parallel()
	dsn := postgres.Start(t).Database()
	w := &world{t: t, dir: t.TempDir()}
	const fixture = "../../fixtures/claude_code/2.1.329/interleaved_arcs/home"
	file := filepath.Join(w.dir, "nodes.db")
	w.run("replay", fixture, "--out", file)
	w.run("replay", fixture, "--out", dsn)
	if err := os.MkdirAll(filepath.Join(w.dir, "src"), 0o700); err != nil {
		t.Fatal(err)
	}
	const text = `  return rows[0] || null;
}

async function listOrders(customerId, afterId = 0) {
  return query('SELECT * FROM orders WHERE customer_id = ? AND id > ? ORDER BY id LIMIT 50', [customerId, afterId]);
}

module.exports = { getOrder, listOrders };
`
	if err := os.WriteFile(filepath.Join(w.dir, "src", "orders.js"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	why := func(db string) string {
		cmd := w.command(t.Context(), "why", "src/orders.js", "--json", "--db", db)
		cmd.Dir = w.dir
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		return string(out)
	}
	want, got := why(file), why(dsn)
	if got != want || !strings.Contains(got, "cursor pagination") {
		t.Errorf("PostgreSQL says\n%s\nthe file says\n%s", got, want)
	}
}

// fails runs a command that does not end well, and returns its code and what it says.
func (w *world) fails(args ...string) (code int, said string) {
	w.t.Helper()
	out, err := w.command(w.t.Context(), args...).CombinedOutput()
	if ended, ok := errors.AsType[*exec.ExitError](err); ok {
		code = ended.ExitCode()
	}
	return code, string(out)
}

// paged is an answer in lines of JSON, two nodes a page.
func (w *world) paged(question []string) (lines []string) {
	w.t.Helper()
	for next := ""; ; {
		args := append(slices.Clone(question), "--json", "--limit", "2")
		if next != "" {
			args = append(args, "--cursor", next)
		}
		var page struct {
			Items []struct{ Node json.RawMessage }
			Next  string
		}
		if err := json.Unmarshal([]byte(w.run(args...)), &page); err != nil {
			w.t.Fatal(err)
		}
		for _, item := range page.Items {
			lines = append(lines, string(item.Node))
		}
		if next = page.Next; next == "" {
			return lines
		}
	}
}
