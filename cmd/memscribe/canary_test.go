package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"golang.org/x/mod/semver"

	"github.com/memscribe/memscribe/cmd/memscribe/internal/cli"
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/redact"
	"github.com/memscribe/memscribe/internal/app/host"
	"github.com/memscribe/memscribe/testkit/size"
)

// aviary makes secrets and remembers them.
type aviary struct {
	all []string

	forms  []string // in which a secret stands that only what is around it gives away
	judge  *redact.Engine
	draw   int // secrets of another draw are others
	missed int // secrets that are not seen even there
}

func (a *aviary) next() string {
	sum := sha256.Sum256(fmt.Append(nil, "canary", len(a.all)))
	s := "ghp_" + hex.EncodeToString(sum[:18])
	a.all = append(a.all, s)
	return s
}

// said returns a text with a secret in it.
func (a *aviary) said() string {
	if len(a.forms) == 0 {
		return a.next()
	}
	form := a.forms[len(a.all)%len(a.forms)]
	for {
		secret := a.drawn()
		text := fmt.Sprintf(form, secret)
		clean, _, err := a.judge.Scrub(core.TextField, []byte("x "+text))
		if err == nil && !bytes.Contains(clean, []byte(secret)) {
			a.all = append(a.all, secret)
			return text
		}
		a.missed++ // by chance it looks like something else, even where it is said
	}
}

// drawn returns letters and digits that are a secret by what is around them only.
func (a *aviary) drawn() string {
	const letters = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
	sum := sha256.Sum256(fmt.Append(nil, "canary in context", a.draw, len(a.all), a.missed))
	s := make([]byte, 24)
	for i := range s {
		s[i] = letters[int(sum[i])%len(letters)]
	}
	return string(s)
}

// inContext are forms in which people and programs write secrets.
func inContext() []string {
	return []string{
		"Use password %s for staging.", "Use password %s instead of hunter2.", "DB_PASSWORD=%s", "curl -u admin:%s https://example.com/v1",
		"machine example.com login ann password %s", "CREATE USER ann IDENTIFIED BY '%s';", "Cookie: session=%s; Path=/",
		"sshpass -p %s ssh ann@example.com", "mysql -u root -p%s shop", "{\"client_secret\": \"%s\"}", "Authorization: Bearer %s",
		"postgres://ann:%s@db.example.com/shop", "password:\n  %s\n", "[\"login\", \"--password\", \"%s\"]", "docker login -u ann -p %s registry.example.com",
		"redis-cli -a %s ping", "export AWS_SESSION_TOKEN=%s", "the api key is %s", "pass\x1b[1mword: %s\x1b[0m", "We decided against the password %s.",
	}
}

// plant adds a canary to the strings of a value, in every one that fits.
func (a *aviary) plant(v any, fits func(string) bool) any {
	switch v := v.(type) {
	case string:
		if fits(v) {
			return v + " " + a.said()
		}
	case []any:
		for i := range v {
			v[i] = a.plant(v[i], fits)
		}
	case map[string]any:
		for _, k := range slices.Sorted(maps.Keys(v)) { // which secret stands where is the same each time
			v[k] = a.plant(v[k], fits)
		}
		v["canary"] = map[string]any{a.next(): a.next()}
	}
	return v
}

// infest copies a transcript with canaries in its records, and some lines that
// are none.
func (a *aviary) infest(t *testing.T, from, to string, fits func(string) bool) {
	t.Helper()
	data, err := os.ReadFile(from)
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	for line := range bytes.Lines(data) {
		var v any
		if err = json.Unmarshal(line, &v); err != nil {
			out.Write(line)
			continue
		}
		b, err := json.Marshal(a.plant(v, fits))
		if err != nil {
			t.Fatal(err)
		}
		out.Write(append(b, '\n'))
	}
	fmt.Fprintf(&out, "{\"broken\": %q,\n%s\n{\"type\":\"of no one\",\"x\":%q}\n", a.said(), a.said(), a.said())
	if err := os.MkdirAll(filepath.Dir(to), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(to, out.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
}

// partSize is how much of a canary gives it away.
const partSize = 16

// partSet are the pieces of canaries: one that was cut in half shows too.
type partSet map[string]bool

func (a *aviary) parts() partSet {
	set := partSet{}
	for _, s := range a.all {
		s = strings.ToLower(strings.TrimPrefix(s, "ghp_"))
		set[s[:partSize]], set[s[len(s)-partSize:]] = true, true
	}
	return set
}

// in returns where a piece stands in data; -1 if none does. Canaries are letters and
// digits, so only runs of those are looked at; data is in small letters.
func (p partSet) in(data []byte) int {
	run := 0
	for i, c := range data {
		if (c < '0' || c > '9') && (c < 'a' || c > 'z') {
			run = 0
			continue
		}
		if run++; run >= partSize && p[string(data[i+1-partSize:i+1])] {
			return i + 1 - partSize
		}
	}
	return -1
}

// isProse tells texts from what holds a transcript together.
func isProse(s string) bool { return strings.ContainsAny(s, " \n/") && len(s) > 8 }

// isContent is all but the words by which a parser knows what a record is.
func isContent(s string) bool { return len(s) > 24 || strings.ContainsAny(s, " \n/.") }

// infestation makes transcripts of several tools below a folder whose own path has
// a canary in it. Ids are left alone in half of them, so that they are understood.
func (a *aviary) infestation(t *testing.T, dir string, scenarios ...string) string {
	t.Helper()
	root := filepath.Join(dir, a.next())
	n := 0
	for _, path := range latest(t, scenarios...) {
		for i, fits := range []func(string) bool{isProse, isContent} {
			n++
			name := fmt.Sprintf("%d-%d-%s", n, i, filepath.Base(path))
			a.infest(t, path, filepath.Join(root, name), fits)
		}
	}
	if n < 20 {
		t.Fatalf("%d transcripts", n)
	}
	return root
}

// latest are the transcripts of scenarios by the last version of each tool of
// which there are any.
func latest(t *testing.T, scenarios ...string) []string {
	t.Helper()
	byScenario := map[string]string{} // the last folder of each tool's scenario
	for _, s := range scenarios {
		folders, err := filepath.Glob(filepath.Join("../../fixtures/*/*", s))
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range folders {
			version := filepath.Dir(f)
			key := filepath.Dir(version) + s
			if last := byScenario[key]; last == "" || semver.Compare("v"+filepath.Base(version), "v"+filepath.Base(filepath.Dir(last))) > 0 {
				byScenario[key] = f
			}
		}
	}
	var all []string
	for _, key := range slices.Sorted(maps.Keys(byScenario)) {
		err := filepath.WalkDir(byScenario[key], func(path string, d fs.DirEntry, err error) error {
			if err == nil && strings.HasSuffix(path, ".jsonl") {
				all = append(all, path)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return all
}

// output is everything that commands write: both streams, and files.
type everything struct {
	t   *testing.T
	dir string
	out bytes.Buffer
}

func (e *everything) run(args ...string) (code int) {
	e.t.Helper()
	environment := cli.Env{
		Stdin: strings.NewReader(""), Stdout: &e.out, Stderr: &e.out,
		Machine: host.Machine{
			OS: "linux", Now: time.Now,
			Getenv:  func(string) string { return "" },
			Environ: func() []string { return nil },
			Home:    func() (string, error) { return filepath.Join(e.dir, "home"), nil },
		},
	}
	fmt.Fprintf(&e.out, "\n$ memscribe\n")
	return run(args, environment)
}

// bytes returns what was printed and what stands in the files.
func (e *everything) bytes() map[string][]byte {
	e.t.Helper()
	all := map[string][]byte{"streams": bytes.ToLower(e.out.Bytes())}
	err := filepath.WalkDir(e.dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		all[path] = bytes.ToLower(data)
		return err
	})
	if err != nil {
		e.t.Fatal(err)
	}
	return all
}

// commands runs all that writes anything about transcripts.
func (e *everything) commands(root string, more ...string) {
	e.t.Helper()
	run := func(args ...string) { e.run(append(args, more...)...) }
	out := func(name string) string { return filepath.Join(e.dir, name) }
	run("replay", root)
	run("replay", "-v", "--log-format", "json", "--events", root)
	run("replay", "--out", out("replayed.ndjson"), root)
	run("replay", "--sink", "sqlite", "--out", out("replayed.db"), root)
	run("replay", "--sink", "memdb", "--out", out("memories.db"), root)
	run("memdb", "verify", "-v", "--db", out("memories.db"))
	run("watch", "-v", "--once", "--root", root, "--out", out("watched.db"), "--sink", "sqlite")
	run("watch", "--once", "--root", root, "--out", out("watched.ndjson"), "--sink", "ndjson")
	run("watch", "--once", "--root", root, "--out", filepath.Join(root, "none", "\x00"), "--sink", "sqlite")
	files, err := os.ReadDir(root)
	if err != nil {
		e.t.Fatal(err)
	}
	for i, f := range files { // replay has read all of them for both
		as := [][]string{{"parse", "-v"}, {"parse", "--log-format", "json", "--events"}}[i%2]
		run(append(as, filepath.Join(root, f.Name()))...)
	}
	run("parse", filepath.Join(root, "gone.jsonl"))
	run("parse", "--as", filepath.Base(root), filepath.Join(root, "gone.jsonl"))
	run("replay", filepath.Join(root, "gone"), "--sink", "sqlite", "--out", root)
	run("redact", filepath.Join(root, files[0].Name()))
	run("redact", "--json", filepath.Join(root, files[0].Name()), filepath.Join(root, "gone"))
	run(filepath.Base(root))
	for _, payload := range []string{`{"hook_event_name":"PostToolUse","session_id":"s","tool_input":{"text":%q}}`, `{"prompt":%q`, "say %q"} {
		run("hook", "-v", "--tool", "claude_code", "--state-dir", out("state"), fmt.Sprintf(payload, filepath.Base(root)))
	}
	run("watch", "--once", "--root", root, "--state-dir", out("state"), "--sink", "ndjson", "--out", out("pushed.ndjson"))
}

// infested are the scenarios whose transcripts have canaries.
func infested() []string {
	return []string{"image_stream", "happy_path", "subagent_thread", "rejected_alternative"}
}

// TestCanaries plants secrets in every text of transcripts, in their paths and in
// lines that cannot be read, has every command write all that it can to wherever
// it can, and looks for them in every byte.
func TestCanaries(t *testing.T) {
	for _, more := range [][]string{nil, {"--no-content"}} {
		t.Run(strings.Join(append([]string{"as it is"}, more...), " "), func(t *testing.T) {
			a := &aviary{}
			root := a.infestation(t, t.TempDir(), infested()[:size.Of(2, 4)]...)
			e := &everything{t: t, dir: t.TempDir()}
			e.commands(root, more...)
			e.hasNone(a.parts())
			if n := bytes.Count(e.out.Bytes(), []byte("[REDACTED:github_pat]")); len(more) == 0 && n < len(a.all) {
				t.Errorf("there are %d placeholders for %d canaries", n, len(a.all))
			}
			for _, name := range []string{"replayed.ndjson", "replayed.db", "watched.db", "watched.ndjson", "memories.db"} {
				if info, err := os.Stat(filepath.Join(e.dir, name)); err != nil || info.Size() < 1000 {
					t.Errorf("%s has not been written: %v", name, err)
				}
			}
		})
	}
}

// hasNone looks for canaries in all that was written.
func (e *everything) hasNone(parts partSet) {
	e.t.Helper()
	for name, data := range e.bytes() {
		if i := parts.in(data); i >= 0 {
			e.t.Errorf("%s: a canary leaks: …%q…", name, data[max(0, i-200):min(i+20, len(data))])
		}
	}
}

// TestCanariesInContext plants secrets that only what is around them gives away, in several draws:
// which secret meets which text is chance.
func TestCanariesInContext(t *testing.T) {
	engine, err := redact.New(redact.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for draw := range size.Of(2, 6) {
		t.Run(strconv.Itoa(draw), func(t *testing.T) {
			scenarios := infested()
			if draw > 0 {
				scenarios = scenarios[:2]
			}
			a := &aviary{forms: inContext(), judge: engine, draw: draw}
			root := a.infestation(t, t.TempDir(), scenarios...)
			e := &everything{t: t, dir: t.TempDir()}
			e.commands(root)
			e.hasNone(a.parts())
			if t.Logf("%d secrets, %d more were not seen", len(a.all), a.missed); 100*a.missed > len(a.all) {
				t.Errorf("of %d secrets %d are not seen where they are said", len(a.all), a.missed)
			}
		})
	}
}

// TestPartSet sees to it that a leak would be seen.
func TestPartSet(t *testing.T) {
	a := &aviary{}
	s := a.next()
	parts := a.parts()
	for text, want := range map[string]int{
		"x" + s: 5, s[4:24]: 0, "abc" + s[20:]: len("abc") + len(s) - 20 - partSize, s[:18]: -1, "": -1, strings.Repeat("0a", 40): -1,
	} {
		if got := parts.in([]byte(text)); got != want {
			t.Errorf("in %s at %d, want %d", text, got, want)
		}
	}
}
