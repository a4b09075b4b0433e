package naming

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/prose"
	"github.com/memscribe/memscribe/core/score"
)

// Candidate is something that a decision may take or leave, with the facts about it that the
// model weighs. Fields from place on are filled in by surround and placed.
type Candidate struct {
	core.Option
	Clause prose.Span // in which it stands; empty if it is in the message before
	Name   prose.Span // of several words, of which it is one; empty if it is none
	Whole  bool       // is all of its clause
	Rule   bool       // the rules of English are certain of it
	source source     // what names it
	paired bool       // its frame names something on its other side too, with the other mark
	detail string     // the frame or the kind of token that does
	low    string     // its text in lower case
	// sentence is the one in which it stands, in lower case, and at where it is there.
	sentence string
	at       int
	place    place
	around   around
}

// source is what names a candidate. The order is that of the certainty with which each names:
// the rules of English know the grammar of a sentence, a token is only a word that looks like a
// name. Names of sources are part of the weights.
type source uint8

const (
	byRule source = iota
	byFrame
	byPair
	byClause
	byToken
	byOffer
	sources
)

// String returns the name of a source in the names of signs.
func (s source) String() string {
	return [sources]string{byRule: "rule", byFrame: "frame", byPair: "pair", byClause: "clause", byToken: "token", byOffer: "offered"}[s]
}

// place is what the place of a candidate says of it: whether it stands behind a
// negation, in another sentence than the one that decides, in the first clause that
// names anything, at either end of its clause, or before a question mark.
type place struct {
	negated, beside, firstClause, opens, ends, asked, paired bool
}

// around is what the other candidates and the message before say about one.
type around struct {
	with, against uint8 // a bit for each source that names it too, or the opposite
	same          int   // others of its source that are taken, or left, as it is
	said          bool  // in the message before
	both, one     bool  // sides that the rules name
	group         string
	size          int // bytes of the turn
}

// Last reports whether a candidate should be named only if nothing else in its clause is: it is
// the whole clause, or a short number.
func (c *Candidate) Last() bool {
	return c.Whole || c.source == byToken && c.detail == "number" && len(c.Text) < 4
}

// Points reports whether a candidate names nothing by itself: a whole clause that ends in a
// pronoun, "revert that", or chosen words that begin or go on like a clause, "should be dimmer",
// "fix it so that", whose subject stands elsewhere.
func (c *Candidate) Points() bool {
	first, rest, several := strings.Cut(c.low, " ")
	if several && c.Chosen && !c.InAssistant {
		switch second, _, _ := strings.Cut(rest, " "); second {
		case "it", "them":
			return true
		}
		switch first {
		case "should", "must", "is", "are", "was", "will", "would", "can", "could", "we", "i", "i'm", "you", "you'll", "they", "they'll", "it", "it's",
			"if", "when", "while", "because", "since", "so", "that", "which", "than", "into", "across", "just", "idk":
			return true
		}
	}
	if !c.Whole {
		return false
	}
	switch c.low[strings.LastIndexByte(c.low, ' ')+1:] {
	case "it", "that", "this", "them", "those", "these":
		return true
	}
	return false
}

// Signs adds what speaks for and against a candidate to a bag: a set of names, each with a
// learnt weight. A name begins with the source and holds + for taken or - for left, because the
// same place means something else for each:
//
//	Use Postgres.     frame +, frame use +, frame +: ends its clause, frame +: words 0 …
//
// The names are part of the weights: a change of one needs them learnt again.
func (c *Candidate) Signs(b *score.Bag) {
	name, mark := c.source.String(), " -"
	if c.Chosen {
		mark = " +"
	}
	b.Add(name, mark)
	b.Add(name, mark, " in ", c.around.group)
	if c.detail != "" {
		b.Add(name, " ", c.detail, mark)
	}
	for _, s := range [...]struct {
		has  bool
		name string
	}{
		{c.place.negated, "behind a negation"},
		{c.place.beside, "beside"},
		{c.place.firstClause, "in the first clause that names"},
		{c.place.opens, "opens its clause"},
		{c.place.ends, "ends its clause"},
		{c.place.asked, "asked"},
		{c.place.paired, "both sides of it"},
		{c.around.said, "was said"},
		{c.around.both, "rules name both"},
		{c.around.one, "rules name one"},
	} {
		if s.has {
			b.Add(name, mark, ": ", s.name)
		}
	}
	for s := range sources {
		if c.around.with>>s&1 != 0 {
			b.Add(name, mark, ": also by ", s.String())
		}
		if c.around.against>>s&1 != 0 {
			b.Add(name, mark, ": against it ", s.String())
		}
	}
	b.Add(name, mark, ": of ", steps(c.around.same, 0, 1, 3, 6))
	b.Add(name, mark, ": words ", steps(countWords(c.Text), 1, 2, 4, 7))
	b.Add(name, mark, ": characters ", steps(utf8.RuneCountInString(c.Text), 2, 4, 8, 14, 24, 40, 60))
	b.Add(name, mark, ": of a turn ", steps(c.around.size, 30, 80, 160, 320, 640, 2000))
	if kind := kindOf(c.Text, true); kind != "" && !strings.Contains(c.Text, " ") {
		b.Add(name, mark, ": is ", kind)
	}
	c.words(b, mark)
}

// Passage is the text by which a decision is named, cut into sentences, with what other parts
// of the pipeline found in it.
type Passage struct {
	Text, Before string
	Sentences    []prose.Span
	Best         int           // of the sentences: the one that decides
	Rules        []core.Option // what the rules of English name
	Certain      []core.Option // those of them of which they are certain
	Offered      []core.Option // what was put up to choose from
	Group        string        // of languages
}

// How much of a passage is looked at.
const (
	maxCandidates = 200
	maxBefore     = 8 << 10 // bytes of the message before, from its end
)

// Candidates returns what a passage may take or leave, at most maxCandidates. They come by
// sentence, clause and source; what was offered comes last. A clause and a token come twice, as
// taken and as left, and the model has to choose. The result is valid until the next call.
//
// If the rules find both sides in the sentence that decides, the other sentences are not looked
// at.
func (n *Namer) Candidates(p *Passage) []Candidate {
	out := n.all[:0]
	contrast := p.contrasts()
	for i, s := range p.Sentences {
		if contrast && i != p.Best {
			continue
		}
		low := lower(s.In(p.Text))
		from := len(out)
		for _, o := range p.Rules {
			if !o.InAssistant && s.Start <= o.Offset && o.Offset < s.End {
				out = append(out, Candidate{Option: o, Rule: slices.Contains(p.Certain, o), source: byRule})
			}
		}
		last, opens := nothing, true
		n.cut = clauses(n.cut[:0], p.Text, low, s)
		for _, c := range n.cut {
			if len(out) >= maxCandidates {
				break
			}
			first, lowClause := len(out), low[c.Start-s.Start:c.End-s.Start]
			last = n.inClause(&out, p, c, lowClause, last)
			tokens(&out, p.Text, c)
			negated := -1 // not looked for
			for k := range out[from:] {
				if x := &out[from+k]; c.Start <= x.Offset && x.Offset < c.End {
					if negated < 0 {
						negated = behindNegation(lowClause)
					}
					x.Clause = c
					x.placed(p, i, opens)
					if at := x.Offset - c.Start; at+len(x.Text) <= len(lowClause) && p.Text[x.Offset:x.Offset+len(x.Text)] == x.Text {
						x.low = lowClause[at : at+len(x.Text)]
						x.sentence, x.at = low, x.Offset-s.Start
					}
					x.place.negated = negated <= x.Offset-c.Start
				}
			}
			opens = opens && len(out) == first
		}
	}
	detail := ""
	if slices.ContainsFunc(p.Offered, func(o core.Option) bool { return o.Chosen && p.repeats(o.Text) }) {
		detail = "whole"
	}
	for _, o := range p.Offered {
		out = append(out, Candidate{Option: o, source: byOffer, detail: detail})
	}
	n.all = out
	n.surround(p)
	return out
}

// repeats reports whether a sentence of the passage contains a name, whatever its case.
func (p *Passage) repeats(name string) bool {
	name = lower(name)
	return slices.ContainsFunc(p.Sentences, func(s prose.Span) bool { return strings.Contains(lower(s.In(p.Text)), name) })
}

// contrasts reports whether the rules name both what is taken and what is left in the sentence
// that decides. The sentences beside it then say something else: "Use Postgres instead of
// Redis. Add a test."
func (p *Passage) contrasts() bool {
	if p.Best < 0 || p.Best >= len(p.Sentences) {
		return false
	}
	best := p.Sentences[p.Best]
	return slices.ContainsFunc(p.Rules, func(o core.Option) bool { return o.Chosen && best.Start <= o.Offset && o.Offset < best.End }) &&
		slices.ContainsFunc(p.Rules, func(o core.Option) bool { return !o.Chosen && best.Start <= o.Offset && o.Offset < best.End })
}

// inClause adds what frames name in a clause, and the clause as a whole. It returns the side on
// which the clause ended, for the next.
func (n *Namer) inClause(out *[]Candidate, p *Passage, c prose.Span, low string, last side) side {
	l := &n.list
	l.text, l.options, l.by = p.Text, l.options[:0], l.by[:0]
	last = n.clause(l, c, low, last)
	for k, o := range l.options {
		if len(*out) >= maxCandidates {
			break
		}
		paired := k > 0 && l.by[k-1] == l.by[k] && l.options[k-1].Chosen != o.Chosen || k+1 < len(l.options) && l.by[k+1] == l.by[k] && l.options[k+1].Chosen != o.Chosen
		*out = append(*out, Candidate{Option: o, source: byFrame, detail: l.by[k], paired: paired})
		if o.Chosen {
			n.changed(out, p.Text, prose.Span{Start: o.Offset, End: o.Offset + len(o.Text)})
		}
	}
	if end := strings.TrimRight(low, " "); len(l.options) == 0 && (strings.HasSuffix(end, "に") || strings.HasSuffix(end, "へ")) {
		n.changed(out, p.Text, prose.Span{Start: c.Start, End: c.Start + len(end) - len("に")})
	}
	if d := deed(p.Text, c); !empty(d) && d.End-d.Start <= maxName && !vague(d.In(p.Text)) && !idle(low) {
		for _, chosen := range [...]bool{true, false} {
			*out = append(*out, Candidate{Option: core.Option{Text: d.In(p.Text), Chosen: chosen, Offset: d.Start}, source: byClause, Whole: true})
		}
	}
	return last
}

// changed adds both sides of a change in Japanese or Korean: A is left, B is taken.
//
//	AをBに変更      A를 B로 변경      A에서 B로 변경
func (n *Namer) changed(out *[]Candidate, text string, s prose.Span) {
	for _, object := range [...]string{"を", "를 ", "을 ", "에서 "} {
		at := strings.Index(s.In(text), object)
		if at <= 0 {
			continue
		}
		a := trim(text, prose.Span{Start: s.Start, End: s.Start + at})
		b := trim(text, prose.Span{Start: s.Start + at + len(object), End: s.End})
		if !empty(a) && !empty(b) && b.End-a.Start <= 2*maxName {
			*out = append(*out,
				Candidate{Option: core.Option{Text: a.In(text), Offset: a.Start}, source: byPair},
				Candidate{Option: core.Option{Text: b.In(text), Chosen: true, Offset: b.Start}, source: byPair})
		}
		return
	}
}

// maxTokens is how many names and values of a clause may be options.
const maxTokens = 6

// tokens adds the names and values of a clause by their form: code, quotations, paths, numbers,
// and words with a capital letter that do not open the clause; at most maxTokens. A quotation
// is one name, and so is a number with its unit.
func tokens(out *[]Candidate, text string, c prose.Span) {
	found := 0
	var named prose.Span // the name of several words that was met last, in the clause
	add := func(s prose.Span, kind string, name prose.Span) {
		if s = trim(text, s); empty(s) || s.End-s.Start > maxName || found == maxTokens || vague(s.In(text)) {
			return
		}
		found++
		for _, chosen := range [...]bool{true, false} {
			*out = append(*out, Candidate{Option: core.Option{Text: s.In(text), Chosen: chosen, Offset: s.Start}, Name: trim(text, name), source: byToken, detail: kind})
		}
	}
	in := c.In(text)
	for at := 0; at < len(in); {
		r, size := utf8.DecodeRuneInString(in[at:])
		if n := prose.Attachment(in[at:]); n > 0 {
			at += n
			continue
		}
		if shut := closing(r); shut != "" {
			if k := strings.Index(in[at+size:], shut); k > 0 {
				add(prose.Span{Start: c.Start + at + size, End: c.Start + at + size + k}, "quoted", prose.Span{})
				at += size + k + len(shut)
				continue
			}
		}
		end := at
		for end < len(in) {
			next, n := utf8.DecodeRuneInString(in[end:])
			if !within(next) {
				break
			}
			end += n
		}
		if end == at {
			at += size
			continue
		}
		if kind := kindOf(in[at:end], at == 0); kind != "" && (kind != "number" || !marksItem(text, c.Start+at, c.Start+end)) {
			if end > named.End {
				named = prose.Span{Start: at, End: properName(in, at, end, kind)}
			}
			add(prose.Span{Start: c.Start + at, End: c.Start + end}, kind, prose.Span{Start: c.Start + named.Start, End: c.Start + named.End})
		}
		at = end
	}
}

// properName returns the end of a name of several words that begins with the word from start to
// end: at most four words, each capitalised, or a number as the last.
//
//	Next.js 15, React 19     "Next.js 15", "React 19"
func properName(in string, start, end int, kind string) int {
	const most = 4 // words
	if kind != "capital" && kind != "mixed" && kind != "code" || !isUpper(in[start]) || in[end-1] == '.' || in[end-1] == ':' {
		return end
	}
	for range most - 1 {
		if end+1 >= len(in) || in[end] != ' ' {
			break
		}
		next := end + 1
		for next < len(in) {
			r, size := utf8.DecodeRuneInString(in[next:])
			if !within(r) {
				break
			}
			next += size
		}
		word := in[end+1 : next]
		if word == "" || !isUpper(word[0]) && kindOf(word, false) != "number" {
			break
		}
		end = next
		if !isUpper(word[0]) || word[len(word)-1] == '.' || word[len(word)-1] == ':' {
			break
		}
	}
	return end
}

// closing returns the mark that closes a quotation opened by r; "" if r opens none.
func closing(r rune) string {
	switch r {
	case '`', '"':
		return string(r)
	case '“':
		return "”"
	case '「':
		return "」"
	case '『':
		return "』"
	case '«':
		return "»"
	}
	return ""
}

// within reports whether a sign stands within names and values.
func within(r rune) bool {
	switch r {
	case '_', '-', '.', '/', '~', '@', '#', ':', '%', '+', '*', '=', '$':
		return true
	}
	return letter(r) || unicode.IsDigit(r)
}

// kindOf says by its form what kind of name a word is: number, code, mixed ("iOS", "v2"),
// capital, dashed; "" if it is none. A capital at the opening of a sentence says nothing.
func kindOf(w string, opens bool) string {
	name := strings.TrimRight(w, "-.:*+=")
	w = strings.TrimLeft(name, "-.:*+=")
	first, size := utf8.DecodeRuneInString(w)
	switch {
	case size == 0:
		return ""
	case strings.IndexFunc(w, unicode.IsDigit) == 0 && !strings.Contains(w, "/"):
		return "number"
	case strings.ContainsAny(w, "/_.~@#$=:") || strings.HasSuffix(name, "."+w):
		return "code"
	case strings.ContainsFunc(w[size:], unicode.IsUpper) || strings.ContainsFunc(w, unicode.IsDigit):
		return "mixed"
	case unicode.IsUpper(first) && !opens:
		return "capital"
	case strings.Contains(w, "-"):
		return "dashed"
	}
	return ""
}

// marksItem reports whether a number is the label of a list item: it opens its line and a dot
// or bracket follows.
func marksItem(text string, start, end int) bool {
	before := strings.TrimRight(text[:start], " \t>*#-(")
	if before != "" && before[len(before)-1] != '\n' {
		return false
	}
	return strings.HasSuffix(text[start:end], ".") || end < len(text) && (text[end] == '.' || text[end] == ')') || strings.HasPrefix(text[end:], "、")
}

// placed notes what the place of a candidate says of it.
func (c *Candidate) placed(p *Passage, sentence int, opens bool) {
	end := max(c.Clause.End, c.Offset+len(c.Text))
	c.place = place{
		paired:      c.paired,
		beside:      sentence != p.Best,
		firstClause: opens,
		opens:       strings.TrimSpace(p.Text[c.Clause.Start:c.Offset]) == "",
		ends:        strings.TrimSpace(p.Text[c.Offset+len(c.Text):end]) == "",
		asked:       strings.HasSuffix(strings.TrimRight(p.Text[c.Clause.End:min(len(p.Text), c.Clause.End+2)], " "), "?"),
	}
}

// behindNegation returns the offset in a clause behind its first negation: what follows may be
// left. Without one it is beyond the clause, so that comparing with any offset in it says no.
func behindNegation(low string) int {
	end := len(low) + 1
	for _, m := range [...]string{
		"not ", "n't ", "dont ", "no ", "never ", "without ", "remove", "delete", "drop", "avoid", "instead of", "rather than", "stop ", "sans ", "pas ", "sin ", "não ", "kein", "nicht ", "ohne ", "не ", "без ", "убери", "удали",
		"不", "别", "別", "去掉", "删", "刪", "移除", "取消", "禁止",
	} {
		if k := strings.Index(low[:min(len(low), end-1)], m); k >= 0 {
			end = k + len(m)
		}
	}
	return end
}

// surround fills in around for every candidate. Two candidates name the same if the text of one
// contains that of the other; then each is a witness for the other, or against it if one is
// taken and one left.
func (n *Namer) surround(p *Passage) {
	var count [sources][2]int
	n.named = n.named[:0]
	for i := range n.all {
		x := &n.all[i]
		if x.low == "" {
			x.low = lower(x.Text)
		}
		count[x.source][orderOf(x.Chosen)]++
		if x.source != byClause && x.source != byToken {
			n.named = append(n.named, i)
		}
	}
	taken, left := sides(p.Rules)
	for i := range n.all {
		x := &n.all[i]
		x.around = around{same: count[x.source][orderOf(x.Chosen)] - 1, both: taken && left, one: taken != left, group: p.Group, size: len(p.Text)}
		if Wide(x.Text) {
			x.around.group = "wide"
		}
		x.around.said = len(x.low) >= 4 && strings.Contains(n.before(p), x.low)
		for _, k := range n.named {
			o := &n.all[k]
			if k == i || o.source == x.source && x.source != byFrame {
				continue
			}
			by := &x.around.with
			if o.Chosen != x.Chosen {
				by = &x.around.against
			}
			if *by>>o.source&1 == 0 && (strings.Contains(o.low, x.low) || strings.Contains(x.low, o.low)) {
				*by |= 1 << o.source
			}
		}
	}
}

// before returns the last maxBefore bytes of the message before, in lower case. It is kept for
// the next passage of the same turn.
func (n *Namer) before(p *Passage) string {
	if n.said != p.Before || n.saidLow == "" {
		n.said, n.saidLow = p.Before, lower(p.Before[max(0, len(p.Before)-maxBefore):])
	}
	return n.saidLow
}

// orderOf is 1 for what is taken.
func orderOf(chosen bool) int {
	if chosen {
		return 1
	}
	return 0
}

// sides reports whether any of some options is taken, and any left.
func sides(options []core.Option) (taken, left bool) {
	for _, o := range options {
		taken, left = taken || o.Chosen, left || !o.Chosen
	}
	return taken, left
}

// steps returns the number of cuts that n is above, as a digit: signs name sizes by steps,
// since weights are learnt for names.
func steps(n int, cuts ...int) string {
	k := 0
	for _, c := range cuts {
		if n > c {
			k++
		}
	}
	return "0123456789"[k : k+1]
}
