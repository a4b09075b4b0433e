package view

import (
	"cmp"
	"strings"

	"github.com/memscribe/memscribe/internal/markup"
	"github.com/memscribe/memscribe/internal/page/code"
	"github.com/memscribe/memscribe/internal/page/model"
)

// row is a decision in a list; dated says its day, where the list does not.
func row(p *markup.Page, d *model.Decision, dated bool) {
	p.Put(`<article class="decision%s%s%s" data-item data-id="%s">`+"\n",
		when(d.IsBan, " ban"), when(d.Superseded, " superseded"), when(d.Rejected, " rejected"), d.ID)
	if q := d.Question(); q != "" {
		p.Put(`<p class="question" dir="auto">%s</p>`+"\n", q)
	}
	p.Put(`<p class="answer" dir="auto"><a href="%s">`, d.Page())
	struck(p, d.Superseded, d.Answer())
	p.Put("</a></p>\n")
	if left := d.NotTaken(); len(left) > 0 {
		p.Put(`<p class="nottaken"><span class="label">Not taken:</span> `)
		for i, o := range left {
			p.Put(`%s<span dir="auto">%s</span>`, when(i > 0, "; "), o)
		}
		p.Put("</p>\n")
	}
	facts(p, d, dated)
	p.Put("</article>\n")
}

// struck is a text, through which a line goes where it no longer holds.
func struck(p *markup.Page, through bool, s model.Said) {
	if through {
		p.Put("<s>%s</s>", s)
		return
	}
	p.Put("%s", s)
}

// facts are what a list says about a decision besides what was decided.
func facts(p *markup.Page, d *model.Decision, dated bool) {
	p.Put(`<p class="facts">%s%s%s%s`, when(d.IsBan, `<span class="badge ban">ban</span> `), when(d.Pinned, `<span class="badge">pinned</span> `),
		when(d.Accepted, `<span class="badge">accepted</span> `), when(d.Rejected, `<span class="badge">rejected</span> `))
	if d.Rule != "" && (d.Rule != "ban" || !d.IsBan) { // which is there already
		p.Put(`<span class="badge">%s</span> `, d.Rule)
	}
	switch {
	case d.Rewound:
		p.Put(`<span class="badge">taken back</span> `)
	case d.Successor != nil:
		p.Put(`<span class="badge">replaced</span> by <a href="%s" dir="auto">%s</a> · `, d.Successor.Link(), d.Successor.Title)
	case d.Superseded:
		p.Put(`<span class="badge">replaced</span> `)
	}
	p.Put(`<span class="by">%s</span> · <span>%s</span>`, d.DecidedBy, d.Tool)
	switch clock := d.Clock(); {
	case clock == "":
	case dated:
		p.Put(" · ")
		moment(p, d.Timestamp)
	default:
		p.Put(" · <span>%s</span>", clock)
	}
	if n := len(d.Edits); n > 0 {
		p.Put(" · %s edit%s", n, when(n > 1, "s"))
	}
	p.Put("</p>\n")
}

// change is the diff of an edit.
func change(p *markup.Page, e *model.Edit) {
	rows, left := code.Diff(string(e.Path), string(e.Unified))
	if len(rows) == 0 {
		return
	}
	p.Put(`<div class="diff" tabindex="0" role="group" aria-label="Changes of %s"><pre><code>`, e.Path)
	for _, r := range rows {
		p.Put(`<span class="%s"><span class="sign">%s</span>`, r.Kind, r.Sign)
		coloured(p, r.Tokens)
		p.Put("\n</span>")
	}
	p.Put("</code></pre></div>")
	if left > 0 {
		p.Put(`<p class="note">%s more lines</p>`, left)
	}
}

// coloured are the words of a line of code.
func coloured(p *markup.Page, all []code.Token) {
	for _, t := range all {
		if t.Class != "" {
			p.Put(`<span class="%s">%s</span>`, t.Class, model.Said(t.Text))
		} else {
			p.Put("%s", model.Said(t.Text))
		}
	}
}

// edit is an edit, with its diff.
func edit(p *markup.Page, e *model.Edit) {
	p.Put(`<section class="edit">
<p class="path"><a href="%s" title="%s">%s</a> `, e.FileLink(), e.Path, e.Inside())
	size(p, e)
	if known := bound(e); known != "" {
		p.Put(` <span class="facts">· %s</span>`, known)
	}
	p.Put("</p>\n")
	changed(p, e)
	p.Put("\n</section>\n")
}

// size writes how much an edit changed.
func size(p *markup.Page, e *model.Edit) {
	p.Put(`<span class="facts">%s <span class="plus">+%s</span> <span class="minus">−%s</span></span>`, e.Change, e.Added, e.Removed)
}

// bound says how it is known that an edit belongs to a decision.
func bound(e *model.Edit) string {
	evidence := map[model.Said]string{
		"same_arc": "made in the same task", "shared_path": "names the same file", "shared_identifier": "shares a name with it", "structured": "the answer names it",
	}[e.Evidence]
	switch {
	case e.Relation == "governs":
		return strings.TrimSuffix("a standing rule: "+evidence, ": ")
	case evidence != "":
		return evidence
	}
	return e.Evidence.String()
}

// changed writes the diff of an edit, and why it was made.
func changed(p *markup.Page, e *model.Edit) {
	change(p, e)
	if len(e.Reasons) > 0 {
		p.Put("\n" + `<p class="facts">Because of `)
		for i, r := range e.Reasons {
			p.Put(`%s<a href="%s" dir="auto">%s</a>`, when(i > 0, "; "), r.Link(), r.Title)
		}
		p.Put("</p>")
	}
}

// items are the messages, decisions and edits of a session.
//
// Texts are shown with dir="auto", since transcripts are written in many scripts. The
// first item of a day has the day, the others the time alone.
func items(p *markup.Page, all []model.Item) {
	day := ""
	for i := range all {
		it := &all[i]
		p.Put(`<article class="%s" data-item data-id="%s"%s>`+"\n"+`<p class="who">%s `, itemClass(it), it.Place(), when(it.Here, ` id="here"`), speaker(it))
		if it.Thread != "" {
			p.Put("· subagent <span>%s</span> ", it.Thread)
		}
		if at := model.Minute(it.Timestamp); at != "" {
			today, clock, _ := strings.Cut(at, " ")
			if today == day && clock != "" {
				at = clock
			}
			day = today
			p.Put("<time>%s</time>", at)
		}
		p.Put("</p>\n")
		said(p, it)
		p.Put("\n</article>\n")
	}
}

// speaker says whose an item is.
func speaker(it *model.Item) string {
	switch it.Kind {
	case "user":
		return cmp.Or(it.SharedBy.String(), "You")
	case "assistant":
		return "Agent"
	case "command":
		return "Command"
	case "episode":
		return "Edit"
	}
	if it.IsBan {
		return "Ban"
	}
	return "Decision"
}

// said is what an item holds.
func said(p *markup.Page, it *model.Item) {
	switch {
	case it.Edit != nil:
		edit(p, it.Edit)
	case it.ID != "":
		p.Put(`<p class="said" dir="auto"><a href="%s">`, it.Link())
		struck(p, it.Superseded, it.Text)
		p.Put("</a></p>")
	case it.Kind == "command":
		command(p, it.Text)
	default:
		p.Put(`<p class="said" dir="auto">%s</p>`, it.Text)
	}
}

// maxCommand is how long a command may be that is shown whole at once.
const maxCommand = 400

// command writes a command that was run; of a long one what it begins with, until it is
// opened.
func command(p *markup.Page, text model.Said) {
	first, _, more := strings.Cut(string(text), "\n")
	if !more && len(text) <= maxCommand {
		p.Put("<pre>%s</pre>", text)
		return
	}
	if len(first) > maxCommand {
		first = strings.ToValidUTF8(first[:maxCommand], "")
	}
	p.Put("<details><summary><code>%s …</code></summary><pre>%s</pre></details>", model.Said(first), text)
}

// itemClass returns the CSS classes of an item.
func itemClass(i *model.Item) string {
	class := "item " + i.Kind
	if i.IsBan {
		class += " ban"
	}
	if i.Here {
		class += " here"
	}
	return class
}
