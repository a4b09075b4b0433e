package view

import (
	"github.com/memscribe/memscribe/internal/markup"
	"github.com/memscribe/memscribe/internal/page/model"
)

// usage is how many tokens were taken, by day and by model.
func usage(p *markup.Page, f Frame, of model.Usage) {
	p.Put(`<form class="filters" action="/usage" data-filter>`)
	projects(p, f)
	p.Put("<button>Show</button></form>\n<div id=\"list\">\n")
	if of.Counted != "" {
		p.Put(`<p class="note">Counted at %s; what was written since is being counted.</p>`+"\n", of.Counted)
	}
	if len(of.Days) > 0 {
		c := chart(of.Days)
		p.Put(`<h2>Tokens by day</h2>
<div class="wide" tabindex="0" role="group" aria-label="Chart"><svg class="chart" viewBox="0 0 %s %s" width="%s" height="%s" role="img" aria-label="Tokens by day, at most %s; the table has the numbers">`,
			c.Width, c.Height, c.Width, c.Height, c.Most)
		for _, b := range c.Bars {
			p.Put(`<rect x="%s" y="%s" width="%s" height="%s"><title>%s</title></rect>`, b.X, b.Y, b.Width, b.Height, b.Label)
		}
		p.Put("</svg></div>\n")
		tokens(p, of.Days)
		p.Put("\n<h2>By model</h2>")
		tokens(p, of.Models)
	} else {
		p.Put(`<p class="empty">The tools recorded no tokens.</p>`)
	}
	p.Put("\n</div>\n")
}

// tokens writes a table of token counts.
func tokens(p *markup.Page, all []model.Tokens) {
	p.Put(`<div class="wide" tabindex="0" role="group" aria-label="Tokens"><table class="numbers"><thead><tr><th scope="col">Of</th><th scope="col">Input</th><th scope="col">Output</th><th scope="col">Cache read</th><th scope="col">Cache written</th></tr></thead><tbody>`)
	for _, t := range all {
		p.Put(`<tr><th scope="row">%s</th><td>%s</td><td>%s</td><td>%s</td><td>%s</td></tr>`, t.Of, count(t.Input), count(t.Output), count(t.Cached), count(t.Written))
	}
	p.Put("</tbody></table></div>")
}

// health says how the capture stands.
func health(p *markup.Page, of *model.Health) {
	p.Put(`<p class="facts">%s</p>
<h2>Tools</h2>
<div class="wide" tabindex="0" role="group" aria-label="Tools"><table class="numbers"><thead><tr><th scope="col">Tool</th><th scope="col">Sessions</th><th scope="col">Decisions</th><th scope="col">Edits</th><th scope="col">Newest</th></tr></thead><tbody>
`, of.Database)
	for _, t := range of.Tools {
		p.Put(`<tr><th scope="row">%s</th><td>%s</td><td>%s</td><td>%s</td><td>%s</td></tr>`, t.Name, t.Sessions, t.Decisions, t.Edits, t.Last)
	}
	p.Put("\n</tbody></table></div>\n")
	capture(p, of.Watch)
	p.Put("<h2>Redacted</h2>\n")
	if len(of.Redacted) == 0 {
		p.Put(`<p class="empty">Nothing had to be taken out.</p>` + "\n")
		return
	}
	p.Put(`<p class="note">In the newest %s nodes that had something to take out.</p><div class="wide" tabindex="0" role="group" aria-label="Redactions"><table class="numbers"><thead><tr><th scope="col">Rule</th><th scope="col">Times</th></tr></thead><tbody>`, of.Looked)
	for _, r := range of.Redacted {
		p.Put(`<tr><th scope="row">%s</th><td>%s</td></tr>`, r.Rule, r.Count)
	}
	p.Put("</tbody></table></div>\n")
}

// capture says how far behind the capture is, and what it does not understand.
func capture(p *markup.Page, of *model.Watch) {
	if of == nil {
		return
	}
	p.Put("<h2>Capture</h2>\n")
	if of.Unknown != "" {
		p.Put(`<p class="empty">Not known: %s.</p>`+"\n", of.Unknown)
		return
	}
	p.Put(`<p class="note">Since watch was started; %s.</p><div class="wide" tabindex="0" role="group" aria-label="Capture"><table class="numbers"><thead><tr><th scope="col">Tool</th><th scope="col">Records</th><th scope="col">Not described</th><th scope="col">No JSON</th><th scope="col">Lag, ms</th></tr></thead><tbody>`, of.State)
	for _, f := range of.Sources {
		p.Put(`<tr><th scope="row">%s</th><td>%s</td><td>%s</td><td>%s</td><td>%s</td></tr>`, f.Tool, f.Records, f.Unknown, f.Malformed, f.LagMS)
	}
	p.Put("</tbody></table></div>\n")
}
