package site_test

import (
	"errors"
	"html"
	"io/fs"
	"net/url"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"runtime"
	"testing"
)

// needsTools is the exit code of .ci/site where the generator cannot be had.
const needsTools = 3

// built is a site in a folder.
type built struct {
	fs.FS

	ids map[string]map[string]bool // of each page, what a link can lead to
}

// build makes the site.
func build(t *testing.T) *built {
	t.Helper()
	if testing.Short() || runtime.GOOS == "windows" {
		t.Skip("the site is built by a shell script, with a generator from PyPI")
	}
	for _, tool := range []string{"bash", "python3"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skipf("%s is not here: %v", tool, err)
		}
	}
	dir := t.TempDir()
	out, err := exec.CommandContext(t.Context(), "../../.ci/site", dir).CombinedOutput()
	if e, ok := errors.AsType[*exec.ExitError](err); ok && e.ExitCode() == needsTools {
		t.Skipf("%s", out)
	}
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return &built{os.DirFS(dir), map[string]map[string]bool{}}
}

// pages are the HTML files of the site.
func (b *built) pages(t *testing.T) (all []string) {
	t.Helper()
	err := fs.WalkDir(b, ".", func(name string, _ fs.DirEntry, err error) error {
		if err == nil && path.Ext(name) == ".html" && name != "404.html" { // whose links are those of the published site
			all = append(all, name)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// The patterns of what the generator writes.
func patterns() (link, id, loads *regexp.Regexp) {
	return regexp.MustCompile(`<(?:a|img|link|script|iframe|source)\b[^>]*?\s(?:href|src)="([^"]*)"`),
		regexp.MustCompile(`\sid="([^"]*)"`),
		regexp.MustCompile(`<(?:script|img|iframe|source|link rel="stylesheet")\b[^>]*?\s(?:href|src)="(?:https?:)?//[^"]*"|@import url\(["']?(?:https?:)?//`)
}

// anchors are the ids of a page.
func (b *built) anchors(t *testing.T, name string) map[string]bool {
	t.Helper()
	if known := b.ids[name]; known != nil {
		return known
	}
	text, err := fs.ReadFile(b, name)
	if err != nil {
		t.Fatal(err)
	}
	_, id, _ := patterns()
	all := map[string]bool{"": true}
	for _, m := range id.FindAllStringSubmatch(string(text), -1) {
		all[html.UnescapeString(m[1])] = true
	}
	b.ids[name] = all
	return all
}

// follow says what is wrong with a link on a page, if it leads to the site itself.
func (b *built) follow(t *testing.T, from, link string) string {
	t.Helper()
	u, err := url.Parse(html.UnescapeString(link))
	if err != nil {
		return err.Error()
	}
	if u.IsAbs() || u.Host != "" {
		return ""
	}
	to := from
	if u.Path != "" {
		to = path.Join(path.Dir(from), u.Path)
		if info, err := fs.Stat(b, to); err != nil {
			return "it leads nowhere"
		} else if info.IsDir() {
			to = path.Join(to, "index.html")
		}
	}
	if _, err := fs.Stat(b, to); err != nil {
		return "it leads nowhere"
	}
	if path.Ext(to) == ".html" && !b.anchors(t, to)[u.Fragment] {
		return "there is no such place on " + to
	}
	return ""
}

// TestLinks builds the site and follows every link on it that leads to the site itself, to
// its place on the page. Nothing is loaded from elsewhere.
func TestLinks(t *testing.T) {
	b := build(t)
	link, _, loads := patterns()
	followed := 0
	all := b.pages(t)
	for _, name := range all {
		text, err := fs.ReadFile(b, name)
		if err != nil {
			t.Fatal(err)
		}
		if from := loads.Find(text); from != nil {
			t.Errorf("%s loads from elsewhere: %s", name, from)
		}
		for _, m := range link.FindAllSubmatch(text, -1) {
			followed++
			if wrong := b.follow(t, name, string(m[1])); wrong != "" {
				t.Errorf("%s: link to %s: %s", name, m[1], wrong)
			}
		}
	}
	pages, err := filepath.Glob("../../docs/*.md")
	if err != nil || len(all) < len(pages) || followed < 10*len(all) {
		t.Errorf("%d pages of %d documents, %d links, %v", len(all), len(pages), followed, err)
	}
	t.Logf("%d pages, %d links", len(all), followed)
}

// TestFollow plants links that lead nowhere.
func TestFollow(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"index.html": `<h1 id="a">`, "sub/index.html": `<h1 id="b">`} {
		at := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(at), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(at, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	b := &built{os.DirFS(dir), map[string]map[string]bool{}}
	for link, ok := range map[string]bool{
		"#a": true, "#b": false, "sub/": true, "sub/#b": true, "sub/#a": false, "none/": false, "../sub/": false, "https://example.com/none": true, "": true,
	} {
		if wrong := b.follow(t, "index.html", link); (wrong == "") != ok {
			t.Errorf("%q: %q, want that it is right: %t", link, wrong, ok)
		}
	}
}
