package encode

import (
	"fmt"
	"strings"

	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/cut"
	"github.com/memscribe/memscribe/core/jsondoc"
)

// checkFragment returns an error unless a fragment stands in its whole where it says.
// The error does not show the texts: they have not been scrubbed.
func checkFragment(f core.Fragment, field string) error {
	if f.Offset < 0 || f.Offset > len(f.Whole) || !strings.HasPrefix(f.Whole[f.Offset:], f.Text) {
		return fmt.Errorf("encode %s: %d bytes that do not stand at offset %d of a whole of %d bytes", field, len(f.Text), f.Offset, len(f.Whole))
	}
	return nil
}

// scrubbed is a whole without its secrets. It counts for one node.
type scrubbed struct {
	whole string
	clean []byte // if anything was cut
	cuts  []core.Cut
}

// maxWholes is how many wholes an Encoder remembers: those of one node. A decision
// has two, the turn and what the assistant said before it.
const maxWholes = 2

// whole scrubs a text that several strings of a node are parts of. It does so once.
func (e *Encoder) whole(text string) *scrubbed {
	for i := range e.wholes[:e.held] {
		if w := &e.wholes[i]; w.whole == text {
			return w
		}
	}
	e.scratch = append(e.scratch[:0], text...)
	clean, cuts := e.judge(text, e.scratch)
	w := &e.wholes[min(e.held, maxWholes-1)]
	e.held = min(e.held+1, maxWholes)
	if w.whole, w.cuts = text, append(w.cuts[:0], cuts...); len(cuts) > 0 || e.err != nil {
		w.clean = append(w.clean[:0], clean...)
	}
	e.trim()
	return w
}

// judgement is what the Scrubber made of a whole, by itself. The nodes of a turn share
// their wholes: a turn of 16 MB with sixty decisions is scrubbed once, not sixty times.
type judgement struct {
	scrubbed
	used bool // by the node at hand
}

// judge scrubs a whole, or tells what came of it at the node before. s is a copy of it.
// Two wholes are remembered: of those that are not used by the node at hand, the first
// goes.
func (e *Encoder) judge(text string, s []byte) ([]byte, []core.Cut) {
	if e.err != nil {
		return nil, nil
	}
	for i := range e.judged {
		if j := &e.judged[i]; j.whole == text && text != "" {
			j.used = true
			if len(j.cuts) == 0 {
				return e.echoed(s, s, nil)
			}
			return e.echoed(s, j.clean, j.cuts)
		}
	}
	clean, cuts, err := e.Scrubber.Scrub(core.TextField, s)
	if err != nil {
		e.fail(err)
		return nil, nil
	}
	j := &e.judged[0]
	if j.used {
		j = &e.judged[1]
	}
	if j.whole, j.cuts, j.clean, j.used = text, append(j.cuts[:0], cuts...), j.clean[:0], true; len(cuts) > 0 {
		j.clean = append(j.clean, clean...)
	}
	return e.echoed(s, clean, cuts)
}

// span returns where [from, to) of the whole is now. What it shares with a cut becomes
// all that stands there.
func (w *scrubbed) span(from, to int) (int, int) {
	from, to = cut.MovedSpan(w.cuts, from, to)
	return min(from, len(w.clean)), min(to, len(w.clean))
}

// fragment appends a part of a text as JSON, judged in its whole.
func (e *Encoder) fragment(dst []byte, field string, f core.Fragment) []byte {
	if err := checkFragment(f, field); err != nil {
		e.fail(err)
		return append(dst, `""`...)
	}
	if e.Scrubber == nil || e.NoContent || f.Text == "" {
		return e.value(dst, core.TextField, f.Text)
	}
	w := e.whole(f.Whole)
	if len(w.cuts) == 0 && e.err == nil {
		return jsondoc.AppendQuoteString(dst, f.Text)
	}
	from, to := w.span(f.Offset, f.Offset+len(f.Text))
	return jsondoc.AppendQuote(dst, w.clean[from:to])
}

// fail keeps the first error of a node.
func (e *Encoder) fail(err error) {
	if e.err == nil {
		e.err = err
	}
}

// forget drops the wholes of a node. The memory of large ones is given back.
func (e *Encoder) forget() {
	for i := range e.wholes[:e.held] {
		w := &e.wholes[i]
		if w.whole = ""; cap(w.clean) > maxScratch {
			w.clean = nil
		}
	}
	e.held = 0
}

// unjudge drops the judgements that the node before did not need.
func (e *Encoder) unjudge() {
	for i := range e.judged {
		if j := &e.judged[i]; !j.used {
			*j = judgement{}
		} else {
			j.used = false
		}
	}
}
