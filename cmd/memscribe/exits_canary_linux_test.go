package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/memscribe/memscribe/testkit/postgres"
)

// tellingWorld is a home folder with a transcript of Claude Code whose secrets only their
// context gives away, and a repository that holds the lines that were edited.
func tellingWorld(t *testing.T) (*telling, *world) {
	t.Helper()
	told := &telling{inFile: map[string]bool{}}
	told.decided()
	told.remembers()
	told.asked()
	told.edited()
	told.beyond()
	w := &world{t: t, dir: t.TempDir()}
	putFile(t, filepath.Join(w.dir, "home", ".claude", "projects", "-w", "5f0c2a9e-0000-4000-8000-000000000001.jsonl"), told.b.String())
	putFile(t, filepath.Join(w.dir, "home", ".gitconfig"), "[user]\n\tname = A\n\temail = a@example.com\n")
	return told, w
}

func putFile(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// isIn looks for a secret in what left the program by a way.
func (t *telling) isIn(tt *testing.T, way string, data []byte) {
	tt.Helper()
	data = bytes.ToLower(data)
	for _, s := range t.secrets {
		if i := bytes.Index(data, []byte(strings.ToLower(s))); i >= 0 {
			tt.Errorf("%s: %s leaks: …%q…", way, s, data[max(0, i-200):i+20])
		}
	}
}

// holdsNone looks for the secrets in all files below a folder but those that brought them.
func (t *telling) holdsNone(tt *testing.T, dir, but string) {
	tt.Helper()
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() || strings.HasPrefix(path, but) {
			return err
		}
		data, err := os.ReadFile(path)
		t.isIn(tt, path, data)
		return err
	})
	if err != nil {
		tt.Error(err)
	}
}

// said runs a command and returns all that it says, whatever it ends with.
func (w *world) said(dir string, args ...string) []byte {
	w.t.Helper()
	cmd := w.command(w.t.Context(), args...)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	if code := exitCode(err); err != nil && (code == 2 || code < 0) {
		w.t.Errorf("memscribe %v ends with %d: %.500s", args, code, out)
	}
	return out
}

// TestCanariesAtEveryExit has secrets that only their context gives away in a database, and looks
// for them in what agents, browsers, repositories and servers of PostgreSQL are given of it.
func TestCanariesAtEveryExit(t *testing.T) {
	t.Parallel()
	told, w := tellingWorld(t)
	db := filepath.Join(w.dir, "home", ".local", "share", "memscribe", "nodes.db")
	w.run("watch", "--once")
	transcripts := filepath.Join(w.dir, "home", ".claude")
	t.Run("repository", func(t *testing.T) { told.inRepository(t, w) })
	t.Run("page", func(t *testing.T) { told.onPage(t, &world{t: t, dir: w.dir}, db) })
	t.Run("agents", func(t *testing.T) { told.toAgents(t, &world{t: t, dir: w.dir}, db) })
	t.Run("postgres", func(t *testing.T) { told.inPostgres(t, &world{t: t, dir: w.dir}) })
	told.holdsNone(t, filepath.Join(w.dir, "home"), transcripts)
}

// inRepository has commits with the edited lines, and looks at what is said of them. What the
// repository itself holds is its own.
func (t *telling) inRepository(tt *testing.T, w *world) {
	repo := filepath.Join(w.dir, "w")
	git := func(args ...string) []byte {
		cmd := exec.CommandContext(tt.Context(), "git", args...)
		cmd.Dir = repo
		cmd.Env = append(os.Environ(), "HOME="+filepath.Join(w.dir, "home"), "GIT_CONFIG_NOSYSTEM=1")
		out, err := cmd.CombinedOutput()
		if err != nil {
			tt.Fatalf("git %v: %v: %s", args, err, out)
		}
		return out
	}
	if err := os.MkdirAll(repo, 0o700); err != nil {
		tt.Fatal(err)
	}
	git("init", "-q", "-b", "main", ".")
	git("commit", "-q", "--allow-empty", "-m", "first")
	w.said(repo, "trailers", "install")
	last := t.secrets[len(t.secrets)-9] // of new.py
	for _, s := range t.secrets {
		if strings.Contains(t.b.String(), `written_new = 1\ndb_password = (\n    \"`+s) {
			last = s
		}
	}
	putFile(tt, filepath.Join(repo, "new.py"), "written_new = 1\ndb_password = (\n    \""+last+"\"\n)\nx = '"+last+"'\n")
	git("add", "-A")
	git("commit", "-q", "-m", "second")
	var all []byte
	for _, args := range [][]string{
		{"commits"},
		{"commits", "--json"},
		{"commits", "--write-notes"},
		{"pr", "HEAD^..HEAD"},
		{"share", "."},
		{"share", "new.py", "--json"},
		{"why", "new.py"},
		{"why", "new.py:1", "--json"},
		{"why", "HEAD"},
		{"check", "--since", "2020-01-01"},
		{"check", "--since", "2020-01-01", "--json"},
		{"check", "--since", "2020-01-01", "--sarif"},
	} {
		out := w.said(repo, args...)
		t.isIn(tt, fmt.Sprint(args), out)
		all = append(all, out...)
	}
	t.isIn(tt, "git log", git("log", "--format=%B"))
	t.isIn(tt, "git notes", git("log", "--notes=memscribe", "--format=%N"))
	if !bytes.Contains(all, []byte("5f0c2a9e-0000-4000-8000-000000000001")) {
		tt.Errorf("nothing is known of the commit: %s", all)
	}
}

// onPage looks at every view of the page and its JSON.
func (t *telling) onPage(tt *testing.T, w *world, db string) {
	b := w.newBrowser(db)
	paths := []string{
		"/", "/?q=staging", "/sessions", "/session/5f0c2a9e-0000-4000-8000-000000000001", "/search?q=staging", "/search?q=sextant",
		"/rules", "/usage", "/health", "/?kind=ban", "/?kind=standing",
	}
	for _, name := range []string{"one.env", "kept.env", "folded.json", "value.json", "hunks.py", "reverse.py", "new.py"} {
		paths = append(paths, "/file?"+url.Values{"path": {"/w/" + name}}.Encode())
	}
	var list struct{ Decisions []struct{ ID string } }
	b.json("/?format=json", &list)
	if len(list.Decisions) < 3 {
		tt.Errorf("the page has %d decisions", len(list.Decisions))
	}
	for _, d := range list.Decisions {
		paths = append(paths, "/decision/"+d.ID)
	}
	redacted := 0
	for _, path := range paths {
		as := "?format=json"
		if strings.Contains(path, "?") {
			as = "&format=json"
		}
		for _, path := range []string{path, path + as} {
			status, body := b.get(path)
			if status != http.StatusOK {
				tt.Errorf("%s answers %d", path, status)
			}
			redacted += strings.Count(body, "[REDACTED:")
			t.isIn(tt, path, []byte(body))
		}
	}
	if redacted < len(t.secrets) {
		tt.Errorf("the page has %d placeholders for %d secrets", redacted, len(t.secrets))
	}
}

// toAgents looks at what the hooks and the server tell agents.
func (t *telling) toAgents(tt *testing.T, w *world, db string) {
	cmd := w.command(tt.Context(), "mcp", "--db", db)
	cmd.Dir = w.dir
	s := w.dial(&mcp.CommandTransport{Command: cmd})
	for tool, args := range map[string][]map[string]any{
		"search":    {{"query": "staging"}, {"query": "sextant"}, {"query": "password"}},
		"decisions": {{"project": "w"}},
		"recent":    {{}},
		"rules":     {{"project": "w"}},
		"session":   {{"id": "5f0c2a9e"}},
		"why":       {{"file": "/w/new.py"}},
	} {
		for _, a := range args {
			r, err := s.CallTool(tt.Context(), &mcp.CallToolParams{Name: tool, Arguments: a})
			if err != nil {
				tt.Fatalf("%s: %v", tool, err)
			}
			text, err := json.Marshal(r)
			if err != nil {
				tt.Fatal(err)
			}
			t.isIn(tt, fmt.Sprint("mcp ", tool, a), text)
			if tool == "search" && !bytes.Contains(text, []byte("[REDACTED:")) {
				tt.Errorf("mcp %s %v finds %s", tool, a, text)
			}
		}
	}
	start := w.answered("claude_code", `{"session_id":"r1","cwd":"/w","hook_event_name":"SessionStart","source":"startup"}`)
	if !strings.Contains(start, "[REDACTED:") {
		tt.Errorf("a session is told %q", start)
	}
	t.isIn(tt, "recall", []byte(start))
	for _, name := range []string{"new.py", "one.env", "hunks.py"} {
		edit := w.answered("claude_code", `{"session_id":"r1","cwd":"/w","hook_event_name":"PreToolUse","tool_name":"Edit","tool_input":{"file_path":"/w/`+name+`"}}`)
		t.isIn(tt, "recall "+name, []byte(edit))
	}
}

// inPostgres looks at every row of the tables, which many nodes reach by COPY.
func (t *telling) inPostgres(tt *testing.T, w *world) {
	dsn := postgres.Start(tt).Database()
	home := filepath.Join(w.dir, "home")
	w.run("replay", filepath.Join(home, ".claude"), "--out", dsn)
	conn, err := pgx.Connect(tt.Context(), dsn)
	if err != nil {
		tt.Fatal(err)
	}
	defer func() { _ = conn.Close(tt.Context()) }()
	names, err := conn.Query(tt.Context(), `SELECT quote_ident(schemaname) || '.' || quote_ident(tablename) FROM pg_tables
		WHERE schemaname NOT IN ('pg_catalog', 'information_schema') AND schemaname NOT LIKE 'pg_temp%'`)
	if err != nil {
		tt.Fatal(err)
	}
	tables, err := pgx.CollectRows(names, pgx.RowTo[string])
	if err != nil || len(tables) < 2 {
		tt.Fatalf("tables %v: %v", tables, err)
	}
	var all []byte
	for _, table := range tables {
		rows, err := conn.Query(tt.Context(), "SELECT t::text FROM "+table+" AS t")
		if err != nil {
			tt.Fatal(err)
		}
		lines, err := pgx.CollectRows(rows, pgx.RowTo[string])
		if err != nil {
			tt.Fatal(err)
		}
		all = append(all, strings.Join(lines, "\n")...)
	}
	t.isIn(tt, "postgres", all)
	if n := bytes.Count(all, []byte("[REDACTED:")); n < len(t.secrets) {
		tt.Errorf("PostgreSQL has %d placeholders for %d secrets", n, len(t.secrets))
	}
}
