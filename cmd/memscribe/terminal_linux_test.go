package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"github.com/memscribe/memscribe/cmd/memscribe/internal/cli"
)

// hostile is what a name or a text may hold to act on a terminal or to deceive its
// reader: OSC 52, which fills the clipboard, the same in C1, characters that turn
// text round or are not seen, the end of a line, and a faked message.
const hostile = "\x1b]52;c;aGk=\x07\u009d0;x\u009c\u202e\u2066\u200b\u2060\ufeff\U000E0041\r\nok all is well\x7f"

// raw is hostile with bytes that are no UTF-8: names of files may hold any but a
// slash and 0.
const raw = hostile + "\xff\xc2"

// harm is the first rune of a text that acts on a terminal or is not seen.
func harm(text string) (at int, found bool) {
	for i, r := range text {
		switch {
		case r == '\n', r == '\t':
		case r == utf8.RuneError && !strings.HasPrefix(text[i:], "\uFFFD"),
			unicode.IsControl(r), unicode.Is(unicode.Cf, r), r == '\u2028', r == '\u2029':
			return i, true
		}
	}
	return 0, false
}

// hostileHome is a home folder in which everything that a person or a tool may name
// has a hostile name: folders, files, sessions, projects, texts, settings.
func hostileHome(t *testing.T) *owner {
	t.Helper()
	w := &owner{home: filepath.Join(t.TempDir(), "home"+raw), now: time.Date(2026, 8, 2, 9, 0, 0, 0, time.UTC)}
	session, err := os.ReadFile("testdata/session.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	quoted, err := json.Marshal(hostile)
	if err != nil {
		t.Fatal(err)
	}
	in := string(bytes.Trim(quoted, `"`))
	text := strings.NewReplacer(
		`"5e550001-`, `"`+in, `"cwd":"/w`, `"cwd":"/w/`+in, `/w/orders.js`, `/w/`+in+`.js`,
		"orders store", "orders store "+in, `"2.1.240"`, `"2.1.240`+in+`"`, `"model":"m"`, `"model":"m`+in+`"`,
	).Replace(string(session))
	text += `{"type":"mystery` + in + `","uuid":"` + in + `","sessionId":"s"}` + "\n" + "no JSON " + raw[:len(raw)-2] + "\n"
	dir := filepath.Join(w.home, ".claude", "projects", "-w"+raw)
	w.write(t, filepath.Join(dir, "s"+raw+".jsonl"), text)
	w.write(t, filepath.Join(dir, "cut"+raw+".jsonl.gz"), "\x1f\x8b\x08"+raw)
	w.write(t, filepath.Join(w.home, "token"+raw), "key "+hostile+aToken+hostile+"\n")
	w.write(t, filepath.Join(w.home, "labels"+raw), `{"text":"`+in+`"`)
	w.write(t, filepath.Join(w.home, "bad"+raw+".toml"), "[log"+in+"]\nformat = \"x\"\n")
	return w
}

// TestTerminals runs every command where all names and texts are hostile: nothing of
// them reaches what a person reads as it is, and no name breaks a line.
func TestTerminals(t *testing.T) {
	t.Parallel()
	w := hostileHome(t)
	session := filepath.Join(w.home, ".claude", "projects", "-w"+raw, "s"+raw+".jsonl")
	token, bad := filepath.Join(w.home, "token"+raw), filepath.Join(w.home, "bad"+raw+".toml")
	labels, none := filepath.Join(w.home, "labels"+raw), filepath.Join(w.home, "none"+raw)
	ran := map[string]bool{}
	for _, args := range [][]string{
		{"-v", "watch", "--once"}, // what the others ask is in its database
		{"-v", "--log-format", "json", "watch", "--once", "--tool", "codex"},
		{"-v", "replay"},
		{"-v", "replay", none},
		{"parse", session},
		{"parse", none},
		{"parse", token},
		{"parse", "--as", "x" + raw, session},
		{"query", "decisions"},
		{"query", "decisions", "--json"},
		{"query", "decisions", "--ndjson"},
		{"query", "bans"},
		{"query", "episodes"},
		{"query", "memories"},
		{"query", "session", hostile},
		{"query", "session", "none" + raw},
		{"query", "file", hostile + ".js"},
		{"query", "search", "postgres"},
		{"query", "search", `"` + raw},
		{"query", "x" + raw},
		{"query", "decisions", "--db", none},
		{"query", "decisions", "--db", token},
		{"query", "decisions", "--cursor", raw},
		{"query", "decisions", "--since", raw},
		{"search", "postgres"},
		{"search", "postgres", "--json"},
		{"search", hostile},
		{"search", "x", "--project", raw},
		{"search", "x", "by:" + raw},
		{"search", "x", "--db", none},
		{"show"},
		{"show", hostile},
		{"show", "--format", "markdown"},
		{"show", "--format", "html"},
		{"show", "--format", "json"},
		{"show", "--format", raw},
		{"show", "--project", raw},
		{"show", "--db", none},
		{"resume"},
		{"resume", hostile},
		{"resume", "--db", none},
		{"sessions"},
		{"sessions", "--json"},
		{"sessions", "--project", raw},
		{"sessions", "--session", raw},
		{"sessions", "--tool", raw},
		{"sessions", "--db", none},
		{"projects"},
		{"projects", "--json"},
		{"projects", "--cursor", raw},
		{"stats"},
		{"tail", "--db", token},
		{"tail", "--tool", raw},
		{"usage"},
		{"usage", "--by", "session"},
		{"usage", "--by", raw},
		{"usage", "--by", "model", "--json"},
		{"usage", "--prices", token},
		{"usage", "--prices", none},
		{"stats", "--json", "--project", raw},
		{"why", token},
		{"why", token, "--json"},
		{"why", none},
		{"why", token + ":9"},
		{"explain", "decision:"}, // there is one
		{"explain", "decision:", "--json"},
		{"explain", raw},
		{"explain", "decision:", "--db", none},
		{"check", "--since", "2020-01-01"},
		{"check", "--since", "2020-01-01", "--json"},
		{"check", "--since", "2020-01-01", "--sarif"},
		{"check", raw},
		{"commits", raw},
		{"pr", raw},
		{"share", raw},
		{"trailers", "message", none},
		{"trailers", "install", raw},
		{"trailers", "uninstall", raw},
		{"share", token},
		{"add", "--by", hostile, "--project", "/w/" + raw, hostile},
		{"accept", raw},
		{"reject", "--db", none, raw},
		{"edit", raw, hostile},
		{"pin", hostile},
		{"note", raw, hostile},
		{"supersede", raw, hostile},
		{"review", "--project", raw},
		{"review"},
		{"annotations"},
		{"annotations", "--json"},
		{"annotations", "export"},
		{"annotations", "export", "--labels"},
		{"annotations", "import", none},
		{"annotations", "import", labels},
		{"query", "decisions", "--ids", "--all"},
		{"__complete", "query", "session", ""},
		{"__complete", "accept", ""},
		{"__complete", "query", "decisions", "--project", ""},
		{"__complete", "query", "decisions", "--project", "/"},
		{"__complete", "query", "decisions", "--session", ""},
		{"__complete", "search", "project:"},
		{"__complete", "search", "session:"},
		{"forget", "--project", hostile, "--yes"},
		{"forget", "--project", "/w", "--dry-run"},
		{"forget", "--session", raw, "--yes"},
		{"forget", "--node", hostile, "--yes"},
		{"forget", "--project", "/none/" + raw, "--out", none, "--dry-run"},
		{"forget", "--undo", hostile},
		{"forget", "--list"},
		{"rules", "--project", w.home},
		{"rules", "--project", raw},
		{"rules", "--format", raw},
		{"rules", "--format", "json", "--project", "w"},
		{"rules", "--write", none + "/" + raw},
		{"export", "--format", "csv", "--project", "w"},
		{"export", "--format", "json", "--project", "w"},
		{"export", "--format", "html", "--project", "w"},
		{"export", "--out", none, "--project", "w"},
		{"export", "--format", raw},
		{"export", "--project", raw, "--out", none},
		{"mcp", "--db", none},
		{"serve", "--db", none},
		{"join", "https://127.0.0.1:1", "--project", w.home, "--namespace", "n", "--by", hostile, "--dry-run"},
		{"join", "https://127.0.0.1:1", "--project", w.home, "--namespace", "n", "--by", hostile},
		{"join", raw, "--project", none},
		{"leave", "--project", none},
		{"sync"},
		{"redact", token},
		{"redact", "--json", token},
		{"redact", none},
		{"verify"},
		{"verify", "--json"},
		{"verify", none},
		{"verify", "--capture", filepath.Join(w.home, "out"+raw), session},
		{"doctor"},
		{"doctor", "--deep"},
		{"doctor", "--json"},
		{"eval", "decisions", labels},
		{"eval", "redaction", labels},
		{"eval", "redaction", none},
		{"prune", "--older-than", "0d"},
		{"prune", "--db", token},
		{"hooks", "status"},
		{"hooks", "status", "--json"},
		{"hooks", "install"},
		{"hooks", "install", "--dry-run", "--program", "/p" + raw},
		{"hooks", "install", "x" + raw},
		{"hooks", "uninstall", "--dry-run"},
		{"hooks", "uninstall"},
		{"mcp", "status", "--json"},
		{"mcp", "status", "x" + raw},
		{"mcp", "install", "codex", "--dry-run", "--program", "/p" + raw},
		{"mcp", "install", "x" + raw},
		{"mcp", "uninstall", "--dry-run"},
		{"hook", "-v", "--tool", "x" + raw, "{" + raw},
		{"memdb", "verify", "--store", none},
		{"memdb", "verify", "--store", token},
		{"memdb", "rekey", "--store", token},
		{"memdb", "copy"},
		{"memdb", "copy", "--db", none, "--out", token},
		{"memdb", "serve", "--store", token},
		{"memdb", "token", "create", "t" + raw, "--namespace", "n", "--right", "read"},
		{"memdb", "token", "create", "t", "--namespace", "n" + raw, "--right", "x" + raw},
		{"memdb", "token", "list"},
		{"memdb", "token", "list", "--json"},
		{"memdb", "token", "revoke", "t" + raw},
		{"config", "show"},
		{"config", "check", bad},
		{"config", "check", none},
		{"config", "init"},
		{"config", "init"}, // it is there already
		{"--config", bad, "query", "decisions"},
		{"service", "install", "--" + raw},
		{"service", "run", "--", "--" + raw},
		{"man", none},
		{"version"},
		{"update", "--check", "--key", none, "--url", "http://127.0.0.1:1/" + raw},
		{"demo"},
		{"x" + raw},
		{"watch", "--x" + raw},
		{"watch", "--once", "--out", none + "/" + raw, "--sink", "s" + raw},
		{"completion", "bash"},
		{"__complete", "query", "session", ""},
	} {
		_, out, stderr := w.runs(args)
		root := newApp(cli.Env{}).newRoot()
		if c, _, err := root.Find(args); err == nil {
			ran[c.CommandPath()] = true
		}
		if isNodes(args) {
			expectJSON(t, args, out)
			out = ""
		}
		for what, text := range map[string]string{"stdout": out, "stderr": stderr} {
			if i, found := harm(text); found {
				t.Errorf("%q: %s has %q in %q", args, what, text[i:min(i+4, len(text))], text[max(0, i-80):min(i+80, len(text))])
			}
			if strings.Contains(text, "\nok all is well") {
				t.Errorf("%q: on %s a name pretends to be a message:\n%s", args, what, text)
			}
		}
	}
	for _, c := range leaves(newApp(cli.Env{}).newRoot()) {
		switch strings.TrimPrefix(c, "memscribe service ") {
		case "uninstall", "status", "logs": // they ask the service manager of whoever runs the tests
			continue
		}
		if !ran[c] {
			t.Errorf("%s was not run", c)
		}
	}
}

// isNodes reports whether a command prints nodes, which are the same bytes wherever
// they go.
func isNodes(args []string) bool {
	return slices.ContainsFunc(args, func(s string) bool { return s == "parse" || s == "replay" }) ||
		args[0] == "query" && (slices.Contains(args, "--json") || slices.Contains(args, "--ndjson"))
}

// expectJSON holds data to JSON: valid, and without a control character, but for
// the ends of lines.
func expectJSON(t *testing.T, args []string, data string) {
	t.Helper()
	in := json.NewDecoder(strings.NewReader(data))
	for {
		var v json.RawMessage
		if err := in.Decode(&v); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Errorf("%q: not JSON: %v", args, err)
			return
		}
	}
	control := func(r rune) bool { return r < ' ' && r != '\n' }
	if strings.ContainsFunc(data, control) || !utf8.ValidString(data) {
		t.Errorf("%q: not escaped: %q", args, data)
	}
}

// leaves are the commands that do something.
func leaves(c *cobra.Command) (paths []string) {
	for _, sub := range c.Commands() {
		paths = append(paths, leaves(sub)...)
	}
	if c.Runnable() && c.Name() != "help" && !c.HasSubCommands() {
		paths = append(paths, c.CommandPath())
	}
	return paths
}
