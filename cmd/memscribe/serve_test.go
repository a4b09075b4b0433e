package main

import (
	"bufio"
	"cmp"
	"encoding/json"
	"errors"
	"io"
	"maps"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// browser has entered a page that serve shows.
type browser struct {
	*testing.T
	http.Client

	link, base string
	lines      *bufio.Scanner // what the program says further
}

// newBrowser starts serve on a database and enters by its link.
func (w *world) newBrowser(db string, args ...string) *browser {
	w.t.Helper()
	cmd := w.command(w.t.Context(), append([]string{"serve", "--addr", "127.0.0.1:0", "--db", db}, args...)...)
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		w.t.Fatal(err)
	}
	w.t.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
	b := &browser{T: w.t, lines: bufio.NewScanner(out)}
	b.link = b.nextLink()
	at, err := url.Parse(b.link)
	if err != nil {
		w.t.Fatal(err)
	}
	b.base = at.Scheme + "://" + at.Host
	if b.Jar, err = cookiejar.New(nil); err != nil {
		w.t.Fatal(err)
	}
	if status, _ := b.get(at.RequestURI()); status != http.StatusOK {
		w.t.Fatalf("the link answers %d", status)
	}
	return b
}

// nextLink waits until the program prints a link.
func (b *browser) nextLink() string {
	b.Helper()
	for b.lines.Scan() {
		if link := regexp.MustCompile(`http://\S+`).FindString(b.lines.Text()); link != "" {
			return link
		}
	}
	b.Fatal("serve prints no link")
	return ""
}

func (b *browser) get(path string) (status int, body string) {
	b.Helper()
	r, err := b.Get(b.base + path)
	if err != nil {
		b.Fatal(err)
	}
	text, err := io.ReadAll(r.Body)
	if err = errors.Join(err, r.Body.Close()); err != nil {
		b.Fatal(err)
	}
	return r.StatusCode, string(text)
}

// views are addresses with what each must show.
func (b *browser) views() map[string]string {
	b.Helper()
	var list struct {
		Decisions []struct {
			ID      string
			Project string
			Session string `json:"session_id"`
			Edits   []struct{ Path string }
		}
	}
	b.json("/?format=json", &list)
	if len(list.Decisions) < 2 {
		b.Fatalf("the timeline has %+v", list)
	}
	i := 0
	for i < len(list.Decisions) && len(list.Decisions[i].Edits) == 0 {
		i++
	}
	if i == len(list.Decisions) {
		b.Fatalf("no edit carries out any of %+v", list)
	}
	d := list.Decisions[i]
	return map[string]string{
		"/":                                     "cursor pagination",
		"/?q=pagin":                             "cursor pagination",
		"/?kind=ban":                            "Never use lodash",
		"/?kind=standing":                       "Never use lodash",
		"/decision/" + d.ID:                     "What carries it out",
		"/session/" + url.PathEscape(d.Session): "cursor pagination",
		"/session/" + url.PathEscape(d.Session) + "?at=1.": `id="here"`,
		"/sessions":        "cursor pagination",
		"/search?q=lodash": "<mark>lodash</mark>",
		"/rules?project=" + url.QueryEscape(d.Project):            "Never use lodash",
		"/file?" + url.Values{"path": {d.Edits[0].Path}}.Encode(): "Edits",
		"/usage":  "By model",
		"/health": "claude_code",
		"/file?" + url.Values{"path": {filepath.Base(d.Edits[0].Path)}}.Encode(): "Edits",
	}
}

func (b *browser) json(path string, to any) {
	b.Helper()
	status, body := b.get(path)
	if err := json.Unmarshal([]byte(body), to); err != nil || status != http.StatusOK {
		b.Errorf("%s answers %d %.200s: %v", path, status, body, err)
	}
}

// Every view shows what was recorded, without a script, and has a JSON twin.
func TestServeViews(t *testing.T) {
	w := newServed(t)
	b := w.newBrowser(filepath.Join(w.dir, "n.db"))
	for path, shows := range b.views() {
		status, body := b.get(path)
		if status != http.StatusOK || !strings.Contains(body, shows) {
			t.Errorf("%s answers %d without %q: %s", path, status, shows, body)
		}
		if elsewhere := regexp.MustCompile(`(src|href|action)="(https?:)?//`).FindString(body); elsewhere != "" || strings.Contains(body, " style=") {
			t.Errorf("%s leads elsewhere (%s), or has a style of its own", path, elsewhere)
		}
		var twin map[string]any
		joint := "?"
		if strings.Contains(path, "?") {
			joint = "&"
		}
		b.json(path+joint+"format=json", &twin)
		if len(twin) == 0 {
			t.Errorf("the twin of %s is empty", path)
		}
	}
	for path, want := range map[string]int{
		"/decision/decision:none": 404, "/session/none": 404, "/file": 400, "/file?path=/etc/passwd": 404, "/none": 404, "/?after=x%20y": 400, "/?since=nonsense": 400,
		"/session/5e550001-0000-4000-8000-000000000000?at=x": 400, "/?project=none": 200, "/search?q=kind:x": 400, "/assets/none": 404,
	} {
		if status, body := b.get(path); status != want {
			t.Errorf("%s answers %d, want %d: %.300s", path, status, want, body)
		}
	}
}

// TestServeNothing shows a database in which nothing is: its lists are lists.
func TestServeNothing(t *testing.T) {
	w := &world{t: t, dir: t.TempDir()}
	db, none := filepath.Join(w.dir, "empty.db"), filepath.Join(w.dir, "none")
	if err := os.Mkdir(none, 0o700); err != nil {
		t.Fatal(err)
	}
	w.run("watch", "--once", "--home", none, "--sink", "sqlite", "--out", db)
	b := w.newBrowser(db)
	for _, path := range []string{"/", "/sessions", "/search", "/rules", "/usage", "/health"} {
		if status, body := b.get(path + "?format=json"); status != http.StatusOK || strings.Contains(body, ":null") || strings.Contains(body, ": null") {
			t.Errorf("%s answers %d %s", path, status, body)
		}
	}
}

// TestServeUsage: the page counts tokens as the command does, and anew once something was
// written.
func TestServeUsage(t *testing.T) {
	w := &world{t: t, dir: t.TempDir()}
	db := filepath.Join(w.dir, "n.db")
	var b *browser
	for _, tool := range []string{"claude_code", "codex"} {
		w.run("replay", filepath.Join("..", "..", "fixtures", tool), "--sink", "sqlite", "--out", db)
		if b == nil {
			b = w.newBrowser(db)
		}
		var bill struct {
			Items []struct {
				Key                                            string
				Input_tokens, Output_tokens, Cache_read_tokens int64 //nolint:revive // as JSON has them
			}
		}
		if err := json.Unmarshal([]byte(w.run("usage", "--by", "model", "--db", db, "--json")), &bill); err != nil {
			t.Fatal(err)
		}
		type sum struct{ input, output, cached int64 }
		want, got := map[string]sum{}, map[string]sum{}
		for _, i := range bill.Items {
			want[cmp.Or(i.Key, "not known")] = sum{i.Input_tokens, i.Output_tokens, i.Cache_read_tokens}
		}
		var page struct {
			Models []struct {
				Of            string
				Input, Output int64
				Cached        int64 `json:"cache_read"`
			}
		}
		for range 2 {
			b.json("/usage?format=json", &page)
			for _, m := range page.Models {
				got[m.Of] = sum{m.Input, m.Output, m.Cached}
			}
			if !maps.Equal(got, want) || len(got) == 0 {
				t.Errorf("with %s the page has %v, the command %v", tool, got, want)
			}
		}
	}
}

// Programs that ask for JSON by Accept get the twin of each view; browsers, and whoever
// takes anything, get the page.
func TestServeAccept(t *testing.T) {
	w := newServed(t)
	b := w.newBrowser(filepath.Join(w.dir, "n.db"))
	ask := func(path, accept string) (kind, body string) {
		t.Helper()
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, b.base+path, nil)
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Accept", accept)
		answer, err := b.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(answer.Body)
		if err = errors.Join(err, answer.Body.Close()); err != nil {
			t.Fatal(err)
		}
		if answer.Header.Get("Vary") != "Accept" {
			t.Errorf("%s has Vary %q", path, answer.Header.Get("Vary"))
		}
		return answer.Header.Get("Content-Type"), string(text)
	}
	for path := range b.views() {
		joint := "?"
		if strings.Contains(path, "?") {
			joint = "&"
		}
		_, twin := b.get(path + joint + "format=json")
		if kind, body := ask(path, "application/json"); !strings.HasPrefix(kind, "application/json") || body != twin {
			t.Errorf("%s as JSON is %s: %.200s", path, kind, body)
		}
	}
	for accept, want := range map[string]string{
		"*/*": "text/html", "text/html,application/xhtml+xml,*/*;q=0.8": "text/html", "nonsense;;": "text/html",
		"text/html;q=0.5, application/json": "application/json", "application/json;q=0.2, text/html": "text/html",
		"application/json;q=0": "text/html", "application/json;q=x": "text/html",
	} {
		if kind, _ := ask("/", accept); !strings.HasPrefix(kind, want) {
			t.Errorf("Accept: %s is answered with %s, want %s", accept, kind, want)
		}
	}
	if kind, body := ask("/none", "application/json"); !strings.HasPrefix(kind, "application/json") || !strings.Contains(body, `"error"`) {
		t.Errorf("what is not there is %s: %s", kind, body)
	}
}

// A project is named by its folder or by the last element of that, as by the command
// rules; one that is not there is said to be not there.
func TestServeRulesByName(t *testing.T) {
	w := newServed(t)
	b := w.newBrowser(filepath.Join(w.dir, "n.db"))
	_, want := b.get("/rules?format=json&project=/home/dev/work/app")
	if !strings.Contains(want, "Never use lodash") {
		t.Fatalf("the rules are %s", want)
	}
	for _, name := range []string{"app", "/home/dev/work", "/home/dev/work/app/"} {
		if _, got := b.get("/rules?format=json&project=" + url.QueryEscape(name)); got != want {
			t.Errorf("rules of %s are %s", name, got)
		}
	}
	if status, body := b.get("/rules?project=appl"); status != http.StatusNotFound || !strings.Contains(body, "app") {
		t.Errorf("a project that is not there answers %d: %s", status, body)
	}
}

// hostileText acts on a page that does not escape it, and deceives an eye.
const hostileText = `<script>alert(1)</script><img src=x onerror=alert(2)>\" onmouseover=\"alert(3)\u202e\u2066\u0007javascript:alert(4)`

// hostileSession is a database of a session in which every name and text is hostile, and
// the text of an edit has more in it.
func (w *world) hostileSession(more string) (db string) {
	w.t.Helper()
	name := filepath.Join(w.dir, "home", ".claude", "projects", "-w", "a.jsonl")
	said, err := os.ReadFile(name)
	if err != nil {
		w.t.Fatal(err)
	}
	const bad = hostileText
	hostile := strings.NewReplacer("cursor pagination", "cursor pagination "+bad, "Ignore all", more+"Ignore all", `"cwd": "/home/dev/work/app"`, `"cwd": "/home/dev/work/app`+bad+`"`,
		"src/orders.js", "src/orders"+bad+".js", "Never use lodash", "Never use lodash "+bad, "5e550001-0000-4000-8000-000000000000", bad).Replace(string(said))
	if err = os.WriteFile(name, []byte(hostile), 0o600); err != nil {
		w.t.Fatal(err)
	}
	db = filepath.Join(w.dir, "hostile.db")
	w.run("replay", "--home", filepath.Join(w.dir, "home"), "--sink", "sqlite", "--out", db)
	return db
}

// What transcripts hold acts neither on the page nor on its reader.
func TestServeHostile(t *testing.T) {
	w := newServed(t)
	b := w.newBrowser(w.hostileSession(""))
	for path := range b.views() {
		status, body := b.get(path)
		if status != http.StatusOK {
			t.Errorf("%s answers %d", path, status)
		}
		for _, harm := range []string{"<script>alert", "<img", `" onmouseover="`, "\u202e", "\u2066", "\a", `href="javascript:`} {
			if strings.Contains(body, harm) {
				t.Errorf("%s has %q", path, harm)
			}
		}
	}
	if _, body := b.get("/"); !strings.Contains(body, "&lt;script&gt;") || !strings.Contains(body, `\u202e`) {
		t.Errorf("what is hostile is not shown as what it is: %s", body)
	}
}

// The program keeps others out: a link works once, and beyond this machine there must
// be a token and TLS.
func TestServeWalls(t *testing.T) {
	w := newServed(t)
	db := filepath.Join(w.dir, "n.db")
	b := w.newBrowser(db)
	stranger := &browser{T: t, base: b.base}
	for path, want := range map[string]int{"/": 401, strings.TrimPrefix(b.link, b.base): 401, "/events": 401, "/healthz": 401} {
		if status, body := stranger.get(path); status != want || strings.Contains(body, "pagination") {
			t.Errorf("a stranger's %s answers %d: %s", path, status, body)
		}
	}
	if next := b.nextLink(); next == b.link {
		t.Error("the next link is the one that was used")
	}
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, b.base, nil)
	if err != nil {
		t.Fatal(err)
	}
	r.Host = "evil.example"
	foreign, err := b.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	if _ = foreign.Body.Close(); foreign.StatusCode != http.StatusForbidden {
		t.Errorf("a foreign host is answered with %s", foreign.Status)
	}
	token := filepath.Join(w.dir, "token")
	if err = os.WriteFile(token, []byte("a-token-of-enough-characters\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct {
		args []string
		says string
	}{
		{nil, "needs a token"},
		{[]string{"--token-file", token}, "needs TLS"},
	} {
		out, err := w.command(t.Context(), append([]string{"serve", "--db", db, "--addr", "0.0.0.0:0"}, tc.args...)...).CombinedOutput()
		if code := exitCode(err); code != 2 || !strings.Contains(string(out), tc.says) {
			t.Errorf("serve %v beyond this machine ends with %d: %s", tc.args, code, out)
		}
	}
}

func exitCode(err error) int {
	if e, ok := err.(*exec.ExitError); ok { //nolint:errorlint // it is what CombinedOutput returns
		return e.ExitCode()
	}
	return -1
}

// A page that stands open is told when something was written, and shows it.
func TestServeLive(t *testing.T) {
	w := newServed(t)
	db := filepath.Join(w.dir, "n.db")
	b := w.newBrowser(db)
	r, err := b.Get(b.base + "/events")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = r.Body.Close() })
	events := bufio.NewScanner(r.Body)
	if !events.Scan() || !strings.HasPrefix(events.Text(), "retry:") {
		t.Fatalf("the events begin with %q", events.Text())
	}
	name := filepath.Join(w.dir, "home", ".claude", "projects", "-w", "b.jsonl")
	said, err := os.ReadFile(filepath.Join("testdata", "session.jsonl"))
	if err == nil {
		err = os.WriteFile(name, said, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	w.run("replay", "--home", filepath.Join(w.dir, "home"), "--sink", "sqlite", "--out", db)
	for events.Scan() && events.Text() != "event: changed" {
	}
	if events.Text() != "event: changed" {
		t.Fatalf("the events end: %v", events.Err())
	}
	if _, body := b.get("/"); !strings.Contains(body, "Postgres") {
		t.Error("the new decision is not shown")
	}
}

// What a person says on the page is kept as what they say by commands; what another page
// sends is not.
func TestServeSay(t *testing.T) {
	w := newServed(t)
	db := filepath.Join(w.dir, "n.db")
	b := w.newBrowser(db)
	var list struct{ Decisions []struct{ ID string } }
	b.json("/?format=json", &list)
	id := list.Decisions[0].ID
	_, body := b.get("/decision/" + id)
	word := regexp.MustCompile(`name="word" value="([^"]+)"`).FindStringSubmatch(body)
	if word == nil {
		t.Fatalf("the page has no form: %s", body)
	}
	for _, tc := range []struct {
		origin, word, what, text, undo string
		want                           int
		shows                          string
	}{
		{"http://evil.example", word[1], "reject", "", "", 403, ""},
		{"", word[1], "reject", "", "", 403, ""},
		{b.base, "", "reject", "", "", 403, ""},
		{b.base, word[1], "supersede", id, "", 400, ""},
		{b.base, word[1], "note", "", "", 400, ""},
		{b.base, word[1], "accept", "", "", 200, "Take the acceptance back"},
		{b.base, word[1], "accept", "", "1", 200, ">Reject<"},
		{b.base, word[1], "pin", "", "", 200, ">Unpin<"},
		{b.base, word[1], "note", "<b>seen</b>", "", 200, "&lt;b&gt;seen&lt;/b&gt;"},
	} {
		form := url.Values{"word": {tc.word}, "id": {id}, "what": {tc.what}, "text": {tc.text}, "undo": {tc.undo}}
		r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, b.base+"/say", strings.NewReader(form.Encode()))
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		if tc.origin != "" {
			r.Header.Set("Origin", tc.origin)
		}
		answer, err := b.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(answer.Body)
		if err = errors.Join(err, answer.Body.Close()); err != nil {
			t.Fatal(err)
		}
		if answer.StatusCode != tc.want || !strings.Contains(string(text), tc.shows) {
			t.Errorf("%+v: %s, %s", tc, answer.Status, text)
		}
	}
	said := w.run("annotations", "--db", db, "--json")
	if strings.Contains(said, `"kind":"reject"`) || strings.Count(said, "\n") != 4 {
		t.Errorf("kept is %s", said)
	}
}
