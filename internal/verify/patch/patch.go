// Package patch applies unified diffs. It is written apart from the code that makes them, and
// forgives nothing: no fuzz, no offset, counts that are right to the line.
//
//	files, err := patch.Parse(diff)
//	after, err := files[0].Apply(before)
//
// A text whose last line has no end keeps that: the diff says "\ No newline at end of file". A
// diff in the form of git may have its own headers above those of a file; they are skipped.
package patch

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// File is the change of one file.
type File struct {
	Old, New string // as the headers name them; "/dev/null" is none
	Hunks    []Hunk
}

// Hunk is a run of lines and where it stands. Lines are numbered from 1. A hunk without old
// lines stands after line OldStart, and one without new lines after line NewStart.
type Hunk struct {
	OldStart, OldLines, NewStart, NewLines int
	// with their ends and marks: " a\n", "-b\n", "+c"
	Lines []string
}

// Parse reads a unified diff of any number of files, as diff or git writes it.
func Parse(s string) ([]File, error) {
	p := parser{rest: s}
	var files []File
	for p.rest != "" {
		line := p.line()
		switch {
		case strings.HasPrefix(line, "--- "):
			f, err := p.file(line)
			if err != nil {
				return nil, fmt.Errorf("read diff at line %d: %w", p.n, err)
			}
			files = append(files, f)
		case !fromGit(line):
			return nil, fmt.Errorf("read diff at line %d: %q stands outside a file", p.n, line)
		}
	}
	return files, nil
}

// fromGit reports whether a line is one of those that git puts above the headers
// of a file.
func fromGit(line string) bool {
	for _, word := range []string{
		"diff --git ", "index ", "new file mode ", "deleted file mode ", "old mode ", "new mode ",
		"similarity index ", "rename from ", "rename to ",
	} {
		if strings.HasPrefix(line, word) {
			return true
		}
	}
	return false
}

// parser reads a diff line by line.
type parser struct {
	rest string
	n    int
}

// line takes the next line, without its end.
func (p *parser) line() string {
	line, rest, _ := strings.Cut(p.rest, "\n")
	p.rest = rest
	p.n++
	return line
}

// file reads the head of a file, whose first line was read, and its hunks.
func (p *parser) file(header string) (File, error) {
	f := File{Old: name(header[4:])}
	next := p.line()
	if !strings.HasPrefix(next, "+++ ") {
		return f, fmt.Errorf("want a +++ header, got %q", next)
	}
	f.New = name(next[4:])
	for strings.HasPrefix(p.rest, "@@ ") {
		h, err := p.hunk()
		if err != nil {
			return f, err
		}
		f.Hunks = append(f.Hunks, h)
	}
	return f, nil
}

// name cuts the time that diff writes after a name off, and git's quotes.
func name(s string) string {
	s, _, _ = strings.Cut(s, "\t")
	if q, err := strconv.Unquote(s); err == nil {
		return q
	}
	return s
}

// hunk reads a hunk, and fails unless it has exactly as many lines as its head says.
func (p *parser) hunk() (Hunk, error) {
	var h Hunk
	head := p.line()
	var err error
	if h.OldStart, h.OldLines, h.NewStart, h.NewLines, err = numbers(head); err != nil {
		return h, err
	}
	olds, news := 0, 0
	for olds < h.OldLines || news < h.NewLines || strings.HasPrefix(p.rest, `\`) {
		if p.rest == "" {
			return h, fmt.Errorf("%q ends early", head)
		}
		line := p.line()
		if strings.HasPrefix(line, `\`) {
			if len(h.Lines) == 0 {
				return h, fmt.Errorf("%q before any line", line)
			}
			h.Lines[len(h.Lines)-1] = strings.TrimSuffix(h.Lines[len(h.Lines)-1], "\n")
			continue
		}
		switch {
		case strings.HasPrefix(line, " "):
			olds, news = olds+1, news+1
		case strings.HasPrefix(line, "-"):
			olds++
		case strings.HasPrefix(line, "+"):
			news++
		default:
			return h, fmt.Errorf("line %q has no mark", line)
		}
		h.Lines = append(h.Lines, line+"\n")
	}
	if olds != h.OldLines || news != h.NewLines {
		return h, fmt.Errorf("%q holds -%d +%d lines", head, olds, news)
	}
	return h, nil
}

// numbers reads the head of a hunk, "@@ -a,b +c,d @@". Anything may follow the second "@@".
func numbers(head string) (oldStart, oldLines, newStart, newLines int, err error) {
	parts := strings.SplitN(head, " ", 4)
	if len(parts) != 4 || !strings.HasPrefix(parts[3], "@@") {
		return 0, 0, 0, 0, fmt.Errorf("%q is no hunk header", head)
	}
	oldStart, oldLines, err1 := span(parts[1], "-")
	newStart, newLines, err2 := span(parts[2], "+")
	if err := errors.Join(err1, err2); err != nil {
		return 0, 0, 0, 0, fmt.Errorf("%q is no hunk header: %w", head, err)
	}
	return oldStart, oldLines, newStart, newLines, nil
}

// span reads a range of a hunk's head, as -3,7 or +3; without a number of lines it is one.
func span(s, sign string) (start, lines int, err error) {
	rest, ok := strings.CutPrefix(s, sign)
	if !ok {
		return 0, 0, fmt.Errorf("no %q", sign)
	}
	from, n, counted := strings.Cut(rest, ",")
	if start, err = strconv.Atoi(from); err != nil {
		return 0, 0, err
	}
	if !counted {
		return start, 1, nil
	}
	lines, err = strconv.Atoi(n)
	return start, lines, err
}

// Apply returns the content after the change. The content before must be what the hunks say,
// where they say it, and hunks must come in order. The headers are not looked at: a file that
// is not there is "".
func (f *File) Apply(before string) (string, error) {
	have := lines(before)
	var out strings.Builder
	at := 0
	for _, h := range f.Hunks {
		start := h.OldStart - 1
		if h.OldLines == 0 {
			start = h.OldStart // such a hunk stands after that line
		}
		if start < at || start > len(have) {
			return "", fmt.Errorf("apply hunk at line %d: out of place", h.OldStart)
		}
		for ; at < start; at++ {
			out.WriteString(have[at])
		}
		for _, l := range h.Lines {
			if l[0] != '+' {
				if at >= len(have) || have[at] != l[1:] {
					return "", fmt.Errorf("apply hunk at line %d: want %q, have %q", at+1, l[1:], get(have, at))
				}
				at++
			}
			if l[0] != '-' {
				out.WriteString(l[1:])
			}
		}
	}
	for ; at < len(have); at++ {
		out.WriteString(have[at])
	}
	return out.String(), nil
}

// Counts returns how many lines the change adds and removes.
func (f *File) Counts() (added, removed int) {
	for _, h := range f.Hunks {
		for _, l := range h.Lines {
			switch l[0] {
			case '+':
				added++
			case '-':
				removed++
			}
		}
	}
	return added, removed
}

// get returns a line, or says that the file has ended.
func get(have []string, i int) string {
	if i < len(have) {
		return have[i]
	}
	return "the end of the file"
}

// lines splits a text after its line ends.
func lines(s string) []string {
	if s == "" {
		return nil
	}
	l := strings.SplitAfter(s, "\n")
	if l[len(l)-1] == "" {
		l = l[:len(l)-1]
	}
	return l
}
