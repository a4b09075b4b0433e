package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/memscribe/memscribe/core/jsondoc"
)

// contextual makes a transcript of Claude Code with secrets that only the words
// around them give away, in every place from which a part of a text gets out: the
// options and the epitome of decisions of a turn, of a list to pick from and of a
// proposal, markers, memories and their names, summaries, titles and edits.
func contextual(secret func() string) (transcript string) {
	var b strings.Builder
	n, parent := 0, "null"
	record := func(kind, content string) {
		n++
		role := kind
		fmt.Fprintf(&b, `{"parentUuid":%s,"isSidechain":false,"userType":"external","cwd":"/w","sessionId":"5f0c2a9e-0000-4000-8000-000000000001",`+
			`"version":"2.1.0","type":%q,"message":{"role":%q,"content":%s},"uuid":"u%d","timestamp":"2026-06-22T10:00:%02d.000Z"}`+"\n", parent, kind, role, content, n, n)
		parent = fmt.Sprintf(`"u%d"`, n)
	}
	quote := func(text string) string { return string(jsondoc.AppendQuoteString(nil, text)) }
	said := func(text string) { record("assistant", `[{"type":"text","text":`+quote(text)+`}]`) }
	typed := func(text string) { record("user", quote(text)) }
	call := func(id, name, args, result string) {
		record("assistant", fmt.Sprintf(`[{"type":"tool_use","id":%q,"name":%q,"input":%s}]`, id, name, args))
		record("user", fmt.Sprintf(`[{"type":"tool_result","tool_use_id":%q,"content":%q}]`, id, result))
	}
	a, c := secret(), secret()
	typed("Use password " + a + " for staging instead of password " + c + ".")
	a, c = secret(), secret()
	said("Which one?\n\n1. password " + a + "\n2. password " + c + "\n")
	typed("2")
	a = secret()
	said("I suggest to use password " + a + " instead of the old one for the staging server. Shall I go ahead?")
	typed("yes, do that")
	said("I'd set password " + secret() + " for the staging server. Proceed?")
	typed("yes, do that")
	said("Added `/healthz` with password " + secret() + " for the probe.")
	typed("Call it /livez instead of /healthz.")
	a = secret()
	typed("Never use `sshpass -p " + a + " ssh host` in scripts, use `curl -u bob:" + secret() + " https://h/` instead.")
	a = secret()
	call("t1", "mcp__memory__delete_memory", `{"id":"`+a+`","why":"DB_PASSWORD=`+a+` is old"}`, "ok")
	typed("Set the default to \x1b[1mEUR\x1b[0m, password=\x1b[1m" + secret() + ".")
	fmt.Fprintf(&b, `{"type":"summary","summary":"password=%s is for staging","leafUuid":"u1"}`+"\n", secret())
	return b.String()
}

// TestContextualCanaries has secrets that only their context gives away go through
// every sink, and looks for them in every byte that was written.
func TestContextualCanaries(t *testing.T) {
	var secrets []string
	text := contextual(func() string {
		s := fmt.Sprintf("Zk%02ddkeLLq%02dmfTz8", 30+len(secrets), 71-len(secrets))
		secrets = append(secrets, s)
		return s
	})
	root := t.TempDir()
	if err := os.WriteFile(filepath.Join(root, "5f0c2a9e-0000-4000-8000-000000000001.jsonl"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	e := &everything{t: t, dir: t.TempDir()}
	e.run("replay", root)
	e.run("replay", "--events", root)
	e.run("replay", "--out", filepath.Join(e.dir, "nodes.ndjson"), root)
	e.run("replay", "--sink", "sqlite", "--out", filepath.Join(e.dir, "nodes.db"), root)
	e.run("replay", "--sink", "memdb", "--out", filepath.Join(e.dir, "memories.db"), root)
	written := e.bytes()
	for _, name := range []string{"nodes.ndjson", "nodes.db", "memories.db"} {
		if data := written[filepath.Join(e.dir, name)]; len(data) < 1000 {
			t.Errorf("%s has %d bytes", name, len(data))
		}
	}
	for name, data := range written {
		for _, s := range secrets {
			if i := bytes.Index(data, []byte(strings.ToLower(s))); i >= 0 && strings.Contains(text, s) {
				t.Errorf("%s: %s leaks: …%q…", name, s, data[max(0, i-200):i+20])
			}
		}
	}
	nodes := string(written[filepath.Join(e.dir, "nodes.ndjson")])
	for _, want := range []string{
		`{"text":"[redacted:password]`, `"epitome":"`, `"title":"i'd set password [redacted:password] for the staging server. proceed? → yes, do that"`,
		`"title":"call it /livez instead of /healthz. [added ` + "`/healthz`" + ` with password [redacted:password] for the probe.]"`, `"matched_text":"`, `"memory":{"action"`,
	} {
		if !strings.Contains(nodes, want) {
			t.Errorf("no %s in the nodes: %s", want, nodes)
		}
	}
}
