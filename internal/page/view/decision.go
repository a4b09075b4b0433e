package view

import (
	"github.com/memscribe/memscribe/internal/markup"
	"github.com/memscribe/memscribe/internal/page/model"
)

// decision is all that is known of one.
func decision(p *markup.Page, f Frame, of *model.Whole) {
	d := &of.Decision
	p.Put("<div class=\"about\">\n")
	if d.Superseded || d.Rejected {
		why := "This no longer holds."
		switch {
		case d.Rejected:
			why = "A person rejected this."
		case d.Rewound:
			why = "This was taken back: the session was rewound to before it."
		}
		p.Put(`<p class="warn">%s`, why)
		if d.Successor != nil {
			p.Put(` In its place: <a href="%s" dir="auto">%s</a>`, d.Successor.Link(), d.Successor.Title)
		}
		for _, r := range of.After {
			p.Put(`; then <a href="%s" dir="auto">%s</a>`, r.Link(), r.Title)
		}
		p.Put("</p>\n")
	}
	if d.Proposed != nil {
		p.Put(`<p class="warn">Agent %s proposes another in its place: <a href="%s" dir="auto">%s</a>. It holds once a person says so.</p>`,
			d.ProposedBy, d.Proposed.Link(), d.Proposed.Title)
		p.Put("\n")
	}
	if d.Epitome != d.Answer() && d.Epitome != d.Question() { // the words that decide, where the title is not made of them alone
		p.Put("<blockquote dir=\"auto\">%s</blockquote>\n", d.Epitome)
	}
	about(p, of)
	signs(p, d)
	if len(d.Notes) > 0 {
		p.Put(`<h2>Notes</h2><ul class="notes">`)
		for _, n := range d.Notes {
			p.Put(`<li dir="auto">%s <span class="facts">%s, `, n.Text, n.By)
			moment(p, n.At)
			p.Put("</span></li>")
		}
		p.Put("</ul>\n")
	}
	if of.CanSay {
		forms(p, f.Word, d)
	}
	p.Put("</div>\n")
	if len(d.Edits) > 0 {
		p.Put("<h2>What carries it out</h2>")
		for i := range d.Edits {
			p.Put("<div data-item>")
			edit(p, &d.Edits[i])
			p.Put("</div>\n")
		}
	}
	if len(of.Talk) > 0 {
		p.Put("<h2>The talk around it</h2>\n<div class=\"talk\">")
		items(p, of.Talk)
		p.Put("</div>\n")
	}
}

// about says who decided what, where and when.
func about(p *markup.Page, of *model.Whole) {
	d := &of.Decision
	p.Put("<dl>\n<dt>Decided by</dt><dd>%s, %s", d.DecidedBy, d.Tool)
	if d.Timestamp != "" {
		p.Put(", ")
		moment(p, d.Timestamp)
	}
	p.Put("</dd>\n")
	if d.Project != "" {
		p.Put(`<dt>Project</dt><dd><a href="%s">%s</a></dd>`+"\n", address("/", string(d.Project)), d.Project)
	}
	p.Put(`<dt>Session</dt><dd><a href="%s">%s</a></dd>`+"\n", d.Link(), d.Session)
	if len(d.Options) > 0 {
		p.Put("<dt>Options</dt><dd><ul>")
		for _, o := range d.Options {
			if o.Chosen {
				p.Put(`<li dir="auto"><strong>%s</strong> (taken)</li>`, o.Text)
			} else {
				p.Put(`<li dir="auto">%s</li>`, o.Text)
			}
		}
		p.Put("</ul></dd>\n")
	}
	if d.Confirmation != "" {
		p.Put(`<dt>Confirmed by</dt><dd dir="auto">%s</dd>`+"\n", d.Confirmation)
	}
	if len(of.Before) > 0 {
		p.Put("<dt>It replaced</dt><dd><ul>")
		for _, r := range of.Before {
			p.Put(`<li><a href="%s" dir="auto"><s>%s</s></a></li>`, r.Link(), r.Title)
		}
		p.Put("</ul></dd>\n")
	}
	p.Put("</dl>\n")
}

// signs are the words by which the decision was found.
func signs(p *markup.Page, d *model.Decision) {
	p.Put(`<details><summary>Why is this taken for a decision?</summary>
<p>Of 100 decisions that are known like this one, %s are right.</p>
`, d.Score)
	if len(d.Markers) > 0 {
		p.Put(`<div class="wide" tabindex="0" role="group" aria-label="Signs"><table><thead><tr><th scope="col">Sign</th><th scope="col">Words</th><th scope="col">Rule</th></tr></thead><tbody>`)
		for _, m := range d.Markers {
			p.Put(`<tr><td>%s</td><td dir="auto">%s</td><td><code>%s</code></td></tr>`, m.Category, m.Text, m.Rule)
		}
		p.Put("</tbody></table></div>\n")
	}
	p.Put("</details>\n")
}

// forms are what a person can say of a decision. Each has the word that shows that it is
// of this page.
//
// Forms are plain POSTs. The word is bound to the browser's session, so another site
// cannot send them.
func forms(p *markup.Page, word string, d *model.Decision) {
	begin := func() {
		p.Put(`<form class="say" method="post" action="/say"><input type="hidden" name="word" value="%s"><input type="hidden" name="id" value="%s">`, word, string(d.ID))
	}
	undo := func(what, name string) {
		p.Put(`<input type="hidden" name="undo" value="1"><button name="what" value="%s">%s</button>`, what, name)
	}
	begin()
	switch {
	case d.Accepted:
		undo("accept", "Take the acceptance back")
	case d.Rejected:
		undo("reject", "Take the rejection back")
	default:
		p.Put(`<button name="what" value="accept">Accept</button> <button name="what" value="reject">Reject</button>`)
	}
	p.Put("</form>\n")
	begin()
	if d.Pinned {
		undo("pin", "Unpin")
	} else {
		p.Put(`<button name="what" value="pin">Pin</button>`)
	}
	p.Put("</form>\n")
	begin()
	p.Put(`<label>Note <input name="text" maxlength="4000" required></label> <button name="what" value="note">Add</button></form>` + "\n")
}
