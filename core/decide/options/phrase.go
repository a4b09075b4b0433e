package options

import (
	"strings"

	"github.com/memscribe/memscribe/core/decide/words"
	"github.com/memscribe/memscribe/core/gate"
	"github.com/memscribe/memscribe/core/prose"
)

// maxPhrase is how many tokens a name may have.
const maxPhrase = 7

// word returns token k in lower case; "" outside of the sentence, so that callers may look
// beyond its ends.
func (n *naming) word(k int) string {
	if k < n.first || k >= n.last {
		return ""
	}
	return words.Lower(n.turn.Tokens[k].In(n.turn.Text))
}

// kind returns the kind of token k; outside of the sentence every token is a mark.
func (n *naming) kind(k int) prose.Kind {
	if k < n.first || k >= n.last {
		return prose.Mark
	}
	return n.turn.Tokens[k].Kind
}

// named reports whether token k is a name by its form.
func (n *naming) named(k int) bool {
	switch n.kind(k) {
	case prose.Code, prose.Quote, prose.Path:
		return true
	default:
		return false
	}
}

// exact reports whether token k is a name or a figure.
func (n *naming) exact(k int) bool { return n.named(k) || n.kind(k) == prose.Number }

// capital reports whether token k begins with a capital, as names do.
func (n *naming) capital(k int) bool {
	if k >= n.last {
		return false
	}
	c := n.turn.Text[n.turn.Tokens[k].Start]
	return 'A' <= c && c <= 'Z'
}

// stops reports whether a name ends before token k: at punctuation, except for marks that names
// contain (/, &, -, #, @, *), and at words that only join others.
func (n *naming) stops(k int) bool {
	switch n.kind(k) {
	case prose.Mark:
		switch n.word(k) {
		case "/", "&", "-", "#", "@", "*":
			return false
		}
		return true
	case prose.Word:
		return words.Function(n.word(k))
	default:
		return false
	}
}

// phrase returns the name that begins at token k, behind its articles, and the token behind it.
// It has at most maxPhrase tokens. If a quotation or code stands inside, that alone is the
// name: in "the `--out` flag" it is "--out". Without a name the span is zero and the token is
// k.
func (n *naming) phrase(k int) (prose.Span, int) {
	for k < n.last && words.Article(n.word(k)) {
		k++
	}
	end := k
	for end < n.last && end-k < maxPhrase && !n.stops(end) && (end == k || !n.begins(end) && !n.another(end)) {
		end++
	}
	if end == k {
		return prose.Span{}, k
	}
	for i := k; i < end; i++ { // a name inside says it best
		if kind := n.kind(i); kind == prose.Quote || kind == prose.Code && i > k {
			return n.span(i, i+1), end
		}
	}
	return n.span(k, end), end
}

// begins reports whether work is set from token k on: "instead of X use Y".
func (n *naming) begins(k int) bool {
	for _, h := range n.hits {
		if g := words.GroupOf(h.Family); h.First == k && (g == words.Set || g == words.Build) {
			return true
		}
	}
	return false
}

// another reports whether an article at token k begins another name. Behind "of", "all", "both"
// and a verb in -ing it belongs to the same one.
func (n *naming) another(k int) bool {
	switch n.word(k) {
	case "the", "a", "an":
		before := n.word(k - 1)
		return before != "of" && before != "all" && before != "both" && !strings.HasSuffix(before, "ing")
	}
	return false
}

// deed returns what is done from token k on: a verb with all that belongs to it, at most nine
// tokens, up to where something else is said ("because", "but", "so").
func (n *naming) deed(k int) prose.Span {
	const most = 9
	for k < n.last && (n.kind(k) == prose.Mark || n.word(k) == "just" || n.word(k) == "please" || n.word(k) == "to") {
		k++
	}
	end := k
	for end < n.last && end-k < most && (n.kind(end) != prose.Mark || n.word(end) == "/") && !n.breaks(end) {
		end++
	}
	if end == k {
		return prose.Span{}
	}
	return n.span(k, end)
}

// breaks reports whether a deed ends before token k. An "as" ends it only before "we" or "it".
func (n *naming) breaks(k int) bool {
	switch n.word(k) {
	case "when", "if", "because", "since", "but", "unless", "until", "so", "please", "anymore", "instead", "here", "again", "and", "as", "we", "i", "which":
		return n.word(k) != "as" || n.word(k+1) == "we" || n.word(k+1) == "it"
	}
	return false
}

// span returns the text from token first up to token end, end excluded. There must be at least
// one token.
func (n *naming) span(first, end int) prose.Span {
	return prose.Span{Start: n.turn.Tokens[first].Start, End: n.turn.Tokens[end-1].End}
}

// bare returns the tokens from first on, without the articles that they begin with.
func (n *naming) bare(first, end int) prose.Span {
	if first >= end {
		return prose.Span{}
	}
	for first < end-1 && words.Article(n.word(first)) {
		first++
	}
	return n.span(first, end)
}

// phraseBefore returns the name that ends before token end, without marks behind it and
// articles before it; the zero span if there is none.
func (n *naming) phraseBefore(end int) prose.Span {
	for end > n.first && n.kind(end-1) == prose.Mark {
		end--
	}
	k := end
	for k > n.first && end-k < maxPhrase && !n.stops(k-1) && !n.acts(k-1) {
		k--
	}
	for k < end && words.Article(n.word(k)) {
		k++
	}
	if k == end {
		return prose.Span{}
	}
	return n.span(k, end)
}

// subject returns what a clause is about whose verb stands at token end: the up to maxPhrase
// tokens before it.
func (n *naming) subject(end int) prose.Span {
	k := end
	for k > n.first && end-k < maxPhrase && !n.stops(k-1) {
		k--
	}
	if k == end {
		return prose.Span{}
	}
	return n.bare(k, end)
}

// acts reports whether token k is the end of an act's words.
func (n *naming) acts(k int) bool {
	for _, h := range n.hits {
		if h.Family.IsAct() && h.First <= k && k < h.Last && h.Last-h.First <= 3 {
			return true
		}
	}
	return false
}

// list adds the name at token k, and those that follow it in a list: "use Redis, Postgres and
// NATS". Behind the first, only names by form and capitalised words count, since "and" mostly
// begins another clause.
func (n *naming) list(k int, chosen bool) {
	if k > n.first && n.named(k-1) { // the act's own words end with it
		k--
	}
	if w := n.word(k); w == "to" || w == "for" || w == "the" && ideas(n.word(k+1)) {
		for k < n.last && (words.Article(n.word(k)) || ideas(n.word(k)) || n.word(k) == "to" || n.word(k) == "for") {
			k++
		}
	}
	p, end := n.phrase(k)
	n.add(p, chosen)
	for end < n.last && (n.word(end) == "," || n.word(end) == "and" || n.word(end) == "or") {
		if n.word(end) == "," && n.word(end+1) == "and" {
			end++
		}
		if !n.named(end+1) && !n.capital(end+1) {
			return
		}
		p, end = n.phrase(end + 1)
		n.add(p, chosen)
	}
}

// ideas reports whether a word holds something at a distance, as in "I like the idea of X": the
// name follows.
func ideas(w string) bool {
	return strings.HasSuffix(w, "dea") || w == "ieda" || w == "notion" || w == "concept"
}

// measures reports whether a name is a value: a figure or a colour. A value takes the place of
// a value, not of a name.
func (n *naming) measures(p prose.Span) bool {
	if p.End <= p.Start {
		return true
	}
	c := n.turn.Text[p.Start]
	return '0' <= c && c <= '9' || c == '#'
}

// opens reports whether nothing but words without meaning of their own stands before token k in
// its sentence.
func (n *naming) opens(k int) bool {
	for i := n.first; i < k; i++ {
		switch n.word(i) {
		case "so", "and", "but", "please", "ok", "okay", "also", "yes", "no", ",", "i", "think", "then":
		default:
			return false
		}
	}
	return true
}

// adopts reports whether something is adopted or named between two tokens: then
// that is what is chosen.
func (n *naming) adopts(from, to int) bool {
	for _, h := range n.hits {
		if (h.Family == gate.ActUse || h.Family == gate.ActDecided || h.Family == gate.ActName) && from <= h.First && h.First < to {
			return true
		}
	}
	return false
}
