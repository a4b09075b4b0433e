package main

import (
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/memscribe/memscribe/sink/sinktest"
	"github.com/memscribe/memscribe/sink/sqlite"
)

// mostBytes bounds a page, without what it loads, and mostItems what it lists, however
// much the database holds: a session's part is the longest.
const (
	mostBytes = 400 << 10
	mostItems = 150
)

// Every view of a database of many nodes is a part of what there is: small, whole, and
// asking nothing of others. What the browser measured is logged, beside what it measured of
// the empty search at the same time, which asks the database for nothing. As many nodes as
// MEMSCRIBE_BENCH_NODES says are made, 5,000 without it; MEMSCRIBE_BENCH_DIR keeps the
// database, where the benchmarks of sink/sqlite find it too:
//
//	MEMSCRIBE_BENCH_NODES=1000000 MEMSCRIBE_BENCH_DIR=/tmp go test ./cmd/memscribe -run BrowserMany -v
func TestBrowserMany(t *testing.T) {
	w := newServed(t)
	b := w.newBrowser(manyNodes(t))
	c := newChromium(b)
	times := 1
	if os.Getenv("MEMSCRIBE_BENCH_NODES") != "" {
		times = 7
	}
	for _, path := range b.manyViews() {
		var all, empty []painted
		for range times {
			all, empty = append(all, c.painted(path)), append(empty, c.painted("/search"))
		}
		answer := func(p painted) float64 { return p.Answer }
		first := func(p painted) float64 { return p.First }
		last := all[times-1]
		t.Logf("%-60.60s answer %4.0f ms, paint %4.0f ms, %6.0f bytes, %3.0f items; an empty page %3.0f and %3.0f ms", path,
			middle(all, answer), middle(all, first), last.Bytes, last.Items, middle(empty, answer), middle(empty, first))
		if last.Bytes > mostBytes || last.Items > mostItems {
			t.Errorf("%s has %v items in %v bytes", path, last.Items, last.Bytes)
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

// painted is what the browser measured of a view.
type painted struct{ First, Answer, Bytes, Items float64 }

// painted opens a view and measures it.
func (c *chromium) painted(path string) (p painted) {
	c.Helper()
	c.open(path)
	c.do(chromedp.Poll("performance.getEntriesByName('first-contentful-paint').length > 0", nil))
	c.is(`(() => { const n = performance.getEntriesByType('navigation')[0];
		return {first: performance.getEntriesByName('first-contentful-paint')[0].startTime, answer: n.responseEnd - n.requestStart,
			bytes: n.decodedBodySize, items: document.querySelectorAll('[data-item]').length} })()`, &p)
	return p
}

// middle returns the median of a figure.
func middle(all []painted, of func(painted) float64) float64 {
	var figures []float64
	for _, p := range all {
		figures = append(figures, of(p))
	}
	slices.Sort(figures)
	return figures[len(figures)/2]
}

// manyNodes is a database of many nodes.
func manyNodes(t *testing.T) (path string) {
	t.Helper()
	count := 5000
	if n, err := strconv.Atoi(os.Getenv("MEMSCRIBE_BENCH_NODES")); err == nil {
		count = n
	}
	dir := os.Getenv("MEMSCRIBE_BENCH_DIR")
	if dir == "" {
		dir = t.TempDir()
	}
	path = filepath.Join(dir, fmt.Sprintf("%d.db", count))
	if _, err := os.Stat(path); err == nil {
		return path
	}
	s, err := sqlite.Open(t.Context(), path, sqlite.Options{Bulk: true})
	if err != nil {
		t.Fatal(err)
	}
	for m := sinktest.NewMaker(2); count > 0 && err == nil; {
		lines := m.Take(min(count, 1000))
		count -= len(lines)
		err = s.Apply(t.Context(), lines)
	}
	if err == nil {
		err = s.Flush(t.Context())
	}
	if err = errors.Join(err, s.Close()); err != nil {
		t.Fatal(err)
	}
	return path
}

// manyViews are the addresses of every view, with what the newest decision has.
func (b *browser) manyViews() []string {
	b.Helper()
	var list struct {
		Decisions []struct {
			ID, Project, Epitome string
			Session              string `json:"session_id"`
		}
		Next string
	}
	b.json("/?format=json", &list)
	if len(list.Decisions) == 0 || list.Next == "" {
		b.Fatalf("the timeline has %d decisions", len(list.Decisions))
	}
	d := list.Decisions[0]
	session := "/session/" + url.PathEscape(d.Session)
	var talk struct {
		Items []struct{ Edit *struct{ Path string } }
	}
	b.json(session+"?format=json", &talk)
	file := ""
	for _, it := range talk.Items {
		if it.Edit != nil {
			file = it.Edit.Path
		}
	}
	project := "project=" + url.QueryEscape(d.Project)
	word := "q=" + url.QueryEscape(strings.Fields(d.Epitome)[0])
	return []string{
		"/", "/?after=" + url.QueryEscape(list.Next), "/?" + word, "/?kind=ban", "/?kind=standing", "/?tool=codex", "/?since=2020-01-01",
		"/?" + project, "/decision/" + url.PathEscape(d.ID), "/sessions", "/sessions?" + project, session, "/search?" + word,
		"/search?" + project + "&" + word, "/rules?" + project, "/file?" + url.Values{"path": {file}}.Encode(), "/usage", "/usage?" + project, "/health",
	}
}
