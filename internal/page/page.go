// Package page serves the local page: its routes, each with a JSON form
// (?format=json), behind the access checks of package wall.
//
//	request ── wall ── room ── route ──▶ Source ──▶ model ── view ──▶ HTML
//	            │        │                             └──────────────▶ JSON (?format=json)
//	            │        └ too many at once: 503
//	            └ other host, no link or cookie, other site: refused
//
// The page changes nothing but annotations. It loads nothing from other servers: styles, scripts
// and fonts are embedded, and a content security policy forbids the rest.
package page

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"mime"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/memscribe/memscribe/internal/page/live"
	"github.com/memscribe/memscribe/internal/page/model"
	"github.com/memscribe/memscribe/internal/page/view"
	"github.com/memscribe/memscribe/internal/page/wall"
)

// Options say what is shown, and to whom.
type Options struct {
	Source model.Source
	Wall   *wall.Wall
	Log    *slog.Logger
	Now    func() time.Time
	Every  time.Duration // how often it is looked whether something was written; 0 is a second
}

// Page answers browsers.
type Page struct {
	Options

	views *view.Views
	hub   *live.Hub
	room  chan struct{} // has room for as many requests as are answered at once
}

// The bounds of answering.
const (
	maxAtOnce = 16
	maxAnswer = 20 * time.Second
)

// New makes a page.
func New(o Options) (*Page, error) {
	v, err := view.New()
	if err != nil {
		return nil, err
	}
	if o.Every <= 0 {
		o.Every = time.Second
	}
	return &Page{Options: o, views: v, hub: live.New(o.Source.Changes, o.Every, o.Now), room: make(chan struct{}, maxAtOnce)}, nil
}

// Close lets the pages go that stand open.
func (p *Page) Close() { p.hub.Close() }

// Handler answers requests, those that the wall lets through.
func (p *Page) Handler() http.Handler {
	m := http.NewServeMux()
	for path, ask := range p.questions() {
		m.Handle("GET "+path, p.answers(ask))
	}
	m.Handle("GET /assets/{name}", p.views.Assets())
	m.Handle("GET /events", p.hub)
	m.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("ok\n")) })
	m.HandleFunc("POST /theme", setTheme)
	m.HandleFunc("POST /say", p.say)
	m.Handle("/", p.answers(func(context.Context, *http.Request) (shown, error) { return shown{}, model.ErrNone }))
	return p.Wall.Guard(m)
}

// shown is what a view shows.
type shown struct {
	view  string // its name
	title string
	query model.Query
	of    any // its JSON twin, which the view shows
}

// answers has a view be shown, as HTML or as JSON.
func (p *Page) answers(ask func(context.Context, *http.Request) (shown, error)) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		ctx, cancel := context.WithTimeout(r.Context(), maxAnswer)
		defer cancel()
		select {
		case p.room <- struct{}{}:
			defer func() { <-p.room }()
		case <-ctx.Done():
			http.Error(w, "too much is asked at once", http.StatusServiceUnavailable)
			return
		}
		w.Header().Set("Vary", "Accept")
		s, err := ask(ctx, r)
		if err != nil {
			p.fail(w, r, err)
			return
		}
		if asJSON(r) {
			p.sendJSON(w, http.StatusOK, s.of)
			return
		}
		p.send(w, r, http.StatusOK, s)
	})
}

// asJSON reports whether a request is for the JSON twin: by ?format=json, or as programs
// ask, by an Accept that prefers JSON to HTML.
func asJSON(r *http.Request) bool {
	if format := r.URL.Query().Get("format"); format != "" {
		return format == "json"
	}
	accept := strings.Join(r.Header.Values("Accept"), ",")
	json, html := preference(accept, "application/json"), preference(accept, "text/html")
	return json > 0 && json > html
}

// preference returns the weight that an Accept gives to a media type by its name, from 0 to 1:
//
//	text/html;q=0.5, application/json   0.5 for text/html, 1 for application/json
//
// What it says of all types ("*/*") counts for none: browsers and curl both send that.
func preference(accept, media string) (weight float64) {
	for part := range strings.SplitSeq(accept, ",") {
		name, params, err := mime.ParseMediaType(strings.TrimSpace(part))
		if err != nil || name != media {
			continue
		}
		q, err := strconv.ParseFloat(cmp.Or(params["q"], "1"), 64)
		if err == nil && q <= 1 {
			weight = max(weight, q)
		}
	}
	return weight
}

// sendJSON answers with the JSON form of a view.
func (p *Page) sendJSON(w http.ResponseWriter, status int, of any) {
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.WriteHeader(status)
	e := json.NewEncoder(w)
	if err := e.Encode(of); err != nil {
		p.Log.Debug("a page was not sent", slog.Any("error", err))
	}
}

// send answers with the HTML form of a view inside the common frame.
func (p *Page) send(w http.ResponseWriter, r *http.Request, status int, s shown) {
	projects, err := p.Source.Projects(r.Context())
	if err != nil {
		p.Log.Warn("the projects are not known", slog.Any("error", err))
	}
	tools, err := p.Source.Tools(r.Context())
	if err != nil {
		p.Log.Warn("the tools are not known", slog.Any("error", err))
	}
	twin := *r.URL
	q := twin.Query()
	q.Set("format", "json")
	twin.RawQuery = q.Encode()
	text, err := p.views.Render(view.Frame{
		View: s.view, Title: s.title, Query: s.query, Of: s.of, Projects: projects, Tools: tools, Theme: theme(r), Word: p.Wall.Word(), Twin: twin.RequestURI(), Self: r.URL.RequestURI(),
	})
	if err != nil {
		p.Log.Error("a page cannot be made", slog.String("view", s.view), slog.Any("error", err))
		http.Error(w, "the page cannot be made", http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.WriteHeader(status)
	_, _ = w.Write(text) // a browser that has gone misses nothing
}

// fail says what went wrong: of questions, to who asked; of the machine, in the log too.
func (p *Page) fail(w http.ResponseWriter, r *http.Request, err error) {
	status, title := http.StatusInternalServerError, "It cannot be answered"
	switch {
	case errors.Is(err, model.ErrNone):
		status, title = http.StatusNotFound, "There is nothing here"
	case errors.Is(err, model.ErrAsked):
		status, title = http.StatusBadRequest, "This is not a question"
	case errors.Is(err, context.DeadlineExceeded):
		status, title = http.StatusServiceUnavailable, "It takes too long"
	case r.Context().Err() != nil:
		return // whoever asked has gone
	default:
		p.Log.Warn("a question was not answered", slog.String("path", r.URL.Path), slog.Any("error", err))
	}
	of := model.Problem{Error: model.Said(err.Error())}
	if asJSON(r) {
		p.sendJSON(w, status, of)
		return
	}
	p.send(w, r, status, shown{view: "problem", title: title, of: of})
}

// setTheme keeps which colours a person wants, and goes back.
func setTheme(w http.ResponseWriter, r *http.Request) {
	t := r.PostFormValue("theme")
	if t != "light" && t != "dark" {
		t = ""
	}
	http.SetCookie(w, &http.Cookie{Name: themeCookie, Value: t, Path: "/", HttpOnly: true, SameSite: http.SameSiteStrictMode, MaxAge: themeAge}) //nolint:gosec // it is no secret
	http.Redirect(w, r, back(r), http.StatusSeeOther)
}

const (
	themeCookie = "memscribe_theme"
	themeAge    = 365 * 24 * 3600
)

// back returns the page that a form was on. It is one of this server: a path, and no host.
func back(r *http.Request) string {
	to, err := url.Parse(r.PostFormValue("back"))
	if err != nil || to.IsAbs() || to.Host != "" || !strings.HasPrefix(to.Path, "/") || strings.HasPrefix(to.Path, "//") || strings.Contains(to.Path, `\`) {
		return "/"
	}
	return to.RequestURI()
}

// theme returns the colour scheme that the person chose; "" follows the system.
func theme(r *http.Request) string {
	c, err := r.Cookie(themeCookie)
	if err != nil || c.Value != "light" && c.Value != "dark" {
		return ""
	}
	return c.Value
}

// say keeps what a person says of a decision, and goes back to it.
func (p *Page) say(w http.ResponseWriter, r *http.Request) {
	ctx, cancel := context.WithTimeout(r.Context(), maxAnswer)
	defer cancel()
	err := p.Source.Say(ctx, r.PostFormValue("id"), r.PostFormValue("what"), r.PostFormValue("text"), r.PostFormValue("undo") != "")
	if err != nil {
		p.fail(w, r, err)
		return
	}
	http.Redirect(w, r, model.DecisionLink(r.PostFormValue("id")), http.StatusSeeOther)
}
