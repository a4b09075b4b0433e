// Package view renders the data of package model as HTML.
//
// A view is a function that writes to a [markup.Page]. Every value goes through Put,
// which escapes it by its type; markup itself must be a constant of the program
// (markup.Text), so nothing that a transcript says can become an element or an
// attribute.
//
//	decisions.go  the list, rules, search     decision.go  one decision
//	sessions.go   sessions and files          figures.go   usage and health
//	parts.go      what several views share    frame.go     what stands around them
//
// Pages work without scripts. Elements with data-live are replaced by page.js when the
// database changes; data-filter sends a form as one types.
package view

import (
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"fmt"
	"net/http"
	"net/url"

	"github.com/memscribe/memscribe/internal/markup"
	"github.com/memscribe/memscribe/internal/page/model"
)

//go:embed assets
var files embed.FS

// Frame is a view and what stands around it.
type Frame struct {
	View     string
	Title    string
	Of       any // what the view shows: one of the answers of package model
	Query    model.Query
	Projects []model.Said
	Tools    []model.Said
	Theme    string // light, dark, "" as the system has it
	Word     string // what the page's forms must have
	Twin     string // the address of the JSON
	Self     string // its own address
	Style    string // the addresses of what it loads
	Script   string
}

// Views knows where what the pages load is.
type Views struct{ style, script string }

// New works out the addresses of the style and the script.
func New() (*Views, error) {
	style, err := asset("page.css")
	if err != nil {
		return nil, err
	}
	script, err := asset("page.js")
	return &Views{style, script}, err
}

// asset returns where an asset is loaded from. Another content has another address, so that
// a browser may keep what it has.
func asset(name string) (string, error) {
	b, err := files.ReadFile("assets/" + name)
	if err != nil {
		return "", fmt.Errorf("read asset: %w", err)
	}
	sum := sha256.Sum256(b)
	return "/assets/" + name + "?v=" + hex.EncodeToString(sum[:8]), nil
}

// Render writes a view, in its frame.
//
// The error is that of a value which has no view, or of markup that does not fit
// together.
func (v *Views) Render(f Frame) ([]byte, error) {
	f.Style, f.Script = v.style, v.script
	var p markup.Page
	var body func()
	switch of := f.Of.(type) {
	case model.List:
		body = func() { decisions(&p, f, of) }
	case model.Whole:
		body = func() { decision(&p, f, &of) }
	case model.Session:
		body = func() { session(&p, &of) }
	case model.Talks:
		body = func() { sessions(&p, f, of) }
	case model.Found:
		body = func() { search(&p, f, of) }
	case model.Rules:
		body = func() { rules(&p, f, of) }
	case model.File:
		body = func() { file(&p, &of) }
	case model.Usage:
		body = func() { usage(&p, f, of) }
	case model.Health:
		body = func() { health(&p, &of) }
	case model.Problem:
		body = func() { problem(&p, of) }
	default:
		return nil, fmt.Errorf("render %s: there is no view of a %T", f.View, f.Of)
	}
	frame(&p, f, body)
	b, err := p.Bytes()
	if err != nil {
		return nil, fmt.Errorf("render %s: %w", f.View, err)
	}
	return b, nil
}

// Assets answers for the style and the script.
//
// Addresses carry a hash of the content, so answers may be kept for a year.
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

// nextPage returns the address of the next page of a list.
func nextPage(at string, q model.Query, next string) string {
	v := url.Values{}
	for name, value := range map[string]string{"project": q.Project, "tool": q.Tool, "q": q.Words, "kind": q.Kind, "since": q.Since, "until": q.Until, "after": next} {
		if value != "" {
			v.Set(name, value)
		}
	}
	return at + "?" + v.Encode()
}

// fileNext returns the address of the next lines of a file.
func fileNext(f *model.File) string {
	return "/file?" + url.Values{"path": {string(f.Path)}, "project": {string(f.Project)}, "from": {fmt.Sprint(f.Next)}}.Encode()
}

// sessionNext returns the address of the next events of a session.
func sessionNext(s *model.Session) string {
	return "/session/" + url.PathEscape(string(s.Session)) + "?" + url.Values{"at": {*s.Next}}.Encode()
}
