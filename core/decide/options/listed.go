package options

import "strings"

// Item is an alternative that the assistant listed. For "2) **Postgres**: one more table" the
// label is 2 and the name Postgres.
type Item struct {
	Label  string // 1, 2, A, B
	Name   string
	At     int  // offset of the name
	Called bool // an option by name: "Option 1", "方案 1"
}

// maxListed is how many alternatives are read.
const maxListed = 24

// Listed reads the numbered or lettered alternatives of a message: list items, headings, and
// rows of tables that begin with their label. It returns at most maxListed of them, in the
// order of the text, with offsets in the message.
//
// It does not decide whether the lines belong to one list: a caller that needs that compares
// labels and places.
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
//
//	line                                label, rest
//	"2) Postgres - one more server"     2, "Postgres - one more server"
//	"**Option B:** keep the file"       B, "keep the file", called
//	"方案 B（推荐）：重写"                 B, "重写", called: the remark only recommends
//	"方案 B（重写）的优势是…"              none: a sentence about option B
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
	if remark, behind, found := bracketed(rest); found && called {
		switch {
		case !separated(behind) && strings.TrimSpace(behind) != "":
			return "", "", false, false // "方案 B（重写）的优势是": a sentence about it
		case !advises(remark):
			return s[:n], strings.TrimLeft(rest, " (（*"), true, true
		}
		rest = behind
	}
	if rest == "" || !separated(rest) || !called && strings.HasPrefix(rest, "：") {
		return "", "", false, false
	}
	return s[:n], strings.TrimLeft(rest, ".):：| —-"), called, true
}

// separated reports whether a text begins with a mark that may stand between a label and its
// alternative.
func separated(s string) bool {
	for _, mark := range [...]string{".", ")", ":", "|", " |", " —", " -", "："} {
		if strings.HasPrefix(s, mark) {
			return true
		}
	}
	return false
}

// bracketed splits a text that begins with brackets, round or full-width, into what is inside
// and what follows.
func bracketed(s string) (inside, behind string, found bool) {
	for _, pair := range [...][2]string{{" (", ")"}, {"（", "）"}} {
		if cut, ok := strings.CutPrefix(s, pair[0]); ok {
			inside, behind, found = strings.Cut(cut, pair[1])
			return inside, strings.TrimLeft(behind, "*"), found
		}
	}
	return "", s, false
}

// advises reports whether a remark of at most 40 bytes only says that an alternative is the
// better one: "(recommended)", "（推荐）". Such a remark is no part of the name.
func advises(remark string) bool {
	const most = 40 // bytes
	if len(remark) > most {
		return false
	}
	for _, w := range [...]string{"recommend", "Recommend", "preferred", "recomm", "recomend", "empfohlen", "рекоменд", "consiglia", "推荐", "推薦", "建议", "おすすめ", "推奨", "권장", "추천"} {
		if strings.Contains(remark, w) {
			return true
		}
	}
	return false
}

// headOf returns the name at the beginning of an alternative: what is emphasised, or what
// stands before its explanation. A name that would be longer than 80 bytes is cut at a blank;
// without a blank the result is "".
//
//	**SQLite**: nothing to install      SQLite
//	Postgres - one more server          Postgres
func headOf(s string) string {
	s = strings.TrimSpace(s)
	if cut, found := strings.CutPrefix(s, "**"); found {
		name, behind, closed := strings.Cut(cut, "**")
		if more, goesOn := strings.CutPrefix(behind, ", "); closed && goesOn { // "**Optionally**, add a page"
			return headOf(more)
		}
		if closed {
			if at := strings.LastIndex(name, " ("); at > 0 && advises(name[at:]) {
				name = name[:at]
			}
			return strings.Trim(name, " :.")
		}
	}
	s = strings.TrimLeft(s, "* ")
	for _, stop := range [...]string{"**", "):", ")：", "）：", " — ", " – ", " - ", ": ", " | ", " (", ". ", "? "} {
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
