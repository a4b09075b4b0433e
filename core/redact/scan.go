package redact

import (
	"bytes"
	"cmp"
	"slices"
	"unicode/utf8"

	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/ahocorasick"
	"github.com/memscribe/memscribe/core/redact/internal/view"
)

// found is a secret: in the view while rules are tried, in the text afterwards.
type found struct {
	start, end int
	rule       int32
}

// zone is a placeholder that the text already holds.
type zone struct{ start, end int }

// block is how much of a text is searched for words before the rules of those
// words are tried.
const block = 1 << 14

// maxFound is about how many secrets are told apart in a text. Where there are more, all that
// follows is one: what is known of each takes more memory than the secret.
const maxFound = 1 << 16

// find looks once at s and leaves in e.found what is to be cut, in order and
// disjoint.
// Words are looked for block by block, so that what is remembered of hits stays small;
// a rule may read beyond its block.
func (e *Engine) find(s []byte) error {
	e.found = e.found[:0]
	e.view.Of(s)
	e.zones = findZones(e.view.Text, e.zones[:0])
	e.named, e.tokenEnd, e.cookies, e.words, e.plain = -1, 0, 0, runMemo{}, plainRun{}
	text := e.view.Text
	e.scanner.Start(e.set.auto, text)
	for from := 0; from < len(text); from += block {
		e.scanner.Scan(from, min(from+block, len(text)))
		if err := e.tryHits(); err != nil {
			return err
		}
		if len(e.found) > maxFound {
			e.found = append(e.found, found{from, len(text), e.found[0].rule})
			break
		}
	}
	if len(e.found) > 0 {
		e.settle(s)
	}
	return nil
}

// tryHits tries the rules of the words in a block.
func (e *Engine) tryHits() error {
	for i := range e.scanner.Hits {
		for _, h := range e.scanner.Hits[i] {
			if e.try(h); e.work > e.budget {
				return ErrBudget
			}
		}
	}
	return nil
}

// try tries the rules of the words that end at a hit.
func (e *Engine) try(h ahocorasick.Hit) {
	e.ending = e.set.auto.Ending(h.State, e.ending[:0])
	e.work += 8 + 4*len(e.ending)
	for _, w := range e.ending {
		start := h.End - e.set.auto.Len(w)
		if len(e.zones) > 0 && e.inZone(start, h.End) {
			continue
		}
		e.set.tries[w].run(e, start, h.End)
	}
}

// report adds a secret, given in the view.
// It may be called in any order, and with findings that overlap.
func (e *Engine) report(rule int32, start, end int) {
	if start < end {
		e.found = append(e.found, found{start: start, end: end, rule: rule})
		e.reportJoined(rule, end)
	}
}

// settle sorts the findings, takes placeholders out of them, merges those that
// overlap, and maps them from the view to s.
func (e *Engine) settle(s []byte) {
	if len(e.zones) > 0 {
		e.subtractZones()
	}
	e.found = slices.DeleteFunc(e.found, e.isAllowed)
	slices.SortFunc(e.found, func(a, b found) int {
		return cmp.Or(cmp.Compare(a.start, b.start), cmp.Compare(b.end, a.end), cmp.Compare(a.rule, b.rule))
	})
	merged := e.found[:0]
	for _, f := range e.found {
		if k := len(merged); k > 0 && f.start < merged[k-1].end {
			last := &merged[k-1]
			last.end = max(last.end, f.end)
			last.rule = min(last.rule, f.rule) // the table lists the telling rules first
			continue
		}
		merged = append(merged, f)
	}
	e.found = merged
	for i := range e.found {
		f := &e.found[i]
		f.start, f.end = e.view.Raw(f.start, f.end)
		f.start, f.end = wholeRunes(s, f.start, f.end)
	}
}

// wholeRunes widens a range to the borders of characters.
func wholeRunes(s []byte, start, end int) (int, int) {
	for k := 0; k < utf8.UTFMax && start > 0 && !utf8.RuneStart(s[start]); k++ {
		start--
	}
	for k := 0; k < utf8.UTFMax && end < len(s) && !utf8.RuneStart(s[end]); k++ {
		end++
	}
	return start, end
}

// replace writes s with placeholders for what was found to one of the engine's
// buffers, and adds to its cuts, which are in terms of the original: s is what
// it became by the cuts so far.
func (e *Engine) replace(s []byte, buffer int) []byte {
	out, cuts := e.out[buffer][:0], e.spare[:0]
	at, old, shift := 0, 0, 0
	for _, f := range e.found {
		f.start = max(f.start, at) // it may have been widened into the one before
		if f.start >= f.end {
			continue
		}
		for old < len(e.cuts) && e.cuts[old].At+shift < f.start {
			cuts = append(cuts, e.cuts[old])
			shift += e.cuts[old].With - e.cuts[old].Len
			old++
		}
		out = append(out, s[at:f.start]...)
		n := len(out)
		out = e.placeholder(out, f.rule, s[f.start:f.end])
		cuts = append(cuts, core.Cut{At: f.start - shift, Len: f.end - f.start, With: len(out) - n})
		at = f.end
	}
	cuts = append(cuts, e.cuts[old:]...)
	e.cuts, e.spare = cuts, e.cuts
	e.out[buffer] = append(out, s[at:]...)
	return e.out[buffer]
}

// findZones lists the placeholders in a text.
func findZones(text []byte, zones []zone) []zone {
	for from := 0; ; {
		k := bytes.Index(text[from:], []byte(view.PlaceholderOpen))
		if k < 0 {
			return zones
		}
		start := from + k
		from = start + len([]byte(view.PlaceholderOpen))
		if n := placeholderAt(text[start:]); n > 0 {
			zones = append(zones, zone{start: start, end: start + n})
			from = start + n
		}
	}
}

// inZone reports whether a range touches a placeholder.
func (e *Engine) inZone(start, end int) bool {
	i := e.zoneAfter(start)
	return i < len(e.zones) && e.zones[i].start < end
}

// zoneAfter is the number of the first placeholder that ends after an offset.
func (e *Engine) zoneAfter(at int) int {
	i, _ := slices.BinarySearchFunc(e.zones, at, func(z zone, at int) int { return cmp.Compare(z.end, at+1) })
	return i
}

// subtractZones cuts the placeholders out of the findings.
func (e *Engine) subtractZones() {
	n := len(e.found)
	for i := range n {
		f := e.found[i]
		for k := e.zoneAfter(f.start); k < len(e.zones) && e.zones[k].start < f.end; k++ {
			if z := e.zones[k]; z.start > f.start {
				e.found = append(e.found, found{start: f.start, end: z.start, rule: f.rule})
			}
			f.start = min(e.zones[k].end, f.end)
		}
		e.found[i] = f
	}
	e.found = slices.DeleteFunc(e.found, func(f found) bool { return f.start >= f.end })
}
