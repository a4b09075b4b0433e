package main

import (
	"bytes"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/memscribe/memscribe/core/jsondoc"
	"github.com/memscribe/memscribe/sink/memdb/api"
	"github.com/memscribe/memscribe/sink/memdb/store"
)

// telling writes a transcript of Claude Code with secrets that only the words
// around them give away.
type telling struct {
	b       strings.Builder
	n       int
	parent  string
	secrets []string
	// inFile are secrets that a call names alone: what tells stands in the file that is
	// edited, so that only the edit shows it, not the event of the call.
	inFile map[string]bool
}

// secret is the next one. It has no form of its own.
func (t *telling) secret() string {
	s := fmt.Sprintf("Zk%02ddkeLLq%02dmfTz8", 30+len(t.secrets), 71-len(t.secrets))
	t.secrets = append(t.secrets, s)
	return s
}

func (t *telling) onlyInFile(secrets ...string) {
	for _, s := range secrets {
		t.inFile[s] = true
	}
}

func quoted(text string) string { return string(jsondoc.AppendQuoteString(nil, text)) }

// record writes a record; more are its further members.
func (t *telling) record(kind, content, more string) {
	t.n++
	if t.parent == "" {
		t.parent = "null"
	}
	fmt.Fprintf(&t.b, `{"parentUuid":%s,"isSidechain":false,"userType":"external","cwd":"/w","sessionId":"5f0c2a9e-0000-4000-8000-000000000001",`+
		`"version":"2.1.0","type":%q,"message":{"role":%q,"content":%s},"uuid":"u%d","timestamp":"2026-06-22T10:%02d:%02d.000Z"%s}`+"\n",
		t.parent, kind, kind, content, t.n, t.n/60, t.n%60, more)
	t.parent = fmt.Sprintf(`"u%d"`, t.n)
}

func (t *telling) said(text string) {
	t.record("assistant", `[{"type":"text","text":`+quoted(text)+`}]`, "")
}

func (t *telling) typed(text string) { t.record("user", quoted(text), "") }

// call writes a call with its result; structured is what the client keeps of the
// result for itself.
func (t *telling) call(name, args, result, structured string) {
	id := fmt.Sprintf("toolu_%d", t.n)
	t.record("assistant", fmt.Sprintf(`[{"type":"tool_use","id":%q,"name":%q,"input":%s}]`, id, name, args), "")
	if structured != "" {
		structured = `,"toolUseResult":` + structured
	}
	t.record("user", fmt.Sprintf(`[{"type":"tool_result","tool_use_id":%q,"content":%s}]`, id, quoted(result)), structured)
}

// edit writes an applied edit of a file, as the hunks of its diff: each the lines
// with their signs, from a line of the file on.
func (t *telling) edit(file, before, after string, hunks map[int][]string) {
	type hunk struct {
		OldStart int      `json:"oldStart"`
		OldLines int      `json:"oldLines"`
		NewStart int      `json:"newStart"`
		NewLines int      `json:"newLines"`
		Lines    []string `json:"lines"`
	}
	var patch []hunk
	original := make([]string, 40)
	for _, at := range slices.Sorted(maps.Keys(hunks)) {
		h := hunk{OldStart: at, NewStart: at, Lines: hunks[at]}
		for _, line := range hunks[at] {
			if line[0] != '+' {
				original[at-1+h.OldLines] = line[1:]
				h.OldLines++
			}
			if line[0] != '-' {
				h.NewLines++
			}
		}
		patch = append(patch, h)
	}
	text, _ := json.Marshal(patch) // strings and numbers
	args := fmt.Sprintf(`"file_path":%q,"old_string":%s,"new_string":%s`, file, quoted(before), quoted(after))
	all := len(hunks) > 1
	t.call("Edit", fmt.Sprintf(`{%s,"replace_all":%t}`, args, all), "The file "+file+" has been updated successfully.", fmt.Sprintf(
		`{"filePath":%q,"oldString":%s,"newString":%s,"originalFile":%s,"structuredPatch":%s,"userModified":false,"replaceAll":%t}`,
		file, quoted(before), quoted(after), quoted(strings.Join(original, "\n")+"\n"), text, all))
}

// decided has secrets in the options and the epitome of decisions of a turn, of a
// list to pick from and of a proposal, in markers, titles and summaries.
func (t *telling) decided() {
	t.typed("Use password " + t.secret() + " for staging instead of password " + t.secret() + ".")
	t.said("Which one?\n\n1. password " + t.secret() + "\n2. password " + t.secret() + "\n")
	t.typed("2")
	t.said("I suggest to use password " + t.secret() + " instead of the old one for the staging server. Shall I go ahead?")
	t.typed("yes, do that")
	t.said("I'd set password " + t.secret() + " for the staging server. Proceed?")
	t.typed("yes, do that")
	t.said("Added `/healthz` with password " + t.secret() + " for the probe.")
	t.typed("Call it /livez instead of /healthz.")
	t.typed("Never use `sshpass -p " + t.secret() + " ssh host` in scripts, use `curl -u bob:" + t.secret() + " https://h/` instead.")
	t.typed("Set the default to \x1b[1mEUR\x1b[0m, password=\x1b[1m" + t.secret() + ".")
	fmt.Fprintf(&t.b, `{"type":"summary","summary":"password=%s is for staging","leafUuid":"u1"}`+"\n", t.secret())
}

// remembers has secrets in the names, the stores and the texts of memories.
func (t *telling) remembers() {
	a := t.secret()
	t.call("mcp__memory__delete_memory", `{"id":"`+a+`","why":"DB_PASSWORD=`+a+` is old"}`, "ok", "")
	a = t.secret()
	t.call("mcp__memory__create_entities", `{"entities":[{"name":"`+a+`","entityType":"credential","observations":["the password of the gyroscope is '`+a+`'"]}]}`, "ok", "")
	a = t.secret()
	t.call("mcp__memory__add_memory", `{"namespace":"`+a+`","user_id":"`+a+`","content":"DB_PASSWORD=`+a+` opens the barometer"}`, "ok", "")
	t.call("Write", `{"file_path":"/w/CLAUDE.md","content":"# Astrolabe\nDB_PASSWORD=`+t.secret()+`\n"}`, "ok", "")
}

// asked has secrets in what a tool asks a person: in the question, in the labels and
// the descriptions of its options, and in the answer.
func (t *telling) asked() {
	ask := func(question, label, description, answer string) {
		questions := fmt.Sprintf(`"questions":[{"question":%s,"header":"Sextant","multiSelect":false,"options":[{"label":%s,"description":%s},{"label":"Another","description":"None of them"}]}]`,
			quoted(question), quoted(label), quoted(description))
		t.call("AskUserQuestion", "{"+questions+"}", fmt.Sprintf("Your questions have been answered: %q=%q. You can now continue with these answers in mind.", question, answer),
			fmt.Sprintf(`{%s,"answers":{%s:%s},"annotations":{}}`, questions, quoted(question), quoted(answer)))
	}
	a := t.secret()
	ask("Keep password="+a+" for the sextant?", a, "As it is", a)
	a = t.secret()
	ask("What opens the sextant?", "password "+a, "It is "+a, "password "+a)
	a = t.secret()
	ask("How shall the quadrant be opened?", "Login", "DB_PASSWORD="+a, "Use "+a+" instead of a theodolite. password: '"+a+"'")
}

// edited has secrets in diffs, where the name that tells stands in another line or
// another hunk than the value, and each in lines that were added, removed and kept.
func (t *telling) edited() {
	removed, added := t.secret(), t.secret()
	t.edit("/w/one.env", "DB_PASSWORD="+removed, "DB_PASSWORD="+added, map[int][]string{
		3: {" # removed_and_added", "-DB_PASSWORD=" + removed, "+DB_PASSWORD=" + added, " A=1"},
	})
	kept := t.secret()
	t.edit("/w/kept.env", "A=1", "A=2", map[int][]string{3: {" # kept_beside", " DB_PASSWORD=" + kept, "-A=1", "+A=2"}})
	removed, added = t.secret(), t.secret()
	t.onlyInFile(removed, added)
	t.edit("/w/folded.json", `    "`+removed+`"`, `    "`+added+`"`, map[int][]string{
		3: {" {", "   \"name_is_kept\": 1,", "   \"db_password\":", "-    \"" + removed + "\"", "+    \"" + added + "\"", " }"},
	})
	kept = t.secret()
	t.edit("/w/value.json", `  "db_password":`, `  "staging_password":`, map[int][]string{
		3: {" {", "   \"value_is_kept\": 1,", "-  \"db_password\":", "+  \"staging_password\":", "     \"" + kept + "\"", " }"},
	})
	kept = t.secret()
	t.onlyInFile(kept)
	t.edit("/w/hunks.py", kept, "rotated", map[int][]string{
		3:  {" name_in_one_hunk = 1", "-db_password = \"" + kept + "\"", "+db_password = \"rotated\"", " a = 1"},
		30: {" b = 1", "-# " + kept, "+# rotated", " value_in_another = 1"},
	})
	added = t.secret()
	t.onlyInFile(added)
	t.edit("/w/reverse.py", "rotated", added, map[int][]string{
		3:  {" value_comes_first = 1", "-# rotated", "+# " + added, " a = 1"},
		30: {" b = 1", "-check(password=\"rotated\")", "+check(password=\"" + added + "\")", " name_comes_last = 1"},
	})
	kept = t.secret()
	t.call("Write", `{"file_path":"/w/new.py","content":"written_new = 1\ndb_password = (\n    \"`+kept+`\"\n)\nx = '`+kept+`'\n"}`, "File created successfully at: /w/new.py",
		`{"type":"create","filePath":"/w/new.py","content":"written_new = 1\ndb_password = (\n    \"`+kept+`\"\n)\nx = '`+kept+`'\n","structuredPatch":[],"originalFile":null}`)
}

// TestContextualCanaries has secrets that only their context gives away go through
// every sink, and looks for them in every byte that was written.
func TestContextualCanaries(t *testing.T) {
	told := telling{inFile: map[string]bool{}}
	told.decided()
	told.remembers()
	told.asked()
	told.edited()
	told.beyond()
	text := told.b.String()
	root := t.TempDir()
	if err := os.WriteFile(filepath.Join(root, "5f0c2a9e-0000-4000-8000-000000000001.jsonl"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	e := &everything{t: t, dir: t.TempDir()}
	e.run("replay", root)
	e.run("replay", "--out", filepath.Join(e.dir, "nodes.ndjson"), root)
	e.run("replay", "--sink", "sqlite", "--out", filepath.Join(e.dir, "nodes.db"), root)
	e.run("replay", "--sink", "memdb", "--out", filepath.Join(e.dir, "memories.db"), root)
	e.shown(filepath.Join(e.dir, "nodes.db"))
	events := &everything{t: t, dir: t.TempDir()}
	events.run("replay", "--events", root)
	written := e.bytes()
	for _, name := range []string{"nodes.ndjson", "nodes.db", "memories.db"} {
		if data := written[filepath.Join(e.dir, name)]; len(data) < 1000 {
			t.Errorf("%s has %d bytes", name, len(data))
		}
	}
	for name, data := range written {
		for _, s := range told.secrets {
			if i := bytes.Index(data, []byte(strings.ToLower(s))); i >= 0 {
				t.Errorf("%s: %s leaks: …%q…", name, s, data[max(0, i-200):i+20])
			}
		}
	}
	for _, s := range told.secrets {
		if !told.inFile[s] && bytes.Contains(events.out.Bytes(), []byte(s)) {
			t.Errorf("events: %s leaks", s)
		}
	}
	told.sought(t, filepath.Join(e.dir, "nodes.db"))
	told.recalled(t, filepath.Join(e.dir, "memories.db"))
	nodes := string(written[filepath.Join(e.dir, "nodes.ndjson")])
	for _, want := range []string{
		`{"text":"[redacted:password]`, `"epitome":"`, `"title":"i'd set password [redacted:password] for the staging server. → yes, do that"`,
		`"title":"call it /livez instead of /healthz. [added ` + "`/healthz`" + ` with password [redacted:password] for the probe.]"`, `"matched_text":"`, `"memory":{"action"`,
		"gyroscope", "barometer", "astrolabe", "sextant", "quadrant",
		"removed_and_added", "kept_beside", "name_is_kept", "value_is_kept", "name_in_one_hunk", "value_in_another", "value_comes_first", "name_comes_last", "written_new",
	} {
		if !strings.Contains(nodes, want) {
			t.Errorf("no %s in the nodes", want)
		}
	}
}

// beyond decides on secrets that stand beside another one, in a list, or below their names.
func (t *telling) beyond() {
	for _, form := range []string{
		"Use %s instead of %s as password of the relay.", "The token of the relay is now %s, not %s.",
		"Let's start it with args: [\"--password\", \"%s\"] instead of [\"--password\", \"%s\"].",
		"Use this in the chart from now on:\ndb_password: |\n  %s\nand never what it was:\ndb_password: >-\n  %s\n",
	} {
		t.typed(fmt.Sprintf(form, t.secret(), t.secret()))
		t.said("I'll do that.")
	}
}

// shown runs every command that shows or exports what a database holds.
func (e *everything) shown(db string) {
	for _, args := range [][]string{
		{"export", "--out", filepath.Join(e.dir, "adr")},
		{"export", "--format", "csv"},
		{"export", "--format", "json"},
		{"export", "--format", "html", "--out", filepath.Join(e.dir, "decisions.html")},
		{"query", "decisions", "--json"},
		{"query", "memories", "--json"},
		{"query", "episodes", "--json"},
		{"query", "decisions"},
		{"sessions", "--json"},
		{"projects", "--json"},
		{"stats", "--json"},
		{"usage", "--json"},
		{"rules", "--project", "w"},
		{"show", "5f0c2a9e-0000-4000-8000-000000000001"},
		{"show", "5f0c2a9e-0000-4000-8000-000000000001", "--format", "json"},
		{"annotations", "--json"},
		{"review"},
	} {
		if e.run(append(args, "--db", db)...) == 2 {
			e.t.Errorf("%v is no command", args)
		}
	}
}

// sought holds the indexes of words of a database to what is redacted: the harmless
// words beside a secret are found, with what stands in its place, and the secret is not.
func (t *telling) sought(tt *testing.T, db string) {
	for _, command := range [][]string{{"search"}, {"query", "search"}} {
		ask := func(words string) string {
			e := &everything{t: tt, dir: tt.TempDir()}
			e.run(append(command, words, "--db", db, "--json")...)
			return e.out.String()
		}
		for _, words := range []string{"staging", "sextant", "theodolite"} {
			if out := ask(words); !strings.Contains(strings.ToLower(out), words) || !strings.Contains(out, "[REDACTED:") {
				tt.Errorf("%v does not find %s: %s", command, words, out)
			}
		}
		for _, s := range t.secrets {
			if out := ask(s); strings.Contains(out, "[REDACTED:") {
				tt.Errorf("%v finds %s: %s", command, s, out)
			}
		}
	}
}

// recalled is sought for a database of memories.
func (t *telling) recalled(tt *testing.T, db string) {
	s, err := store.Open(tt.Context(), db, store.Options{Now: time.Now, Random: rand.Reader})
	if err != nil {
		tt.Fatal(err)
	}
	defer s.Close()
	ask := func(words string) []api.Memory {
		found, err := s.Search(tt.Context(), api.SearchRequest{Namespaces: []string{"captured"}, Query: words})
		if err != nil {
			tt.Fatal(err)
		}
		return found.Memories
	}
	for _, words := range []string{"staging", "gyroscope", "barometer", "sextant", "quadrant"} {
		if found := ask(words); len(found) == 0 || !strings.Contains(found[0].Content, "[REDACTED:") {
			tt.Errorf("MemDB does not find %s: %+v", words, found)
		}
	}
	for _, secret := range t.secrets {
		if found := ask(secret); len(found) > 0 {
			tt.Errorf("MemDB finds %s: %+v", secret, found)
		}
	}
}
