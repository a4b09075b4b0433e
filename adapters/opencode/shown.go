package opencode

import (
	"strconv"
	"strings"

	"github.com/memscribe/memscribe/adapters/internal/edit"
	"github.com/memscribe/memscribe/core/jsondoc"
)

// shown takes in the text of a file that a call has read from its beginning to
// its end: a later write over it records no text of before (recorded 1.18.33).
func (p *parser) shown(c *call) {
	name := p.Resolve(c.file())
	if text := c.meta.Get("content"); name != "" && c.meta.Get("encoding").Is("utf8") {
		p.files.Set(name, text.Str()) // in the later layout a file that was read whole is there as it is
		return
	}
	if name == "" || c.output.Kind() != jsondoc.String {
		return
	}
	text, ok := wholeFile(c.output.Str())
	if known, isKnown := p.files.Text(name); ok && (!isKnown || asShown(known) != asShown(text)) {
		p.files.Set(name, text)
	}
}

// asShown is what a text and what is shown of it have in common: how lines end is
// not shown, nor whether the last one does.
func asShown(text string) string {
	return strings.TrimSuffix(edit.LF(text), "\n")
}

// foreseen takes in what the files were before a turn, which the turn's own
// message says when the turn is over: as texts (recorded 1.2.27), or as diffs
// that show the file whole (recorded 1.18.33). Kilo's diffs show three lines
// around a change (recorded 7.7.7).
func (p *parser) foreseen(summary jsondoc.Value) {
	for d := range summary.Get("diffs").Elems() {
		name := d.Get("file").Str()
		if plain, err := strconv.Unquote(name); err == nil {
			name = plain // git puts odd names in quotes (recorded 1.18.33)
		}
		if name == "" || d.Get("status").Is("added") {
			continue
		}
		if before := d.Get("before"); before.Kind() == jsondoc.String {
			p.files.Set(p.Resolve(name), before.Str())
		} else if text, ok := wholeBefore(d.Get("patch").Str()); ok {
			p.files.Set(p.Resolve(name), text)
		}
	}
}

// wholeBefore is the text of a file before a change, from a diff that shows all of
// it.
func wholeBefore(patch string) (string, bool) {
	_, body, ok := strings.Cut(patch, "\n@@ -")
	head, body, _ := strings.Cut(body, "\n")
	switch {
	case !ok || !strings.HasPrefix(patch, "Index: "):
		return "", false
	case strings.HasPrefix(head, "0,0 "):
		return "", true
	case !strings.HasPrefix(head, "1,") && !strings.HasPrefix(head, "1 "):
		return "", false
	}
	var b strings.Builder
	mark := byte(0)
	for line := range strings.Lines(body) {
		switch line[0] {
		case '@':
			return "", false // there is more of the file than is shown
		case ' ', '-':
			b.WriteString(line[1:])
		case '\\':
			if mark != '+' {
				return strings.TrimSuffix(b.String(), "\n"), true
			}
		}
		mark = line[0]
	}
	return b.String(), true
}

// wholeFile is the text of a file that was shown whole. Until 1.1 the text was
// split at its line ends, so that what follows the last one counts as a line
// (recorded 0.5.29, 1.0.185); since then lines are read, and the last one
// may or may not have had an end (recorded 1.2.27, 1.18.33): it is taken to have
// one.
func wholeFile(output string) (string, bool) {
	if strings.Contains(output, "<content>\n\n\n(End of file - total 0 lines)\n") {
		return "", true // recorded 1.18.33
	}
	body, isSplit := strings.CutPrefix(output, "<file>\n")
	mark := "| "
	if !isSplit {
		_, rest, ok := strings.Cut(output, "<content>")
		if !ok {
			return "", false
		}
		body, mark = strings.TrimPrefix(rest, "\n"), ": "
	}
	var b strings.Builder
	for number := 1; ; number++ {
		line, rest, more := strings.Cut(body, "\n")
		text, ok := strings.CutPrefix(line, padded(number, isSplit)+mark)
		switch {
		case !ok:
			return ended(b.String(), body, number-1, isSplit)
		case len(text) > longest, !more:
			return "", false
		}
		b.WriteString(text + "\n")
		body = rest
	}
}

// longest is how many characters of a line are shown at most (read in source).
const longest = 2000

// padded is the number of a line as it is shown.
func padded(number int, isSplit bool) string {
	s := strconv.Itoa(number)
	if isSplit && len(s) < len("00001") {
		s = strings.Repeat("0", len("00001")-len(s)) + s
	}
	return s
}

// ended judges, by what stands behind the last line, whether a text is whole.
func ended(text, rest string, lines int, isSplit bool) (string, bool) {
	isWhole := lines > 0 && strings.HasPrefix(rest, "\n(End of file - total "+strconv.Itoa(lines)+" lines)\n")
	if isSplit {
		text = strings.TrimSuffix(text, "\n")
		isWhole = isWhole || rest == "</file>" // until 0.5 nothing else said so
	}
	return text, isWhole
}

// indented gives a diff its indentation back. For the screen the client takes off what
// all lines have in common (read in source): it is what a changed line lacks of the line
// that the call names.
func indented(diff, asked string) string {
	named := map[string]string{} // lines, by what they are without their indentation; "" if they differ
	for line := range strings.SplitSeq(asked, "\n") {
		line = strings.TrimSuffix(line, "\r")
		bare := strings.TrimLeft(line, " \t")
		if other, ok := named[bare]; ok && other != line {
			line = ""
		}
		named[bare] = line
	}
	lines := strings.Split(diff, "\n")
	for _, l := range lines {
		if !isChanged(l) {
			continue
		}
		whole := named[strings.TrimLeft(l[1:], " \t")]
		if lacked, ok := strings.CutSuffix(whole, l[1:]); ok && lacked != "" && l[1:] != "" {
			return putBefore(lines, lacked)
		}
	}
	return diff
}

// changedLines are the lines that a patch removes or adds.
func changedLines(patch string) string {
	var b strings.Builder
	for line := range strings.SplitSeq(patch, "\n") {
		if isChanged(line) {
			b.WriteString(line[1:] + "\n")
		}
	}
	return b.String()
}

// isChanged reports whether a line of a diff is an added or a removed one.
func isChanged(line string) bool {
	return line != "" && (line[0] == '+' || line[0] == '-') && !strings.HasPrefix(line, "---") && !strings.HasPrefix(line, "+++")
}

// putBefore puts an indentation before the lines of a diff that hold something.
func putBefore(lines []string, indent string) string {
	for i, l := range lines {
		if len(l) > 1 && (isChanged(l) || l[0] == ' ') {
			lines[i] = l[:1] + indent + l[1:]
		}
	}
	return strings.Join(lines, "\n")
}
