package title

import (
	"slices"
	"strings"

	"github.com/memscribe/memscribe/core/prose"
)

const (
	// maxRead is how much of a text is read, around the decision or from its end.
	maxRead = 4 << 10
	// maxBack is how many sentences back something is looked for.
	maxBack = 14
)

// speech is a text cut into sentences, whose spans all count in the text.
type speech struct {
	text      string
	tokens    []prose.Token
	sentences []prose.Sentence // outside of fenced code and tables
}

// read cuts text[from:to] into sentences, from the first line that is whole.
//
// The span may begin in the middle of a line; what comes before its first line break is
// dropped. Fenced code and rows of tables give no sentences.
func read(text string, from, to int) *speech {
	if from > 0 {
		if n := strings.IndexByte(text[from:to], '\n'); n >= 0 {
			from += n + 1
		} else {
			for from < to && text[from]&0xc0 == 0x80 {
				from++
			}
		}
	}
	for to < len(text) && text[to]&0xc0 == 0x80 {
		to++
	}
	turn := prose.Plain(text[from:to])
	s := &speech{text: text, tokens: turn.Tokens, sentences: turn.Sentences[:0]}
	for i := range s.tokens {
		t := &s.tokens[i]
		t.Start, t.End = t.Start+from, t.End+from
	}
	fences := fencedIn(text[:to])
	for _, x := range turn.Sentences {
		x.Start, x.End = x.Start+from, x.End+from
		if !fences.hold(x.Start) && text[x.Start] != '|' {
			s.sentences = append(s.sentences, x)
		}
	}
	return s
}

// fences are the stretches of fenced code in a text.
type fences []prose.Span

// fencedIn returns the fenced code blocks of a text.
func fencedIn(text string) (all fences) {
	at, open := 0, -1
	for line := range strings.Lines(text) {
		if strings.HasPrefix(strings.TrimLeft(line, " \t>"), "```") {
			if open < 0 {
				open = at
			} else {
				all, open = append(all, prose.Span{Start: open, End: at + len(line)}), -1
			}
		}
		at += len(line)
	}
	if open >= 0 {
		all = append(all, prose.Span{Start: open, End: at})
	}
	return all
}

// hold reports whether a place is inside a code block.
func (f fences) hold(at int) bool {
	for _, s := range f {
		if s.Start <= at && at < s.End {
			return true
		}
	}
	return false
}

// in lists the tokens of a span that mean something, without punctuation.
func (s *speech) in(span prose.Span) []prose.Token {
	var all []prose.Token
	for _, t := range s.tokens {
		if t.Start >= span.Start && t.End <= span.End && t.Kind != prose.Mark {
			all = append(all, t)
		}
	}
	return all
}

// word returns a token in lower case.
func (s *speech) word(t prose.Token) string { return strings.ToLower(t.In(s.text)) }

// glyphs is how many characters without blanks between them make a word.
const glyphs = 2

// meaning counts the words of a span that have a meaning of their own, up to some.
//
// Function words and words of assent count nothing, code, paths and links count two,
// and two characters of a script without blanks count as one word. "Shall I do it now?"
// has 0, "Use Redis" has 2.
func (s *speech) meaning(span prose.Span) int {
	n, signs := 0, 0
	for _, t := range s.in(span) {
		switch t.Kind {
		case prose.Word:
			if w := s.word(t); !function(w) && !assent(w) {
				n++
			}
		case prose.Glyph:
			signs++
		case prose.Number:
			n++
		default:
			n += 2
		}
	}
	return n + signs/glyphs
}

// bare reports whether a proposal does not say what it proposes: "Shall I proceed?"
func (s *speech) bare(span prose.Span) bool {
	n, signs, pointer := 0, 0, false
	for _, t := range s.in(span) {
		w := s.word(t)
		switch {
		case t.Kind == prose.Glyph:
			signs++
		case t.Kind != prose.Word && t.Kind != prose.Number:
			n += 2
		case pronoun(w) || demonstrative(w) || w == "fix" || w == "change" || w == "changes" || w == "plan":
			pointer = true
		case !function(w) && !assent(w) && !proceeding(w):
			n++
		}
	}
	const few = 12 // signs of a script without blanks
	if signs > 0 {
		return n == 0 && signs <= few && (s.asks(span) || s.replies(span) || contains(span.In(s.text), eastProceeding()))
	}
	return n <= 1 || n == 2 && pointer
}

// first returns the first sentence.
func (s *speech) first() prose.Span {
	if len(s.sentences) == 0 {
		return prose.Span{}
	}
	return s.sentences[0].Span
}

// sentenceBefore returns the sentence before a place, if it says something.
func (s *speech) sentenceBefore(at int) (prose.Span, bool) {
	for _, x := range slices.Backward(s.sentences) {
		if x.End <= at {
			return x.Span, s.meaning(x.Span) >= 2
		}
	}
	return prose.Span{}, false
}

// between reports whether words stand between two places.
func (s *speech) between(from, to int) bool {
	return from < to && strings.Trim(s.text[from:to], " \t\r\n*_#>-") != ""
}

// asks reports whether a sentence ends as a question.
func (s *speech) asks(span prose.Span) bool {
	end := strings.TrimRight(span.In(s.text), " *_`\"’”'）)")
	return strings.HasSuffix(end, "?") || strings.HasSuffix(end, "？")
}

// question returns the last question of the text, if nothing much stands behind it.
//
// At most six sentences may follow it, items of lists not counted: what follows a
// question closely is its explanation.
func (s *speech) question() (prose.Span, bool) {
	const behind = 6
	for i, said := len(s.sentences)-1, 0; i >= 0 && said < behind; i-- {
		x := s.sentences[i].Span
		if !s.asks(x) {
			if !s.sentences[i].Item {
				said++
			}
			continue
		}
		if i > 0 && secondary(s.lower(x)) && s.asks(s.sentences[i-1].Span) {
			x.Start = s.sentences[i-1].Start // "Or would you rather wait?" only asks again
		}
		return x, true
	}
	return prose.Span{}, false
}

// item reports whether a sentence is an item of a list.
func (s *speech) item(span prose.Span) bool {
	for _, x := range s.sentences {
		if x.Span == span {
			return x.Item
		}
	}
	return false
}

// lower returns a stretch in lower case as words are compared with it: without marks of lists and
// emphasis in front, and with plain apostrophes.
func (s *speech) lower(x prose.Span) string {
	return strings.ReplaceAll(strings.ToLower(strings.TrimLeft(x.In(s.text), " *_-#>")), "’", "'")
}

// secondary reports whether a question only asks again for what the one before asks.
func secondary(low string) bool {
	for _, start := range [...]string{"or ", "oder ", "ou ", "o ", "what do you think", "thoughts", "which do you", "any preference"} {
		if strings.HasPrefix(low, start) {
			return true
		}
	}
	return false
}

// proposal returns what a bare question that begins at a place asks about. It is, in this
// order: the list that ends just before; a list within 14 sentences before that its
// introduction calls a plan; the nearest sentence that offers something; the nearest
// one that says something. Questions, headings and "let me look at …" are passed over.
func (s *speech) proposal(at int) []prose.Span {
	last := len(s.sentences) - 1
	for last >= 0 && s.sentences[last].End > at {
		last--
	}
	if last < 0 {
		return nil
	}
	if s.sentences[last].Item {
		return s.list(last)
	}
	for i := last; i >= max(0, last-maxBack); i-- {
		if list := s.list(i); len(list) > 1 && plans(s.lower(list[0])) {
			return list
		}
	}
	best := -1
	for i := last; i >= max(0, last-maxBack); i-- {
		x := s.sentences[i].Span
		if s.asks(x) || s.bare(x) || s.meaning(x) <= 2 || s.heading(x) || searching(s.lower(x)) {
			continue
		}
		if offers(s.lower(x)) {
			best = i
			break
		}
		if best < 0 {
			best = i
		}
	}
	if best < 0 {
		return nil
	}
	return []prose.Span{s.sentences[best].Span}
}

// list returns the list that ends with a sentence, with the sentence that introduces it.
func (s *speech) list(last int) (all []prose.Span) {
	first := last
	for first >= 0 && s.sentences[first].Item {
		first--
	}
	if first == last {
		return nil
	}
	for _, x := range s.sentences[max(0, first) : last+1] {
		all = append(all, x.Span)
	}
	return all
}

// listOf returns the items of the list that a sentence is an item of, and the sentence that leads to it.
func (s *speech) listOf(span prose.Span) (lead prose.Span, items []prose.Span) {
	at := slices.IndexFunc(s.sentences, func(x prose.Sentence) bool { return x.Span == span })
	if at < 0 || !s.sentences[at].Item {
		return prose.Span{}, nil
	}
	first := at
	for first > 0 && s.sentences[first-1].Item {
		first--
	}
	for _, x := range s.sentences[first:] {
		if !x.Item {
			break
		}
		items = append(items, x.Span)
	}
	if first > 0 {
		lead = s.sentences[first-1].Span
	}
	return lead, items
}

// heads returns what says what a piece of a list is about: the beginning of its item, or in front of a whole item the line
// that leads to the list.
//
//	The view has:                                   leads to both items
//	- a table of series. Ranks count from one.      "Ranks …" is of "a table of series"
//	- a graph
func (s *speech) heads(span prose.Span) (prose.Span, bool) {
	at := slices.IndexFunc(s.sentences, func(x prose.Sentence) bool { return x.End > span.Start })
	if at < 0 || !s.sentences[at].Item {
		return prose.Span{}, false
	}
	first := at
	for first > 0 && !strings.Contains(s.text[s.sentences[first-1].End:s.sentences[first].Start], "\n") {
		first--
	}
	if first < at {
		head := s.sentences[first].Span
		return head, s.meaning(head) > 0
	}
	const longest = 100 // characters of a line that leads to a list
	depth := s.indent(first)
	for k := first - 1; k >= 0; k-- {
		x := s.sentences[k]
		if (!x.Item || s.indent(k) < depth) && s.announces(x.Span) {
			return x.Span, runes(x.In(s.text)) <= longest
		}
		if !x.Item {
			break
		}
	}
	return prose.Span{}, false
}

// announces reports whether a sentence ends in a colon.
func (s *speech) announces(span prose.Span) bool {
	end := strings.TrimRight(span.In(s.text), " *_")
	return strings.HasSuffix(end, ":") || strings.HasSuffix(end, "：")
}

// indent returns how far the line of a sentence is indented.
func (s *speech) indent(k int) int {
	line := s.text[strings.LastIndexByte(s.text[:s.sentences[k].Start], '\n')+1:]
	return len(line) - len(strings.TrimLeft(line, " \t"))
}

// leads reports whether a sentence of the assistant only leads to a list of what it offers:
// "If you want next:".
func (s *speech) leads(span prose.Span) bool {
	if !s.announces(span) {
		return false
	}
	const few = 2 // words with a meaning of their own
	return leadsIn(s.lower(span)) && s.meaning(span) <= few
}

// led returns what follows a sentence that only leads to it: "We need to address an oversight."
func (s *speech) led(span prose.Span) (next prose.Span, ok bool) {
	if s.asks(span) || !s.onlyLeads(span) {
		return prose.Span{}, false
	}
	for _, x := range s.sentences {
		if x.Start >= span.End {
			return x.Span, s.meaning(x.Span) > 2
		}
	}
	return prose.Span{}, false
}

// onlyLeads reports whether all words of a sentence that have a meaning of their own announce
// something that it does not name.
func (s *speech) onlyLeads(span prose.Span) bool {
	found := false
	for _, t := range s.in(span) {
		w := s.word(t)
		switch {
		case t.Kind != prose.Word:
			return false
		case announcing(w):
			found = true
		case !function(w) && !assent(w) && !placeholder(w) && !proceeding(w) && w != "need" && w != "needs" && w != "address":
			return false
		}
	}
	return found
}

// topic returns what a text is about for whoever answers it with "that": what it says was
// done or would be done, else the last thing that it says.
//
// Of the last 14 sentences the nearest that offers or reports something wins.
func (s *speech) topic() []prose.Span {
	last := len(s.sentences) - 1
	best := -1
	for i := last; i >= max(0, last-maxBack); i-- {
		x := s.sentences[i].Span
		if s.meaning(x) <= 2 || s.heading(x) || searching(s.lower(x)) {
			continue
		}
		if low := s.lower(x); offers(low) || reports(low) {
			return []prose.Span{x}
		}
		if best < 0 {
			best = i
		}
	}
	if best < 0 {
		return nil
	}
	return []prose.Span{s.sentences[best].Span}
}

// heading reports whether a sentence is the heading of a part of the text.
func (s *speech) heading(span prose.Span) bool {
	line := strings.LastIndexByte(s.text[:span.Start], '\n') + 1
	before := strings.TrimLeft(s.text[line:span.Start], " ")
	text := strings.TrimRight(span.In(s.text), " :")
	return strings.HasPrefix(before, "#") || strings.HasPrefix(text, "#") ||
		strings.HasPrefix(before+text, "**") && strings.HasSuffix(text, "**") && strings.Count(before+text, "**") == 2
}

// replies reports whether a sentence begins by answering.
func (s *speech) replies(span prose.Span) bool {
	tokens := s.in(span)
	return len(tokens) > 0 && tokens[0].Kind == prose.Word && assent(s.word(tokens[0])) || startsWith(span.In(s.text), eastAssents())
}

// points reports whether a sentence says "that" or "it" of what it does not name.
//
// A sentence with two or more words of its own meaning names things itself, so a
// pronoun in it is not looked up, unless it is a short one that ends in "these". In scripts without blanks a sentence of more than 24
// characters points at nothing.
func (s *speech) points(span prose.Span) bool {
	const (
		named = 2 // words that may be what is pointed at
		most  = 4 // of a clause that ends in a pointer
	)
	tokens := s.in(span)
	n, signs := 0, 0
	for i, t := range tokens {
		w := s.word(t)
		switch {
		case t.Kind == prose.Word && n >= named && n < most && demonstrative(w) && w != "so" && s.ends(t) && !s.cut(span.Start, t.Start):
			return true
		case i == 0 && t.Kind == prose.Word && (lacksSubject(w) && !s.asks(span) || leans(s.lower(span))):
			return true
		case t.Kind == prose.Glyph:
			signs++
		case t.Kind == prose.Word && n < named && s.pointer(tokens, i):
			return true
		case t.Kind != prose.Word:
			n += named
		case !function(w) && !assent(w):
			n++
		}
	}
	const short = 24
	return n < named && signs > 0 && signs <= short && contains(span.In(s.text), eastPointers())
}

// ends reports whether a sentence ends behind a token.
func (s *speech) ends(t prose.Token) bool {
	rest := s.text[t.End:]
	if mark := strings.TrimLeft(rest, ".!?"); len(rest)-len(mark) == 1 {
		return mark == "" || strings.IndexByte(" \n\r", mark[0]) >= 0
	}
	return strings.TrimLeft(rest, " ") == "" || rest[0] == '\n'
}

// cut reports whether a mark parts what stands between two places.
func (s *speech) cut(from, to int) bool { return strings.ContainsAny(s.text[from:to], ",;:.!?\n") }

// pointer reports whether token i stands for something that was named before.
//
// "That" counts unless a noun follows ("that endpoint") or it joins clauses ("make sure
// that …"); placeholders such as "approach" or "one" are no nouns here.
func (s *speech) pointer(tokens []prose.Token, i int) bool {
	w := s.word(tokens[i])
	if pronoun(w) {
		return true
	}
	if !demonstrative(w) || w == "so" && i == 0 {
		return false
	}
	if i+1 == len(tokens) || s.text[tokens[i].End:tokens[i+1].Start] != " " {
		return true
	}
	next := s.word(tokens[i+1])
	switch {
	case w == "that" && (clauseStart(next) || i > 0 && reporting(s.word(tokens[i-1]))):
		return false // a conjunction
	case tokens[i+1].Kind != prose.Word:
		return false
	}
	return function(next) || assent(next) || placeholder(next)
}

// announced returns what a sentence that ends in a colon announces: the sentence behind it,
// or the items of a list.
func (s *speech) announced(span prose.Span) (all []prose.Span) {
	if !s.announces(span) {
		return nil
	}
	for _, x := range s.sentences {
		switch {
		case x.Start < span.End:
			continue
		case len(all) == 0 && strings.Contains(s.text[span.End:x.Start], "```"):
			return nil // it announces code
		case len(all) == 0, len(all) == 1 && s.meaning(all[0]) <= 1, x.Item:
			all = append(all, x.Span)
		default:
			return all
		}
	}
	return all
}

// continued returns what the assistant says behind a question in the same paragraph of what
// it would do: "Shall I start? I'll begin with:" and the list.
func (s *speech) continued(q prose.Span) []prose.Span {
	for i, x := range s.sentences {
		if x.Start < q.End {
			continue
		}
		if i == 0 || x.Item || s.sentences[i-1].Paragraph != x.Paragraph || s.asks(x.Span) || !offers(s.lower(x.Span)) {
			return nil
		}
		return append([]prose.Span{x.Span}, s.announced(x.Span)...)
	}
	return nil
}

// startsWith reports whether text begins with one of all.
func startsWith(text string, all []string) bool {
	for _, a := range all {
		if strings.HasPrefix(text, a) {
			return true
		}
	}
	return false
}

// contains reports whether text contains one of all.
func contains(text string, all []string) bool {
	for _, a := range all {
		if strings.Contains(text, a) {
			return true
		}
	}
	return false
}
