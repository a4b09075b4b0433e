package encode

import (
	"strings"

	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/cut"
)

// bothSides scrubs the text of a diff, and its sides as texts of their own.
func (e *Encoder) bothSides(unified string) {
	if e.Scrubber == nil || e.NoContent {
		return
	}
	e.own = true
	w := e.whole(unified)
	var more []cut.Stretch
	for _, sign := range [...]byte{'-', '+'} {
		if !cut.HasSeam(unified, sign) {
			continue
		}
		e.side.Read(unified, sign)
		s := &e.seams
		s.ReadSeams(&e.side)
		e.scratch = append(e.scratch[:0], s.Text...)
		clean, cuts := e.scrub(core.TextField, e.scratch)
		shift := 0
		for _, c := range cuts {
			more = append(more, s.InDiff(c, string(clean[c.At+shift:c.At+shift+c.With]))...)
			shift += c.With - c.Len
		}
	}
	if len(more) > 0 {
		w.clean, w.cuts = cut.Join([]byte(unified), w.clean, w.cuts, more)
	}
}

// edited appends one side of an edit as the call named it. Where the diff has
// secrets it is judged among the lines of its side: those around it may be what
// makes a secret of it.
func (e *Encoder) edited(dst []byte, key string, d *core.Diff, sign byte) []byte {
	text := d.Old
	if sign == '+' {
		text = d.New
	}
	if text == nil {
		return dst
	}
	if dst = appendKey(dst, key); e.Scrubber == nil || e.NoContent || len(e.whole(d.Unified).cuts) == 0 {
		return e.value(dst, core.TextField, *text)
	}
	e.side.Read(d.Unified, sign)
	whole := string(e.side.Text)
	at := strings.Index(whole, *text)
	if at < 0 {
		return e.value(dst, core.TextField, *text)
	}
	e.scratch = append(e.scratch[:0], whole...)
	clean, cuts := e.scrub(core.TextField, e.scratch)
	w := scrubbed{clean: clean, cuts: cuts}
	from, to := w.span(at, at+len(*text))
	return e.value(dst, core.TextField, string(w.clean[from:to])) // by itself it may show more
}
