package view

import (
	"strconv"
	"strings"

	"github.com/memscribe/memscribe/internal/markup"
	"github.com/memscribe/memscribe/internal/page/code"
	"github.com/memscribe/memscribe/internal/page/model"
)

// sessions are listed with what was said first in each.
func sessions(p *markup.Page, f Frame, of model.Talks) {
	p.Put(`<form class="filters" action="/sessions" data-filter>`)
	projects(p, f)
	tools(p, f)
	p.Put("<button>Show</button></form>\n<div id=\"list\" data-live>\n")
	for i := range of.Sessions {
		t := &of.Sessions[i]
		opening := t.Opening
		if opening == "" {
			opening = t.Session
		}
		p.Put(`<article class="decision" data-item data-id="%s">
<p class="answer"><a href="%s" dir="auto">%s</a></p>
<p class="facts">%s · `, t.Session, t.Page(), opening, t.Tool)
		if name := t.Name(); name != "" {
			p.Put("%s · ", name)
		}
		if t.Last != "" {
			moment(p, t.Last)
			p.Put(" · ")
		}
		p.Put("%s</p>\n</article>\n", counts(t))
	}
	if len(of.Sessions) == 0 {
		p.Put(`<p class="empty">No sessions are known here.</p>`)
	}
	more(p, "/sessions", f.Query, of.Next, "Older sessions")
	p.Put("\n</div>\n")
}

// counts returns what a session has, without what it has none of.
func counts(t *model.Talk) string {
	var out []string
	for _, part := range []struct {
		n     int64
		thing string
	}{{t.Messages, "message"}, {t.Decisions, "decision"}, {t.Edits, "edit"}} {
		switch {
		case part.n == 1:
			out = append(out, "1 "+part.thing)
		case part.n > 1:
			out = append(out, strconv.FormatInt(part.n, 10)+" "+part.thing+"s")
		}
	}
	return strings.Join(out, ", ")
}

// session is a part of one, as it went, with its decisions beside it. The last part shows
// what is added to the session.
func session(p *markup.Page, s *model.Session) {
	p.Put(`<p class="facts">%s`, s.Tool)
	if s.Project != "" {
		p.Put(` · <a href="%s">%s</a>`, address("/sessions", string(s.Project)), s.Project)
	}
	p.Put(" · %s</p>\n"+`<div class="columns" id="list"%s>`+"\n<div class=\"talk\">\n", s.Session, when(s.Next == nil, " data-live"))
	if !s.First {
		p.Put(`<p class="next"><a href="%s">From the beginning</a></p>`+"\n", s.Page())
	}
	items(p, s.Items)
	if s.Next != nil {
		p.Put(`<p class="next" data-item><a href="%s" rel="next">Further</a></p>`, sessionNext(s))
	}
	p.Put("\n</div>\n")
	if len(s.Arcs) > 0 {
		p.Put(`<aside aria-label="Decisions of the session"><h2>Decisions</h2><ol class="arcs">`)
		for _, a := range s.Arcs {
			p.Put(`<li%s><a href="%s" dir="auto">%s</a>`, when(a.IsBan, ` class="ban"`), s.ArcLink(a), a.Title)
			if a.Edits > 0 {
				p.Put(` <span class="facts">%s edit%s</span>`, a.Edits, when(a.Edits > 1, "s"))
			}
			p.Put("</li>")
		}
		p.Put("</ol></aside>")
	}
	p.Put("\n</div>\n")
}

// file is a part of a file, with why each line is there.
func file(p *markup.Page, of *model.File) {
	if of.Remark != "" {
		p.Put(`<p class="note">%s</p>`+"\n", of.Remark)
	}
	if len(of.Lines) > 0 {
		p.Put(`<div class="gutter" tabindex="0" role="group" aria-label="Lines of %s"><table><thead><tr><th scope="col">Line</th><th scope="col">Since</th><th scope="col">Because of</th><th scope="col">Text</th></tr></thead><tbody>
`, of.Path)
		for i := range of.Lines {
			line(p, of.Path, &of.Lines[i])
		}
		p.Put("</tbody></table></div>\n")
		if of.Next > 0 {
			p.Put(`<p class="next"><a href="%s" rel="next">Further lines, of %s</a></p>`, fileNext(of), of.Total)
		}
	}
	if len(of.Edits) > 0 {
		p.Put("<h2>Edits</h2>")
		for i := range of.Edits {
			e := &of.Edits[i]
			p.Put(`<article class="edit" data-item><p class="path"><a href="%s">`, e.Link())
			moment(p, e.Timestamp)
			p.Put(`</a> <span class="facts">%s ·</span> `, e.Tool)
			size(p, e)
			if e.Path != of.Path {
				p.Put(` <a href="%s">%s</a>`, e.FileLink(), e.Path)
			}
			p.Put("</p>\n")
			changed(p, e)
			p.Put("</article>\n")
		}
	}
}

// line is a line of a file; what is as in the line before is not said again.
func line(p *markup.Page, path model.Said, l *model.Line) {
	p.Put(`<tr class="by-%s%s"><td class="number" id="L%s">%s</td><td class="when">`, l.Status, when(l.Same, " same"), l.Number, l.Number)
	switch {
	case l.Same:
	case l.Session != "":
		p.Put(`<a href="%s">%s</a>`, l.SessionLink(), l.Day())
	case l.Status != "none":
		p.Put("%s", l.Status)
	}
	p.Put(`</td><td class="why">`)
	if !l.Same && l.Decision != nil {
		p.Put(`<a href="%s" dir="auto">%s</a>`, l.Decision.Link(), l.Decision.Title)
	}
	p.Put(`</td><td class="code"><code>`)
	coloured(p, code.Line(string(path), string(l.Text)))
	p.Put("</code></td></tr>\n")
}
