package main

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"maps"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/memscribe/memscribe/testkit/golden"
)

// chromium is a real browser that stands on a page of serve.
type chromium struct {
	*browser

	ctx  context.Context //nolint:containedctx // it is how chromedp names a browser
	name string          // of the program

	mu     sync.Mutex
	asked  []string // the addresses that it asked for
	faults []string // what it refused, and errors of the script
}

// newChromium starts a browser and enters with the next link of a page.
func newChromium(b *browser) *chromium {
	b.Helper()
	if testing.Short() {
		b.Skip("a browser takes its time")
	}
	program, called := "", ""
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if at, err := exec.LookPath(name); err == nil {
			program, called = at, name
			break
		}
	}
	if program == "" {
		b.Skip("no Chromium is installed (Debian: apt install chromium)")
	}
	options := append(slices.Clone(chromedp.DefaultExecAllocatorOptions[:]), chromedp.ExecPath(program), chromedp.NoSandbox)
	all, stopAll := chromedp.NewExecAllocator(b.Context(), options...)
	ctx, stop := chromedp.NewContext(all, chromedp.WithErrorf(func(string, ...any) {})) // it may be newer than what is known of its events
	ctx, late := context.WithTimeout(ctx, 4*time.Minute)
	b.Cleanup(func() { late(); stop(); stopAll() })
	c := &chromium{browser: b, ctx: ctx, name: called}
	chromedp.ListenTarget(ctx, c.hear)
	c.do(network.Enable(), log.Enable(), runtime.Enable(), page.Enable(), chromedp.Navigate(b.nextLink()))
	return c
}

// hear gathers what the browser did.
func (c *chromium) hear(event any) {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch e := event.(type) {
	case *network.EventRequestWillBeSent:
		c.asked = append(c.asked, e.Request.URL)
	case *log.EventEntryAdded:
		if e.Entry.Level == log.LevelError {
			c.faults = append(c.faults, e.Entry.Text+" "+e.Entry.URL)
		}
	case *runtime.EventExceptionThrown:
		c.faults = append(c.faults, e.ExceptionDetails.Error())
	case *page.EventJavascriptDialogOpening:
		c.faults = append(c.faults, "a dialog: "+e.Message)
	}
}

func (c *chromium) do(actions ...chromedp.Action) {
	c.Helper()
	if err := chromedp.Run(c.ctx, actions...); err != nil {
		c.Fatal(err)
	}
}

func (c *chromium) open(path string) {
	c.Helper()
	c.do(chromedp.Navigate(c.base + path))
}

// shape has the page be so wide, in a colour scheme.
func (c *chromium) shape(width int64, scheme string) {
	c.Helper()
	c.do(chromedp.EmulateViewport(width, 900),
		emulation.SetEmulatedMedia().WithFeatures([]*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}}))
}

// is evaluates an expression.
func (c *chromium) is(expression string, to any) {
	c.Helper()
	c.do(chromedp.Evaluate(expression, to))
}

// inBrowser is a database with sessions of several kinds, and a browser on it.
func inBrowser(t *testing.T) (*world, *chromium) {
	t.Helper()
	w := newServed(t)
	db := filepath.Join(w.dir, "n.db")
	w.run("replay", "--sink", "sqlite", "--out", db, filepath.Join("internal", "demo", "home"))
	return w, newChromium(w.newBrowser(db))
}

// Every view, narrow and wide, light and dark: axe finds nothing, nothing stands beyond
// the edge, nothing is asked of others or refused by the policy.
func TestBrowserViews(t *testing.T) {
	_, c := inBrowser(t)
	axe, err := os.ReadFile(os.Getenv("MEMSCRIBE_AXE"))
	if err != nil {
		t.Log("MEMSCRIBE_AXE names no axe.min.js of axe-core: what it would find is not looked for (make browser)")
	}
	for _, shape := range []struct {
		width  int64
		scheme string
	}{{1280, "light"}, {1280, "dark"}, {360, "light"}} {
		c.shape(shape.width, shape.scheme)
		for _, path := range slices.Sorted(maps.Keys(c.views())) {
			c.open(path)
			at := fmt.Sprintf("%s at %d, %s", path, shape.width, shape.scheme)
			var width int64
			if c.is("document.documentElement.scrollWidth", &width); width > shape.width {
				t.Errorf("%s is %d wide", at, width)
			}
			if axe != nil {
				c.axe(at, axe)
			}
		}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, address := range c.asked {
		if !strings.HasPrefix(address, c.base+"/") {
			t.Errorf("the page asks %s", address)
		}
	}
	if len(c.asked) == 0 || len(c.faults) > 0 {
		t.Errorf("after %d requests the browser says: %s", len(c.asked), strings.Join(c.faults, "\n"))
	}
}

// axe has axe look at a page.
func (c *chromium) axe(at string, source []byte) {
	c.Helper()
	var found string
	c.is(string(source)+";0", nil)
	c.do(chromedp.Evaluate(`axe.run(document, {runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']})
		.then(r => JSON.stringify(r.violations.map(v => ({id: v.id, at: v.nodes.map(n => n.target + ' ' + n.failureSummary).slice(0, 3)}))))`,
		&found, func(p *runtime.EvaluateParams) *runtime.EvaluateParams { return p.WithAwaitPromise(true) }))
	var violations []struct {
		ID string
		At []string
	}
	if err := json.Unmarshal([]byte(found), &violations); err != nil {
		c.Fatal(err)
	}
	for _, v := range violations {
		c.Errorf("%s: axe finds %s: %s", at, v.ID, strings.Join(v.At, "\n\t"))
	}
}

// press presses a key as a keyboard does: what the page keeps to itself is typed nowhere.
func (c *chromium) press(key string) {
	c.Helper()
	if len(key) != 1 || key < " " {
		c.do(chromedp.KeyEvent(key))
		return
	}
	c.do(input.DispatchKeyEvent(input.KeyDown).WithKey(key).WithText(key), input.DispatchKeyEvent(input.KeyUp).WithKey(key))
}

// By keys alone one finds the search, goes from decision to decision, opens one and comes back.
func TestBrowserKeys(t *testing.T) {
	_, c := inBrowser(t)
	c.open("/")
	var at string
	for _, step := range []struct{ key, focused, want string }{
		{"j", "document.activeElement.closest('[data-item]') === document.querySelectorAll('[data-item]')[0]", "true"},
		{"j", "document.activeElement.closest('[data-item]') === document.querySelectorAll('[data-item]')[1]", "true"},
		{"k", "document.activeElement.closest('[data-item]') === document.querySelectorAll('[data-item]')[0]", "true"},
		{"?", "document.querySelector('dialog').open", "true"},
		{kb.Escape, "document.querySelector('dialog').open", "false"},
		{"/", "document.activeElement.name", "q"},
		{"j", "document.activeElement.value", "j"}, // in a field it is a letter
		{kb.Escape, "document.activeElement.tagName", "BODY"},
	} {
		c.press(step.key)
		if c.is("String("+step.focused+")", &at); at != step.want {
			t.Errorf("after %q: %s is %s, want %s", step.key, step.focused, at, step.want)
		}
	}
	c.press("j")
	c.press(kb.Enter)
	c.do(chromedp.WaitVisible(".about"))
	c.do(chromedp.NavigateBack(), chromedp.WaitVisible(".day"))
}

// Single keys can be turned off, by the keyboard, and stay so on the next page: who dictates
// would press them unawares.
func TestBrowserKeysOff(t *testing.T) {
	_, c := inBrowser(t)
	c.open("/")
	c.press("?")
	c.do(chromedp.Focus("dialog input", chromedp.ByQuery))
	c.press(" ")
	c.press(kb.Escape)
	for _, path := range []string{"/", "/sessions"} {
		c.open(path)
		for _, key := range []string{"j", "/", "?"} {
			c.press(key)
		}
		var at string
		if c.is("document.activeElement.tagName + document.querySelector('dialog').open", &at); at != "BODYfalse" {
			t.Errorf("%s: keys that are off do something: %s", path, at)
		}
	}
	c.do(chromedp.Click("footer button[type=button]:last-of-type", chromedp.ByQuery), chromedp.Focus("dialog input", chromedp.ByQuery))
	c.press(" ")
	c.press(kb.Escape)
	c.press("/")
	var name string
	if c.is("document.activeElement.name", &name); name != "q" {
		t.Errorf("keys that are on again do nothing: %q has the focus", name)
	}
}

// How the capture stands fits a narrow screen, and axe finds nothing there.
func TestBrowserHealth(t *testing.T) {
	w := newServed(t)
	watch := w.command(t.Context(), "watch", "--home", filepath.Join(w.dir, "home"), "--out", filepath.Join(w.dir, "watched.db"), "--state-dir", filepath.Join(w.dir, "state"), "--status-addr", "127.0.0.1:0")
	c := newChromium(w.newBrowser(filepath.Join(w.dir, "n.db"), "--status-addr", w.statusOf(watch)))
	axe, err := os.ReadFile(os.Getenv("MEMSCRIBE_AXE"))
	if err != nil {
		t.Log("MEMSCRIBE_AXE names no axe.min.js of axe-core: what it would find is not looked for (make browser)")
	}
	for _, scheme := range []string{"light", "dark"} {
		c.shape(360, scheme)
		for shown := ""; !strings.Contains(shown, "claude_code"); { // it has to catch up first
			c.open("/health")
			c.is("document.querySelector('[aria-label=Capture]')?.textContent ?? ''", &shown)
		}
		var width int64
		if c.is("document.documentElement.scrollWidth", &width); width > 360 {
			t.Errorf("it is %d wide", width)
		}
		if axe != nil {
			c.axe("/health, "+scheme, axe)
		}
	}
}

// Filters work as one types, and are in the address.
func TestBrowserFilter(t *testing.T) {
	_, c := inBrowser(t)
	c.open("/")
	c.do(chromedp.SendKeys("form[data-filter] input[name=q]", "lodas"), chromedp.Poll("!document.querySelector('#list').textContent.includes('pagination') && location.search === '?q=lodas'", nil))
	var text string
	if c.is("document.querySelector('#list').textContent", &text); !strings.Contains(text, "Never use lodash") {
		t.Errorf("the list has %q", text)
	}
}

// A session that stands open shows what is added to it.
func TestBrowserSessionLive(t *testing.T) {
	w, c := inBrowser(t)
	name := filepath.Join(w.dir, "home", ".claude", "projects", "-w", "a.jsonl")
	said, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	c.open("/session/5e550001-0000-4000-8000-000000000000")
	c.do(chromedp.WaitReady("body[data-connected]"))
	lines := strings.Split(strings.TrimRight(string(said), "\n"), "\n")
	last := lines[len(lines)-1]
	var record map[string]any
	if err = json.Unmarshal([]byte(last), &record); err != nil {
		t.Fatal(err)
	}
	record["type"], record["parentUuid"], record["uuid"] = "user", record["uuid"], "0f0f0f0f-0000-4000-8000-00000000aaaa"
	record["message"] = map[string]any{"role": "user", "content": "Let's use Valkey instead of Redis for the cache."}
	line, err := json.Marshal(record)
	if err == nil {
		err = os.WriteFile(name, append(said, append(line, '\n')...), 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	w.run("replay", "--home", filepath.Join(w.dir, "home"), "--sink", "sqlite", "--out", filepath.Join(w.dir, "n.db"))
	c.do(chromedp.Poll("document.querySelector('#list .new') !== null && document.querySelector('#list').textContent.includes('Valkey')", nil))
}

// Without a script everything can be read.
func TestBrowserWithoutScript(t *testing.T) {
	_, c := inBrowser(t)
	c.do(emulation.SetScriptExecutionDisabled(true))
	for path, shows := range map[string]string{"/": "Never use lodash", "/search?q=lodash": "lodash", "/health": "claude_code"} {
		c.open(path)
		var text string
		if c.do(chromedp.Text("main", &text, chromedp.ByQuery)); !strings.Contains(text, shows) {
			t.Errorf("%s shows %q", path, text)
		}
	}
}

// A new decision appears on a page that stands open.
func TestBrowserLive(t *testing.T) {
	w, c := inBrowser(t)
	c.open("/")
	c.do(chromedp.WaitReady("body[data-connected]"))
	name := filepath.Join(w.dir, "home", ".claude", "projects", "-w", "b.jsonl")
	said, err := os.ReadFile(filepath.Join("testdata", "session.jsonl"))
	if err == nil {
		err = os.WriteFile(name, said, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	w.run("replay", "--home", filepath.Join(w.dir, "home"), "--sink", "sqlite", "--out", filepath.Join(w.dir, "n.db"))
	c.do(chromedp.WaitVisible(".decision.new"))
	var text string
	if c.do(chromedp.Text(".decision.new", &text, chromedp.ByQuery)); !strings.Contains(text, "Postgres") {
		t.Errorf("what is new is %q", text)
	}
}

// What transcripts hold runs nothing in a real browser, and breaks no view, however long
// its lines are and in whatever direction they are written.
func TestBrowserHostile(t *testing.T) {
	w := newServed(t)
	db := w.hostileSession(strings.Repeat("0123456789", 1<<17) + " שלום עולם ")
	c := newChromium(w.newBrowser(db))
	c.shape(360, "light")
	for path := range c.views() {
		c.open(path)
		var width int64
		if c.is("document.documentElement.scrollWidth", &width); width > 360 {
			t.Errorf("%.100s is %d wide", path, width)
		}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, address := range c.asked {
		if !strings.HasPrefix(address, c.base+"/") {
			t.Errorf("the page asks %s", address)
		}
	}
	if len(c.faults) > 0 {
		t.Errorf("the browser says: %s", strings.Join(c.faults, "\n"))
	}
}

// All that the page loads is small, and what was measured of how it is painted is said.
func TestBrowserSize(t *testing.T) {
	_, c := inBrowser(t)
	var whole bytes.Buffer
	for path := range c.views() {
		_, body := c.get(path)
		whole.WriteString(body)
	}
	c.open("/")
	c.mu.Lock()
	loaded := slices.Compact(slices.Sorted(slices.Values(c.asked)))
	c.mu.Unlock()
	for _, address := range loaded {
		if at, err := url.Parse(address); err == nil && strings.HasPrefix(at.Path, "/assets/") {
			_, body := c.get(at.RequestURI())
			whole.WriteString(body)
		}
	}
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	if _, err := z.Write(whole.Bytes()); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	if packed.Len() > 300<<10 {
		t.Errorf("the page takes %d bytes, compressed", packed.Len())
	}
	var paint float64
	c.do(chromedp.Poll("performance.getEntriesByType('paint').length > 0", nil))
	c.is("performance.getEntriesByType('paint').find(p => p.name === 'first-contentful-paint')?.startTime || 0", &paint)
	t.Logf("all views with what they load: %d bytes, %d compressed; first paint after %.0f ms", whole.Len(), packed.Len(), paint)
}

// The pictures of docs/page.md are of real pages, and the pages look as they do: with
// -update they are taken again, to be looked at.
func TestBrowserPictures(t *testing.T) {
	w := newServed(t)
	db := filepath.Join(w.dir, "pictures.db")
	w.run("replay", "--sink", "sqlite", "--out", db, filepath.Join("internal", "demo", "home"))
	c := newChromium(w.newBrowser(db))
	for name, of := range map[string]struct {
		path   func() string
		scheme string
		height int64
	}{
		"page-decisions.png": {func() string { return "/" }, "light", 760},
		"page-decision.png": {func() string {
			var link string
			c.open("/")
			c.is("[...document.querySelectorAll('.answer a')].find(a => a.textContent.includes('cursor')).getAttribute('href')", &link)
			return link
		}, "dark", 900},
	} {
		c.shape(1000, of.scheme)
		c.open(of.path())
		var picture []byte
		c.do(chromedp.EmulateViewport(1000, of.height), chromedp.WaitReady("footer button[type=button]"), chromedp.CaptureScreenshot(&picture))
		if len(picture) > 150<<10 {
			t.Errorf("%s has %d bytes", name, len(picture))
		}
		file := filepath.Join("..", "..", "docs", name)
		if golden.Updating() {
			if err := os.WriteFile(file, picture, 0o600); err != nil {
				t.Fatal(err)
			}
			continue
		}
		kept, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if c.name != "chromium" {
			t.Logf("%s was taken with Debian's Chromium and its fonts: it is not compared", name)
			continue
		}
		if far, err := apart(kept, picture); err != nil || far > mostApart {
			t.Errorf("%s is not what is seen: %.0f %% of it differ (%v); look at it after -update", name, 100*far, err)
		}
	}
}

// mostApart is the part of a picture that may differ: letters of another font are a bit
// wider.
const mostApart = 0.08

// apart compares two pictures by squares of 20 pixels: it returns the part of them that are
// lighter or darker in one than in the other, by a sixteenth of the way from black to white.
func apart(a, b []byte) (float64, error) {
	const side, most = 20, 1 << 12
	one, err := png.Decode(bytes.NewReader(a))
	if err != nil {
		return 1, err
	}
	two, err := png.Decode(bytes.NewReader(b))
	if err != nil {
		return 1, err
	}
	if one.Bounds() != two.Bounds() {
		return 1, fmt.Errorf("the sizes are %v and %v", one.Bounds(), two.Bounds())
	}
	light := func(of image.Image, x, y int) (sum int) {
		for i := range side * side {
			sum += int(color.Gray16Model.Convert(of.At(x+i%side, y+i/side)).(color.Gray16).Y)
		}
		return sum / (side * side)
	}
	all, differ := 0, 0
	for y := 0; y+side <= one.Bounds().Dy(); y += side {
		for x := 0; x+side <= one.Bounds().Dx(); x += side {
			all++
			if d := light(one, x, y) - light(two, x, y); d > most || d < -most {
				differ++
			}
		}
	}
	return float64(differ) / float64(all), nil
}

// Pictures are told apart by what is seen on them.
func TestApart(t *testing.T) {
	kept := map[string][]byte{}
	for _, name := range []string{"page-decisions.png", "page-decision.png"} {
		b, err := os.ReadFile(filepath.Join("..", "..", "docs", name))
		if err != nil {
			t.Fatal(err)
		}
		kept[name] = b
	}
	for _, tc := range []struct{ a, b string }{{"page-decisions.png", "page-decisions.png"}, {"page-decisions.png", "page-decision.png"}} {
		far, _ := apart(kept[tc.a], kept[tc.b])
		if same := tc.a == tc.b; same != (far == 0) || !same && far < mostApart {
			t.Errorf("%s and %s are %.2f apart", tc.a, tc.b, far)
		}
	}
	one, err := png.Decode(bytes.NewReader(kept["page-decisions.png"]))
	if err != nil {
		t.Fatal(err)
	}
	without := image.NewRGBA(one.Bounds()) // the page without its list
	draw.Draw(without, one.Bounds(), one, image.Point{}, draw.Src)
	draw.Draw(without, image.Rect(0, 200, one.Bounds().Dx(), one.Bounds().Dy()), image.NewUniform(one.At(0, 0)), image.Point{}, draw.Src)
	var empty bytes.Buffer
	if err := png.Encode(&empty, without); err != nil {
		t.Fatal(err)
	}
	if far, err := apart(kept["page-decisions.png"], empty.Bytes()); err != nil || far <= mostApart {
		t.Errorf("a page without its list is %.2f apart: %v", far, err)
	}
}
