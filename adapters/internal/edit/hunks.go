package edit

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/jsondoc"
)

// Hunk is a hunk as some tools record it, with numbers as in a unified diff.
type Hunk struct {
	OldStart, OldLines int
	NewStart, NewLines int
	// Lines begin with ' ', '+', '-' or '\' and have no end.
	Lines []string
}

// FromHunks is the diff of recorded hunks. Counts follow from the lines, and
// starts are put right where they contradict each other.
func FromHunks(path string, recorded []Hunk) core.Diff {
	hunks := make([]hunk, 0, len(recorded))
	for _, r := range recorded {
		h := hunk{
			before: headSpan(r.OldStart, r.OldLines),
			after:  headSpan(r.NewStart, r.NewLines),
		}
		h.addRecorded(r.Lines)
		hunks = append(hunks, h)
	}
	return diffOf(path, hunks)
}

// ReadHunk reads the numbers of a hunk, and its "lines", as several tools record them.
func ReadHunk(v jsondoc.Value) Hunk {
	number := func(name string) int {
		n, _ := v.Get(name).Int()
		return int(n)
	}
	return Hunk{
		OldStart: number("oldStart"), OldLines: number("oldLines"), NewStart: number("newStart"), NewLines: number("newLines"), Lines: texts(v.Get("lines")),
	}
}

// texts are the strings of a list, in one piece of memory.
func texts(list jsondoc.Value) []string {
	all := make([]byte, 0, list.End()-list.Start())
	ends := make([]int, 0, list.Len())
	for v := range list.Elems() {
		all = v.AppendStr(all)
		ends = append(ends, len(all))
	}
	text, at := string(all), 0
	lines := make([]string, 0, len(ends))
	for _, end := range ends {
		lines, at = append(lines, text[at:end]), end
	}
	return lines
}

// ReplacedAll is the diff of several replacements in one file where only the strings are known. Its
// hunks stand for whole lines, are numbered one after another from line 1, and are [core.Told].
func ReplacedAll(path string, pairs []Pair) core.Diff {
	var hunks []Hunk
	before, after := 1, 1
	for _, p := range pairs {
		old, now := marked("-", p.Before), marked("+", p.After)
		hunks = append(hunks, Hunk{OldStart: before, OldLines: len(old), NewStart: after, NewLines: len(now), Lines: append(old, now...)})
		before, after = before+len(old), after+len(now)
	}
	d := FromHunks(path, hunks)
	d.Certainty = core.Told
	return d
}

// marked are the lines of a string, each behind a mark.
func marked(mark, text string) (lines []string) {
	for _, l := range wholeLines(splitLines(strings.TrimSuffix(text, "\n"))) {
		lines = append(lines, mark+strings.TrimSuffix(l, "\n"))
	}
	return lines
}

// addRecorded adds lines that have no ends. One that holds line ends itself stands for several.
func (h *hunk) addRecorded(lines []string) {
	size := 0
	for _, l := range lines {
		size += len(l) + 1
	}
	var all strings.Builder // one piece of memory for the lines
	all.Grow(size)
	for _, l := range lines {
		all.WriteString(l)
		all.WriteByte('\n')
	}
	h.lines = make([]hunkLine, 0, len(lines))
	text, at := all.String(), 0
	for _, l := range lines {
		h.addLine(text[at : at+len(l)+1])
		at += len(l) + 1
	}
}

// addLine adds a recorded line that has been given an end.
func (h *hunk) addLine(l string) {
	mark := byte(' ')
	if l != "\n" {
		mark = l[0]
	}
	switch mark {
	case '\\':
		h.cutLastEnd()
		return
	case ' ', '+', '-':
		l = strings.TrimPrefix(l, string(mark))
	default:
		mark = ' '
	}
	for piece := range strings.Lines(l) {
		h.lines = append(h.lines, hunkLine{mark: mark, text: piece})
	}
}

// FromUnified is the diff of a recorded unified diff, which may lack the lines
// that name the files. Its counts follow from its lines.
func FromUnified(path, unified string) (core.Diff, error) {
	hunks, err := parseHunks(unified)
	if err != nil {
		return core.Diff{}, err
	}
	return diffOf(path, hunks), nil
}

// diffOf makes a diff of hunks that a transcript shows. Their lines stay as they are; the
// counts in their heads, and the places in the new text, are worked out from them.
func diffOf(path string, hunks []hunk) core.Diff {
	path = Clean(path)
	settle(hunks)
	w := writer{}
	w.head(oldName(path), newName(path))
	for _, h := range hunks {
		if len(h.lines) > 0 {
			w.recorded(h)
		}
	}
	return w.finish(core.Diff{Path: path, Change: core.Modify})
}

// recorded writes a hunk as the tool recorded it, with its counts put right.
func (w *writer) recorded(h hunk) {
	w.hunkHead(h.before, h.after, h.section)
	for _, l := range h.lines {
		w.line(l.mark, l.text)
	}
}

// hunk is a hunk with its lines counted from 0.
type hunk struct {
	before, after span
	section       string
	lines         []hunkLine
}

// hunkLine is a line of a hunk. Its text has an end, but where the file ends without one.
type hunkLine struct {
	mark byte
	text string
}

// cutLastEnd takes the end off the last line, as the marker for a missing one demands.
func (h *hunk) cutLastEnd() {
	if n := len(h.lines); n > 0 {
		h.lines[n-1].text = strings.TrimSuffix(h.lines[n-1].text, "\n")
	}
}

// headSpan reads the numbers of a hunk's head, where an empty run is named by the line before it.
func headSpan(start, n int) span {
	if n > 0 {
		start--
	}
	return span{at: max(start, 0), n: n}
}

// settle counts the lines of hunks and makes their starts agree. Some tools
// name an empty run by the line after it, so that the two starts of a hunk do
// not differ by what the hunks before it added and removed.
func settle(hunks []hunk) {
	delta := 0
	for i := range hunks {
		h := &hunks[i]
		h.count()
		if h.before.n == 0 && h.before.at > 0 && h.before.at-1+delta == h.after.at {
			h.before.at--
		}
		h.after.at = max(h.before.at+delta, 0)
		delta += h.after.n - h.before.n
	}
}

// count counts the lines of both sides.
func (h *hunk) count() {
	h.before.n, h.after.n = 0, 0
	for _, l := range h.lines {
		if l.mark != '+' {
			h.before.n++
		}
		if l.mark != '-' {
			h.after.n++
		}
	}
}

var (
	errNoHunks   = errors.New("no hunks")
	errManyFiles = errors.New("more than one file")
)

// parseHunks reads the hunks of a unified diff of one file. What stands before the first one is
// skipped. The counts of the heads only tell where the hunks end.
func parseHunks(unified string) ([]hunk, error) {
	p := hunkParser{}
	for n, line := range splitLines(unified) {
		if err := p.line(line); err != nil {
			return nil, fmt.Errorf("read diff at line %d: %w", n+1, err)
		}
	}
	if len(p.hunks) == 0 && !isHeadOnly(unified) {
		return nil, fmt.Errorf("read diff: %w", errNoHunks)
	}
	return p.hunks, nil
}

// isHeadOnly reports whether a diff names its files and changes nothing.
func isHeadOnly(unified string) bool {
	return strings.HasPrefix(unified, "--- ") && strings.Contains(unified, "\n+++ ")
}

// hunkParser reads the lines of a unified diff, from the first head of a hunk on.
type hunkParser struct {
	hunks         []hunk
	before, after int // lines that the head of the last hunk still promises
}

// line takes in the next line. A blank one within a hunk is a line of context whose space
// was lost. It is an error if the diff of another file follows, or a line has no mark.
func (p *hunkParser) line(line string) error {
	if strings.HasPrefix(line, "@@ ") {
		return p.open(line)
	}
	if len(p.hunks) == 0 {
		return nil
	}
	h := &p.hunks[len(p.hunks)-1]
	blank := strings.TrimRight(line, "\r\n") == ""
	done := p.before <= 0 && p.after <= 0
	switch {
	case line[0] == '\\':
		h.cutLastEnd()
		return nil
	case blank && done:
		return nil
	case blank:
		line = " " + line
	case done && (strings.HasPrefix(line, "--- ") || strings.HasPrefix(line, "diff ")):
		return errManyFiles
	}
	mark, text := line[0], line[1:]
	if mark != ' ' && mark != '+' && mark != '-' {
		return fmt.Errorf("unexpected %q", mark)
	}
	if mark != '+' {
		p.before--
	}
	if mark != '-' {
		p.after--
	}
	if !strings.HasSuffix(text, "\n") {
		text += "\n"
	}
	h.lines = append(h.lines, hunkLine{mark: mark, text: text})
	return nil
}

// open reads the head of a hunk: @@ -1,2 +3,4 @@ section.
func (p *hunkParser) open(line string) error {
	rest, ok := strings.CutPrefix(strings.TrimRight(line, "\r\n"), "@@ -")
	if !ok {
		return errors.New("head without lines removed")
	}
	start, n, rest := numbers(rest)
	h := hunk{before: headSpan(start, n)}
	rest, ok = strings.CutPrefix(rest, " +")
	if !ok {
		return errors.New("head without lines added")
	}
	start, n, rest = numbers(rest)
	h.after = headSpan(start, n)
	rest, ok = strings.CutPrefix(rest, " @@")
	if !ok {
		return errors.New("head without end")
	}
	h.section = strings.TrimPrefix(rest, " ")
	p.hunks = append(p.hunks, h)
	p.before, p.after = h.before.n, h.after.n
	return nil
}

// numbers reads "start,n" or "start", which stands for one line.
func numbers(s string) (start, n int, rest string) {
	start, s = number(s)
	if s == "" || s[0] != ',' {
		return start, 1, s
	}
	n, s = number(s[1:])
	return start, n, s
}

// maxNumber is more lines than any text here has.
const maxNumber = 1 << 30

// number reads the number that a text begins with, at most maxNumber, and what follows.
func number(s string) (n int, rest string) {
	i := 0
	for ; i < len(s) && s[i] >= '0' && s[i] <= '9'; i++ {
		n = min(n*10+int(s[i]-'0'), maxNumber)
	}
	return n, s[i:]
}

// Shifted is a diff of a part of a file as one of the file.
func Shifted(d core.Diff, by int) core.Diff {
	d.Old, d.New = nil, nil
	if by == 0 {
		return d
	}
	var b strings.Builder
	b.Grow(len(d.Unified) + 16)
	for line := range strings.Lines(d.Unified) {
		if strings.HasPrefix(line, "@@ -") {
			line = shiftedHead(line, by)
		}
		b.WriteString(line)
	}
	d.Unified = b.String()
	return d
}

// shiftedHead moves the head of a hunk: @@ -1,2 +3,4 @@.
func shiftedHead(line string, by int) string {
	fields := strings.SplitN(line, " ", 4)
	for i := 1; i <= 2 && i < len(fields); i++ {
		start, rest, more := strings.Cut(fields[i][1:], ",")
		n, err := strconv.Atoi(start)
		if err != nil {
			return line
		}
		fields[i] = fields[i][:1] + strconv.Itoa(n+by)
		if more {
			fields[i] += "," + rest
		}
	}
	return strings.Join(fields, " ")
}

// Removed is the text of a file when a diff takes every line of it away.
func Removed(unified string) string {
	var b strings.Builder
	last, inHunk := byte(0), false
	for l := range strings.Lines(unified) {
		switch {
		case strings.HasPrefix(l, "@@ "):
			inHunk = true
		case inHunk && l[0] == '-':
			b.WriteString(strings.TrimSuffix(l[1:], "\n") + "\n")
		case l[0] == '\\' && last == '-':
			return strings.TrimSuffix(b.String(), "\n")
		}
		last = l[0]
	}
	return b.String()
}
