package edit

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/memscribe/memscribe/adapters/internal/edit/seek"
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/myers"
)

// Diff is the diff of a patch when the text that the file had is not known. The
// hunks of an update follow each other from line 1 on and are [core.Told].
func (p FilePatch) Diff() core.Diff {
	switch p.Change {
	case core.Create:
		return Created(p.Path, p.Text)
	case core.Delete:
		return DeletedUnseen(p.Path)
	default:
		return p.unplaced()
	}
}

// unplaced is the diff of an update without its place.
func (p FilePatch) unplaced() core.Diff {
	to := p.Path
	if p.Change == core.Rename {
		to = p.MoveTo
	}
	w := writer{}
	w.head(oldName(p.Path), newName(to))
	before, after := 0, 0
	for _, c := range p.chunks {
		shown := c
		shown.lines = c.lines[:len(c.lines)-c.blanks]
		h := hunk{before: span{at: before}, after: span{at: after}, section: c.context, lines: shown.diff()}
		if len(h.lines) == 0 {
			continue
		}
		h.count()
		w.recorded(h)
		before += h.before.n
		after += h.after.n
	}
	d := w.finish(core.Diff{Path: to, Change: p.Change})
	if p.Change == core.Rename {
		d.OldPath = p.Path
	}
	if d.Added+d.Removed > 0 {
		d.Certainty = core.Told
	}
	return d
}

// DiffOf is the diff of a patch to the text that the file had.
func (p FilePatch) DiffOf(before string) (core.Diff, error) {
	switch p.Change {
	case core.Create:
		return FromTexts(p.Path, before, p.Text), nil
	case core.Delete:
		return Deleted(p.Path, before), nil
	default:
	}
	after, err := p.Apply(before)
	if err != nil {
		return core.Diff{}, err
	}
	if p.Change == core.Rename {
		return Renamed(FromTexts(p.MoveTo, before, after), p.Path), nil
	}
	return FromTexts(p.Path, before, after), nil
}

// placed is the diff d of the patch with the numbers that it has in a text that
// the file is believed to have. It shows no other lines of the text than the patch
// does, and is [core.Unplaced]: its lines are in the text letter by letter.
func (p FilePatch) placed(d core.Diff, before string) core.Diff {
	lines := splitLines(before)
	list, err := p.replacements(before)
	if err != nil {
		return d
	}
	w := writer{}
	head, _, _ := strings.Cut(d.Unified, "\n@@") // a path may have them, too
	w.buf.add(strings.TrimSuffix(head, "\n") + "\n")
	shift, last := 0, 0
	for i, r := range list {
		h := hunk{before: span{at: r.at}, after: span{at: r.at + shift}, section: p.chunks[i].context}
		if r.at < last || !h.fill(p.chunks[i], lines, r) {
			return d
		}
		h.count()
		last = r.at + r.n
		shift += h.after.n - h.before.n
		if len(h.lines) > 0 {
			w.recorded(h)
		}
	}
	placed := w.finish(core.Diff{Path: d.Path, OldPath: d.OldPath, Change: d.Change})
	if placed.Added+placed.Removed == 0 {
		return placed
	}
	// A blank line at the end of a text is lost in the end of the line before it.
	want, err := p.Apply(before)
	if got, _, e := apply(before, placed.Unified); err != nil || e != nil || got != want {
		return d
	}
	placed.Certainty = core.Unplaced
	return placed
}

// fill takes the lines of a chunk, but blank ones that the text does not have. It
// reports whether they are in the text letter by letter.
func (h *hunk) fill(c chunk, lines []string, r replacement) bool {
	h.lines = c.diff()
	at, end := r.at, r.at+r.n
	for i := 0; i < len(h.lines); i++ {
		l := h.lines[i]
		if l.mark == '+' {
			continue
		}
		if at == end {
			h.lines = slices.Delete(h.lines, i, i+1)
			i--
			continue
		}
		if lines[at] != l.text && !h.unended(i, lines[at]) {
			return false
		}
		at++
	}
	return at == end
}

// unended makes a line of a hunk the last one of the text, if all that this lacks
// is an end: the patch gives it one.
func (h *hunk) unended(i int, last string) bool {
	l := h.lines[i]
	if last+"\n" != l.text {
		return false
	}
	h.lines[i] = hunkLine{mark: '-', text: last}
	if l.mark == ' ' {
		h.lines = slices.Insert(h.lines, i+1, hunkLine{mark: '+', text: l.text})
	}
	return true
}

// diff is the change that a chunk makes to its own lines. Patches often list a
// line as removed and as added that stays as it is.
func (c chunk) diff() []hunkLine {
	before, after := c.side('+'), c.side('-')
	var lines []hunkLine
	add := func(mark byte, texts []string) {
		for _, text := range texts {
			lines = append(lines, hunkLine{mark: mark, text: text + "\n"})
		}
	}
	at := 0
	for _, change := range new(myers.Script).Between(before, after) {
		add(' ', before[at:change.A.At])
		add('-', before[change.A.At:change.AEnd()])
		add('+', after[change.B.At:change.BEnd()])
		at = change.AEnd()
	}
	add(' ', before[at:])
	return lines
}

// Apply makes the new text of a file, the way the tools do that take V4A patches: each chunk is
// looked for after the one before it, first exactly, then without space at the ends of lines, then
// without any around them, and last with punctuation reduced to ASCII. The lines of the chunk
// replace those that were found, context included, and the text ends with a line end.
func (p FilePatch) Apply(before string) (string, error) {
	switch p.Change {
	case core.Create:
		return p.Text, nil
	case core.Delete:
		return "", nil
	default:
	}
	if p.KeepEnds && strings.Contains(before, "\r\n") && strings.Count(before, "\n") == strings.Count(before, "\r\n") {
		p.KeepEnds = false
		after, err := p.Apply(strings.ReplaceAll(before, "\r\n", "\n"))
		return strings.ReplaceAll(after, "\n", "\r\n"), err
	}
	list, err := p.replacements(before)
	if err != nil {
		return "", err
	}
	slices.SortStableFunc(list, func(a, b replacement) int { return a.at - b.at })
	return replaceLines(textLines(before), list)
}

// textLines are the lines of a text without their ends.
func textLines(text string) []string {
	lines := strings.Split(text, "\n")
	if lines[len(lines)-1] == "" {
		lines = lines[:len(lines)-1]
	}
	return lines
}

// replacements finds the places of the chunks, one for each.
func (p FilePatch) replacements(before string) ([]replacement, error) {
	s := seek.Text{Lines: textLines(before), Budget: searchBudget(len(before))}
	list := make([]replacement, 0, len(p.chunks))
	at := 0
	for i, c := range p.chunks {
		if c.again {
			at = 0
		}
		r, next, err := c.place(&s, at)
		if err != nil {
			return nil, fmt.Errorf("apply chunk %d: %w", i+1, err)
		}
		list, at = append(list, r), next
	}
	return list, nil
}

// replacement puts lines in place of n others.
type replacement struct {
	at, n int
	lines []string
}

var errOverlap = errors.New("chunks overlap")

// replaceLines puts new lines in place of old ones. The replacements are in order;
// it is an error if two of them overlap.
func replaceLines(lines []string, list []replacement) (string, error) {
	var out []string
	at := 0
	for _, r := range list {
		if r.at < at {
			return "", errOverlap
		}
		out = append(append(out, lines[at:r.at]...), r.lines...)
		at = r.at + r.n
	}
	out = append(out, lines[at:]...)
	if len(out) == 0 || out[len(out)-1] != "" {
		out = append(out, "")
	}
	return strings.Join(out, "\n"), nil
}

// place finds the lines that c replaces in a text, after line at, and where the next chunk may begin.
func (c chunk) place(s *seek.Text, at int) (r replacement, next int, err error) {
	if c.context != "" {
		at, err = s.Find([]string{c.context}, at, false)
		if err != nil {
			return r, 0, fmt.Errorf("find context: %w", err)
		}
		at++
	}
	before, after := c.side('+'), c.side('-')
	if len(before) == 0 {
		return replacement{at: s.End(), lines: after}, at, nil
	}
	i, err := s.Find(before, at, c.eof)
	if err != nil && before[len(before)-1] == "" {
		// An empty last line may stand for the end of the file's last line.
		before = before[:len(before)-1]
		if n := len(after); n > 0 && after[n-1] == "" {
			after = after[:n-1]
		}
		i, err = s.Find(before, at, c.eof)
	}
	if err != nil {
		return r, 0, err
	}
	return replacement{at: i, n: len(before), lines: after}, i + len(before), nil
}

// side is the chunk's lines before or after the change: those without a mark.
func (c chunk) side(without byte) []string {
	var side []string
	for _, l := range c.lines {
		if l.mark != without {
			side = append(side, l.text)
		}
	}
	return side
}
