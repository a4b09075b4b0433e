package encode

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/jsondoc"
)

// checkPiece returns an error if a joint says something: words come from the source only.
func checkPiece(p *core.Piece) error {
	if strings.Trim(strings.Replace(p.Joint, "not:", "", 1), " →…()[],;") != "" {
		return fmt.Errorf("encode title: a joint of %d bytes that is not made of signs", len(p.Joint))
	}
	return checkFragment(p.Fragment, "title")
}

// title appends the title as JSON: each piece as it is in its whole without the
// secrets of that, the line scrubbed again, for words that follow each other here
// may be a secret that they were not where they stood apart.
func (e *Encoder) title(dst []byte, t core.Title) []byte {
	if e.NoContent {
		return append(dst, `""`...)
	}
	line := e.line[:0]
	for i := range t {
		p := &t[i]
		if err := checkPiece(p); err != nil {
			e.fail(err)
			return append(dst, `""`...)
		}
		line = append(line, p.Joint...)
		switch w := (*scrubbed)(nil); {
		case p.Text == "":
		case e.Scrubber == nil:
			line = appendLine(line, []byte(p.Text))
		default:
			if w = e.whole(p.Whole); len(w.cuts) == 0 && e.err == nil {
				line = appendLine(line, []byte(p.Text))
				continue
			}
			from, to := w.span(p.Offset, p.Offset+len(p.Text))
			line = appendLine(line, w.clean[from:to])
		}
	}
	e.line = line
	if e.Scrubber == nil {
		return jsondoc.AppendQuote(dst, line)
	}
	e.scratch = append(e.scratch[:0], line...)
	clean, _ := e.scrub(core.TextField, e.scratch)
	return jsondoc.AppendQuote(dst, clean)
}

// appendLine appends a text with a blank for every run of blanks and line ends.
func appendLine(dst, text []byte) []byte {
	for len(text) > 0 {
		n := bytes.IndexAny(text, " \t\r\n")
		if n < 0 {
			return append(dst, text...)
		}
		dst = append(append(dst, text[:n]...), ' ')
		text = bytes.TrimLeft(text[n:], " \t\r\n")
	}
	return dst
}
