package prose

import (
	"slices"
	"strings"
	"unicode"
)

// MaxOwn is how many bytes of a person's own words are read. A turn with more is a document,
// whatever it looks like. Then the last MaxEnd bytes are read and as much of the beginning as
// MaxOwn allows, since that is where a person says what to do with a document.
const (
	MaxOwn = 8 << 10
	MaxEnd = 2 << 10
)

// Span is the range of bytes [Start, End) of the original turn.
type Span struct{ Start, End int }

// In returns the text of the span.
func (s Span) In(text string) string { return text[s.Start:s.End] }

// Sentence is one sentence, list item or heading of the person's own words. It begins and
// ends at the edge of a token, so it never cuts an identifier, number, URL, code span or file
// name. It has no blank at either end.
type Sentence struct {
	Span
	First, Last int  // its tokens are Turn.Tokens[First:Last]
	Item        bool // an item of a list
	Paragraph   int  // number of its paragraph in the turn
}

// Turn is one turn, with the parts that the person wrote.
//
//	Text       the whole turn
//	└ Spans       ⊇ Sentences ⊇ Tokens, all as offsets in Text, each list in order
type Turn struct {
	Text      string     // the whole turn, unchanged
	Spans     []Span     // the person's words, in order, without overlaps
	Sentences []Sentence // the spans, cut into sentences
	Tokens    []Token    // the spans, cut into tokens
	Pasted    int        // number of bytes outside of the spans
}

// Of returns the projection of a turn.
func Of(text string) Turn {
	var t Turn
	t.Read(text)
	return t
}

// Read makes t the projection of another turn and reuses its memory.
//
// All strings are parts of text. The slices of the previous turn become invalid. When t has
// grown to its usual size, Read allocates nothing.
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

// Plain cuts a text into tokens and sentences; the one span is the whole text.
func Plain(text string) Turn {
	var t Turn
	t.ReadPlain(text)
	return t
}

// ReadPlain is [Plain] with the memory of t, as [Turn.Read].
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

// capped returns the spans without the middle of a text that is too long. At least the part
// up to the offset unjudged is removed, since its lines were not judged.
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

// lastOf returns the last MaxEnd bytes of the spans after an offset, beginning with a complete
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

// isNoSpace reports whether r is no white space.
func isNoSpace(r rune) bool { return !unicode.IsSpace(r) }

// lineEnd returns the end of the last complete line between two offsets.
func lineEnd(text string, from, to int) int {
	if at := strings.LastIndexByte(text[from:to], '\n'); at >= 0 {
		return from + at
	}
	if at := strings.LastIndexByte(text[from:to], ' '); at >= 0 {
		return from + at
	}
	return from
}
