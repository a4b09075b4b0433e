package view

import (
	"github.com/memscribe/memscribe/internal/markup"
	"github.com/memscribe/memscribe/internal/page/model"
)

// decisions are listed by day and project.
func decisions(p *markup.Page, f Frame, of model.List) {
	p.Put(`<form class="filters" action="/" data-filter>
<label>Words <input type="search" name="q" value="%s" maxlength="1000"></label>
`, f.Query.Words)
	projects(p, f)
	tools(p, f)
	kind := f.Query.Kind
	p.Put(`
<label>Kind <select name="kind"><option value="">all</option><option value="standing"%s>in force</option><option value="ban"%s>bans</option></select></label>
<label>Since <input name="since" value="%s" placeholder="7d or 2026-11-01" size="14"></label>
`, when(kind == model.Standing, " selected"), when(kind == model.Bans, " selected"), f.Query.Since)
	if f.Query.Until != "" {
		p.Put(`<label>Until <input name="until" value="%s" size="14"></label>`+"\n", f.Query.Until)
	}
	p.Put(`<button>Filter</button>
</form>
<div id="list" data-live>
`)
	all := make([]model.Said, 0, len(of.Decisions))
	for i := range of.Decisions {
		all = append(all, of.Decisions[i].Project)
	}
	known := names(all)
	for _, d := range days(of.Decisions) {
		ofDay(p, d, known)
	}
	q := f.Query
	switch {
	case len(of.Decisions) > 0:
	case q.Project+q.Tool+q.Words+q.Kind+q.Since+q.Until != "":
		p.Put(`<p class="empty">No decision fits these filters. <a href="/">Show all</a></p>`)
	default:
		p.Put(`<p class="empty">No decisions are known here. memscribe watch finds them as they are made.</p>`)
	}
	more(p, "/", f.Query, of.Next, "Older decisions")
	p.Put("\n</div>\n")
}

// ofDay writes the decisions of one day, under the names of their projects.
func ofDay(p *markup.Page, d day, names map[model.Said]model.Said) {
	p.Put(`<section class="day"><h2>`)
	if d.Day != "" {
		p.Put(`<time datetime="%s">%s</time>`, d.Day, d.Day)
	} else {
		p.Put("without a date")
	}
	p.Put("</h2>\n" + `<div class="ofday">`)
	for _, of := range d.Projects {
		p.Put(`<section class="project">`)
		if of.Path == "" {
			p.Put("<h3>no project</h3>\n")
		} else {
			p.Put(`<h3><a href="%s">%s</a></h3>`+"\n", address("/", string(of.Path)), names[of.Path])
		}
		for i := range of.Decisions {
			row(p, &of.Decisions[i], false)
		}
		p.Put("</section>\n")
	}
	p.Put("</div></section>\n")
}

// day are the decisions of one day.
type day struct {
	Day      string
	Projects []project
}

// project is one with its decisions, as the page lists them.
type project struct {
	Path      model.Said
	Decisions []model.Decision
}

// days groups decisions, the newest first, by day and project.
//
// The days are in the order of the list; within a day, projects in the order of their
// first decision.
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

// rules are those in force in a project.
func rules(p *markup.Page, f Frame, of model.Rules) {
	p.Put(`<form class="filters" action="/rules" data-filter>`)
	projects(p, f)
	p.Put("<button>Show</button></form>\n<div id=\"list\" data-live>\n")
	for i := range of.Rules {
		row(p, &of.Rules[i], true)
	}
	switch {
	case len(of.Rules) > 0:
	case f.Query.Project != "":
		p.Put(`<p class="empty">Nothing is in force that is known.</p>`)
	default:
		p.Put(`<p class="note">Rules hold in a project:</p><ul class="plain">`)
		known := names(f.Projects)
		for _, path := range f.Projects {
			if path.Plain() {
				p.Put(`<li data-item><a href="%s">%s</a></li>`+"\n", address("/rules", string(path)), known[path])
			}
		}
		p.Put("</ul>")
	}
	p.Put("\n</div>\n")
}

// search is what has the words that were asked for.
func search(p *markup.Page, f Frame, of model.Found) {
	p.Put(`<form class="filters" action="/search" role="search" data-filter>
<label>Words <input type="search" name="q" value="%s" maxlength="1000"></label>
`, f.Query.Words)
	projects(p, f)
	p.Put("<button>Search</button>\n</form>\n<div id=\"list\">\n")
	for _, r := range of.Remarks {
		p.Put(`<p class="note">%s</p>`, r)
	}
	for i := range of.Hits {
		hit(p, &of.Hits[i])
	}
	switch {
	case len(of.Hits) > 0:
	case f.Query.Words != "":
		p.Put(`<p class="empty">Nothing has these words.</p>`)
	default:
		p.Put(`<p class="note">Words, &#34;a phrase&#34;, -without, and filters: project:orders file:orders.js tool:codex since:7d by:me kind:decision</p>`)
	}
	p.Put("\n</div>\n")
}

// hit writes one hit of a search with the matches marked.
func hit(p *markup.Page, h *model.Hit) {
	p.Put(`<article class="decision%s" data-item>`+"\n"+`<p class="answer" dir="auto"><a href="%s">`, when(h.IsBan, " ban"), h.Open())
	for _, part := range h.Parts {
		if part.Hit {
			p.Put("<mark>%s</mark>", part.Text)
		} else {
			p.Put("%s", part.Text)
		}
	}
	p.Put(`</a></p>`+"\n"+`<p class="facts">%s%s · %s · %s`, when(h.IsBan, `<span class="badge ban">ban</span> `), kindOf(h), h.By, h.Tool)
	if name := h.Name(); name != "" {
		p.Put(" · %s", name)
	}
	if h.Path != "" {
		p.Put(" · %s", h.Path)
	}
	if h.Timestamp != "" {
		p.Put(" · ")
		moment(p, h.Timestamp)
	}
	p.Put("</p>\n</article>\n")
}

// kindOf returns the kind of a hit in the words that search takes.
func kindOf(h *model.Hit) string {
	switch h.Kind {
	case "user", "assistant", "conversation":
		return "message"
	case "episode":
		return "edit"
	}
	return h.Kind.String()
}

// problem says why there is no answer.
func problem(p *markup.Page, of model.Problem) {
	p.Put(`<p class="warn">%s</p><p><a href="/">Decisions</a></p>`+"\n", of.Error)
}
