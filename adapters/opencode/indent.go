package opencode

import (
	"slices"
	"strconv"
	"strings"
)

// sources are the texts from which the lines of a diff come: the file as it was,
// if that is known, and what was asked to be replaced, by what.
type sources struct{ known, before, after string }

// patchSources are the sources of the diff of a file that a patch changes.
func patchSources(known, patch string) sources {
	var before, after strings.Builder
	before.WriteString("\n") // no line of a patch begins within one of the file
	after.WriteString("\n")
	for line := range strings.SplitSeq(patch, "\n") {
		switch {
		case strings.HasPrefix(line, "-"):
			before.WriteString(line[1:] + "\n")
		case strings.HasPrefix(line, "+"):
			after.WriteString(line[1:] + "\n")
		}
	}
	return sources{known, before.String(), after.String()}
}

// indented gives a diff its indentation back. For the screen the client takes
// off what all lines have in common (read in source); how much that was, and of
// what, the texts say that the lines come from: it is what makes the most lines
// stand in them.
func indented(diff string, from sources) string {
	lines := strings.Split(diff, "\n")
	o := origins{known: linesOf(from.known), before: askedLines(from.before), after: askedLines(from.after)}
	best, most := "", o.standing(lines, "")
	for _, prefix := range o.prefixes(lines) {
		if n := o.standing(lines, prefix); n > most {
			best, most = prefix, n
		}
	}
	if best == "" {
		return diff
	}
	for i, l := range lines {
		if isContent(l) && len(l) > 1 {
			lines[i] = l[:1] + best + l[1:]
		}
	}
	return strings.Join(lines, "\n")
}

func isContent(line string) bool {
	return line != "" && strings.ContainsRune("+- ", rune(line[0])) && !strings.HasPrefix(line, "---") && !strings.HasPrefix(line, "+++")
}

// origins are the lines of the sources.
type origins struct{ known, before, after lineSet }

// lineSet is the lines of a text.
type lineSet struct {
	lines []string
	has   map[string]bool
	leads map[string][]string // the indentations of a line without one
}

// mostLeads is how many indentations are tried: more than that a diff does not
// leave open.
const mostLeads = 16

func linesOf(text string) lineSet {
	s := lineSet{has: map[string]bool{}, leads: map[string][]string{}}
	if text == "" {
		return s
	}
	for line := range strings.SplitSeq(text, "\n") {
		s.add(strings.TrimSuffix(line, "\r"))
	}
	return s
}

func (s *lineSet) add(line string) {
	s.lines = append(s.lines, line)
	if s.has[line] {
		return
	}
	s.has[line] = true
	if rest := strings.TrimLeft(line, " \t"); rest != "" && len(s.leads[rest]) < mostLeads {
		s.leads[rest] = append(s.leads[rest], line[:len(line)-len(rest)])
	}
}

// askedLines are the lines of a string of an edit. The first one may begin within
// a line of the file: then it says nothing of that line's indentation.
func askedLines(text string) lineSet {
	if !strings.HasPrefix(text, " ") && !strings.HasPrefix(text, "\t") {
		_, text, _ = strings.Cut(text, "\n")
	}
	return linesOf(text)
}

// of are the lines from which a line of a diff may come.
func (o *origins) of(mark byte) []*lineSet {
	switch mark {
	case '+':
		return []*lineSet{&o.after}
	case '-':
		return []*lineSet{&o.before, &o.known}
	default:
		return []*lineSet{&o.known}
	}
}

// prefixes lists what the lines of a diff may lack, in the order of the lines.
func (o *origins) prefixes(lines []string) []string {
	var all []string
	for _, l := range lines {
		if !isContent(l) {
			continue
		}
		rest := strings.TrimLeft(l[1:], " \t")
		own := l[1 : len(l)-len(rest)]
		for _, s := range o.of(l[0]) {
			for _, lead := range s.leads[rest] {
				lacked, ok := strings.CutSuffix(lead, own)
				if ok && lacked != "" && len(all) < mostLeads && !slices.Contains(all, lacked) {
					all = append(all, lacked)
				}
			}
		}
	}
	return all
}

// standing counts the lines of a diff that stand in its sources with an
// indentation, and those once more that stand where the diff says.
func (o *origins) standing(lines []string, prefix string) int {
	n, at := 0, 0
	for _, l := range lines {
		if head, ok := strings.CutPrefix(l, "@@ -"); ok {
			at, _ = strconv.Atoi(head[:strings.IndexAny(head+" ", ", ")])
			continue
		}
		if !isContent(l) {
			continue
		}
		whole := prefix + l[1:]
		for _, s := range o.of(l[0]) {
			if s.has[whole] {
				n++
			}
		}
		if l[0] == '+' {
			continue
		}
		if 0 < at && at <= len(o.known.lines) && o.known.lines[at-1] == whole {
			n++
		}
		at++
	}
	return n
}
