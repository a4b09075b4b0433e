package opencode

import (
	"strconv"
	"strings"

	"github.com/memscribe/memscribe/core/jsondoc"
)

// shown takes in the text of a file that a call has read from its beginning to
// its end: a later write over it records no text of before (recorded 1.18.33).
func (p *parser) shown(c *call) {
	name := p.resolve(c.input.Get("filePath").Str())
	if name == "" || c.output.Kind() != jsondoc.String {
		return
	}
	if text, ok := wholeFile(c.output.Str()); ok {
		p.files.Set(name, text)
	}
}

// wholeFile is the text of a file that was shown whole. Until 1.1 the text was
// split at its line ends, so that what follows the last one counts as a line
// (recorded 0.5.29, 1.0.185); since then lines are read, of which the last one
// may or may not have had an end (recorded 1.2.27, 1.18.33): it is taken to have
// one.
func wholeFile(output string) (string, bool) {
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
