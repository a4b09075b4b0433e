package main

import (
	"bytes"
	"database/sql"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/memscribe/memscribe/testkit/postgres"
)

// member is a person of a team, with a home folder and a clone of the project.
type member struct {
	world

	clone string
}

// The sessions that members have: the second takes decisions back.
const (
	aSession = "../../fixtures/claude_code/2.1.329/interleaved_arcs"
	aRewind  = "../../fixtures/claude_code/2.1.329/rewind"
)

// newMember is a person who has cloned the project, and talked with an agent about it.
func newMember(t *testing.T, name string) *member {
	t.Helper()
	m := &member{world: world{t: t, dir: t.TempDir()}}
	m.clone = filepath.Join(m.dir, "home", "work", "app")
	if err := os.MkdirAll(m.clone, 0o700); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{
		{"init", "-q"}, {"config", "user.name", name}, {"remote", "add", "origin", "git@host.example:acme/app.git"},
	} {
		cmd := exec.Command("git", args...)
		cmd.Dir = m.clone
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v: %s", args, err, out)
		}
	}
	return m
}

// talk puts a session about a folder into the member's home: the sessions of two members
// differ by its number.
func (m *member) talk(session string, number int, folder string) {
	m.t.Helper()
	files, err := filepath.Glob(filepath.Join(session, "home", ".claude", "projects", "*", "*.jsonl"))
	if err != nil || len(files) == 0 {
		m.t.Fatalf("%v: %v", files, err)
	}
	text, err := os.ReadFile(files[0])
	if err != nil {
		m.t.Fatal(err)
	}
	text = bytes.ReplaceAll(text, []byte("/home/dev/work/orders-service"), []byte(folder))
	ids := regexp.MustCompile(`[0-9a-f]{4}([0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})`)
	text = ids.ReplaceAll(text, fmt.Appendf(nil, "%04d$1", number))
	text = bytes.ReplaceAll(text, []byte("toolu_"), fmt.Appendf(nil, "toolu_%d", number))
	name := filepath.Join(m.dir, "home", ".claude", "projects", "-w", fmt.Sprintf("%04de616-df7a-4c23-b58c-b75a8c1a0c4d.jsonl", number))
	if err = os.MkdirAll(filepath.Dir(name), 0o700); err == nil {
		err = os.WriteFile(name, text, 0o600)
	}
	if err != nil {
		m.t.Fatal(err)
	}
}

// in runs a command in the clone and returns what it says, and its exit code.
func (m *member) in(args ...string) (said string, code int) {
	m.t.Helper()
	cmd := m.command(m.t.Context(), args...)
	cmd.Dir = m.clone
	out, err := cmd.CombinedOutput()
	if err != nil && cmd.ProcessState == nil {
		m.t.Fatal(err)
	}
	return string(out), cmd.ProcessState.ExitCode()
}

// does runs a command that has to end well.
func (m *member) does(args ...string) string {
	m.t.Helper()
	said, code := m.in(args...)
	if code != 0 {
		m.t.Fatalf("memscribe %v ended with %d: %s", args, code, said)
	}
	return said
}

type synced struct{ New, Changed, Same, Forgotten, Refused, Received, Withdrawn int }

// sync shares what is new.
func (m *member) sync(flags ...string) (s synced) {
	m.t.Helper()
	if said := m.run(append([]string{"sync", "--json"}, flags...)...); json.Unmarshal([]byte(said), &s) != nil {
		m.t.Fatalf("sync said: %s", said)
	}
	return s
}

// nodes are those of the project that the member's own sessions gave.
func (m *member) nodes() []string { return m.ask("id NOT IN (SELECT id FROM received)") }

// received are those that others shared.
func (m *member) received() []string { return m.ask("id IN (SELECT id FROM received)") }

// sharers are who shared what was received.
func (m *member) sharers() []string { return m.column("SELECT DISTINCT shared_by FROM received") }

// ask asks the member's database for nodes of the project.
func (m *member) ask(where string) (lines []string) {
	return m.column("SELECT json FROM nodes WHERE project LIKE '%/work/app%' AND " + where + " ORDER BY id")
}

// column asks the member's database for one column.
func (m *member) column(query string) (lines []string) {
	m.t.Helper()
	db, err := sql.Open("sqlite", "file:"+filepath.Join(m.dir, "home", ".local", "share", "memscribe", "nodes.db"))
	if err != nil {
		m.t.Fatal(err)
	}
	defer db.Close()
	rows, err := db.Query(query)
	if err != nil {
		m.t.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		var line string
		if err = rows.Scan(&line); err != nil {
			m.t.Fatal(err)
		}
		lines = append(lines, line)
	}
	if err = rows.Err(); err != nil {
		m.t.Fatal(err)
	}
	return lines
}

// taken holds what a member has received to what others have captured.
func (m *member) taken(all ...[]string) {
	m.t.Helper()
	want := slices.Concat(all...)
	slices.Sort(want)
	got := m.received()
	slices.Sort(got)
	if diff := cmp.Diff(want, got); diff != "" {
		m.t.Errorf("received, -captured +got:\n%s", diff)
	}
}

// asTeam posts to the server with the team's token.
func (w *world) asTeam(token, path, body string) {
	w.t.Helper()
	req, err := http.NewRequestWithContext(w.t.Context(), http.MethodPost, "http://"+w.address+path, strings.NewReader(body))
	if err != nil {
		w.t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+strings.TrimSpace(token))
	req.Header.Set("Content-Type", "application/json")
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		w.t.Fatal(err)
	}
	defer res.Body.Close()
	if res.StatusCode != http.StatusOK {
		said, _ := io.ReadAll(res.Body)
		w.t.Fatalf("%s: %s %s", path, res.Status, said)
	}
}

// asksBoth asks for what Bob and Ann decided: the answers have both, and say who.
func (m *member) asksBoth() {
	m.t.Helper()
	if said := m.does("query", "decisions", "--project", m.clone, "--limit", "200"); !strings.Contains(said, "  Ann  ") || !strings.Contains(said, "  user  ") ||
		!strings.Contains(said, "[shared by Ann in acme.app]") {
		m.t.Errorf("bob and ann decided: %s", said)
	}
	if said := m.does("query", "file", "src/orders.js"); !strings.Contains(said, " src/orders.js") || strings.Contains(said, "/ann") {
		m.t.Errorf("the edits of a file: %s", said)
	}
	var found struct {
		Items []struct {
			Node        struct{ ID string }
			Annotations struct {
				Shared struct{ By, Server, Namespace string }
			}
		}
	}
	said := m.does("query", "decisions", "--project", m.clone, "--limit", "200", "--json")
	if err := json.Unmarshal([]byte(said), &found); err != nil {
		m.t.Fatalf("%v: %s", err, said)
	}
	by := map[string]int{}
	for _, it := range found.Items {
		by[it.Annotations.Shared.By+" "+it.Annotations.Shared.Namespace]++
		if by["Ann acme.app"] == 1 && it.Annotations.Shared.By == "Ann" { // her transcript is not looked for here
			if said, code := m.in("explain", it.Node.ID); code != 1 || !strings.Contains(said, "does not exist here") {
				m.t.Errorf("explain what Ann decided: %d %s", code, said)
			}
		}
	}
	if by["Ann acme.app"] == 0 || by[" "] == 0 || len(by) != 2 {
		m.t.Errorf("decisions by who shared them: %v", by)
	}
	m.seesWhose()
	m.pageOfBoth()
	server := m.command(m.t.Context(), "mcp")
	server.Dir = m.clone
	whose := map[string]bool{}
	for _, it := range ask(m.t, m.dial(&mcp.CommandTransport{Command: server}), "decisions", map[string]any{"max_tokens": 10000}).Items {
		whose[it.From+" "+it.SharedBy] = true
	}
	if !whose["person "] || !whose["teammate Ann"] {
		m.t.Errorf("an agent is told of decisions of %v", whose)
	}
}

// pageOfBoth looks at the page: it has decisions of Bob and of Ann, and what Ann said in her
// session is hers.
func (m *member) pageOfBoth() {
	m.t.Helper()
	b := m.newBrowser(filepath.Join(m.dir, "home", ".local", "share", "memscribe", "nodes.db"))
	var list struct {
		Decisions []struct {
			By      string `json:"decided_by"`
			Session string `json:"session_id"`
		}
	}
	b.json("/?format=json", &list)
	of := map[string]string{}
	for _, d := range list.Decisions {
		of[d.By] = d.Session
	}
	if of["Ann"] == "" || of["user"] == "" {
		m.t.Fatalf("the page has decisions of %v", of)
	}
	if status, body := b.get("/session/" + of["Ann"]); status != http.StatusOK || !strings.Contains(body, `<p class="who">Ann `) || strings.Contains(body, `<p class="who">You `) {
		m.t.Errorf("the session of Ann: %d %s", status, body)
	}
}

// seesWhose asks in every way for what Ann said, decided and did: each answer has her name, and no
// answer takes her words for Bob's own.
func (m *member) seesWhose() {
	m.t.Helper()
	if err := os.MkdirAll(filepath.Join(m.clone, "src"), 0o700); err != nil {
		m.t.Fatal(err)
	}
	line := "  return new Intl.NumberFormat('en-US', { style: 'currency', currency: 'EUR' }).format(cents / 100);\n"
	if err := os.WriteFile(filepath.Join(m.clone, "src", "format.js"), []byte("function formatCents(cents) {\n"+line+"}\n"), 0o600); err != nil {
		m.t.Fatal(err)
	}
	m.does("accept", m.column("SELECT id FROM nodes JOIN received USING (id) WHERE kind = 'decision' ORDER BY n DESC LIMIT 1")[0]) // a rule, therefore
	const by = "shared by Ann in acme.app"
	for want, args := range map[string][]string{
		"\nAnn · " + by:                       {"search", "wire the cursor", "--project", m.clone},
		"decision · " + by:                    {"search", "pagination", "--project", m.clone},
		`"shared":{"by":"Ann","server":"http`: {"search", "pagination", "--json"},
		"src/orders.js [" + by + "]":          {"query", "file", "src/orders.js"},
		"\nAnn · " + by + " · 2":              {"show", "0100e616-df7a"},
		"  Ann   Topic one":                   {"query", "session", "0100e616-df7a"},
		"[" + by + "] Topic one":              {"sessions"},
		"aaRDhJAyvppTE2wBNd6ouD · " + by:      {"why", "src/format.js:2"},
		`"shared":{"by":"Ann"`:                {"why", "src/format.js:2", "--json"},
		", Ann)":                              {"rules"},
		`"shared_by":"Ann"`:                   {"rules", "--format", "json"},
	} {
		said := m.does(args...)
		if !strings.Contains("\n"+said, want) || strings.Contains(said, "you · "+by) {
			m.t.Errorf("memscribe %v does not say %q: %s", args, want, said)
		}
	}
	for who, theirs := range map[string]bool{"person": true, "me": false} {
		if said := m.does("search", "pagination", "by:"+who, "--project", m.clone, "--limit", "100"); strings.Contains(said, by) != theirs {
			m.t.Errorf("a search by:%s says: %s", who, said)
		}
	}
	m.does("rules", "--write", "AGENTS.md")
	if text, err := os.ReadFile(filepath.Join(m.clone, "AGENTS.md")); err != nil || strings.Contains(string(text), "Ann") || !strings.Contains(string(text), "\n- ") {
		m.t.Errorf("the file of rules is not the same on every machine: %s, %v", text, err)
	}
}

// TestTeam has two members share their clones of a project with a server on PostgreSQL,
// through an outage: everything of the project is there once, nothing of other projects,
// and who leaves has the settings of before.
func TestTeam(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not there")
	}
	dsn := postgres.Start(t).Database()
	server := &world{t: t, dir: t.TempDir(), address: freeAddress(t)}
	state := filepath.Join(server.dir, "state")
	token := filepath.Join(server.dir, "token")
	made := server.run("memdb", "token", "create", "team", "--namespace", "acme.app", "--right", "admin", "--db", dsn, "--state-dir", state)
	if err := os.WriteFile(token, []byte(made), 0o600); err != nil {
		t.Fatal(err)
	}
	serve := func() (kill func()) {
		return server.startUntil("serving memories", "memdb", "serve", "--db", dsn, "--addr", server.address, "--state-dir", state)
	}
	kill := serve()
	length := func() int {
		var h struct {
			Length int `json:"chain_length"`
		}
		req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://"+server.address+"/v1/health", nil)
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("Authorization", "Bearer "+strings.TrimSpace(made))
		res, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		defer res.Body.Close()
		if err = json.NewDecoder(res.Body).Decode(&h); err != nil || h.Length == 0 {
			t.Fatalf("health: %d %+v, %v", res.StatusCode, h, err)
		}
		return h.Length
	}
	url := "http://" + server.address
	ann, bob := newMember(t, "Ann"), newMember(t, "Bob")
	const sessions, nodes = 40, 15 // more than a page; of each
	for i := range sessions {
		ann.talk(aSession, 100+i, ann.clone)
	}
	ann.talk(aSession, 2, filepath.Join(ann.dir, "home", "work", "private"))
	bob.talk(aSession, 3, filepath.Join(bob.clone, "sub"))
	bob.talk(aRewind, 5, bob.clone)
	ann.run("watch", "--once")
	bob.run("watch", "--once")

	// What would be shared is shown, and nothing is done.
	own := filepath.Join(ann.dir, "home", ".config", "memscribe", "memscribe.toml")
	if said := ann.does("join", url, "--token-file", token, "--dry-run"); !strings.Contains(said, "in the namespace acme.app, as Ann") || !strings.Contains(said, "decision 120") {
		t.Errorf("a dry run says: %s", said)
	}
	if said, code := ann.in("join", url, "--token-file", token+"x", "--dry-run"); code != 1 || !strings.Contains(said, "no such file") {
		t.Errorf("a dry run without the token: %d %s", code, said)
	}
	if _, err := os.Stat(own); !os.IsNotExist(err) {
		t.Errorf("a dry run has written %s", own)
	}
	if said, code := ann.in("sync"); code != 1 || !strings.Contains(said, "no project is shared") {
		t.Errorf("sync before: %d %s", code, said)
	}

	// What one of them rejected, and what hangs on it, is not shared.
	var rejected struct{ ID string }
	if err := json.NewDecoder(strings.NewReader(bob.run("query", "decisions", "--ndjson"))).Decode(&rejected); err != nil || rejected.ID == "" {
		t.Fatalf("bob's decision: %+v, %v", rejected, err)
	}
	bob.does("reject", rejected.ID)
	bobs := slices.DeleteFunc(bob.nodes(), func(line string) bool { return strings.Contains(line, rejected.ID) })
	if !strings.Contains(strings.Join(bobs, ""), `"superseded_by":"`) {
		t.Fatal("bob has taken nothing back")
	}

	// Both join and share.
	const mine = "[log]\nverbose = false # by hand"
	if err := os.MkdirAll(filepath.Dir(own), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(own, []byte(mine), 0o600); err != nil {
		t.Fatal(err)
	}
	ann.does("join", url, "--token-file", token)
	if said, code := ann.in("join", url, "--token-file", token); code != 2 || !strings.Contains(said, "shared with "+url+" already") {
		t.Errorf("a second join: %d %s", code, said)
	}
	if said := bob.does("join", url, "--token-file", token); !strings.Contains(said, "with what was said and done in "+bob.clone+"/sub") {
		t.Errorf("bob's join says: %s", said)
	}
	first := ann.sync()
	if first != (synced{New: sessions * nodes}) {
		t.Errorf("ann's first: %+v", first)
	}
	if b := bob.sync(); b != (synced{New: len(bobs)}) {
		t.Errorf("bob's first: %+v", b)
	}
	was := length()
	if again := ann.sync(); again != (synced{Same: first.New}) || length() != was {
		t.Errorf("ann's second: %+v; the chain has %d entries, before %d", again, length(), was)
	}

	// Through an outage.
	kill()
	ann.talk(aSession, 4, ann.clone)
	ann.run("watch", "--once")
	if said, code := ann.in("sync"); code != 1 || !strings.Contains(said, "share with "+url) {
		t.Errorf("sync without a server: %d %s", code, said)
	}
	kill = serve()
	if s := ann.sync(); s != (synced{New: nodes, Same: first.New}) {
		t.Errorf("after the outage: %+v", s)
	}
	if entries := length(); entries != was+nodes {
		t.Errorf("the chain has %d entries, not %d", entries, was+nodes)
	}

	// Each has what both share, byte for byte, and what is external stays away.
	planted := `{"id":"decision:planted","kind":"decision","content":"x"}`
	server.asTeam(made, "/v1/namespaces/acme.app/memories", planted)
	for range 2 {
		if s := bob.sync("--receive"); s != (synced{Same: len(bobs), Received: first.New + nodes}) {
			t.Errorf("bob receives: %+v", s)
		}
		bob.taken(ann.nodes())
	}
	bob.asksBoth()

	// What Ann forgets stays with the team until she says otherwise.
	ann.run("forget", "--session", "0004e616", "--yes")
	if said := ann.does("sync", "--receive"); !strings.Contains(said, fmt.Sprintf("still has %d nodes that you shared and have forgotten here", nodes)) {
		t.Errorf("ann has forgotten a session, and sync says: %s", said)
	}
	if s := ann.sync("--receive", "--forget"); s != (synced{Same: first.New, Received: len(bobs), Withdrawn: nodes}) {
		t.Errorf("ann has the server forget: %+v", s)
	}

	// Who leaves has the settings of before; what was shared can be forgotten, also what was
	// rejected since.
	var decided struct{ ID string }
	if err := json.NewDecoder(strings.NewReader(ann.run("query", "decisions", "--project", ann.clone, "--ndjson"))).Decode(&decided); err != nil || decided.ID == "" {
		t.Fatalf("ann's decision: %+v, %v", decided, err)
	}
	ann.does("reject", decided.ID)
	if said := ann.does("leave", "--forget"); !strings.Contains(said, fmt.Sprintf("%d memories were forgotten", first.New)) {
		t.Errorf("ann leaves: %s", said)
	}
	if text, err := os.ReadFile(own); err != nil || string(text) != mine {
		t.Errorf("ann's settings are %q, %v", text, err)
	}
	bob.sync("--receive")
	bob.taken()
	bob.does("leave")
	if _, err := os.Stat(filepath.Join(bob.dir, "home", ".config", "memscribe", "memscribe.toml")); !os.IsNotExist(err) {
		t.Error("bob's settings are still there")
	}
	kill()
	report := server.run("memdb", "verify", "--db", dsn, "--state-dir", state, "--json")
	var good struct {
		OK       bool
		Memories int
	}
	if err := json.Unmarshal([]byte(report), &good); err != nil || !good.OK || good.Memories != len(bobs)+1 { // and what is external
		t.Errorf("verify: %s", report)
	}
}
