package options

import (
	"strings"

	"github.com/memscribe/memscribe/core/decide/words"
	"github.com/memscribe/memscribe/core/gate"
	"github.com/memscribe/memscribe/core/prose"
)

// changes adds what becomes of something else:
//
//	change Y to X      replace Y with X      rename Y to X      name the command X      set it to X
func (n *naming) changes() {
	for _, h := range n.hits {
		switch h.Family {
		case gate.ActChange, gate.ActReplace:
			n.change(h)
		case gate.ActName:
			n.names(h)
		default:
		}
	}
}

// change reads "change Y to X" and "replace Y with X". X is chosen. Y counts as left only if it
// is an alternative to X:
//
//	change the title to Orders            +Orders              the title stays a title
//	change Postgres to SQLite             +SQLite -Postgres
//	change the limit from 10 to 20        +20                  a number replaces no name
func (n *naming) change(h gate.Hit) {
	if h.Last-h.First > 3 && !n.pins(h) {
		return
	}
	old, end := n.phrase(h.First + 1)
	// "the title" changes and is not left; the text "on" is.
	whole := words.Article(n.word(h.First+1)) && h.Family != gate.ActReplace && !quoted(old.In(n.turn.Text))
	limit := min(end+6, n.last)
	for end < limit && !n.turns(end, h.Family) {
		end++
	}
	if end >= limit {
		return
	}
	yes, _ := n.phrase(end + 1)
	n.add(yes, true)
	if !whole && leaves(n.word(h.First), h.Family) && !n.measures(yes) {
		n.add(old, false)
	}
}

// quoted reports whether a name is in quotes.
func quoted(s string) bool {
	return s != "" && (s[0] == '"' || s[0] == '\'' || s[0] == '`')
}

// leaves reports whether a verb gives up one thing for the other: "switch" does, "set" does
// not.
func leaves(verb string, f gate.Family) bool {
	return f == gate.ActReplace || verb == "change" || verb == "rename" || verb == "switch" || verb == "migrate"
}

// pins reports whether a long hit such as "update it to …" ends in the name or figure that
// something becomes.
func (n *naming) pins(h gate.Hit) bool {
	return n.exact(h.Last-1) || n.word(h.Last-1) == "be"
}

// turns reports whether token k is the word before what something becomes: "to", "into", "as",
// and of a replacement also "with", "by", "for". The "to" of "need to" and "so to" is none.
func (n *naming) turns(k int, f gate.Family) bool {
	switch n.word(k) {
	case "to", "into":
		return n.word(k-1) != "need" && n.word(k-1) != "so"
	case "with", "by", "for":
		return f == gate.ActReplace
	case "as":
		return true
	}
	return false
}

// names reads "call it X", "name the command X" and "rename Y to X". A name by its form (code,
// quotes, a path) within five tokens is taken before plain words.
func (n *naming) names(h gate.Hit) {
	k := h.Last
	for k < min(h.Last+5, n.last) && !n.named(k) {
		k++
	}
	if k >= n.last || k == h.Last+5 {
		k = h.Last
		for k < n.last && (n.word(k) == "it" || n.word(k) == "that" || words.Article(n.word(k))) {
			k++
		}
	}
	p, end := n.phrase(k)
	if w := n.word(end); n.word(h.First) == "rename" && (w == "to" || w == "as" || w == "into") {
		if w != "as" {
			n.add(p, false)
		}
		p, _ = n.phrase(end + 1)
	}
	n.add(p, true)
}

// objects adds what the acts of a sentence adopt (use, decided, need, want, keep, named), drop
// (drop, don't like, forget) or forbid (don't, never, no, must not).
func (n *naming) objects() {
	for _, h := range n.hits {
		switch h.Family {
		case gate.ActUse, gate.ActDecided:
			n.list(h.Last, true)
		case gate.ActMake:
			if verb := n.word(h.First); (verb == "keep" || verb == "leave") && h.Last-h.First == 1 && n.word(h.Last+1) != "in" && !goesOn(n.word(h.Last)) {
				n.list(h.Last, true)
			}
		case gate.ActNeed, gate.ActWant:
			n.wanted(h)
		case gate.ActDrop, gate.ActDontLike:
			n.list(h.Last, false)
		case gate.ActRevert:
			if n.word(h.First) == "forget" || n.word(h.First) == "scrap" {
				n.list(h.First+1, false)
			}
		case gate.ActDontNeed, gate.ActDontWant:
			n.needless(h)
		case gate.ActDont, gate.ActNever, gate.ActNoX:
			n.forbidden(h)
		case gate.ActMustNot, gate.ActShouldNot:
			n.kept(h)
		case gate.ModNamed:
			n.called(h)
		default:
		}
	}
}

// goesOn reports whether "keep" and this word mean that something continues, or
// is watched.
func goesOn(w string) bool {
	const least = 5
	return w == "track" || len(w) >= least && strings.HasSuffix(w, "ing")
}

// wanted adds what is wanted or needed. "I want it done" and "I need you to …" name a deed and
// no option.
func (n *naming) wanted(h gate.Hit) {
	switch n.word(h.Last) {
	case "to", "u", "you", "no", "it", "this", "that":
		return
	}
	p, end := n.phrase(h.Last)
	if text := p.In(n.turn.Text); strings.HasSuffix(n.word(end), "ed") || strings.HasSuffix(text, "ed") && strings.Contains(text, " ") {
		return // want it done
	}
	n.list(h.Last, true)
}

// needless adds as left what is not needed or not wanted: the deed of "I don't want to …", the
// object of "you don't need to …", the name before the clause of "a list, which I don't want".
func (n *naming) needless(h gate.Hit) {
	switch w := n.word(h.Last); {
	case w == "to" && n.word(h.Last+1) == "do":
		k := h.Last + 2
		if n.word(k) == "like" {
			k++
		}
		n.add(n.deed(k), false)
	case w == "to":
		n.add(n.deed(h.Last+1), false)
	case (w == "u" || w == "you") && n.word(h.Last+1) == "to":
		n.add(n.object(h.Last+2), false)
	case n.kind(h.Last) == prose.Mark:
		n.hung(h)
	default:
		n.list(h.Last, false)
	}
	n.ratherThan(h)
}

// hung adds what stands before the "which" of a clause that turns something down. If the
// sentence has named it as chosen already, that is corrected.
func (n *naming) hung(h gate.Hit) {
	const near = 4
	for k := h.First; k > max(n.first, h.First-near); k-- {
		if n.word(k) != "which" {
			continue
		}
		p := n.phraseBefore(k)
		for i := range n.options {
			if n.options[i].Text == p.In(n.turn.Text) {
				n.options[i].Chosen = false
				return
			}
		}
		n.add(p, false)
		return
	}
}

// ratherThan adds what shall be done instead of something that was turned down:
// "but use X".
func (n *naming) ratherThan(h gate.Hit) {
	const near = 14
	for k := h.Last; k < min(h.Last+near, n.last); k++ {
		if n.word(k) != "but" {
			continue
		}
		k = n.but(k)
		if k == 0 || k >= n.last {
			return
		}
		for _, o := range n.hits {
			if o.First > k || o.Last <= k {
				continue
			}
			if words.GroupOf(o.Family) == words.Neg {
				return
			}
			if g := words.GroupOf(o.Family); g == words.Set || g == words.Build {
				k = o.Last
			}
		}
		if n.kind(k-1) != prose.Word || n.named(k) || words.Article(n.word(k)) {
			p, _ := n.phrase(k)
			n.add(p, true)
		}
		return
	}
}

// kept adds what must not be done, or what it must not be done to:
//
//	we must not store passwords           -passwords
//	the schema must not change            -the schema
//	passwords must never be logged        -passwords
func (n *naming) kept(h gate.Hit) {
	if w := n.word(h.Last); w != "be" && w != "change" && w != "grow" && n.word(h.Last-1) != "be" && !n.passive(h) {
		if s := n.word(h.First); s == "we" || s == "you" || s == "i" || s == "don't" || s == "dont" || n.word(h.First-1) == "we" || n.word(h.First-1) == "you" || h.First == n.first {
			n.add(n.object(h.Last), false)
		}
		n.ratherThan(h)
		return
	}
	k := h.First
	for k > n.first && n.word(k-1) == "and" {
		k--
	}
	n.add(n.subject(k), false)
}

// passive reports whether the words of a hit are in the passive voice: "will never be used".
// Then the name stands before them.
func (n *naming) passive(h gate.Hit) bool {
	for k := h.First; k+1 < h.Last; k++ {
		if n.word(k) == "be" && !strings.HasSuffix(n.word(k+1), "ing") {
			return true
		}
	}
	return false
}

// excluded returns what a hit rules out that speaks about what stands before it: "X is off the
// table", "X is forbidden", "X will never be used". The zero span means that the name follows
// the hit.
func (n *naming) excluded(h gate.Hit) prose.Span {
	k := h.First
	switch n.word(k) {
	case "is", "are", "has", "have":
	case "forbidden", "prohibited", "disallowed", "off", "not":
		if w := n.word(k - 1); w != "is" && w != "are" || n.word(h.Last) == "to" {
			return prose.Span{}
		}
		k--
	case "never": // will never be used
		if n.word(k+1) != "be" {
			return prose.Span{}
		}
		for k > n.first && words.Function(n.word(k-1)) {
			k--
		}
	default:
		return prose.Span{}
	}
	return n.subject(k)
}

// forbidden adds what a ban is about, behind its verb. In "do not use lodash, but use
// es-toolkit" lodash is left and es-toolkit is taken.
func (n *naming) forbidden(h gate.Hit) {
	k := h.First + 1
	if h.Family == gate.ActDont && n.word(h.First) == "do" {
		k++ // do not
	}
	if n.word(k) == "not" {
		k++ // let's not
	}
	if p := n.excluded(h); h.Family == gate.ActNever && p.End > p.Start {
		n.add(p, false)
		return
	}
	if n.word(h.First) == "not" && n.word(h.Last) == "to" {
		k = h.Last + 1 // not allowed to
	}
	if h.Family == gate.ActNoX {
		for k < n.last && (n.word(k) == "more" || n.word(k) == "no") {
			k++
		}
		n.add(n.deed(k), false)
		return
	}
	n.add(n.object(k), false)
	n.ratherThan(h)
}

// object returns the object of the verb at token k if the verb itself says little ("use",
// "add"), or the whole deed if the verb is what matters ("lint the tests").
func (n *naming) object(k int) prose.Span {
	if takesObject(n.word(k)) {
		k++
	}
	if w := n.word(k); w == "in" || w == "on" || w == "at" { // show in the list the names
		if _, end := n.phrase(k + 1); n.another(end) {
			k = end
		}
	}
	for k < n.last && (n.word(k) == "the" || n.word(k) == "any" || n.word(k) == "a" || n.word(k) == "be") {
		k++
	}
	if n.kind(k) == prose.Quote {
		return n.span(k, k+1)
	}
	return n.deed(k)
}

// takesObject reports whether a verb says nothing of what is meant, so that its object
// alone is the name: "don't use lodash" names lodash, "don't lint tests" all of it.
func takesObject(verb string) bool {
	switch verb {
	case "use", "add", "introduce", "touch", "create", "show", "display", "include", "change", "edit", "modify", "commit", "write", "call", "import",
		"install", "put", "make", "delete", "remove", "break", "store", "log", "mock", "hardcode", "using", "adding", "ever", "have", "want":
		return true
	}
	return false
}

// called adds the name behind "called" or "named".
func (n *naming) called(h gate.Hit) {
	for k := h.First; k < h.Last; k++ {
		if n.named(k) {
			n.add(n.span(k, k+1), true)
			return
		}
	}
	p, _ := n.phrase(h.Last - 1)
	n.add(p, true)
}
