package view

import (
	"net/url"

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
	p.Put(`<main id="main" tabindex="-1">
<h1 dir="auto">%s</h1>
`, f.Title)
	body()
	p.Put("</main>\n")
	footer(p, f)
	p.Put("<div class=\"visually-hidden\" role=\"status\" id=\"status\"></div>\n</body>\n</html>\n")
}

// header writes the navigation and the filters.
func header(p *markup.Page, f Frame) {
	p.Put("<header>\n<a class=\"brand\" href=\"/\">Memscribe</a>\n<nav aria-label=\"Views\">\n")
	tab(p, f.View == "decisions", address("/", f.Query.Project), "Decisions")
	tab(p, f.View == "rules", address("/rules", f.Query.Project), "Rules")
	tab(p, f.View == "sessions", address("/sessions", f.Query.Project), "Sessions")
	tab(p, f.View == "usage", address("/usage", f.Query.Project), "Usage")
	tab(p, f.View == "health", "/health", "Health")
	words := ""
	if f.View == "search" {
		words = f.Query.Words
	}
	p.Put(`</nav>
<form class="find" action="/search" role="search">
<input type="search" name="q" aria-label="Search everything" placeholder="Search everything" maxlength="1000" value="%s">
</form>
</header>
`, words)
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
	p.Put("</form>\n</footer>\n")
}

// when is markup of the program's own, where a condition holds.
func when(holds bool, m markup.Text) markup.Text {
	if holds {
		return m
	}
	return ""
}

// projects is the field by which a list is narrowed to a project.
func projects(p *markup.Page, f Frame) {
	p.Put(`<label>Project <select name="project"><option value="">all</option>`)
	for _, name := range f.Projects {
		if name.Plain() {
			p.Put(`<option value="%s"%s>%s</option>`, string(name), when(string(name) == f.Query.Project, " selected"), name)
		}
	}
	p.Put("</select></label>")
}

// more is the way to the next page of a list, where there is one.
func more(p *markup.Page, at string, q model.Query, next, name string) {
	if next != "" {
		p.Put(`<p class="next"><a href="%s" rel="next">%s</a></p>`, nextPage(at, q, next), name)
	}
}
