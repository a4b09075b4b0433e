package changed

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/memscribe/memscribe/core/jsondoc"
)

// Text is a text that is edited by ranges of lines and columns.
type Text struct {
	Bytes  []byte // of it as it is now
	starts []int  // of the lines
	end    string // of each line, as the editor writes it; "" if there is none
	work   int    // bytes that were moved
}

// maxWork bounds the work on the edits of one file.
const maxWork = 256 << 20

// span is a replaced range of a text, in bytes.
type span struct {
	from, to int
	line     int // of from
	text     string
}

// NewText returns a text before any edit. Lines that are put in end as most of its own do.
func NewText(text string) *Text {
	d := &Text{Bytes: []byte(text), starts: []int{0}}
	d.index(0)
	if lines := len(d.starts) - 1; lines > 0 {
		d.end = "\n"
		if strings.Count(text, "\r\n") > lines/2 {
			d.end = "\r\n"
		}
	}
	return d
}

// index finds the lines behind the one that starts at starts[line].
func (d *Text) index(line int) {
	d.starts = d.starts[:line+1]
	for i := d.starts[line]; i < len(d.Bytes); i++ {
		if d.Bytes[i] == '\n' {
			d.starts = append(d.starts, i+1)
		}
	}
	d.work += len(d.Bytes) - d.starts[line]
}

// Apply applies a batch of edits, whose ranges are all of the same text. It
// reports false if they do not fit it, or if this takes too long.
func (d *Text) Apply(batch jsondoc.Value) bool {
	var spans []span
	for e := range batch.Elems() {
		r := e.Get("range")
		from, line, ok := d.offset(r.Get("startLineNumber"), r.Get("startColumn"))
		to, _, end := d.offset(r.Get("endLineNumber"), r.Get("endColumn"))
		if !ok || !end || to < from {
			return false
		}
		spans = append(spans, span{from, to, line, d.inserted(e.Get("text").Str())})
	}
	slices.SortStableFunc(spans, func(a, b span) int { return cmp.Compare(a.from, b.from) })
	for i := range spans {
		if i > 0 && spans[i].from < spans[i-1].to {
			return false
		}
	}
	for i := range spans { // from below, so that what is above stays where it is
		s := spans[len(spans)-1-i]
		d.Bytes = slices.Replace(d.Bytes, s.from, s.to, []byte(s.text)...)
		d.work += len(d.Bytes) - s.from
		if d.work > maxWork {
			return false
		}
	}
	if len(spans) > 0 {
		d.index(spans[0].line)
	}
	return true
}

// inserted is a text with the line ends of the document: the editor gives it
// these.
func (d *Text) inserted(text string) string {
	if d.end == "" || !strings.Contains(text, "\n") {
		return text
	}
	text = strings.ReplaceAll(text, "\r\n", "\n")
	if d.end == "\n" {
		return text
	}
	return strings.ReplaceAll(text, "\n", d.end)
}

// offset is the place of a line and column, both counted from 1, the column in
// units of UTF-16, and the line's number from 0. A column behind the end of the
// line is its end, and any line of an empty text is its first: a file that is written
// in place of another is replaced as far as that went.
func (d *Text) offset(line, column jsondoc.Value) (at, number int, ok bool) {
	l, ok1 := line.Int()
	c, ok2 := column.Int()
	last := len(d.starts)
	if !ok1 || !ok2 || l < 1 || c < 1 || l > int64(last)+1 && len(d.Bytes) > 0 {
		return 0, 0, false
	}
	if l > int64(last) {
		return len(d.Bytes), last - 1, true
	}
	at = d.starts[l-1]
	for units := c - 1; units > 0 && at < len(d.Bytes) && d.Bytes[at] != '\n' && d.Bytes[at] != '\r'; {
		r, size := utf8.DecodeRune(d.Bytes[at:])
		units -= int64(max(1, utf16.RuneLen(r)))
		at += size
		d.work += size
	}
	return at, int(l - 1), true
}
