package code

import (
	"cmp"
	"strings"
)

// Row is a line of a diff. Kind is add, del, hunk or same.
type Row struct {
	Kind   string
	Sign   string
	Tokens []Token
}

// maxRows is how many lines of a diff are shown, maxLine how many bytes of a line.
const (
	maxRows = 400
	maxLine = 2000
)

// Diff takes a unified diff of a file apart. It returns how many lines it left out.
func Diff(path, unified string) (rows []Row, left int) {
	body := false
	for line := range strings.Lines(unified) {
		line = strings.TrimRight(line, "\r\n")
		if !body && !strings.HasPrefix(line, "@@") {
			continue // the names of the file
		}
		body = true
		if len(rows) == maxRows {
			left++
			continue
		}
		rows = append(rows, row(path, line))
	}
	return rows, left
}

// row returns a line of a diff with highlighted syntax.
func row(path, line string) Row {
	if len(line) > maxLine {
		line = strings.ToValidUTF8(line[:maxLine], "") + " … (cut)"
	}
	if strings.HasPrefix(line, "@@") {
		return Row{"hunk", "", []Token{{"", line}}}
	}
	sign, text := " ", line
	if line != "" {
		sign, text = line[:1], line[1:]
	}
	kind := map[string]string{"+": "add", "-": "del"}[sign]
	return Row{cmp.Or(kind, "same"), sign, Line(path, text)}
}
