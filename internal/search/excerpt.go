package search

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Excerpt is a part of a text around hits, on one line, and where the hits are in
// it, in bytes.
type Excerpt struct {
	Text string
	Hits []Span
}

// Around cuts a part of about width bytes out of a text: the one with the most hits, in whole
// words, on one line. An ellipsis stands for what was left out on either side. Hits must be in
// order; those outside of the part are left out, and the others are moved to their places in
// the excerpt.
func Around(text string, hits []Span, width int) Excerpt {
	from, to := window(text, hits, width)
	var e Excerpt
	if from > 0 {
		e.Text = "…"
	}
	var b strings.Builder
	b.WriteString(e.Text)
	place := map[int]int{} // of byte offsets that hits have
	blank := true
	for at, r := range text[from:to] {
		place[from+at] = b.Len()
		if unicode.IsSpace(r) {
			if !blank {
				b.WriteByte(' ')
			}
			blank = true
			continue
		}
		blank = false
		b.WriteRune(r)
	}
	place[to] = b.Len()
	e.Text = b.String()
	if to < len(text) {
		e.Text += "…"
	}
	for _, h := range hits {
		if h.From >= from && h.To <= to {
			e.Hits = append(e.Hits, Span{place[h.From], place[h.To]})
		}
	}
	return e
}

// window returns the range of a text with the most hits, about width bytes long. A third of it
// stands before the first hit.
func window(text string, hits []Span, width int) (from, to int) {
	best, most := 0, 0
	for i := range hits {
		n := 0
		for n+i < len(hits) && hits[i+n].To-hits[i].From <= width*2/3 {
			n++
		}
		if n > most {
			best, most = hits[i].From, n
		}
	}
	from = max(0, best-width/3)
	to = min(len(text), from+width)
	from = max(0, to-width)
	if from > 0 {
		from += wordBegin(text[from:best])
	}
	for to < len(text) && !utf8.RuneStart(text[to]) {
		to--
	}
	if to < len(text) {
		if cut := strings.LastIndexFunc(text[from:to], unicode.IsSpace); cut > width*2/3 {
			to = from + cut
		}
	}
	return from, to
}

// wordBegin returns where the first whole word of a part of a text begins.
func wordBegin(part string) int {
	if at := strings.IndexFunc(part, unicode.IsSpace); at >= 0 && at < len(part)-1 {
		return at + 1
	}
	at := 0
	for at < len(part) && !utf8.RuneStart(part[at]) {
		at++
	}
	return at
}

// Marked returns the excerpt with its hits between marks.
func (e Excerpt) Marked(open, end string) string {
	var b strings.Builder
	at := 0
	for _, h := range e.Hits {
		b.WriteString(e.Text[at:h.From] + open + e.Text[h.From:h.To] + end)
		at = h.To
	}
	return b.String() + e.Text[at:]
}
