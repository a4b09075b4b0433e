package title

import (
	"slices"
	"strings"

	"github.com/memscribe/memscribe/core/prose"
)

const (
	// maxRead is how many bytes of a text are read, around the decision or from its end.
	maxRead = 4 << 10
	// maxBack is how many sentences a search goes back.
	maxBack = 14
)

// speech is a part of a text, cut into sentences. All spans are offsets in the whole text.
type speech struct {
	text      string
	tokens    []prose.Token
	sentences []prose.Sentence // outside of fenced code and tables
}

// read cuts text[from:to] into sentences, beginning with its first complete line.
//
// If from is in the middle of a line, the rest of that line is skipped. Fenced code and rows
// of tables give no sentences.
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

// fences are the fenced code blocks of a text, in order.
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

// hold reports whether an offset is inside of a code block.
func (f fences) hold(at int) bool {
	for _, s := range f {
		if s.Start <= at && at < s.End {
			return true
		}
	}
	return false
}

// in returns the tokens of a span, without punctuation.
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

// glyphs is how many characters of a script without blanks count as one word.
const glyphs = 2

// meaning returns the number of words in a span that have a meaning of their own.
//
// Function words and words of assent count 0, code, paths and links count 2,
// and each pair of characters of a script without blanks counts 1. "Shall I do it now?" has
// 0, "Use Redis" has 2.
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

// bare reports whether a sentence proposes something without naming it: "Shall I proceed?"
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

// first returns the span of the first sentence; it is empty if there is none.
func (s *speech) first() prose.Span {
	if len(s.sentences) == 0 {
		return prose.Span{}
	}
	return s.sentences[0].Span
}

// sentenceBefore returns the last sentence that ends before an offset, and whether it has at
// least two words with a meaning of their own.
func (s *speech) sentenceBefore(at int) (prose.Span, bool) {
	for _, x := range slices.Backward(s.sentences) {
		if x.End <= at {
			return x.Span, s.meaning(x.Span) >= 2
		}
	}
	return prose.Span{}, false
}

// between reports whether there are words between two offsets, apart from blanks and Markdown.
func (s *speech) between(from, to int) bool {
	return from < to && strings.Trim(s.text[from:to], " \t\r\n*_#>-") != ""
}

// asks reports whether a sentence ends with a question mark.
func (s *speech) asks(span prose.Span) bool {
	end := strings.TrimRight(span.In(s.text), " *_`\"’”'）)")
	return strings.HasSuffix(end, "?") || strings.HasSuffix(end, "？")
}

// question returns the last question of the text, if little follows it.
//
// Fewer than six sentences may follow, not counting list items: a few sentences after a
// question explain it. If the last question only repeats the one before ("Or would you
// rather wait?"), the span has both.
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

// lower returns a span in lower case, without signs of lists and emphasis at its beginning,
// and with typewriter apostrophes. Word lists are compared with this form.
func (s *speech) lower(x prose.Span) string {
	return strings.ReplaceAll(strings.ToLower(strings.TrimLeft(x.In(s.text), " *_-#>")), "’", "'")
}

// secondary reports whether a question only repeats the question before it.
func secondary(low string) bool {
	for _, start := range [...]string{"or ", "oder ", "ou ", "o ", "what do you think", "thoughts", "which do you", "any preference"} {
		if strings.HasPrefix(low, start) {
			return true
		}
	}
	return false
}

// proposal returns what a bare question at an offset is about. It takes the first of:
//
//	the list that ends just before the question
//	a list within maxBack sentences that its introduction calls a plan
//	the nearest sentence within maxBack that offers something
//	the nearest sentence within maxBack that says something
//
// Questions, headings and "let me look at …" are skipped.
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

// list returns the list whose last item is sentence number last, with the sentence that
// introduces it. It returns nil if that sentence is no item.
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

// listOf returns the items of the list that a sentence belongs to, and the sentence that
// introduces the list.
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

// heads returns the words that a part of a list needs to be understood: for a later sentence
// of an item the first sentence of that item, for a whole item the line that introduces the
// list.
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

// announces reports whether a sentence ends with a colon.
func (s *speech) announces(span prose.Span) bool {
	end := strings.TrimRight(span.In(s.text), " *_")
	return strings.HasSuffix(end, ":") || strings.HasSuffix(end, "：")
}

// indent returns how many bytes the line of sentence k is indented.
func (s *speech) indent(k int) int {
	line := s.text[strings.LastIndexByte(s.text[:s.sentences[k].Start], '\n')+1:]
	return len(line) - len(strings.TrimLeft(line, " \t"))
}

// leads reports whether a sentence of the assistant only introduces a list of offers: "If you
// want next:".
func (s *speech) leads(span prose.Span) bool {
	if !s.announces(span) {
		return false
	}
	const few = 2 // words with a meaning of their own
	return leadsIn(s.lower(span)) && s.meaning(span) <= few
}

// led returns the sentence after one that only announces it: "We need to address an
// oversight. The button has no label."
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

// onlyLeads reports whether a sentence announces something without naming it: all its words
// with a meaning of their own are words such as "address" and "oversight".
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

// topic returns what "that" means in an answer to the text: the last thing that the text says
// was done or offers to do, or else the last thing that it says. Of a list it is all up to that.
//
// The last maxBack sentences are looked at.
func (s *speech) topic() []prose.Span {
	last := len(s.sentences) - 1
	best := -1
	for i := last; i >= max(0, last-maxBack); i-- {
		x := s.sentences[i].Span
		if s.meaning(x) <= 2 || s.heading(x) || searching(s.lower(x)) {
			continue
		}
		if low := s.lower(x); offers(low) || reports(low) {
			if list := s.list(i); s.sentences[i].Item && len(list) > 0 {
				return list // one of several things
			}
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

// topicOf returns the last sentence that has a word of a short answer to the text, or else its
// topic. Words of fewer than four letters do not count.
func (s *speech) topicOf(turn *speech, answer prose.Span) []prose.Span {
	const least = 4 // bytes
	var own []string
	for _, t := range turn.in(answer) {
		if w := turn.word(t); len(w) >= least && !function(w) && !assent(w) {
			own = append(own, w)
		}
	}
	last := len(s.sentences) - 1
	for i := last; i >= max(0, last-maxBack); i-- {
		if x := s.sentences[i].Span; s.meaning(x) > 2 && contains(s.lower(x), own) {
			return []prose.Span{x}
		}
	}
	return s.topic()
}

// heading reports whether a sentence is the heading of a part of the text.
func (s *speech) heading(span prose.Span) bool {
	line := strings.LastIndexByte(s.text[:span.Start], '\n') + 1
	before := strings.TrimLeft(s.text[line:span.Start], " ")
	text := strings.TrimRight(span.In(s.text), " :")
	return strings.HasPrefix(before, "#") || strings.HasPrefix(text, "#") ||
		strings.HasPrefix(before+text, "**") && strings.HasSuffix(text, "**") && strings.Count(before+text, "**") == 2
}

// replies reports whether a sentence begins with a word of an answer, such as "yes".
func (s *speech) replies(span prose.Span) bool {
	tokens := s.in(span)
	return len(tokens) > 0 && tokens[0].Kind == prose.Word && assent(s.word(tokens[0])) || startsWith(span.In(s.text), eastAssents())
}

// refuses reports whether a sentence begins with a no, and then says little: "no, the block stays".
func (s *speech) refuses(span prose.Span) bool {
	const few = 3 // words with a meaning of their own
	tokens := s.in(span)
	if len(tokens) < 2 || s.meaning(span) > few {
		return false
	}
	switch s.word(tokens[0]) {
	case "no", "nope", "nah", "nein", "non", "não", "нет", "아니", "아니요":
		return strings.HasPrefix(strings.TrimLeft(s.text[tokens[0].End:span.End], " "), ",")
	}
	return false
}

// points reports whether a sentence says "that" or "it" without naming what it means.
//
// A sentence with two or more words of their own meaning names things itself, so its pronouns
// are not looked up, unless it is short and ends in "these". In scripts without blanks a
// sentence of more than 24 characters points at nothing.
func (s *speech) points(span prose.Span) bool {
	const (
		named = 2 // words with which the sentence names things itself
		most  = 4 // words of a clause that ends in a pointer
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
		case t.Kind == prose.Word && (n < named && s.pointer(tokens, i) || s.counts(tokens, i)):
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

// ends reports whether a sentence or clause ends after a token.
func (s *speech) ends(t prose.Token) bool {
	rest := s.text[t.End:]
	if mark := strings.TrimLeft(rest, ".!?"); len(rest)-len(mark) == 1 {
		return mark == "" || strings.IndexByte(" \n\r", mark[0]) >= 0
	}
	return strings.TrimLeft(rest, " ") == "" || rest[0] == '\n'
}

// cut reports whether there is punctuation or a line end between two offsets.
func (s *speech) cut(from, to int) bool { return strings.ContainsAny(s.text[from:to], ",;:.!?\n") }

// pointer reports whether token i is a pronoun for something named before.
//
// "That" is one unless a noun follows ("that endpoint") or it joins clauses ("make sure
// that …"). Placeholders such as "approach" or "one" do not count as nouns.
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

// counts reports whether token i says how many of something that was named before: "all of the
// three", "if at least one is missing", but not "at least one filter".
func (s *speech) counts(tokens []prose.Token, i int) bool {
	if i < 2 {
		return false
	}
	before := s.word(tokens[i-2]) + " " + s.word(tokens[i-1])
	switch s.word(tokens[i]) {
	case "one":
		if before != "at least" && before != "at most" {
			return false
		}
	case "two", "three", "four", "five":
		if before != "of the" && before != "of these" && before != "of those" {
			return false
		}
	default:
		return false
	}
	return i+1 == len(tokens) || s.cut(tokens[i].End, tokens[i+1].Start) || function(s.word(tokens[i+1]))
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

// continued returns what the assistant says it would do, after a question in the same
// paragraph: "Shall I start? I'll begin with:" and the list.
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
