package prose

import (
	"slices"
	"strings"
	"unicode"
)

// MaxOwn is how many bytes of a person's own words are read. A turn with more
// is a document, whatever it looks like; then its beginning and its last
// MaxEnd bytes are taken for the person's, where they say what to do with it.
const (
	MaxOwn = 8 << 10
	MaxEnd = 2 << 10
)

// Span is a range of bytes of the original turn: Start is in, End is out.
type Span struct{ Start, End int }

// In returns the text of the span.
func (s Span) In(text string) string { return text[s.Start:s.End] }

// Sentence is one sentence, list item or heading of the person's own words. It
// never begins or ends inside a token, so not inside an identifier, number, URL,
// code span or file name; and it holds no blank at either end.
type Sentence struct {
	Span
	First, Last int  // its tokens are Turn.Tokens[First:Last]
	Item        bool // an item of a list
	Paragraph   int  // counts the paragraphs of the turn
}

// Turn is the projection of one turn.
type Turn struct {
	Text      string     // the whole turn, as it was given
	Spans     []Span     // what the person said, in order, not overlapping
	Sentences []Sentence // the same, cut into sentences
	Tokens    []Token    // the same, cut into tokens
	Pasted    int        // bytes that were left out
}

// Of projects a turn.
func Of(text string) Turn {
	var t Turn
	t.Read(text)
	return t
}

// Read makes t the projection of another turn, in the memory of the one before.
//
// All strings are parts of text; t must not be used for another turn while they are in
// use. In steady use nothing is allocated.
func (t *Turn) Read(text string) {
	p := project(text)
	spans := capped(text, own(text, p.spans), p.unjudged)
	own := 0
	for _, s := range spans {
		own += s.End - s.Start
	}
	*t = Turn{
		Text: text, Spans: spans, Pasted: len(text) - own,
		Tokens: slices.Grow(t.Tokens[:0], own/5+4), Sentences: slices.Grow(t.Sentences[:0], own/60+2),
	}
	cut := cutter{turn: t, first: -1}
	for i, s := range spans {
		cut.span(s, i)
	}
	cut.finish()
}

// Plain cuts a text into tokens and sentences without leaving anything out.
func Plain(text string) Turn {
	var t Turn
	t.ReadPlain(text)
	return t
}

// ReadPlain is [Plain] in the memory of another turn.
func (t *Turn) ReadPlain(text string) {
	whole := Span{0, len(text)}
	*t = Turn{
		Text: text, Spans: append(t.Spans[:0], whole),
		Tokens: slices.Grow(t.Tokens[:0], len(text)/5+4), Sentences: slices.Grow(t.Sentences[:0], len(text)/60+2),
	}
	cut := cutter{turn: t, first: -1}
	cut.span(whole, 0)
	cut.finish()
}

// capped takes the middle out of what is too long, and at least what was not judged of it,
// up to an offset.
func capped(text string, spans []Span, unjudged int) []Span {
	own := 0
	for _, s := range spans {
		own += s.End - s.Start
	}
	if own <= MaxOwn {
		return spans
	}
	var out []Span
	left := MaxOwn - MaxEnd
	for _, s := range spans {
		if n := s.End - s.Start; n > left {
			s.End = lineEnd(text, s.Start, s.Start+left)
			if s.End > s.Start {
				out = append(out, s)
			}
			break
		}
		left -= s.End - s.Start
		out = append(out, s)
	}
	return append(out, lastOf(text, spans, unjudged)...)
}

// lastOf returns the last MaxEnd bytes of the spans behind an offset, from the beginning of a
// line.
func lastOf(text string, spans []Span, from int) []Span {
	left := MaxEnd
	for i, s := range slices.Backward(spans) {
		if s.Start < from && s.End-from <= left {
			if s.End <= from {
				return spans[i+1:]
			}
			return append([]Span{{from + strings.IndexFunc(text[from:s.End], isNoSpace), s.End}}, spans[i+1:]...)
		}
		if n := s.End - s.Start; n <= left {
			left -= n
			continue
		}
		at := strings.IndexByte(text[s.End-left:s.End], '\n')
		if at < 0 {
			return spans[i+1:]
		}
		return append([]Span{{s.End - left + at + 1, s.End}}, spans[i+1:]...)
	}
	return nil
}

func isNoSpace(r rune) bool { return !unicode.IsSpace(r) }

// lineEnd returns where the last whole line between two offsets ends.
func lineEnd(text string, from, to int) int {
	if at := strings.LastIndexByte(text[from:to], '\n'); at >= 0 {
		return from + at
	}
	if at := strings.LastIndexByte(text[from:to], ' '); at >= 0 {
		return from + at
	}
	return from
}
