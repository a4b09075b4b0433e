package edit

import (
	"slices"
	"strconv"
	"strings"

	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/myers"
)

// devNull is the name of the file that does not exist.
const devNull = "/dev/null"

// noNewline follows a line that is the last one of its file and has no end.
const noNewline = "\\ No newline at end of file"

// writer writes a unified diff and counts its lines.
type writer struct {
	buf            buffer
	added, removed int
	differ         *Differ // whose memory it uses; nil: its own
}

// buffer is text that grows.
type buffer []byte

func (b *buffer) add(s string) { *b = append(*b, s...) }
func (b *buffer) put(c byte)   { *b = append(*b, c) }

// finish puts what was written into d.
func (w *writer) finish(d core.Diff) core.Diff {
	d.Unified, d.Added, d.Removed = string(w.buf), w.added, w.removed
	if w.differ != nil {
		w.differ.rest(w.buf)
	}
	return d
}

// head writes the two lines that name the files.
func (w *writer) head(before, after string) {
	w.buf.add("--- ")
	w.buf.add(before)
	w.buf.add("\n+++ ")
	w.buf.add(after)
	w.buf.put('\n')
}

// oldName and newName are the paths of a file in the head of a diff: a/x and b/x.
func oldName(path string) string { return fileName("a", path) }
func newName(path string) string { return fileName("b", path) }

// fileName writes a path as git does: below a one-letter folder, quoted when it
// holds control characters, and with a tab after it when it holds a space, since
// readers would else take the rest for a date.
func fileName(side, path string) string {
	if strings.HasPrefix(path, "/") {
		path = side + path
	} else {
		path = side + "/" + path
	}
	if strings.ContainsFunc(path, func(r rune) bool { return r < ' ' || r == 0x7f }) {
		return quoteName(path)
	}
	if strings.Contains(path, " ") {
		return path + "\t"
	}
	return path
}

// quoteName quotes a path with the escapes of C, as git does.
func quoteName(path string) string {
	q := []byte{'"'}
	for i := range len(path) {
		switch c := path[i]; {
		case c == '"' || c == '\\':
			q = append(q, '\\', c)
		case c == '\n':
			q = append(q, '\\', 'n')
		case c == '\t':
			q = append(q, '\\', 't')
		case c < ' ' || c == 0x7f:
			q = append(q, '\\', '0'+c>>6, '0'+c>>3&7, '0'+c&7)
		default:
			q = append(q, c)
		}
	}
	return string(append(q, '"'))
}

// line writes one line of a hunk. Text holds its own end, if it has one.
func (w *writer) line(mark byte, text string) {
	w.buf.put(mark)
	w.buf.add(text)
	if !strings.HasSuffix(text, "\n") {
		w.buf.put('\n')
		w.buf.add(noNewline)
		w.buf.put('\n')
	}
	switch mark {
	case '+':
		w.added++
	case '-':
		w.removed++
	}
}

// span is a run of lines: the index of its first one, from 0, and how many.
type span struct{ at, n int }

// hunkHead writes the line that opens a hunk.
func (w *writer) hunkHead(before, after span, section string) {
	w.buf.add("@@ -")
	w.span(before)
	w.buf.add(" +")
	w.span(after)
	w.buf.add(" @@")
	if section != "" {
		w.buf.put(' ')
		w.buf.add(section)
	}
	w.buf.put('\n')
}

// span writes a run of lines: 1-based, and an empty one by the line before it.
func (w *writer) span(s span) {
	at := s.at + 1
	if s.n == 0 {
		at = s.at
	}
	w.buf.add(strconv.Itoa(at))
	if s.n != 1 {
		w.buf.put(',')
		w.buf.add(strconv.Itoa(s.n))
	}
}

// manyLines is how many lines of two texts are compared one by one. Beyond it all that lies
// between their common beginning and end counts as replaced.
const manyLines = 1 << 20

// texts writes the hunks between two texts.
func (w *writer) texts(before, after string) {
	head, tail := common(before, after)
	skipped := strings.Count(before[:head], "\n")
	before, after = before[head:len(before)-tail], after[head:len(after)-tail]
	if countLines(before)+countLines(after) > manyLines {
		w.replaced(before, after, skipped)
		return
	}
	a, b := w.differ.lines(before, after)
	changes := w.differ.script.Between(a, b)
	for len(changes) > 0 {
		n := 1
		for n < len(changes) && changes[n].A.At-changes[n-1].AEnd() <= 2*context {
			n++
		}
		w.hunk(a, b, changes[:n], skipped)
		changes = changes[n:]
	}
}

// common returns how many bytes of whole lines two texts share at their beginning and, behind
// that, at their end, but for the lines that a hunk shows of them.
func common(a, b string) (head, tail int) {
	for n := min(len(a), len(b)); head < n && a[head] == b[head]; head++ {
	}
	if head == len(a) && head == len(b) {
		return head, 0
	}
	head = strings.LastIndexByte(a[:head], '\n') + 1
	x, y := a[head:], b[head:]
	for n := min(len(x), len(y)); tail < n && x[len(x)-1-tail] == y[len(y)-1-tail]; tail++ {
	}
	end := x[len(x)-tail:]
	for range context + 1 { // it may begin within a line
		_, end, _ = strings.Cut(end, "\n")
	}
	for range context {
		head = strings.LastIndexByte(a[:max(head-1, 0)], '\n') + 1
	}
	return head, len(end)
}

// countLines counts the lines of a text, also one at the end that has no end.
func countLines(text string) int {
	n := strings.Count(text, "\n")
	if text != "" && text[len(text)-1] != '\n' {
		n++
	}
	return n
}

// replaced writes one hunk that replaces all lines but those that the texts begin and end
// with. The lines before the texts are skipped.
func (w *writer) replaced(before, after string, skipped int) {
	w.buf = slices.Grow(w.buf, len(before)+len(after)+countLines(before)+countLines(after)+64)
	w.hunkHead(span{skipped, countLines(before)}, span{skipped, countLines(after)}, "")
	for before != "" && after != "" {
		l, rest := firstLine(before)
		if other, others := firstLine(after); other == l {
			w.line(' ', l)
			before, after = rest, others
			continue
		}
		break
	}
	end := 0
	for a, b := before, after; ; {
		at, of := strings.LastIndexByte(strings.TrimSuffix(a, "\n"), '\n')+1, strings.LastIndexByte(strings.TrimSuffix(b, "\n"), '\n')+1
		if a == "" || b == "" || a[at:] != b[of:] {
			break
		}
		end += len(a) - at
		a, b = a[:at], b[:of]
	}
	for l := range strings.Lines(before[:len(before)-end]) {
		w.line('-', l)
	}
	for l := range strings.Lines(after[:len(after)-end]) {
		w.line('+', l)
	}
	for l := range strings.Lines(before[len(before)-end:]) {
		w.line(' ', l)
	}
}

// firstLine cuts the first line off a text, with its end.
func firstLine(text string) (line, rest string) {
	at := strings.IndexByte(text, '\n') + 1
	if at == 0 {
		at = len(text)
	}
	return text[:at], text[at:]
}

// hunk writes one hunk with its context. The lines before the texts are skipped.
func (w *writer) hunk(a, b []string, changes []myers.Change, skipped int) {
	first, last := changes[0], changes[len(changes)-1]
	lead := min(first.A.At, context)
	trail := min(len(a)-last.AEnd(), context)
	before := span{at: first.A.At - lead, n: last.AEnd() + trail - first.A.At + lead}
	after := span{at: first.B.At - lead, n: last.BEnd() + trail - first.B.At + lead}
	w.hunkHead(span{before.at + skipped, before.n}, span{after.at + skipped, after.n}, "")
	w.body(a[before.at:before.at+before.n], b, changes, before.at)
}

// wholeTexts writes one hunk over two texts from their first to their last line.
func (w *writer) wholeTexts(a, b []string) {
	if len(a)+len(b) == 0 {
		return
	}
	w.hunkHead(span{n: len(a)}, span{n: len(b)}, "")
	w.body(a, b, w.differ.script.Between(a, b), 0)
}

// body writes the lines of a, which begin at line start of their file, with the changes to them.
func (w *writer) body(a, b []string, changes []myers.Change, start int) {
	at := start
	for _, c := range changes {
		for ; at < c.A.At; at++ {
			w.line(' ', a[at-start])
		}
		for ; at < c.AEnd(); at++ {
			w.line('-', a[at-start])
		}
		for _, l := range b[c.B.At:c.BEnd()] {
			w.line('+', l)
		}
	}
	for ; at-start < len(a); at++ {
		w.line(' ', a[at-start])
	}
}
