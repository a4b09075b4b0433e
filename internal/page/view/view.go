// Package view writes what the page shows as HTML.
package view

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"fmt"
	"html/template"
	"io/fs"
	"net/http"
	"net/url"
	"path"
	"strings"

	"github.com/memscribe/memscribe/internal/page/code"
	"github.com/memscribe/memscribe/internal/page/model"
)

//go:embed templates assets
var files embed.FS

// Frame is a view and what stands around it.
type Frame struct {
	View     string
	Title    string
	Of       any // what the view shows
	Query    model.Query
	Projects []model.Said
	Theme    string // light, dark, "" as the system has it
	Word     string // what the page's forms must have
	Twin     string // the address of the JSON
	Self     string // its own address
	Style    string // the addresses of what it loads
	Script   string
}

// Views has the templates.
type Views struct {
	of            map[string]*template.Template
	style, script string
}

// New reads the templates.
func New() (*Views, error) {
	v := &Views{of: map[string]*template.Template{}}
	names, err := fs.Glob(files, "templates/*.html")
	if err != nil {
		return nil, fmt.Errorf("list templates: %w", err)
	}
	funcs := template.FuncMap{
		"diff": diff, "line": code.Line, "nextPage": nextPage, "fileNext": fileNext, "sessionNext": sessionNext, "projectName": model.ProjectName,
		"chart": chart, "count": count, "days": days, "text": text, "itemClass": itemClass, "tab": tab, "raw": raw,
	}
	for _, name := range names {
		base := strings.TrimSuffix(path.Base(name), ".html")
		if v.of[base], err = template.New(base).Funcs(funcs).ParseFS(files, "templates/frame.html", "templates/parts.html", name); err != nil {
			return nil, fmt.Errorf("read template %s: %w", name, err)
		}
	}
	if v.style, err = address("page.css"); err != nil {
		return nil, err
	}
	v.script, err = address("page.js")
	return v, err
}

// address is where an asset is loaded from. Another content has another address, so that
// a browser may keep what it has.
func address(name string) (string, error) {
	b, err := files.ReadFile("assets/" + name)
	if err != nil {
		return "", fmt.Errorf("read asset: %w", err)
	}
	sum := sha256.Sum256(b)
	return "/assets/" + name + "?v=" + hex.EncodeToString(sum[:8]), nil
}

// Render writes a view.
func (v *Views) Render(f Frame) ([]byte, error) {
	t := v.of[f.View]
	if t == nil {
		return nil, fmt.Errorf("render: there is no view %q", f.View)
	}
	f.Style, f.Script = v.style, v.script
	var b bytes.Buffer
	if err := t.ExecuteTemplate(&b, "frame", f); err != nil {
		return nil, fmt.Errorf("render %s: %w", f.View, err)
	}
	return b.Bytes(), nil
}

// Assets answers for the style and the script.
func (v *Views) Assets() http.Handler {
	types := map[string]string{"page.css": "text/css; charset=utf-8", "page.js": "text/javascript; charset=utf-8", "icon.svg": "image/svg+xml"}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		name := r.PathValue("name")
		b, err := files.ReadFile("assets/" + name)
		if err != nil || types[name] == "" {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Type", types[name])
		w.Header().Set("Cache-Control", "private, max-age=31536000, immutable")
		_, _ = w.Write(b) // a browser that has gone misses nothing
	})
}

// diffRow is a line of a diff, with texts that can be shown.
type diffRow struct {
	Kind, Sign string
	Tokens     []token
}

type token struct {
	Class string
	Text  model.Said
}

// shownDiff is a diff, and how many lines of it are not shown.
type shownDiff struct {
	Rows []diffRow
	Left int
}

func diff(path, unified model.Said) (d shownDiff) {
	rows, left := code.Diff(string(path), string(unified))
	d.Left = left
	for _, r := range rows {
		d.Rows = append(d.Rows, diffRow{r.Kind, r.Sign, tokens(r.Tokens)})
	}
	return d
}

func tokens(all []code.Token) (out []token) {
	for _, t := range all {
		out = append(out, token{t.Class, model.Said(t.Text)})
	}
	return out
}

func text(path, line model.Said) []token { return tokens(code.Line(string(path), string(line))) }

// nextPage is the address of the next page of a list.
func nextPage(at string, q model.Query, next string) string {
	v := url.Values{}
	for name, value := range map[string]string{"project": q.Project, "tool": q.Tool, "q": q.Words, "kind": q.Kind, "since": q.Since, "until": q.Until, "after": next} {
		if value != "" {
			v.Set(name, value)
		}
	}
	return at + "?" + v.Encode()
}

func fileNext(f model.File) string {
	return "/file?" + url.Values{"path": {string(f.Path)}, "project": {string(f.Project)}, "from": {fmt.Sprint(f.Next)}}.Encode()
}

func sessionNext(s model.Session) string {
	return "/session/" + url.PathEscape(string(s.Session)) + "?" + url.Values{"at": {*s.Next}}.Encode()
}

// day are the decisions of one day.
type day struct {
	Day      string
	Projects []project
}

type project struct {
	Path      model.Said
	Decisions []model.Decision
}

// days groups decisions, the newest first, by day and project.
func days(all []model.Decision) (out []day) {
	for _, d := range all {
		if n := len(out); n == 0 || out[n-1].Day != d.Day() {
			out = append(out, day{Day: d.Day()})
		}
		today := &out[len(out)-1]
		at := -1
		for i := range today.Projects {
			if today.Projects[i].Path == d.Project {
				at = i
			}
		}
		if at < 0 {
			today.Projects = append(today.Projects, project{Path: d.Project})
			at = len(today.Projects) - 1
		}
		today.Projects[at].Decisions = append(today.Projects[at].Decisions, d)
	}
	return out
}

func itemClass(i model.Item) string {
	class := "item " + i.Kind
	if i.IsBan {
		class += " ban"
	}
	if i.Here {
		class += " here"
	}
	return class
}

// tabOf is a view in the row of views.
type tabOf struct {
	Link, Name string
	Current    bool
}

// tab is a view, of the project that is looked at.
func tab(current, view, at, name, project string) tabOf {
	if project != "" {
		at += "?" + url.Values{"project": {project}}.Encode()
	}
	return tabOf{at, name, current == view}
}

// raw is a text as the server gets it back: in addresses and fields that are not seen.
func raw(s model.Said) string { return string(s) }
