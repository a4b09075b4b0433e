package prose

import "strings"

// maxTokens is the largest number of tokens in a sentence. Longer ones are lists without
// stops; they are cut between two tokens.
const maxTokens = 320

// cutter cuts spans into tokens, and tokens into sentences. It lives for one turn.
type cutter struct {
	turn      *Turn
	first     int  // first token of the open sentence; -1 if none is open
	item      bool // the open sentence is a list item
	paragraph int  // number of the current paragraph
}

// span reads one span of the person's own words. No sentence continues beyond a span.
//
// The number of a list item stays a token, since it may answer a numbered question; other
// bullets are dropped.
func (c *cutter) span(s Span, ordinal int) {
	if ordinal > 0 {
		c.finish()
		c.paragraph++
	}
	text := c.turn.Text
	lineStart := true
	glued := false
	for i := s.Start; i < s.End; {
		if isBlank(text[i]) {
			if text[i] == '\n' {
				c.newline(i, s.End)
				lineStart = true
			}
			glued = false
			i++
			continue
		}
		if lineStart {
			lineStart = false
			if n := bullet(text[i:s.End]); n > 0 {
				c.finish()
				c.item = true
				if !isDigit(text[i]) && (text[i] != '(' || !isDigit(text[i+1])) { // a number may answer a numbered question
					i += n
					continue
				}
			} else if c.first < 0 {
				c.item = false
			}
		}
		t := next(text, i, s.End)
		t.Glued = glued
		c.push(t, s.End)
		i = t.End
		glued = true
	}
}

// push adds a token to the open sentence, and closes the sentence if the token ends it.
func (c *cutter) push(t Token, end int) {
	if c.first < 0 {
		c.first = len(c.turn.Tokens)
	}
	c.turn.Tokens = append(c.turn.Tokens, t)
	if t.Kind == Mark && c.closes(t, end) || len(c.turn.Tokens)-c.first >= maxTokens {
		c.finish()
	}
}

// closes reports whether a punctuation token ends its sentence.
//
// A stop ends a sentence unless it belongs to an abbreviation or a name. Two dots ("ok..") do
// not. Three dots do, unless the line continues in lower case.
func (c *cutter) closes(t Token, end int) bool {
	text := c.turn.Text
	switch m := t.In(text); m[0] {
	case '!', '?':
		return t.End >= end || isBlank(text[t.End]) || text[t.End] == ')' || isAlnum(text[t.End])
	case '.':
		switch {
		case len(m) == 2:
			return false // written between clauses by people in a hurry
		case t.End < end && !isBlank(text[t.End]) && !isAlnum(text[t.End]):
			return false
		case t.End < end && isLower(text[t.End]) && t.Start > 0 && text[t.Start-1] >= 0x80:
			return false // the extension of a file whose name has no blanks to tell it by
		case len(m) > 2:
			return !continues(text, t.End, end)
		}
		return !c.abbreviation()
	default:
		return m == "。" || m == "！" || m == "？" || m == "…" && !continues(text, t.End, end)
	}
}

// continues reports whether the same line continues in lower case at i.
func continues(text string, i, end int) bool {
	for i < end && (text[i] == ' ' || text[i] == '\t') {
		i++
	}
	return i < end && isLower(text[i])
}

// abbreviation reports whether the token before a stop is an abbreviation that ends in it.
func (c *cutter) abbreviation() bool {
	n := len(c.turn.Tokens)
	if n < 2 || n-2 < c.first {
		return false
	}
	before := c.turn.Tokens[n-2]
	if n-2 == c.first && before.Kind == Number { // the number of an item
		return true
	}
	switch s := strings.ToLower(before.In(c.turn.Text)); s {
	case "e.g", "eg", "i.e", "ie", "vs", "approx", "resp", "cf", "esp", "incl", "mr", "mrs", "dr", "z.b", "p.ej", "a.k.a":
		return true
	}
	return false
}

// newline closes the open sentence at the end of a line, unless the line was wrapped.
//
// A line was wrapped if it has at least 60 bytes, its last token cannot end a sentence ("the",
// "of", a comma), and the next line begins in lower case.
func (c *cutter) newline(at, end int) {
	text := c.turn.Text
	i := at + 1
	for i < end && (text[i] == ' ' || text[i] == '\t' || text[i] == '\r') {
		i++
	}
	blank := i < end && text[i] == '\n'
	if c.first >= 0 && !blank && i < end && isLower(text[i]) && bullet(text[i:end]) == 0 {
		last := c.turn.Tokens[len(c.turn.Tokens)-1]
		line := strings.LastIndexByte(text[:at], '\n') + 1
		if at-line >= 60 && dangles(last, text) {
			return
		}
	}
	c.finish()
	if blank {
		c.paragraph++
	}
}

// dangles reports whether a token cannot end a sentence.
func dangles(t Token, text string) bool {
	switch w := t.In(text); t.Kind {
	case Mark:
		return w == ","
	case Word:
		switch strings.ToLower(w) {
		case "the", "a", "an", "of", "to", "in", "on", "at", "for", "with", "and", "or", "but", "that", "which", "is", "are", "be", "not", "from", "by",
			"as", "into", "its", "our", "your", "this", "these", "any", "all", "if", "when", "so", "than", "will", "can", "should", "must", "may":
			return true
		}
	case Number, Code, Path, Link, Quote, Glyph:
	}
	return false
}

// finish closes the open sentence.
//
// A sentence of punctuation alone is joined to the sentence before it, or dropped.
func (c *cutter) finish() {
	if c.first < 0 {
		return
	}
	tokens := c.turn.Tokens
	s := Sentence{First: c.first, Last: len(tokens), Item: c.item, Paragraph: c.paragraph}
	s.Start, s.End = tokens[c.first].Start, tokens[len(tokens)-1].End
	c.first = -1
	for _, t := range tokens[s.First:s.Last] {
		if t.Kind != Mark {
			c.turn.Sentences = append(c.turn.Sentences, s)
			return
		}
	}
	// Nothing but punctuation: it belongs to what stands before it.
	if n := len(c.turn.Sentences); n > 0 && c.turn.Sentences[n-1].Last == s.First && c.turn.Sentences[n-1].Paragraph == s.Paragraph {
		c.turn.Sentences[n-1].Last, c.turn.Sentences[n-1].End = s.Last, s.End
		return
	}
	c.turn.Tokens = tokens[:s.First]
}

// bullet returns the length of the list marker that s begins with, including its blank, or 0.
func bullet(s string) int {
	if len(s) < 2 {
		return 0
	}
	for _, b := range []string{"- ", "* ", "+ ", "• ", "– ", "— ", "· ", "◦ ", "○ ", "● "} {
		if strings.HasPrefix(s, b) {
			return len(b)
		}
	}
	n := 0
	if s[0] == '(' {
		n++
	}
	from := n
	for n < len(s) && n-from < 3 && isDigit(s[n]) {
		n++
	}
	if n == from && isAlpha(s[n]) {
		n++
	}
	if n == from || n+1 >= len(s) || s[n] != ')' && s[n] != '.' || s[n] == '.' && !isDigit(s[from]) {
		return 0
	}
	if s[n+1] != ' ' && s[n+1] != '\t' {
		return 0
	}
	return n + 2
}
