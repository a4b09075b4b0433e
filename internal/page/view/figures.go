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
		draw(p, chart(of.Days))
		p.Put("\n<h2>By model</h2>")
		tokens(p, "Model", of.Models)
		p.Put("\n<h2>By day</h2>")
		tokens(p, "Day", of.Days)
	} else {
		p.Put(`<p class="empty">The tools recorded no tokens.</p>`)
	}
	p.Put("\n</div>\n")
}

// draw writes a chart.
func draw(p *markup.Page, c bars) {
	if len(c.Bars) == 0 {
		return
	}
	p.Put(`<h2>Tokens by %s</h2>
<p class="note">At most %s a %s. <svg class="chart key" width="10" height="10" aria-hidden="true"><rect width="10" height="10"/></svg> sent, written and cached <svg class="chart key" width="10" height="10" aria-hidden="true"><rect class="cached" width="10" height="10"/></svg> read from a cache</p>
<svg class="chart" viewBox="0 0 %s %s" preserveAspectRatio="none" role="img" aria-label="Tokens by %s from %s to %s, at most %s; the table has the numbers">`,
		c.Unit, c.Most, c.Unit, c.Width, chartHeight, c.Unit, c.From, c.Until, c.Most)
	for _, b := range c.Bars {
		p.Put(`<g><title>%s</title><rect x="%s" y="%s" width="%s" height="%s"/><rect class="cached" x="%s" y="%s" width="%s" height="%s"/></g>`,
			b.Label, b.X, b.Y, barWidth, b.Height, b.X, chartHeight-b.Cached, barWidth, b.Cached)
	}
	p.Put(`</svg>
<p class="axis"><span>%s</span> <span>%s</span></p>`+"\n", c.From, c.Until)
}

// share is how wide the bar of a row is that has all tokens there are.
const share = 100

// tokens writes a table of token counts, with a bar for the part that each row has of the
// greatest.
func tokens(p *markup.Page, of string, all []model.Tokens) {
	var most int64 = 1
	for i := range all {
		most = max(most, all[i].Sum())
	}
	p.Put(`<div class="wide" tabindex="0" role="group" aria-label="Tokens"><table class="numbers"><thead><tr><th scope="col">%s</th><th scope="col">Input</th><th scope="col">Output</th><th scope="col">Cache read</th><th scope="col">Cache written</th><td></td></tr></thead><tbody>`, of)
	for _, t := range all {
		p.Put(`<tr><th scope="row">%s</th><td>%s</td><td>%s</td><td>%s</td><td>%s</td><td class="share"><svg class="chart" width="%s" height="10" aria-hidden="true"><rect width="%s" height="10"/></svg></td></tr>`,
			t.Of, count(t.Input), count(t.Output), count(t.Cached), count(t.Written), share, int(float64(t.Sum())*share/float64(most)))
	}
	p.Put("</tbody></table></div>")
}

// health says how the capture stands.
func health(p *markup.Page, of *model.Health) {
	p.Put(`<p class="facts">%s</p>
<h2>Tools</h2>
<div class="wide" tabindex="0" role="group" aria-label="Tools"><table class="numbers"><thead><tr><th scope="col">Tool</th><th scope="col">Newest</th><th scope="col">Sessions</th><th scope="col">Decisions</th><th scope="col">Edits</th></tr></thead><tbody>
`, of.Database)
	for _, t := range of.Tools {
		p.Put(`<tr><th scope="row">%s</th><td>%s</td><td>%s</td><td>%s</td><td>%s</td></tr>`, t.Name, model.Where{Timestamp: t.Last}.Day(), t.Sessions, t.Decisions, t.Edits)
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
		p.Put(`<p class="note">Not known: %s.</p>`+"\n", of.Unknown)
		return
	}
	p.Put(`<p class="note">Since watch was started; %s.</p><div class="wide" tabindex="0" role="group" aria-label="Capture"><table class="numbers"><thead><tr><th scope="col">Tool</th><th scope="col">Records</th><th scope="col">Not described</th><th scope="col">No JSON</th><th scope="col">Lag, ms</th></tr></thead><tbody>`, of.State)
	for _, f := range of.Sources {
		p.Put(`<tr><th scope="row">%s</th><td>%s</td><td>%s</td><td>%s</td><td>%s</td></tr>`, f.Tool, f.Records, f.Unknown, f.Malformed, f.LagMS)
	}
	p.Put("</tbody></table></div>\n")
}
