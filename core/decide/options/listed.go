package options

import "strings"

// Item is an alternative that the assistant listed. Of "2) **Postgres**: one more
// table" the label is 2, the name Postgres.
type Item struct {
	Label string // 1, 2, A, B
	Name  string
	At    int // offset of the name
}

// maxListed is how many alternatives are read.
const maxListed = 24

// Listed reads the numbered or lettered alternatives of a message: list items,
// headings, and rows of tables that begin with their label.
// Of more than maxListed those that come first are read. Offsets are of the message.
func Listed(text string) []Item {
	var out []Item
	end := 0
	for line := range strings.Lines(text) {
		end += len(line)
		label, rest, ok := labelOf(line)
		if !ok || len(out) == maxListed {
			continue
		}
		if name := headOf(rest); name != "" {
			out = append(out, Item{Label: strings.ToUpper(label), Name: name, At: end - len(rest) + strings.Index(rest, name)})
		}
	}
	return out
}

// labelOf splits a line into its label and what follows.
func labelOf(line string) (label, rest string, ok bool) {
	s := strings.TrimLeft(line, " \t|*#>-")
	for _, word := range [...]string{"Option ", "option ", "Approach ", "Variant ", "Alternative "} {
		if cut, found := strings.CutPrefix(s, word); found {
			s = cut
			break
		}
	}
	s = strings.TrimLeft(s, "(*")
	n := 0
	for n < len(s) && n < 2 && '0' <= s[n] && s[n] <= '9' {
		n++
	}
	if n == 0 && s != "" && ('A' <= s[0] && s[0] <= 'H' || 'a' <= s[0] && s[0] <= 'e') {
		n = 1
	}
	if n == 0 || n >= len(s) {
		return "", "", false
	}
	rest = strings.TrimLeft(s[n:], "*")
	if rest == "" || strings.IndexByte(".):|", rest[0]) < 0 && !strings.HasPrefix(rest, " |") && !strings.HasPrefix(rest, " —") && !strings.HasPrefix(rest, " -") {
		return "", "", false
	}
	return s[:n], strings.TrimLeft(rest, ".):| —-"), true
}

// headOf is the name at the beginning of an alternative: what is emphasised, or
// what stands before its explanation.
// A name that would be longer than 80 bytes is cut at a word; without one there is
// none.
func headOf(s string) string {
	s = strings.TrimSpace(s)
	if cut, found := strings.CutPrefix(s, "**"); found {
		if name, _, closed := strings.Cut(cut, "**"); closed {
			return strings.Trim(name, " :.")
		}
	}
	s = strings.TrimLeft(s, "* ")
	for _, stop := range [...]string{"**", " — ", " – ", " - ", ": ", " | ", " (", ". ", "? "} {
		if at := strings.Index(s, stop); at > 0 {
			s = s[:at]
		}
	}
	const most = 80
	if len(s) > most {
		at := strings.LastIndexByte(s[:most], ' ')
		if at <= 0 {
			return ""
		}
		s = s[:at]
	}
	return strings.Trim(s, " *|.,:")
}
