package sanitize

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

// Mark stands where something was taken out.
const Mark = "[removed]"

// Removal is one piece that was removed from a text. Offset is in bytes of the text that was
// passed to Clean, and Text is the piece as it was written there.
type Removal struct {
	Rule   string
	Offset int // in the text that was given
	Text   string
}

// Sanitizer takes orders out of texts. It may be used by several goroutines.
type Sanitizer struct {
	rules     []compiled
	finder    *finder        // of the words of all rules
	continues *regexp.Regexp // the begin of a sentence that continues an order
}

// compiled is a rule, ready to be tried.
type compiled struct {
	rule

	re        *regexp.Regexp
	prefilter *prefilter
	first     []word
	second    []word
}

// New compiles the rules. It takes some milliseconds, so that a program makes one.
func New() (*Sanitizer, error) {
	rules, continues, err := parseRules(ruleTable)
	if err != nil {
		return nil, fmt.Errorf("read rules: %w", err)
	}
	s := &Sanitizer{}
	var d dictionary
	for _, r := range rules {
		c := compiled{rule: r, prefilter: &prefilter{pattern: r.pattern}, first: d.words(r.first), second: d.words(r.second)}
		if c.re, err = regexp.Compile(r.pattern); err != nil {
			return nil, fmt.Errorf("compile rule %s: %w", r.name, err)
		}
		s.rules = append(s.rules, c)
	}
	s.finder = newFinder(d.texts)
	if s.continues, err = regexp.Compile(continues); err != nil {
		return nil, fmt.Errorf("compile rule: %w", err)
	}
	return s, nil
}

// span is a piece of the source that goes.
type span struct {
	from, to int
	rule     string
	silent   bool // nothing visible goes: no mark
}

// rounds bounds how often the rest of a text is searched again. Removing a sentence can join
// two others, but makes no new ones, so two rounds should be enough; the others are a safety
// margin.
const rounds = 8

// Clean returns a text without the orders to agents in it, and what was removed, in the order
// of the text. [Mark] stands in place of each piece; hidden characters leave no mark. A text
// without orders is returned unchanged. Cleaning the result again changes nothing.
func (s *Sanitizer) Clean(text string) (string, []Removal) {
	var gone []span
	for range rounds {
		more := s.find(text, gone)
		if len(more) == 0 {
			break
		}
		gone = merge(append(gone, more...))
	}
	if len(gone) == 0 {
		return text, nil
	}
	removals := make([]Removal, len(gone))
	for i, g := range gone {
		removals[i] = Removal{g.rule, g.from, text[g.from:g.to]}
	}
	return cut(text, gone), removals
}

// find looks for orders in what is left of a text. It returns spans of the text.
func (s *Sanitizer) find(text string, gone []span) []span {
	left := cut(text, gone)
	found := append(hidden(left), s.orders(newView(left))...)
	for i := range found {
		found[i].from, found[i].to = back(gone, found[i].from), back(gone, found[i].to)
	}
	return found
}

// orders applies the rules to a view. It returns spans of the view's source. The budget bounds
// the bytes that patterns are tried on, for a text that consists of the words of rules.
func (s *Sanitizer) orders(v *view) []span {
	places := s.finder.find(v.text)
	if places == nil {
		return nil
	}
	var found []span
	budget := freeWork + workRatio*min(len(v.text), usual) + len(v.text)/workRatio
	for i := range s.rules {
		r := &s.rules[i]
		for _, m := range r.matches(v.text, places, &budget) {
			from, to := m[0], m[1]
			if !r.only {
				from, to = s.sentences(v, m[0], m[1])
			}
			from, to = trim(v.text, from, to)
			found = append(found, span{from: int(v.from[from]), to: v.end(to), rule: r.name})
		}
	}
	return found
}

// end returns where in the source the byte before an offset of the view ends.
func (v *view) end(at int) int {
	if at == 0 {
		return 0
	}
	// What is hidden behind the last character goes with it.
	return int(v.from[at])
}

// trim leaves the space around a span where it is.
func trim(text []byte, from, to int) (int, int) {
	for from < to && (text[from] == ' ' || text[from] == '\n') {
		from++
	}
	for to > from && (text[to-1] == ' ' || text[to-1] == '\n') {
		to--
	}
	return from, to
}

// longest is how many bytes of a sentence are removed on either side of a match, so that a text
// without full stops is not removed as a whole.
const longest = 600

// sentences widens a match to the sentence around it, and to at most five sentences after it
// that continue the order ("Then …", "Do not …").
func (s *Sanitizer) sentences(v *view, from, to int) (int, int) {
	// A match may begin with the stop that ends the sentence before.
	for from < to && !isWordByte(v.text[from]) {
		from++
	}
	least := max(0, from-longest)
	for from > least && !isStop(v.text, from-1) {
		from--
	}
	to = sentenceEnd(v.text, to)
	for range 5 {
		next := to
		for next < len(v.text) && (v.text[next] == ' ' || v.text[next] == '\n' || v.text[next] == '-') {
			next++
		}
		if next == len(v.text) || !s.continues.Match(v.text[next:min(len(v.text), next+64)]) {
			break
		}
		to = sentenceEnd(v.text, next)
	}
	return from, to
}

// sentenceEnd returns where the sentence at at ends, at most longest bytes further
// on.
func sentenceEnd(text []byte, at int) int {
	most := min(len(text), at+longest)
	for at < most && !isStop(text, at) {
		at++
	}
	if at < most && text[at] != '\n' && text[at] != '"' {
		_, size := utf8.DecodeRune(text[at:])
		at += size
	}
	for at < len(text) && at < most && !utf8.RuneStart(text[at]) {
		at++
	}
	return at
}

// isWordByte reports whether b is part of a word. Bytes of other scripts count.
func isWordByte(b byte) bool { return isNameByte(b) || b >= utf8.RuneSelf }

// isStop reports whether a sentence ends with the byte at an offset. A full stop counts only
// before a space, a closing sign or the end, so that "v1.2" and "a.go" end nothing. A quote
// counts if it ends or begins a value in JSON.
func isStop(text []byte, at int) bool {
	switch text[at] {
	case '\n':
		return true
	case '.', '!', '?':
		return at+1 == len(text) || bytes.IndexByte([]byte(" \n\"')]"), text[at+1]) >= 0
	case '"': // of a value in JSON, not of a word in a sentence
		return at+1 == len(text) || bytes.IndexByte([]byte(",}]:"), text[at+1]) >= 0 || valueBegins(text[:at])
	case 0xe3:
		return bytes.HasPrefix(text[at:], []byte("。"))
	}
	return false
}

// valueBegins reports whether a quote behind a text begins a value.
func valueBegins(text []byte) bool {
	text = bytes.TrimRight(text, " ")
	return len(text) > 0 && bytes.IndexByte([]byte(":,[{"), text[len(text)-1]) >= 0
}

// hidden returns the characters in which text can be smuggled past a reader: tags (U+E0000 to
// U+E007F), which mirror ASCII and are invisible, and overrides of direction. The tags of the
// flags of England, Scotland and Wales are left.
func hidden(s string) []span {
	if !strings.ContainsFunc(s, isSmuggler) {
		return nil
	}
	var found []span
	flag := false // of England, Scotland or Wales: these are written with tags
	for at, r := range s {
		if flag = r == 0x1f3f4 || flag && isTag(r); flag || !isSmuggler(r) {
			continue
		}
		end := at + utf8.RuneLen(r)
		if n := len(found); n > 0 && found[n-1].to == at {
			found[n-1].to = end
			continue
		}
		found = append(found, span{from: at, to: end, rule: "hidden_text", silent: true})
	}
	return found
}

// isSmuggler reports whether r can hide text from a reader: tag characters and
// directional overrides.
func isSmuggler(r rune) bool { return isTag(r) || r == 0x202d || r == 0x202e }

// merge sorts spans and makes one of those that touch.
func merge(spans []span) []span {
	slices.SortStableFunc(spans, func(a, b span) int { return a.from - b.from })
	merged := spans[:0:0]
	for _, g := range spans {
		if n := len(merged); n > 0 && g.from <= merged[n-1].to {
			last := &merged[n-1]
			if last.silent && !g.silent {
				last.rule = g.rule
			}
			last.to, last.silent = max(last.to, g.to), last.silent && g.silent
			continue
		}
		merged = append(merged, g)
	}
	return merged
}

// cut replaces spans by marks.
func cut(text string, gone []span) string {
	if len(gone) == 0 {
		return text
	}
	var b strings.Builder
	at := 0
	for _, g := range gone {
		b.WriteString(text[at:g.from])
		b.WriteString(g.mark())
		at = g.to
	}
	b.WriteString(text[at:])
	return b.String()
}

// mark returns what replaces the removed text.
func (g span) mark() string {
	if g.silent {
		return ""
	}
	return Mark
}

// back maps an offset in what is left of a text to an offset in the text. gone is what was
// removed, sorted; an offset within a mark becomes the beginning of what the mark stands for.
func back(gone []span, at int) int {
	shift := 0 // from what is left to the text
	for _, g := range gone {
		start := g.from - shift
		switch {
		case at < start:
			return at + shift
		case at < start+len(g.mark()):
			return g.from
		}
		shift += g.to - g.from - len(g.mark())
	}
	return at + shift
}
