package change

import (
	"bytes"
	"math"
	"strings"

	"github.com/memscribe/memscribe/adapters/internal/edit"
	"github.com/memscribe/memscribe/core/jsondoc"
)

// hunks is the client's structuredPatch.
func (c *change) hunks() []edit.Hunk {
	if !c.isRead {
		c.patch, c.isRead = c.readHunks(), true
	}
	return c.patch
}

func (c *change) readHunks() []edit.Hunk {
	var list []edit.Hunk
	for v := range c.Data.Get("structuredPatch").Elems() {
		list = append(list, edit.ReadHunk(v))
	}
	return list
}

// unknownGrowth is the growth of a patch that is not there.
const unknownGrowth = math.MinInt

// lineGrowth is by how many lines a patch makes its file longer.
func lineGrowth(hunks []edit.Hunk) int {
	if len(hunks) == 0 {
		return unknownGrowth
	}
	n := 0
	for _, h := range hunks {
		for _, l := range h.Lines {
			switch mark(l) {
			case '+':
				n++
			case '-':
				n--
			}
		}
	}
	return n
}

// mark is what the line of a patch does.
func mark(line string) byte {
	if line == "" {
		return ' '
	}
	return line[0]
}

// onScreen is how the client writes a line in a patch: each tab that it begins with as two spaces.
func onScreen(line string) string {
	rest := strings.TrimLeft(line, "\t")
	if len(rest) == len(line) {
		return line
	}
	return strings.Repeat("  ", len(line)-len(rest)) + rest
}

// shows reports whether a text is how a line is on the screen.
func shows(text, line string) bool {
	text, line = strings.TrimSuffix(text, "\r"), strings.TrimSuffix(line, "\r")
	rest := strings.TrimLeft(line, "\t")
	indent, ok := strings.CutSuffix(text, rest)
	return ok && len(indent) == 2*(len(line)-len(rest)) && strings.Trim(indent, " ") == ""
}

// agrees reports whether the patch, if there is one, is of this change. Where the client
// recorded the text before, there is no doubt.
func (c *change) agrees(before, after string, start int) bool {
	return c.recorded || c.isOf(before, after, start)
}

// isOf reports whether the patch, if there is one, is of this change.
func (c *change) isOf(before, after string, start int) bool {
	if len(c.hunks()) == 0 {
		return true
	}
	growth := strings.Count(after, "\n") - strings.Count(before, "\n")
	isEnded := strings.HasSuffix(after, "\n") && strings.HasSuffix(before, "\n") // else the count is blurred
	return (!isEnded || growth == lineGrowth(c.hunks())) && linesOf(before, start).fit(c.hunks())
}

// showsEnds reports whether the patch shows that lines of the file before end with "\r\n".
func (c *change) showsEnds() bool {
	for _, h := range c.hunks() {
		for _, l := range h.Lines {
			if mark(l) != '+' && strings.HasSuffix(l, "\r") {
				return true
			}
		}
	}
	return false
}

// numberedLines are the lines of a part of a file, by their numbers in it.
type numberedLines struct {
	start int
	text  []string
}

func linesOf(text string, start int) numberedLines {
	if start == 0 {
		return numberedLines{}
	}
	return numberedLines{start: start, text: strings.Split(strings.TrimSuffix(text, "\n"), "\n")}
}

func (l numberedLines) at(n int) (string, bool) {
	if n < l.start || n-l.start >= len(l.text) {
		return "", false
	}
	return l.text[n-l.start], true
}

// fit reports whether the lines that a patch keeps or removes are in a part of a file,
// as far as they are in it.
func (l numberedLines) fit(hunks []edit.Hunk) bool {
	for _, h := range hunks {
		n := h.OldStart
		for _, line := range h.Lines {
			if m := mark(line); m == '+' || m == '\\' {
				continue
			}
			if have, ok := l.at(n); ok && !shows(line[min(1, len(line)):], have) {
				return false
			}
			n++
		}
	}
	return true
}

// straight is a line with straight quotation marks in place of curly ones.
func straight(line string) string {
	return strings.NewReplacer("“", `"`, "”", `"`, "‘", "'", "’", "'").Replace(line)
}

// requote gives the lines that an edit added the quotation marks that the patch shows. It
// reports false if the patch has other lines.
func (c *change) requote(after string, start int) (string, bool) {
	lines := strings.Split(after, "\n")
	for _, h := range c.hunks() {
		n := h.NewStart - start
		for _, l := range h.Lines {
			m := mark(l)
			if m == '+' && 0 <= n && n < len(lines) {
				if !shows(straight(l[1:]), straight(lines[n])) {
					return "", false
				}
				indent := len(lines[n]) - len(strings.TrimLeft(lines[n], "\t"))
				lines[n] = lines[n][:indent] + l[1+2*indent:]
			}
			if m != '-' && m != '\\' {
				n++
			}
		}
	}
	return strings.Join(lines, "\n"), true
}

// restorer puts the tabs back into the lines of a patch.
type restorer struct {
	before, after numberedLines
	words         map[string]string // lines with tabs, by how they are on the screen
	tabs          bool              // what is known is indented with tabs only
}

func newRestorer(before, after numberedLines, words string) *restorer {
	r := &restorer{before: before, after: after, words: map[string]string{}}
	for line := range strings.SplitSeq(words, "\n") {
		if strings.HasPrefix(line, "\t") {
			r.words[onScreen(line)] = line
		}
	}
	all := strings.Join(append(append([]string{words}, before.text...), after.text...), "\n")
	r.tabs = indented(all, "\t") && !indented(all, "  ")
	return r
}

// indented reports whether a line of a text begins with this.
func indented(text, by string) bool {
	return strings.HasPrefix(text, by) || strings.Contains(text, "\n"+by)
}

// line is what a line of a patch is in the file, if that is known. A line that
// begins with anything but two spaces is taken as it is.
func (r *restorer) line(text string, m byte, before, after int) (string, bool) {
	if !strings.HasPrefix(text, "  ") {
		return text, true
	}
	if have, ok := r.before.at(before); ok && m != '+' && shows(text, have) {
		return have, true
	}
	if have, ok := r.after.at(after); ok && m != '-' && shows(text, have) {
		return have, true
	}
	if have, ok := r.words[text]; ok {
		return have, true
	}
	if r.tabs {
		return tabbed(text), false
	}
	return text, false
}

// hunk restores the lines of a hunk in place. It reports which of them are certain.
func (r *restorer) hunk(h *edit.Hunk) (sure []bool) {
	sure = make([]bool, len(h.Lines))
	before, after := h.OldStart, h.NewStart
	for i, l := range h.Lines {
		m := mark(l)
		if m == '\\' || l == "" {
			sure[i] = true
			continue
		}
		text, ok := r.line(l[1:], m, before, after)
		if sure[i] = ok; text != l[1:] {
			h.Lines[i] = string(m) + text
		}
		if m != '+' {
			before++
		}
		if m != '-' {
			after++
		}
	}
	return sure
}

// repair restores the lines of a patch, as far as they are known: from the text
// before, the text after, or the strings of the edit.
func repair(hunks []edit.Hunk, before, after numberedLines, words string) {
	r := newRestorer(before, after, words)
	for i := range hunks {
		r.hunk(&hunks[i])
	}
}

// trim makes a patch that applies although the text around the change is not
// known: of the lines around it, those stay that are certain.
func trim(hunks []edit.Hunk, part numberedLines, words string) []edit.Hunk {
	if indented(words, "  ") && !indented(words, "\t") {
		return hunks // this file is indented with spaces
	}
	r := newRestorer(part, numberedLines{}, words)
	for i := range hunks {
		h := &hunks[i]
		sure := r.hunk(h)
		from, to := 0, len(h.Lines)
		for at := 0; at < to && mark(h.Lines[at]) == ' '; at++ {
			if !sure[at] {
				from = at + 1
			}
		}
		for at := to - 1; at >= from && mark(h.Lines[at]) == ' '; at-- {
			if !sure[at] {
				to = at
			}
		}
		h.OldStart, h.NewStart, h.Lines = h.OldStart+from, h.NewStart+from, h.Lines[from:to]
	}
	return hunks
}

// tabbed takes pairs of leading spaces for tabs.
func tabbed(line string) string {
	n := 0
	for strings.HasPrefix(line[2*n:], "  ") {
		n++
	}
	return strings.Repeat("\t", n) + line[2*n:]
}

// Files knows what is in the files that the transcript has shown. The zero Files
// knows nothing and is ready.
type Files struct{ edit.Files }

// Turn does nothing: the client refuses to write over a file that is not as it was seen.
func (*Files) Turn() {}

// Shown takes in the structured result of a read.
func (f *Files) Shown(file jsondoc.Value) {
	path, content := file.Get("filePath"), file.Get("content")
	start, _ := file.Get("startLine").Int()
	n, _ := file.Get("numLines").Int()
	total, _ := file.Get("totalLines").Int()
	if content.Kind() != jsondoc.String || path.Kind() != jsondoc.String || start < 0 {
		return
	}
	last := max(start, 1)+n > total
	f.Show(edit.Read{Path: path.Str(), Body: content.Body(), Start: max(int(start), 1), Whole: start <= 1 && last, Last: last})
}

// Numbered takes in what the model was shown of a file: lines with numbers, in one of two forms.
func (f *Files) Numbered(path string, body []byte, whole bool) {
	if isNumbered(body) {
		f.Show(edit.Read{Path: path, Body: body, Start: 1, Whole: whole, Last: whole, Plain: unnumbered})
	}
}

// isNumbered reports whether a text begins with a numbered line.
func isNumbered(body []byte) bool {
	b := bytes.TrimLeft(body, " ")
	n := 0
	for n < len(b) && '0' <= b[n] && b[n] <= '9' {
		n++
	}
	return n > 0 && (bytes.HasPrefix(b[n:], []byte("→")) || bytes.HasPrefix(b[n:], []byte(`\t`)))
}

// unnumbered takes the numbers off the lines of a read: "     1→text" until
// 2.0.x, "1<tab>text" in 2.1.x. What follows the last of them is the client's.
func unnumbered(text string) (plain string, start int) {
	var b strings.Builder
	next := 0
	for line := range strings.SplitSeq(text, "\n") {
		rest := strings.TrimLeft(line, " ")
		n, digits := 0, 0
		for digits < len(rest) && '0' <= rest[digits] && rest[digits] <= '9' && digits < 9 {
			n = n*10 + int(rest[digits]-'0')
			digits++
		}
		content, ok := strings.CutPrefix(rest[digits:], "→")
		if !ok {
			content, ok = strings.CutPrefix(rest[digits:], "\t")
		}
		if !ok || digits == 0 || next > 0 && n != next {
			break
		}
		if next == 0 {
			start = n
		} else {
			b.WriteByte('\n')
		}
		b.WriteString(content)
		next = n + 1
	}
	return b.String(), start
}
