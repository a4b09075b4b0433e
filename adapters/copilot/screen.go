package copilot

import (
	"slices"
	"strconv"
	"strings"

	"github.com/memscribe/memscribe/adapters/internal/edit"
	"github.com/memscribe/memscribe/core"
)

// The client makes its diffs for the screen: in git's form, of the pieces between line feeds. A
// file that ends with a line feed so has an empty last piece, which is in the diff as a line, and a
// file that does not has no mark of it (recorded 1.0.102, wild 0.0.340 to 1.0.64).

// section is the diff of one file.
type section struct {
	path    string // without the leading slash
	body    string // from the first hunk on
	created bool
}

// maxSections bounds the files of one call.
const maxSections = 4096

// splitDiff cuts a diff into its files. What is no diff has none.
func splitDiff(text string) []section {
	const head = "diff --git "
	text = strings.TrimPrefix(text, "\n")
	if !strings.HasPrefix(text, head) {
		return nil
	}
	var list []section
	for text != "" && len(list) < maxSections {
		piece := text
		if at := strings.Index(text[1:], "\n"+head); at >= 0 {
			piece, text = text[:at+2], text[at+2:]
		} else {
			text = ""
		}
		list = append(list, readSection(piece))
	}
	return list
}

func readSection(piece string) section {
	s := section{}
	headers, body, found := strings.Cut(piece, "\n@@ ")
	if found {
		s.body = "@@ " + body
	}
	for line := range strings.Lines(headers) {
		line = strings.TrimRight(line, "\r\n")
		switch name, isNew := strings.CutPrefix(line, "+++ b/"); {
		case isNew:
			s.path = name
		case line == "--- a/dev/null", line == "--- /dev/null":
			s.created = true
		case strings.HasPrefix(line, "--- a/") && s.path == "":
			s.path = line[len("--- a/"):]
		}
	}
	return s
}

// shown is the text of a file that was shown whole.
func shown(detail string) (string, bool) {
	sections := splitDiff(detail)
	if len(sections) != 1 {
		return "", false
	}
	head, body, _ := strings.Cut(sections[0].body, "\n")
	n, ok := strings.CutPrefix(head, "@@ -1,")
	if !ok {
		return "", false
	}
	n, _, _ = strings.Cut(n, " ")
	want, err := strconv.Atoi(n)
	if err != nil {
		return "", false
	}
	var text strings.Builder
	lines := 0
	for line := range strings.Lines(body) {
		if line[0] != ' ' {
			return "", false
		}
		if lines++; lines > 1 {
			text.WriteByte('\n')
		}
		text.WriteString(strings.TrimSuffix(line[1:], "\n"))
	}
	return text.String(), lines == want
}

// repaired is a diff of the screen as a diff of lines.
func repaired(name, body string) (core.Diff, error) {
	lines := strings.SplitAfter(body, "\n")
	if n := len(lines); n > 0 && lines[n-1] == "" {
		lines = lines[:n-1]
	}
	start := len(lines) - 1
	for start > 0 && !strings.HasPrefix(lines[start], "@@ ") {
		start--
	}
	trail := 0
	for i := len(lines) - 1; i > start && lines[i][0] == ' '; i-- {
		trail++
	}
	last := len(lines) - 1
	switch {
	case last <= start:
	case trail > 0 && isBlank(lines[last]):
		lines = lines[:last]
	case trail == contextLines:
	case trail > 0:
		lines = append(lines, noNewline)
	default:
		lines = append(lines[:start+1:start+1], endOf(lines[start+1:])...)
	}
	return edit.FromUnified(name, strings.Join(lines, ""))
}

// contextLines is how many unchanged lines the client shows around a change.
const contextLines = 3

const noNewline = "\\ No newline at end of file\n"

func isBlank(line string) bool { return strings.TrimRight(line[1:], "\r\n") == "" }

// endOf writes the lines of a hunk whose last change reaches the end of the
// file: an empty last piece on one side is that side's line end.
func endOf(lines []string) []string {
	at := lastOf(lines, "- ")
	bt := lastOf(lines, "+ ")
	var out []string
	for i, line := range lines {
		ends := i == at && line[0] != '+' || i == bt && line[0] != '-'
		if ends && line[0] != ' ' && isBlank(line) {
			continue // the piece behind the last line feed
		}
		// A line that is the last one of one side only stands on both.
		if line[0] == ' ' && (i == at) != (i == bt) {
			mark := "-+"
			if i == bt {
				mark = "+-"
			}
			if isBlank(line) { // behind the last line feed there, a line here
				out = append(out, mark[1:]+line[1:])
				continue
			}
			out = append(out, mark[:1]+line[1:], noNewline, mark[1:]+line[1:])
			continue
		}
		out = append(out, line)
		if ends {
			out = append(out, noNewline)
		}
	}
	return out
}

// lastOf is the index of the last line of one side.
func lastOf(lines []string, marks string) int {
	for i, line := range slices.Backward(lines) {
		if strings.IndexByte(marks, line[0]) >= 0 {
			return i
		}
	}
	return -1
}

// asCreated makes a diff of a new file into one that creates it.
func asCreated(name string, d core.Diff) core.Diff {
	after, err := edit.Apply("", d.Unified)
	if err != nil {
		return d
	}
	return edit.Created(name, after)
}
