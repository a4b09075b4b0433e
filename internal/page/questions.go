package page

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"strconv"

	"github.com/memscribe/memscribe/internal/page/model"
)

// question answers a request.
type question = func(context.Context, *http.Request) (shown, error)

// questions returns the views by their addresses.
func (p *Page) questions() map[string]question {
	return map[string]question{
		"/{$}":             p.decisions,
		"/decision/{id}":   p.decision,
		"/session/{id...}": p.session,
		"/sessions":        p.sessions,
		"/search":          p.search,
		"/rules":           p.rules,
		"/file":            p.file,
		"/usage":           p.usage,
		"/health":          p.health,
	}
}

// maxAsked bounds what is typed into a field.
const maxAsked = 1000

// query reads the filters of a request. Long values are refused.
func query(r *http.Request) (q model.Query, err error) {
	v := r.URL.Query()
	for name, to := range map[string]*string{
		"project": &q.Project, "tool": &q.Tool, "q": &q.Words, "kind": &q.Kind, "since": &q.Since, "until": &q.Until, "after": &q.After,
	} {
		*to = v.Get(name)
		if len(*to) > maxAsked {
			return q, fmt.Errorf("%w: %s is longer than %d bytes", model.ErrAsked, name, maxAsked)
		}
	}
	return q, nil
}

// decisions answers the view of decisions by day.
func (p *Page) decisions(ctx context.Context, r *http.Request) (shown, error) {
	q, err := query(r)
	if err != nil {
		return shown{}, err
	}
	l, err := p.Source.Decisions(ctx, q)
	return shown{"decisions", "Decisions", q, l}, err
}

// decision answers the view of one decision.
func (p *Page) decision(ctx context.Context, r *http.Request) (shown, error) {
	d, err := p.Source.Decision(ctx, r.PathValue("id"))
	return shown{"decision", d.Decision.Title.String(), model.Query{Project: string(d.Decision.Project)}, d}, err
}

// session answers the view of a session, from its beginning or around one event.
func (p *Page) session(ctx context.Context, r *http.Request) (shown, error) {
	at := r.URL.Query().Get("at")
	s, err := p.Source.Session(ctx, r.PathValue("id"), at)
	s.First = at == ""
	return shown{"session", cmp.Or(s.Opening.String(), "Session "+s.Session.String()), model.Query{Project: string(s.Project)}, s}, err
}

// sessions answers the list of sessions.
func (p *Page) sessions(ctx context.Context, r *http.Request) (shown, error) {
	q, err := query(r)
	if err != nil {
		return shown{}, err
	}
	all, next, err := p.Source.Sessions(ctx, q)
	return shown{"sessions", "Sessions", q, model.Talks{Sessions: all, Next: next}}, err
}

// search answers a search; without words the empty form.
func (p *Page) search(ctx context.Context, r *http.Request) (shown, error) {
	q, err := query(r)
	if err != nil || q.Words == "" {
		return shown{"search", "Search", q, model.Found{Hits: []model.Hit{}}}, err
	}
	found, err := p.Source.Search(ctx, q.Words, q.Project)
	return shown{"search", "Search", q, found}, err
}

// rules answers the rules in force.
func (p *Page) rules(ctx context.Context, r *http.Request) (shown, error) {
	q, err := query(r)
	if err != nil {
		return shown{}, err
	}
	all, err := p.Source.Rules(ctx, q.Project)
	return shown{"rules", "Rules in force", q, model.Rules{Rules: all}}, err
}

// file answers a file with the decision behind each line.
func (p *Page) file(ctx context.Context, r *http.Request) (shown, error) {
	q, err := query(r)
	if err != nil {
		return shown{}, err
	}
	from := 1
	if text := r.URL.Query().Get("from"); text != "" {
		if from, err = strconv.Atoi(text); err != nil || from < 1 {
			return shown{}, fmt.Errorf("%w: lines are counted from 1", model.ErrAsked)
		}
	}
	f, err := p.Source.File(ctx, r.URL.Query().Get("path"), q.Project, from)
	return shown{"file", f.Path.String(), q, f}, err
}

// usage answers token usage.
func (p *Page) usage(ctx context.Context, r *http.Request) (shown, error) {
	q, err := query(r)
	if err != nil {
		return shown{}, err
	}
	u, err := p.Source.Usage(ctx, q.Project)
	return shown{"usage", "Usage", q, u}, err
}

// health answers the state of the capture.
func (p *Page) health(ctx context.Context, _ *http.Request) (shown, error) {
	h, err := p.Source.Health(ctx)
	return shown{"health", "Health", model.Query{}, h}, err
}
