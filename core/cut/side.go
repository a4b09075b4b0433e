package cut

import (
	"bytes"
	"cmp"
	"iter"
	"slices"
	"strings"
)

// A unified diff puts a sign before each line, and lines of two texts between each
// other. What gives a secret away may be in the line before it:
//
//	  "db_password":
//	-   "Zk39dkeLLq02mfTz8"
//	+   "Zk40dkeLLq01mfTz8"
//
// So the old and the new text of a diff are judged, too, and what is secret in them
// is cut from the diff.

// Side is the old ('-') or the new ('+') text of the lines of a unified diff.
type Side struct {
	Text  []byte
	lines []sideLine
}

// sideLine is where a line of a side begins, there and in the diff.
type sideLine struct {
	at, from int
	// seam says that the line may be understood together with the one before it, and
	// not as they are in the diff.
	seam bool
}

// linesOf returns the lines of a side, and where they are in the diff.
func linesOf(unified string, sign byte) iter.Seq2[string, sideLine] {
	return func(yield func(string, sideLine) bool) {
		inHunk, open, apart, at := false, false, false, 0
		for line := range strings.Lines(unified) {
			from := at
			at += len(line)
			switch {
			case strings.HasPrefix(line, "@@"):
				inHunk, open, apart = true, false, false
				continue
			case !inHunk:
				continue
			case line[0] != ' ' && line[0] != sign:
				apart = true // something of the other side stands between
				continue
			}
			if !yield(line[1:], sideLine{from: from + 1, seam: open && (apart || line[0] != ' ')}) {
				return
			}
			open, apart = isOpen(line), false
		}
	}
}

// Read makes s a side of a diff, in the memory that it has.
func (s *Side) Read(unified string, sign byte) {
	s.Text, s.lines = s.Text[:0], s.lines[:0]
	for text, line := range linesOf(unified, sign) {
		add(s, text, line)
	}
}

// HasSeam reports whether a side of a diff has one: most have none.
func HasSeam(unified string, sign byte) bool {
	for _, line := range linesOf(unified, sign) {
		if line.seam {
			return true
		}
	}
	return false
}

// add appends a text to a side, and the line that says where in the diff it comes from.
func add[T string | []byte](s *Side, text T, line sideLine) {
	line.at = len(s.Text)
	s.lines = append(s.lines, line)
	s.Text = append(s.Text, text...)
}

// line returns the text of a line.
func (s *Side) line(i int) []byte {
	if i+1 < len(s.lines) {
		return s.Text[s.lines[i].at:s.lines[i+1].at]
	}
	return s.Text[s.lines[i].at:]
}

// ReadSeams makes s what is left of a side without the lines that stand at no seam. An
// empty line parts what does not follow each other.
func (s *Side) ReadSeams(of *Side) {
	const behind = 2 // lines after the one before a seam: a value, and what closes it
	s.Text, s.lines = s.Text[:0], s.lines[:0]
	written := 0
	for i := range of.lines {
		if !of.lines[i].seam {
			continue
		}
		if len(s.lines) > 0 && written < i-1 {
			s.Text = append(s.Text, "\n\n"...)
		}
		for last := max(written, i-1); last < len(of.lines) && (last < i+behind || isOpen(of.line(last-1))); last++ {
			add(s, of.line(last), sideLine{from: of.lines[last].from})
			written = last + 1
		}
	}
}

// isOpen reports whether a line ends as one does whose value is in the next:
// after a colon, an opening bracket, a tag, a comma or a backslash.
func isOpen[T string | []byte](line T) bool {
	for end := len(line); end > 0; end-- {
		switch line[end-1] {
		case ' ', '\t', '\r', '\n':
		case ':', '=', '(', '[', '{', ',', '+', '>', '|', '\\':
			return true
		default:
			return false
		}
	}
	return false
}

// InDiff returns a cut of the side as the stretches of the diff that it takes. The ends of
// lines stay, so that the diff keeps its lines.
func (s *Side) InDiff(c Cut, mark string) (all []Stretch) {
	first, found := slices.BinarySearchFunc(s.lines, c.At, func(l sideLine, at int) int { return cmp.Compare(l.at, at) })
	if !found {
		first--
	}
	for i := first; i < len(s.lines) && s.lines[i].at < c.At+c.Len; i++ {
		line := s.lines[i]
		end := line.at + len(bytes.TrimRight(s.line(i), "\r\n"))
		from, to := max(c.At, line.at), min(c.At+c.Len, end)
		if from >= to {
			continue
		}
		all = append(all, Stretch{At: line.from + from - line.at, End: line.from + to - line.at, Mark: mark})
		mark = ""
	}
	return all
}
