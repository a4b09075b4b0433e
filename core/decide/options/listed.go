package options

import (
	"slices"
	"strings"
)

// Item is an alternative that the assistant listed. Of "2) **Postgres**: one more
// table" the label is 2, the name Postgres.
type Item struct {
	Label  string // 1, 2, A, B
	Name   string
	At     int  // offset of the name
	Called bool // an option by name: "Option 1", "方案 1"
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
		label, rest, called, ok := labelOf(line)
		if !ok || len(out) == maxListed {
			continue
		}
		if name := headOf(rest); name != "" {
			out = append(out, Item{Label: strings.ToUpper(label), Name: name, At: end - len(rest) + strings.Index(rest, name), Called: called})
		}
	}
	return out
}

// labelOf splits a line into its label and what follows. Called says that a word for options
// stands before the label.
func labelOf(line string) (label, rest string, called, ok bool) {
	s := strings.TrimLeft(line, " \t|*#>-")
	for _, word := range [...]string{
		"Option ", "option ", "Approach ", "Variant ", "Alternative ", "Méthode ", "Opción ", "Opcion ", "Opção ", "Variante ", "Вариант ",
		"方案", "选项", "選項", "方法", "オプション", "案", "옵션", "방법",
	} {
		if cut, found := strings.CutPrefix(s, word); found {
			s, called = strings.TrimLeft(cut, " "), true
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
		return "", "", false, false
	}
	rest = strings.TrimLeft(s[n:], "*")
	if rest == "" || !slices.ContainsFunc(separators(called), func(mark string) bool { return strings.HasPrefix(rest, mark) }) {
		return "", "", false, false
	}
	return s[:n], strings.TrimLeft(rest, ".):：| —-"), called, true
}

// separators are what may stand between a label and what it is of.
func separators(called bool) []string {
	all := []string{".", ")", ":", "|", " |", " —", " -", "：", " (", "（"}
	if called {
		return all
	}
	return all[:len(all)-3]
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
