package view

import (
	"net/url"
	"strings"

	"github.com/memscribe/memscribe/internal/markup"
	"github.com/memscribe/memscribe/internal/page/model"
)

// frame writes what stands around every view.
func frame(p *markup.Page, f Frame, body func()) {
	p.Put("<!doctype html>\n<html lang=\"en\"")
	if f.Theme != "" {
		p.Put(` data-theme="%s"`, f.Theme)
	}
	p.Put(`>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>%s · Memscribe</title>
<link rel="stylesheet" href="%s">
<link rel="icon" href="/assets/icon.svg">
<link rel="alternate" type="application/json" href="%s">
<script src="%s" defer></script>
</head>
<body data-view="%s">
<a class="skip" href="#main">Skip to content</a>
`, f.Title, f.Style, f.Twin, f.Script, f.View)
	header(p, f)
	p.Put(`<main id="main" tabindex="-1">` + "\n")
	heading(p, f)
	body()
	p.Put("</main>\n")
	footer(p, f)
	p.Put("<div class=\"visually-hidden\" role=\"status\" id=\"status\"></div>\n</body>\n</html>\n")
}

// heading writes the title. A decision's is its answer, below the question that it answers.
func heading(p *markup.Page, f Frame) {
	of, is := f.Of.(model.Whole)
	if !is {
		p.Put(`<h1 dir="auto">%s</h1>`+"\n", f.Title)
		return
	}
	if q := of.Decision.Question(); q != "" {
		p.Put(`<p class="question above" dir="auto">%s</p>`+"\n", q)
	}
	p.Put(`<h1 dir="auto">`)
	struck(p, of.Decision.Superseded, of.Decision.Answer())
	p.Put("</h1>\n")
}

// header writes the navigation and the filters.
func header(p *markup.Page, f Frame) {
	p.Put("<header>\n<a class=\"brand\" href=\"/\">Memscribe</a>\n<nav aria-label=\"Views\">\n")
	tab(p, f.View == "decisions", address("/", f.Query.Project), "Decisions")
	tab(p, f.View == "rules", address("/rules", f.Query.Project), "Rules")
	tab(p, f.View == "sessions", address("/sessions", f.Query.Project), "Sessions")
	tab(p, f.View == "usage", address("/usage", f.Query.Project), "Usage")
	tab(p, f.View == "health", "/health", "Health")
	p.Put("</nav>\n")
	if f.View != "search" { // which has a form of its own
		p.Put(`<form class="find" action="/search" role="search">
<input type="search" name="q" aria-label="Search everything" placeholder="Search everything" maxlength="1000">
</form>
`)
	}
	p.Put("</header>\n")
}

// tab is a view in the row of views.
func tab(p *markup.Page, current bool, link, name string) {
	p.Put(`<a href="%s"%s>%s</a>`+"\n", link, when(current, ` aria-current="page"`), name)
}

// address returns that of a view, of the project that is looked at.
func address(at, project string) string {
	if project == "" {
		return at
	}
	return at + "?" + url.Values{"project": {project}}.Encode()
}

// footer writes the link to the JSON form and the choice of colours.
func footer(p *markup.Page, f Frame) {
	p.Put(`<footer>
<a href="%s">JSON</a>
<form method="post" action="/theme"><input type="hidden" name="word" value="%s"><input type="hidden" name="back" value="%s">
<span>Colours:</span>
`, f.Twin, f.Word, f.Self)
	for _, t := range []struct{ theme, value, name string }{{"light", "light", "light"}, {"dark", "dark", "dark"}, {"", "system", "as the system"}} {
		p.Put(`<button name="theme" value="%s"%s>%s</button>`+"\n", t.value, when(f.Theme == t.theme, ` aria-pressed="true"`), t.name)
	}
	p.Put("</form>\n<span>Times are in UTC.</span>\n</footer>\n")
}

// when is markup of the program's own, where a condition holds.
func when(holds bool, m markup.Text) markup.Text {
	if holds {
		return m
	}
	return ""
}

// projects writes the field by which a list is narrowed to a project. A choice begins with
// the project's name, since a narrow field shows no more.
func projects(p *markup.Page, f Frame) {
	p.Put(`<label>Project <select name="project"><option value="">all</option>`)
	chosen := f.Query.Project == ""
	for _, path := range f.Projects {
		if path.Plain() {
			name := model.ProjectName(path)
			here := string(path) == f.Query.Project || !chosen && string(name) == f.Query.Project
			p.Put(`<option value="%s"%s>%s</option>`, string(path), when(here && !chosen, " selected"), beginning(path, name))
			chosen = chosen || here
		}
	}
	other(p, chosen, f.Query.Project)
	p.Put("</select></label>")
}

// beginning returns a path with its name first.
func beginning(path, name model.Said) model.Said {
	if dir := strings.TrimRight(strings.TrimSuffix(strings.TrimRight(string(path), `/\`), string(name)), `/\`); dir != "" && name != "" {
		return name + " (" + model.Said(dir) + ")"
	}
	return path
}

// tools writes the field by which a list is narrowed to a tool.
func tools(p *markup.Page, f Frame) {
	p.Put(`<label>Tool <select name="tool"><option value="">all</option>`)
	chosen := f.Query.Tool == ""
	for _, name := range f.Tools {
		here := string(name) == f.Query.Tool
		p.Put(`<option value="%s"%s>%s</option>`, string(name), when(here, " selected"), name)
		chosen = chosen || here
	}
	other(p, chosen, f.Query.Tool)
	p.Put("</select></label>")
}

// other writes a choice that the address has made and the list does not have.
func other(p *markup.Page, chosen bool, value string) {
	if name := model.Said(value); !chosen && name.Plain() {
		p.Put(`<option value="%s" selected>%s</option>`, value, name)
	}
}

// more is the way to the next page of a list, where there is one. Keys reach it as they
// reach what the list holds.
func more(p *markup.Page, at string, q model.Query, next, name string) {
	if next != "" {
		p.Put(`<p class="next" data-item><a href="%s" rel="next">%s</a></p>`, nextPage(at, q, next), name)
	}
}

// moment writes a timestamp for a person, up to the minute.
func moment(p *markup.Page, stamp model.Said) {
	if text := model.Minute(stamp); text != string(stamp) {
		p.Put(`<time datetime="%s">%s</time>`, stamp, text)
	} else {
		p.Put("<span>%s</span>", stamp)
	}
}

// names returns the names of projects. Where two have the same, more of their paths
// tells them apart.
func names(paths []model.Said) map[model.Said]model.Said {
	out := map[model.Said]model.Said{}
	for _, path := range paths {
		out[path] = model.ProjectName(path)
	}
	for again := true; again; {
		again = false
		count := map[model.Said]int{}
		for _, name := range out {
			count[name]++
		}
		for path, name := range out {
			if count[name] > 1 && len(name) < len(path) {
				rest := strings.TrimRight(strings.TrimSuffix(strings.TrimRight(string(path), `/\`), string(name)), `/\`)
				if last := model.ProjectName(model.Said(rest)); last != "" {
					out[path], again = last+"/"+name, true
				}
			}
		}
	}
	return out
}
