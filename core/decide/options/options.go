package options

import (
	"strings"
	"unicode"

	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/decide/words"
	"github.com/memscribe/memscribe/core/gate"
	"github.com/memscribe/memscribe/core/prose"
)

// naming collects the options that one sentence names. It lives for one sentence. Tokens are
// counted as in the turn, so a token outside of first and last belongs to another sentence:
// word, kind and named treat it as a mark.
type naming struct {
	turn        *prose.Turn
	hits        []gate.Hit
	first, last int // tokens of the sentence
	said        int // offset of turn in the assistant's words; -1 if it is the person's
	options     []core.Option
}

// Named appends the alternatives that a sentence of the person names.
//
//	Use Postgres instead of MySQL.   →   +Postgres -MySQL
//
// Out holds what earlier sentences have named; an option is not named twice. Values and
// identifiers count only if the sentence names nothing else, since most sentences mention files
// that they do not choose.
func Named(out []core.Option, turn *prose.Turn, s prose.Sentence, hits []gate.Hit) []core.Option {
	n := naming{turn: turn, hits: hits, first: s.First, last: s.Last, said: -1, options: out}
	n.contrasts()
	n.changes()
	n.objects()
	if len(n.options) == len(out) {
		n.values()
	}
	if len(n.options) == len(out) {
		n.identifiers()
	}
	return n.options
}

// Certain returns the alternatives that a sentence sets against each other, changes into one
// another, or does something with. Unlike [Named] it leaves out what is only mentioned by its
// name.
func Certain(turn *prose.Turn, s prose.Sentence, hits []gate.Hit) []core.Option {
	n := naming{turn: turn, hits: hits, first: s.First, last: s.Last, said: -1}
	n.contrasts()
	n.changes()
	n.objects()
	return n.options
}

// Proposed returns the alternatives that a proposal of the assistant names. At is the offset of
// the proposal in the message; the offsets of the options are in the message as well.
func Proposed(rules *gate.Rules, text string, at int) []core.Option {
	turn := prose.Plain(text)
	scan := rules.Scan(turn)
	var out []core.Option
	for i, s := range turn.Sentences {
		n := naming{turn: &turn, hits: scan.Of(i), first: s.First, last: s.Last, said: at, options: out}
		n.contrasts()
		n.changes()
		out = n.options
	}
	return out
}

// add adds an option once, without quotes and punctuation around it. An option that an earlier
// one with the same mark contains is dropped; one that contains an earlier one takes its place.
// Names that mean nothing by themselves ("it", "the same approach") are dropped.
func (n *naming) add(p prose.Span, chosen bool) {
	const quotes = " \t\n\"'`“”„«»‘’「」*_"
	verbatim := p.In(n.turn.Text)
	text := strings.TrimLeft(verbatim, quotes)
	at := p.Start + len(verbatim) - len(text)
	text = strings.TrimRight(strings.TrimRight(strings.TrimRight(text, quotes), ",.;:!?"), quotes)
	if text == "" || vague(text) {
		return
	}
	option := core.Option{Text: text, Chosen: chosen, Offset: at}
	if n.said >= 0 {
		option.InAssistant, option.Offset = true, n.said+at
	}
	for k, o := range n.options {
		switch {
		case strings.EqualFold(o.Text, text), o.Chosen == chosen && strings.Contains(o.Text, text):
			return
		case o.Chosen == chosen && strings.Contains(text, o.Text):
			n.options[k] = option
			return
		}
	}
	n.options = append(n.options, option)
}

// vague reports whether a name names nothing by itself: a pronoun, a word such as "stuff", a
// text without a letter or digit.
func vague(s string) bool {
	s = strings.TrimPrefix(words.Lower(s), "of ")
	if !strings.ContainsFunc(s, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }) || pointsBack(s) {
		return true
	}
	switch s {
	case "yesterday", "today", "earlier", "u", "this one", "that one", "think", "it", "this", "that", "these", "those", "them", "one", "everything",
		"something", "things", "stuff", "you", "me", "us", "we", "i", "he", "they", "there", "here", "so", "not", "all", "both", "what", "is", "be",
		"any", "just", "only", "more", "want", "way", "same", "same thing", "other", "ones", "case", "else", "anything", "nothing", "time", "first", "done":
		return true
	}
	return false
}

// pointsBack reports whether a name only stands for one that was named before:
// "the same pattern".
func pointsBack(s string) bool {
	how, what, found := strings.Cut(s, " ")
	if !found {
		return false
	}
	switch how {
	case "same", "suggested", "proposed", "recommended", "current", "previous", "existing", "old", "new", "original", "other", "better", "good":
	default:
		return false
	}
	switch what {
	case "approach", "pattern", "way", "idea", "ideas", "suggestion", "suggestions", "thing", "things", "solution", "one", "ones", "version", "style",
		"logic", "code", "col", "column", "behaviour", "behavior":
		return true
	}
	return false
}

// values takes what the sentence does something with, or sets something to:
//
//	using X      the default is X      cap it at 100      default to EUR      record it in X
func (n *naming) values() {
	for k := n.first; k < n.last; k++ {
		if n.word(k) == "using" && !n.forbids() {
			p, _ := n.phrase(k + 1)
			n.add(p, true)
		}
	}
	for _, h := range n.hits {
		switch h.Family {
		case gate.ActIsValue:
			if k := h.Last - 1; k > h.First && n.exact(k) {
				n.add(n.span(k, h.Last), true)
			}
		case gate.ActOrder, gate.ActMake, gate.ActChange:
			n.setTo(h)
		case gate.ActMove, gate.ActTell:
			n.destination(h.Last)
		case gate.ActShould:
			if k := h.Last; n.word(k) == "be" && stored(n.word(k+1)) {
				n.destination(k + 2)
			}
		default:
		}
	}
}

// setTo adds the value behind "cap … at" and "default to", within eight tokens. Only a name or
// a figure is a value: "default to the user's choice" has none.
func (n *naming) setTo(h gate.Hit) {
	for k := h.Last; k < min(h.Last+8, n.last) && n.kind(k) != prose.Mark; k++ {
		switch n.word(k) {
		case "to", "at", "as", "of":
			if n.exact(k+1) || n.capital(k+1) {
				p, _ := n.phrase(k + 1)
				n.add(p, true)
			}
			return
		}
		if k <= h.Last+1 && n.kind(k) == prose.Number && n.word(k-1) == "it" { // make it 200
			n.add(n.span(k, k+1), true)
			return
		}
	}
}

// destination adds the file or name that something is put into: the first name behind "in",
// "into", "to", "under" or "as" from token k on.
func (n *naming) destination(k int) {
	for ; k < n.last; k++ {
		switch n.word(k) {
		case "in", "into", "to", "under", "inside", "as":
			for k++; k < n.last && words.Article(n.word(k)); k++ {
			}
			if n.exact(k) || strings.Contains(n.word(k), "-") {
				p, _ := n.phrase(k)
				n.add(p, true)
			}
			return
		}
	}
}

// stored reports whether a participle says that something is put somewhere.
func stored(participle string) bool {
	switch participle {
	case "recorded", "stored", "saved", "kept", "placed", "put", "logged", "written", "moved", "documented", "listed":
		return true
	}
	return false
}

// identifiers takes the names by form in a sentence: code, quotes, paths, and hexadecimal
// figures such as a colour or a commit. They are left if the sentence forbids, else chosen.
// Names that only say where something is, or what gets worked on, are no options.
func (n *naming) identifiers() {
	chosen := !n.forbids()
	for k := n.first; k < n.last; k++ {
		switch n.kind(k) {
		case prose.Code, prose.Quote, prose.Path:
			if !n.located(k) && !n.target(k) && !strings.Contains(n.word(k), "://") {
				n.add(n.span(k, k+1), chosen)
			}
		case prose.Number:
			if w := n.word(k); len(w) >= 6 && words.IsHex(w) {
				n.add(n.span(k, k+1), chosen)
			}
		default:
		}
	}
}

// forbids reports whether the sentence forbids or rejects.
func (n *naming) forbids() bool {
	for _, h := range n.hits {
		if words.GroupOf(h.Family) == words.Neg {
			return true
		}
	}
	return false
}

// located reports whether token k says where something is or what it is for: "in config.yaml",
// "for the parser".
func (n *naming) located(k int) bool {
	if n.word(k-1) == "for" { // a test for X, and not "check for an X"
		return true
	}
	for k > n.first && words.Article(n.word(k-1)) {
		k--
	}
	switch n.word(k - 1) {
	case "in", "at", "of", "from", "into", "inside", "under", "see", "on", "per", "within", "to":
		return true
	}
	return false
}

// target reports whether token k is only what an act works on: "fix parser.go" chooses nothing.
// A quoted text is never only that.
func (n *naming) target(k int) bool {
	if n.kind(k) == prose.Quote {
		return false
	}
	for _, h := range n.hits {
		switch h.Family {
		case gate.ActUpdate, gate.ActFix, gate.ActCheck, gate.ActTell, gate.ActRun, gate.ActGit:
			if h.First < k && k <= h.Last+1 {
				return true
			}
		default:
		}
	}
	return false
}
