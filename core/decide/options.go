package decide

import (
	"strings"

	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/gate"
	"github.com/memscribe/memscribe/core/prose"
)

// maxPhrase is how many tokens a name may have.
const maxPhrase = 7

// naming collects the options that one sentence names.
type naming struct {
	turn        *prose.Turn
	hits        []gate.Hit
	first, last int // tokens of the sentence
	options     []core.Option
}

// options finds the alternatives that sentence i names.
func (r *reading) options(i int) []core.Option {
	if picked := r.picked(i); picked != nil {
		return picked
	}
	s := r.turn.Sentences[i]
	n := naming{turn: &r.turn, hits: r.scan.Of(i), first: s.First, last: s.Last}
	n.contrasts()
	n.changes()
	n.objects()
	if len(n.options) == 0 {
		n.adopted()
	}
	return n.options
}

// adopted takes what the sentence calls by its name for what it adopts, or
// forbids: what it needs, else an identifier, a quoted name or a value.
func (n *naming) adopted() {
	chosen := true
	for _, h := range n.hits {
		if groupOf(h.Family) == neg {
			chosen = false
		}
	}
	for _, h := range n.hits {
		if h.Family == gate.ActNeed || h.Family == gate.ActWant {
			if w := n.word(h.Last); w != "to" && w != "u" && w != "you" {
				n.list(h.Last, chosen)
			}
		}
	}
	for k := n.first; k < n.last && len(n.options) == 0; k++ {
		switch n.kind(k) {
		case prose.Code, prose.Quote:
			if !n.located(k) {
				n.add(n.span(k, k+1), chosen)
			}
		case prose.Number:
			if w := n.word(k); len(w) >= 6 && isHex(w) {
				n.add(n.span(k, k+1), chosen)
			}
		default:
		}
	}
}

// located reports whether token k says where something is.
func (n *naming) located(k int) bool {
	switch n.word(k - 1) {
	case "in", "at", "of", "from", "into", "inside", "under", "see":
		return true
	}
	return false
}

// proposed finds the alternatives that the assistant's proposal names.
func (r *reading) proposed() []core.Option {
	turn := prose.Plain(r.prev.span.In(r.in.PrevAssistant))
	scan := r.rules.Scan(turn)
	var out []core.Option
	for i, s := range turn.Sentences {
		n := naming{turn: &turn, hits: scan.Of(i), first: s.First, last: s.Last, options: out}
		n.contrasts()
		n.changes()
		out = n.options
	}
	return out
}

// add adds an option, once.
func (n *naming) add(p prose.Span, chosen bool) {
	const quotes = " \t\n\"'`“”„«»‘’「」*_"
	text := strings.Trim(strings.TrimRight(strings.Trim(p.In(n.turn.Text), quotes), ",.;:!?"), quotes)
	if text == "" || vague(text) {
		return
	}
	for _, o := range n.options {
		if strings.EqualFold(o.Text, text) || strings.Contains(o.Text, text) && o.Chosen == chosen {
			return
		}
	}
	n.options = append(n.options, core.Option{Text: text, Chosen: chosen})
}

func vague(s string) bool {
	switch lower(s) {
	case "yesterday", "today", "earlier", "u", "this one", "that one", "think", "it", "this", "that", "these", "those", "them", "one", "everything", "something", "things", "stuff", "you", "me", "us", "we", "i", "he",
		"they", "there", "here", "so", "not", "all", "both", "what", "is", "be", "any", "just", "only", "more":
		return true
	}
	return false
}

func (n *naming) word(k int) string {
	if k < n.first || k >= n.last {
		return ""
	}
	return lower(n.turn.Tokens[k].In(n.turn.Text))
}

func (n *naming) kind(k int) prose.Kind {
	if k < n.first || k >= n.last {
		return prose.Mark
	}
	return n.turn.Tokens[k].Kind
}

// stops reports whether a name ends in front of token k.
func (n *naming) stops(k int) bool {
	if n.kind(k) == prose.Mark {
		switch n.word(k) {
		case "/", "&", "-", "#", "@", "*":
			return false
		}
		return true
	}
	if n.kind(k) != prose.Word {
		return false
	}
	switch n.word(k) {
	case "in", "on", "at", "to", "from", "with", "by", "for", "when", "if", "so", "because", "since", "and", "but", "or", "that", "which", "where",
		"as", "instead", "rather", "please", "now", "then", "everywhere", "like", "than", "over", "while", "until", "unless", "into", "onto",
		"should", "must", "is", "are", "was", "will", "would", "can", "could", "we", "i", "you", "they", "it", "only", "after", "before",
		"inside", "under", "not", "there", "here", "too", "also", "again", "and/or", "favor", "favour", "throughout", "via", "up", "per":
		return true
	}
	return false
}

func article(w string) bool {
	switch w {
	case "be", "the", "a", "an", "our", "its", "your", "their", "my", "any", "some", "all", "every", "each", "just", "only", "using", "use", "new", "his",
		"having", "of":
		return true
	}
	return false
}

// phrase is the name that begins at token k, and the token behind it.
func (n *naming) phrase(k int) (prose.Span, int) {
	for k < n.last && article(n.word(k)) {
		k++
	}
	end := k
	for end < n.last && end-k < maxPhrase && !n.stops(end) {
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

func (n *naming) span(first, end int) prose.Span {
	return prose.Span{Start: n.turn.Tokens[first].Start, End: n.turn.Tokens[end-1].End}
}

// phraseBefore is the name that ends in front of token end.
func (n *naming) phraseBefore(end int) prose.Span {
	for end > n.first && n.kind(end-1) == prose.Mark {
		end--
	}
	k := end
	for k > n.first && end-k < maxPhrase && !n.stops(k-1) && !n.acts(k-1) {
		k--
	}
	for k < end && article(n.word(k)) {
		k++
	}
	if k == end {
		return prose.Span{}
	}
	return n.span(k, end)
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

// contrasts finds "X instead of Y", "X over Y", "X, not Y", "not Y but X" and
// "from Y to X".
func (n *naming) contrasts() {
	for _, h := range n.hits {
		switch h.Family {
		case gate.ModInsteadOf:
			n.instead(h)
		case gate.ModNotBut:
			n.notBut(h)
		case gate.ActPrefer:
			n.prefers(h)
		default:
		}
	}
	for k := n.first; k < n.last; k++ {
		if n.word(k) == "from" {
			n.fromTo(k)
		}
		if n.word(k) == "either" {
			n.either(k)
		}
	}
}

// instead reads the sides of "instead of", of which the right one is rejected;
// of "in favour of", the left one is.
func (n *naming) instead(h gate.Hit) {
	if n.word(h.First) == "in" && n.word(h.First+1) != "place" {
		p, _ := n.phrase(h.Last)
		n.add(p, true)
		n.add(n.phraseBefore(h.First), false)
		return
	}
	from := h.Last
	if h.Last-h.First == 3 && n.word(h.First+1) == "over" { // A over B
		from = h.First + 2
		p, _ := n.phrase(h.First)
		n.add(p, true)
	}
	no, end := n.phrase(from)
	chosen := n.phraseBefore(h.First)
	if chosen.End == chosen.Start || n.opens(h.First) {
		chosen = n.next(end)
	}
	n.add(chosen, true)
	n.add(no, false)
}

// opens reports whether nothing but words that mean nothing stands before token
// k in its sentence.
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

// next is the name behind the first act from token k on.
func (n *naming) next(k int) prose.Span {
	best := n.last
	for _, h := range n.hits {
		if h.Family.IsAct() && h.First >= k && h.Last < best {
			best = h.Last
		}
	}
	if best == n.last {
		for k < n.last && n.kind(k) == prose.Mark {
			k++
		}
		best = k
	}
	p, _ := n.phrase(best)
	return p
}

func (n *naming) notBut(h gate.Hit) {
	for k := h.First; k < min(h.Last+8, n.last); k++ {
		w := n.word(k)
		if w != "not" && w != "dont" && w != "don't" {
			continue
		}
		no, end := n.phrase(k + 1)
		if before := len(n.options); n.word(end) != "but" && k > n.first {
			if n.add(no, false); len(n.options) > before && !n.adopts(n.first, k) {
				n.add(n.phraseBefore(k), true)
			}
			return
		}
		n.add(no, false)
		for end++; n.word(end) == "instead" || n.word(end) == "rather" || n.word(end) == "just"; end++ {
		}
		p, _ := n.phrase(end)
		n.add(p, true)
		return
	}
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

func (n *naming) prefers(h gate.Hit) {
	p, end := n.phrase(h.Last)
	if h.Last-h.First > 2 { // the hit reaches to "over"
		p, end = n.phrase(h.First + 1)
	}
	n.add(p, true)
	if w := n.word(end); w == "over" || w == "to" || w == "rather" {
		no, _ := n.phrase(end + 1)
		n.add(no, false)
	}
}

func (n *naming) fromTo(k int) {
	no, end := n.phrase(k + 1)
	if w := n.word(end); (w == "to" || w == "into") && no.End > no.Start {
		yes, _ := n.phrase(end + 1)
		n.add(yes, true)
		n.add(no, false)
	}
}

// either reads "either X or Y", of which a later "go with" chooses one.
func (n *naming) either(k int) {
	a, end := n.phrase(k + 1)
	if n.word(end) != "or" {
		return
	}
	b, end := n.phrase(end + 1)
	chosen := ""
	for _, h := range n.hits {
		if h.First >= end && (h.Family == gate.ActUse || h.Family == gate.ActDecided) {
			p, _ := n.phrase(h.Last)
			chosen = lower(p.In(n.turn.Text))
		}
	}
	for _, p := range []prose.Span{a, b} {
		n.add(p, chosen != "" && strings.Contains(lower(p.In(n.turn.Text)), chosen))
	}
}

// changes finds "change Y to X", "replace Y with X", "rename Y X", "set it to X".
func (n *naming) changes() {
	for _, h := range n.hits {
		switch h.Family {
		case gate.ActChange, gate.ActReplace:
		case gate.ActName:
			n.names(h)
			continue
		default:
			continue
		}
		verb := n.word(h.First)
		if h.Last-h.First > 3 && !n.pins(h) {
			continue
		}
		old, end := n.phrase(h.First + 1)
		whole := article(n.word(h.First+1)) && h.Family != gate.ActReplace // the thing changes, and is not left
		limit := min(end+6, n.last)
		for end < limit && !n.turns(end, h.Family) {
			end++
		}
		if end >= limit {
			continue
		}
		yes, _ := n.phrase(end + 1)
		n.add(yes, true)
		if h.Family == gate.ActReplace || verb == "change" || verb == "rename" || verb == "switch" || verb == "convert" || verb == "migrate" {
			if !whole && !n.measures(yes) {
				n.add(old, false)
			}
		}
	}
}

// pins reports whether "update it to ..." names what it becomes.
func (n *naming) pins(h gate.Hit) bool {
	return n.named(h.Last-1) || n.kind(h.Last-1) == prose.Number || n.word(h.Last-1) == "be"
}

// turns reports whether token k leads to what something becomes.
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

// measures reports whether a name is a value, which replaces no other name.
func (n *naming) measures(p prose.Span) bool {
	if p.End <= p.Start {
		return true
	}
	c := n.turn.Text[p.Start]
	return '0' <= c && c <= '9' || c == '#'
}

// names reads "call it X" and "name the command X".
func (n *naming) names(h gate.Hit) {
	k := h.Last
	for k < min(h.Last+5, n.last) && !n.named(k) {
		k++
	}
	if k >= n.last || k == h.Last+5 {
		k = h.Last
		for k < n.last && (n.word(k) == "it" || n.word(k) == "this" || n.word(k) == "that" || article(n.word(k))) {
			k++
		}
	}
	p, end := n.phrase(k)
	if w := n.word(end); n.word(h.First) == "rename" && (w == "to" || w == "as") {
		n.add(p, false)
		p, _ = n.phrase(end + 1)
	}
	n.add(p, true)
}

func (n *naming) named(k int) bool {
	switch n.kind(k) {
	case prose.Code, prose.Quote, prose.Path:
		return true
	default:
		return false
	}
}

// objects finds what is adopted, dropped or forbidden.
func (n *naming) objects() {
	for _, h := range n.hits {
		switch h.Family {
		case gate.ActUse, gate.ActDecided:
			n.list(h.Last, true)
		case gate.ActDrop, gate.ActDontLike, gate.ActDontNeed, gate.ActDontWant:
			n.list(h.Last, false)
		case gate.ActDont, gate.ActNever, gate.ActNoX:
			n.forbidden(h)
		case gate.ModNamed:
			n.called(h)
		default:
		}
	}
}

// list adds the name at token k, and those in a row with it.
func (n *naming) list(k int, chosen bool) {
	if k > n.first && n.named(k-1) { // the act's own words end with it
		k--
	}
	if w := n.word(k); w == "to" || w == "for" || w == "the" && n.word(k+1) == "idea" {
		for k < n.last && (article(n.word(k)) || n.word(k) == "idea" || n.word(k) == "to" || n.word(k) == "for") {
			k++
		}
	}
	p, end := n.phrase(k)
	n.add(p, chosen)
	for end < n.last && (n.word(end) == "," || n.word(end) == "and" || n.word(end) == "or") && (n.named(end+1) || n.capital(end+1)) {
		p, end = n.phrase(end + 1)
		n.add(p, chosen)
	}
}

// forbidden adds what a ban is about: what stands behind its verb.
func (n *naming) forbidden(h gate.Hit) {
	k := h.First + 1
	if h.Family == gate.ActDont && n.word(h.First) == "do" {
		k++ // do not
	}
	if h.Family == gate.ActNoX {
		for k < n.last && (n.word(k) == "more" || n.word(k) == "no") {
			k++
		}
	}
	if verb := n.word(k); h.Family != gate.ActNoX && takesObject(verb) {
		k++
	}
	end := k
	for end < n.last && end-k < maxPhrase && (n.kind(end) != prose.Mark || n.word(end) == "/") && !n.breaks(end) {
		end++
	}
	if end > k {
		n.add(n.span(k, end), false)
	}
}

// breaks reports whether what is forbidden ends in front of token k.
func (n *naming) breaks(k int) bool {
	switch n.word(k) {
	case "when", "if", "because", "since", "but", "unless", "until", "so", "please", "anymore", "instead", "here", "again", "and":
		return true
	}
	return false
}

func takesObject(verb string) bool {
	switch verb {
	case "use", "add", "introduce", "touch", "create", "show", "display", "include", "change", "edit", "modify", "commit", "write", "call", "import",
		"install", "put", "make", "delete", "remove", "break", "store", "log", "mock", "hardcode", "using", "adding", "ever", "have", "want":
		return true
	}
	return false
}

// capital reports whether token k begins with a capital, as names do.
func (n *naming) capital(k int) bool {
	if k >= n.last {
		return false
	}
	c := n.turn.Text[n.turn.Tokens[k].Start]
	return 'A' <= c && c <= 'Z'
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
