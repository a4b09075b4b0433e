package opencode

import "strings"

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
