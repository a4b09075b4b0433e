package prose

import "strings"

// lineKind is how a line looks by itself.
type lineKind uint8

const (
	blankLine  lineKind = iota
	proseLine           // words that anyone may have written
	askingLine          // words like you, should, how
	spokenLine          // words of a person who speaks: I, we, please
	weakPaste           // could be output or code, depending on what stands around it
	paste               // code or a value, by its shape
	output              // a log, a diff, a trace, a listing, by its beginning
)

// kindOf returns the kind of a line without its line end.
//
// It looks at the line alone. [projector.line] takes the lines around it into account.
func kindOf(line string) lineKind {
	s := strings.TrimSpace(line)
	if s == "" {
		return blankLine
	}
	if isTrace(s) || isLog(s) || isDiff(line) || isShell(s) || isListing(s) || isRuler(s) || isTemplate(s) || isRow(s) {
		return output
	}
	return kindByShape(line, s)
}

// kindByShape returns the kind of a line by its characters and words.
//
// The order of the tests matters: words of a speaker outweigh weak signs of code, and strong
// signs of code outweigh words of a speaker.
func kindByShape(line, s string) lineKind {
	m := measure(s)
	code := m.codeScore(s)
	switch {
	case s[0] == '>' && (len(s) == 1 || s[1] == ' ' || s[1] == '>'):
		return paste
	case code >= 3 || strings.HasPrefix(s, "// ") || strings.HasPrefix(s, "# ") && line[0] == ' ':
		return paste
	case m.longest > 240 && m.words < 12:
		return paste
	case m.first > 0 && code < 2:
		return spokenLine
	case m.spoken > 0 && code < 2:
		return askingLine
	case code >= 2, m.letters*2 < len(s) && m.wide == 0 && len(s) > 12 && m.common == 0:
		return weakPaste
	case (line[0] == '\t' || strings.HasPrefix(line, "    ")) && m.common == 0 && m.wide == 0:
		return weakPaste
	case m.words >= 3 && m.common == 0 && m.wide == 0 && m.caps*2 > m.words:
		return weakPaste
	}
	return proseLine
}

// measures are counts of a line, taken in one pass over its bytes.
type measures struct {
	letters, words, caps int
	wide                 int // bytes outside ASCII
	longest              int // bytes of the longest run of ASCII without a blank
	symbols              int // bytes of ={}()[];<>|&$_\"
	fields               int // words with a colon or equals sign at their end or inside
	common               int // function words
	spoken               int // words of somebody who speaks
	first                int // those of them that a program's output hardly has
}

// measure returns the counts by which pasted lines are told from typed ones.
func measure(s string) measures {
	var m measures
	start, equals, run := -1, false, 0
	for i := 0; i < len(s); i++ {
		c := s[i]
		run++
		switch {
		case isAlpha(c):
			m.letters++
		case c == ' ' || c == '\t':
			if start >= 0 {
				m.word(s[start:i], equals)
				start, equals = -1, false
			}
			run = 0
			continue
		case c >= 0x80:
			m.wide++
			m.letters++
			run = 0 // Chinese and Japanese have no blanks
		case isSymbol(c):
			m.symbols++
			equals = equals || c == '='
		}
		m.longest = max(m.longest, run)
		if start < 0 {
			start = i
		}
	}
	if start >= 0 {
		m.word(s[start:], equals)
	}
	return m
}

// isSymbol reports whether c is more common in code than in prose.
func isSymbol(c byte) bool {
	switch c {
	case '=', '{', '}', '(', ')', '[', ']', ';', '<', '>', '|', '&', '$', '_', '\\', '"':
		return true
	}
	return false
}

// word counts a run without blanks; equals says that an equals sign is in it.
func (m *measures) word(w string, equals bool) {
	last := w[len(w)-1]
	if equals || len(w) > 1 && last == ':' {
		m.fields++
	}
	for isStop(last) {
		if w = w[:len(w)-1]; w == "" {
			return
		}
		last = w[len(w)-1]
	}
	if !isAlpha(w[0]) {
		return
	}
	m.words++
	if isUpper(w[0]) {
		m.caps++
	}
	switch wordRole(w) {
	case 3:
		m.first++
		m.spoken++
		m.common++
	case 2:
		m.spoken++
		m.common++
	case 1:
		m.common++
	}
}

// isStop reports whether c is punctuation that ends a word.
func isStop(c byte) bool {
	switch c {
	case '.', ',', ':', ';', '!', '?', ')':
		return true
	}
	return false
}

// wordRole returns 3 for words of a speaker, 2 for words of a speaker that output uses too, 1
// for other function words, and 0 for all other words.
func wordRole(w string) int {
	if len(w) > 8 {
		return 0
	}
	var buf [8]byte
	for i := 0; i < len(w); i++ {
		buf[i] = w[i]
		if isUpper(w[i]) {
			buf[i] |= 0x20
		}
	}
	switch string(buf[:len(w)]) {
	case "i", "i'm", "im", "i've", "i'd", "i'll", "we", "we're", "my", "our", "please", "pls", "let's", "lets", "me", "us",
		"ok", "okay", "maybe", "thanks", "think", "why", "want", "sould":
		return 3
	case "you", "your", "can", "could", "should", "dont", "don't", "need", "how", "what", "it's", "would", "must", "instead",
		"always", "never":
		return 2
	case "the", "a", "an", "is", "are", "to", "of", "and", "or", "in", "on", "for", "with", "it", "that", "this", "these",
		"when", "be", "not", "but", "as", "at", "from", "by", "so", "if", "all", "also", "then", "there", "has", "have",
		"was", "does", "do", "use", "make", "add", "der", "die", "und", "el", "la", "de", "que", "le", "les", "os", "um":
		return 1
	}
	return 0
}

// codeScore returns how much a line looks like code.
//
// From 3 on it is code, 2 is doubtful. Function words subtract 2, since prose about code has
// brackets and equals signs, too.
func (m *measures) codeScore(s string) int {
	n := 0
	switch last := s[len(s)-1]; {
	case last == ';' || last == '{' || last == '}':
		n += 2
	case last == '\\' || strings.HasSuffix(s, "=>") || strings.HasSuffix(s, "):") || strings.HasSuffix(s, "({") || strings.HasSuffix(s, "(["):
		n += 2
	case last == ',' && m.symbols > 1:
		n++
	}
	if m.symbols*6 > len(s) {
		n += 2
	} else if m.symbols*12 > len(s) {
		n++
	}
	if startsCode(s) && m.symbols > 0 {
		n += 2
	}
	if m.common == 0 && strings.Contains(s, " = ") {
		n += 2
	}
	if s[0] == '{' || s[0] == '}' || s[0] == '[' && strings.Contains(s, "\":") || strings.HasPrefix(s, "//") ||
		strings.HasPrefix(s, "/*") || strings.HasPrefix(s, "#!") || strings.HasPrefix(s, "</") || strings.HasPrefix(s, "<!--") {
		n += 2
	}
	if s[0] == '|' && strings.Count(s, "|") >= 3 {
		n += 3
	}
	if s[0] == '<' && s[len(s)-1] == '>' {
		n += 3
	}
	if m.common >= 3 {
		n -= 2
	}
	if m.fields >= 6 && m.common*2 < m.fields {
		n += 3
	}
	return n
}

// startsCode reports whether a line begins like a statement or a definition.
func startsCode(s string) bool {
	w, _, _ := strings.Cut(s, " ")
	switch w {
	case "import", "from", "def", "class", "func", "function", "const", "var", "let", "return", "public", "private",
		"static", "void", "export", "package", "#include", "async", "await", "type", "struct", "interface", "if", "for",
		"while", "try:", "else:", "else", "elif", "except", "SELECT", "INSERT", "CREATE", "UPDATE", "DELETE", "RUN", "FROM", "COPY":
		return true
	}
	return strings.HasPrefix(s, "@") && strings.HasSuffix(s, ")")
}

// isRuler reports whether a line only draws, such as "-----" or "====".
func isRuler(s string) bool {
	switch {
	case strings.HasPrefix(s, "===") || strings.HasPrefix(s, "___") || strings.HasPrefix(s, "***"):
		return true
	case strings.HasPrefix(s, "─") || strings.HasPrefix(s, "═") || strings.HasPrefix(s, "╭") || strings.HasPrefix(s, "╰") ||
		strings.HasPrefix(s, "│") || strings.HasPrefix(s, "┃") || strings.HasPrefix(s, "┌") || strings.HasPrefix(s, "└") || strings.HasPrefix(s, "├"):
		return true
	}
	return false
}
